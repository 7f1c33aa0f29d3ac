/// The class hierarchies of a schema as flat tables, for stores that keep records by slot: what the context says in the
/// slots of classes, a store hears in the slots of its tables.
///
/// ```swift
/// let flat = FlatHierarchies(schema)                   // nil: no class has a subclass, nothing to do
/// let plan = flat?.plan(plan) ?? plan                  // entity, filter, order and scope of the flat table
/// ```
///
/// Entities without relatives stay as they are, also where they lead to hierarchies.
public struct FlatHierarchies: Sendable {
    /// The hierarchies by the names of all their entities.
    private let byEntity: [String: FlatHierarchy]
    /// Where the links of each entity lead, by its own slots.
    private let destinations: [String: [String?]]

    /// Nil for a schema without hierarchies.
    public init?(_ schema: Schema) {
        var byEntity: [String: FlatHierarchy] = [:]
        for root in schema.entities where root.superentity == nil && !root.subentities.isEmpty {
            let hierarchy = FlatHierarchy(root)
            for entity in hierarchy.entities { byEntity[entity.name] = hierarchy }
        }
        if byEntity.isEmpty { return nil }
        self.byEntity = byEntity
        destinations = schema.entitiesByName.mapValues { entity in
            entity.properties.map { ($0 as? Schema.Relationship)?.destination }
        }
    }

    /// The hierarchy that an entity is part of; nil where it has no relatives.
    public func hierarchy(of entityName: String) -> FlatHierarchy? { byEntity[entityName] }

    /// The name of the table of an entity's rows: that of its root entity.
    public func table(of entityName: String) -> String { byEntity[entityName]?.root.name ?? entityName }

    // MARK: Plans

    /// A plan in terms of the tables. Its slots stay those of the entity, for ``FlatHierarchy/Reader``.
    public func plan(_ plan: FetchPlan) -> FetchPlan {
        var flat = plan
        flat.filter = plan.filter.map { filter in filter.mappingPaths { path($0) } }
        flat.sort = plan.sort.map { key in
            SortKey(
                path: slots(key.path, from: plan.entityName), isDescending: key.isDescending,
                comparison: key.comparison)
        }
        if case .related(let owner, let slot, let owners) = plan.scope {
            flat.scope = .related(
                ownerEntity: table(of: owner), slot: self.slot(slot, in: owner), owners: owners)
        }
        guard let hierarchy = byEntity[plan.entityName] else { return flat }
        flat.entityName = hierarchy.root.name
        flat.subentityNames = []
        if let kinds = kinds(plan, hierarchy) { flat.filter = flat.filter.map { .all([kinds, $0]) } ?? kinds }
        return flat
    }

    /// An expression in terms of the tables; see ``AggregatePlan``.
    public func expression(_ expression: FilterExpression) -> FilterExpression {
        expression.mappingPaths { path($0) }
    }

    /// The condition that a row be of one of the plan's entities; nil where all rows of the table are.
    private func kinds(_ plan: FetchPlan, _ hierarchy: FlatHierarchy) -> FilterExpression? {
        let numbers = ([plan.entityName] + plan.subentityNames).compactMap { hierarchy.number(of: $0) }.sorted()
        if numbers.count == hierarchy.entities.count { return nil }
        let step = FilterStep(slot: hierarchy.kindSlot, name: "entity")
        let kind = FilterExpression.property(
            FilterPath(variable: .row(of: hierarchy.root.name), steps: [step], type: .integer))
        func number(_ number: Int) -> FilterExpression { .constant(.integer(Int64(number)), .integer) }
        guard let first = numbers.first, let last = numbers.last else { return .boolean(false) }
        if first == last { return .compare(.equal, kind, number(first)) }
        if last - first + 1 == numbers.count {
            return .all([
                .compare(.greaterOrEqual, kind, number(first)), .compare(.lessOrEqual, kind, number(last)),
            ])
        }
        return .any(numbers.map { .compare(.equal, kind, number($0)) })
    }

    private func path(_ path: FilterPath) -> FilterPath {
        var entity = path.variable.entityName
        let steps = path.steps.map { step -> FilterStep in
            defer { entity = step.destination }
            guard let entity, !step.isCast else { return step }
            return FilterStep(slot: slot(step.slot, in: entity), name: step.name, destination: step.destination)
        }
        return FilterPath(variable: path.variable, steps: steps, type: path.type)
    }

    private func slot(_ slot: Int, in entityName: String) -> Int {
        guard let hierarchy = byEntity[entityName] else { return slot }
        return hierarchy.slots(of: entityName)[safe: slot] ?? slot
    }

    /// The slots of a sort key. Its links are found in the schema: a sort key names no entities.
    private func slots(_ path: [Int], from entityName: String) -> [Int] {
        var entity: String? = entityName
        return path.map { own in
            guard let name = entity else { return own }
            entity = destinations[name]?[safe: own] ?? nil
            return slot(own, in: name)
        }
    }
}
