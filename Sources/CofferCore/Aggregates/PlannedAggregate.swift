import Foundation

/// One request for values that are worked out of many models: what the store does of it, and what the context adds.
///
/// - Where store and plan agree, the store works everything out. Models with unsaved changes are kept out there, and
///   added from memory.
/// - Otherwise the models are fetched, and the values are worked out of them.
struct PlannedAggregate<M: PersistentModel> {
    let descriptor: FetchDescriptor<M>
    let home: _ModelHome
    let context: ModelContext
    private let keys: [AggregateInput<M>]
    private let columns: [(request: AggregateRequest<M>, input: AggregateInput<M>?)]
    private let order: [AggregateOrder]
    private let limit: Int?
    private let offset: Int

    /// - Throws: ``SwiftDataError/unsupportedKeyPath`` for values that have no stored form,
    ///   ``SwiftDataError/unsupportedSortDescriptor`` for an order by something that is no key.
    init(
        _ descriptor: FetchDescriptor<M>, keys: [PartialKeyPath<M>], requests: [AggregateRequest<M>],
        order: [GroupOrder<M>] = [], limit: Int? = nil, offset: Int = 0, home: _ModelHome, context: ModelContext
    ) throws {
        self.descriptor = descriptor
        self.home = home
        self.context = context
        self.limit = limit.map { max($0, 0) }
        self.offset = max(offset, 0)
        self.keys = try keys.map { try AggregateInput($0, isOrdered: false) }
        var requests = requests
        self.order = try order.map { order in
            switch order.source {
            case .key(let keyPath):
                guard let index = keys.firstIndex(of: keyPath) else {
                    throw SwiftDataError(
                        .unsupportedSortDescriptor, operation: .fetch, entity: M._$descriptor.entityName,
                        detail: "\(keyPath) is none of the groups' keys")
                }
                return AggregateOrder(.key(index), isDescending: order.isDescending, comparison: order.comparison)
            case .value(let request):
                let index = requests.firstIndex(of: request) ?? requests.count
                if index == requests.count { requests.append(request) }
                return AggregateOrder(.column(index), isDescending: order.isDescending)
            }
        }
        columns = try requests.map { request in
            let isOrdered = request.function == .min || request.function == .max
            return (request, try request.keyPath.map { try AggregateInput($0, isOrdered: isOrdered) })
        }
    }

    /// The groups, with final values, in order.
    func rows() throws -> [AggregateRow] {
        do {
            if let rows = try fromStore() { return rows }
            if !descriptor.includePendingChanges, context.hasChanges {
                // In a context of its own, in whose memory nothing is unsaved.
                let other = ModelContext(context.container)
                return try fromModels(other, other.home(of: M.self, for: .fetch))
            }
            return try fromModels(context, home)
        } catch let error as SwiftDataError {
            throw error.adding(operation: .fetch, store: home.store.name, entity: home.descriptor.entityName)
        }
    }

    // MARK: In the store

    /// What the store works out; nil where it cannot.
    private func fromStore() throws -> [AggregateRow]? {
        guard let rows = home.store.rows, var plan = try plan() else {
            try refuseFallback("values that no plan can express")
            return nil
        }
        let linked = plan.expressions.reduce(into: plan.rows.filter?.linkedEntities ?? []) {
            $0.formUnion($1.linkedEntities)
        }
        let isPaged = plan.rows.limit != nil || plan.rows.offset > 0
        let pending: [M] =
            descriptor.includePendingChanges ? home.pendingModels(includingSubclasses: home.isPolymorphic) : []
        if descriptor.includePendingChanges {
            // What is reached through links has to be as the context has it, which no store knows.
            if !linked.isEmpty, context.hasPendingChanges(of: linked) { return nil }
            if isPaged {
                let ways = plan.rows.sort.flatMap { home.descriptor.entities(along: $0.path) }
                if !pending.isEmpty || !ways.isEmpty && context.hasPendingChanges(of: Set(ways)) { return nil }
            }
        }
        if !isPaged { plan.rows.sort = [] }
        func ask(_ plan: AggregatePlan) throws -> [AggregateRow] {
            home.store.capabilities.features.contains(.aggregates)
                ? try rows.aggregate(plan) : try rows.aggregateOverRows(plan)
        }
        do {
            if pending.isEmpty { return try ask(plan) }
            var partial = plan
            partial.isPartial = true
            partial.order = []
            partial.limit = nil
            partial.offset = 0
            partial.rows.filter = excluding(pending, from: plan.rows.filter)
            let table = AggregateTable(plan)
            table.add(try ask(partial))
            let matcher = ModelMatcher(
                descriptor.predicate, filter: plan.rows.filter, evaluates: false, context: context)
            let source = ModelRows(context, followsLinks: !linked.isEmpty)
            for model in pending where model._$flags & _Flag.deleted == 0 {
                if try matcher.matches(model) { try table.add(source.row(of: model), in: source) }
            }
            return table.rows()
        } catch DataStoreError.preferInMemoryFilter {
            try refuseFallback("the filter, which the store hands back")
            return nil
        } catch DataStoreError.preferInMemorySort {
            try refuseFallback("the order, which the store hands back")
            return nil
        }
    }

    /// - Throws: ``SwiftDataError/inMemoryFallback`` in a strict context.
    private func refuseFallback(_ piece: String) throws {
        if context.allowsInMemoryFallback { return }
        throw SwiftDataError(.inMemoryFallback, operation: .fetch, detail: "an aggregate: \(piece)")
    }

    /// The request in terms of a store; nil where it has a part that no plan can express.
    private func plan() throws -> AggregatePlan? {
        let lowered = try descriptor._plan()
        if lowered.needsFilter || lowered.needsSort && (lowered.plan.limit != nil || lowered.plan.offset > 0) {
            return nil
        }
        var rows = lowered.plan
        rows.slots = nil
        rows.subentityNames = home.isPolymorphic ? home.subentityNames : []
        var plan = AggregatePlan(rows: rows, order: order, limit: limit, offset: offset)
        for key in keys {
            guard let expression = key.expression else { return nil }
            plan.keys.append(expression)
        }
        for column in columns {
            if let input = column.input, input.expression == nil { return nil }
            plan.columns.append(
                AggregateColumn(column.request.function, column.input?.expression, number: column.request.number))
        }
        return plan
    }

    /// The filter without the rows of some models.
    private func excluding(_ models: [M], from filter: FilterExpression?) -> FilterExpression? {
        let known = models.filter { $0._$key > 0 }
        if known.isEmpty { return filter }
        let type = FilterType(.link(entity: home.descriptor.entityName))
        let row = FilterPath(variable: .row(of: home.descriptor.entityName), steps: [], type: type)
        let list = FilterList(known.map { .reference($0.persistentModelID) }, elementType: type)
        let variable = FilterVariable(number: 1, entityName: home.descriptor.entityName)
        let others = FilterExpression.not(
            .includes(FilterSequence(.captured(list), variable: variable), .property(row)))
        return filter.map { .all([$0, others]) } ?? others
    }

    // MARK: In memory

    /// What is worked out of the models themselves.
    private func fromModels(_ context: ModelContext, _ home: _ModelHome) throws -> [AggregateRow] {
        var descriptor = descriptor
        descriptor.propertiesToFetch = []
        descriptor.relationshipKeyPathsForPrefetching = []
        let models = try PlannedFetch(descriptor, home: home, context: context).models()
        let inputs = keys + columns.compactMap(\.input)
        let expressions = inputs.map { $0.expression ?? .constant(.null, .integer) }
        var orders: [Int: AggregateTable.Order] = [:]
        for (index, column) in columns.enumerated() { orders[index] = column.input?.order }
        var plan = AggregatePlan(
            rows: FetchPlan(entityName: home.descriptor.entityName), order: order, limit: limit, offset: offset)
        plan.keys = Array(expressions.prefix(keys.count))
        var next = keys.count
        for column in columns {
            var value: FilterExpression?
            if column.input != nil {
                value = expressions[next]
                next += 1
            }
            plan.columns.append(AggregateColumn(column.request.function, value, number: column.request.number))
        }
        let table = AggregateTable(plan, orders: orders, isOfModels: true)
        let values = RowValues(expressions)
        let source = ModelRows(context, followsLinks: expressions.contains(where: \.followsLinks))
        for model in models {
            var row: DefaultSnapshot?
            try table.add { index in
                if inputs[index].expression == nil { return try inputs[index].read(model) }
                let packed = try row ?? source.row(of: model)
                row = packed
                return try values.value(index, of: packed, in: source)
            }
        }
        return table.rows()
    }
}
