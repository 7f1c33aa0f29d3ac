import Foundation

/// One fetch: what the store does of it, and what the context does with its unsaved changes and with what the store
/// hands back.
struct PlannedFetch<M: PersistentModel> {
    let descriptor: FetchDescriptor<M>
    let home: _ModelHome
    let context: ModelContext
    let plan: FetchPlan
    /// Why the context evaluates the predicate, on all models of the entity; nil where the store does.
    var filterReason: FetchExplanation.Reason?
    /// Whether the predicate says more than the plan's filter: the context evaluates it for models that pass the filter.
    private(set) var evaluates = false
    /// What the store does of the filter, and what the context does, over rows; nil while the store does all.
    private(set) var division: FilterDivision?
    /// Why the context sorts; nil where the store does.
    var sortReason: FetchExplanation.Reason?
    /// Whether models of subclasses count.
    let includesSubclasses: Bool
    /// Models of the entity with unsaved changes, new ones included; their stored rows do not count.
    private(set) var pending: [M] = []
    private let matcher: ModelMatcher<M>
    /// Where the page begins; nil at the start of the order.
    private let start: PageStart?
    /// What tells a model's place in the order, where there is a start.
    private let pageOrder: PageOrder<M>?

    /// - Parameters:
    ///   - includesSubclasses: whether models of subclasses are wanted as well as those of the class.
    ///   - settles: whether changes that wait as plans have to become changes of models first.
    ///   - start: what the models have to come behind in the descriptor's order.
    init(
        _ descriptor: FetchDescriptor<M>, home: _ModelHome, context: ModelContext, includesSubclasses: Bool = true,
        settles: Bool = true, from start: PageStart? = nil
    ) throws {
        if settles { try context.settleBatches() }
        self.start = start
        pageOrder = try start.map { _ in try PageOrder(descriptor, home: home, context: context) }
        self.descriptor = descriptor
        self.includesSubclasses = includesSubclasses && home.isPolymorphic
        self.home = home
        self.context = context
        let lowered = try descriptor._plan()
        var plan = lowered.plan
        if self.includesSubclasses { plan.subentityNames = home.subentityNames }
        self.plan = plan
        matcher = ModelMatcher(
            descriptor.predicate, filter: plan.filter, evaluates: lowered.needsFilter, context: context)
        // A store without plans gets the predicate itself, whatever a plan could express of it.
        if home.store.rows != nil {
            evaluates = lowered.needsFilter
            if lowered.needsFilter, plan.filter == nil { filterReason = .notExpressible }
            if lowered.needsSort { sortReason = .notExpressible }
        } else if home.isPolymorphic {
            // The classes are asked for one by one, so that no store's order or page is that of all.
            filterReason = .separateClasses
            sortReason = .separateClasses
        } else if start != nil {
            // The page begins behind a place that the store does not know of.
            sortReason = .handedBack
        }
        if descriptor.includePendingChanges {
            pending = home.pendingModels(includingSubclasses: self.includesSubclasses)
            // A predicate that follows links sees the unsaved changes of other models, which no store can.
            if let filter = plan.filter {
                if filterReason == nil, filter.followsLinks, context.hasPendingChanges(of: filter.linkedEntities) {
                    filterReason = .unsavedChanges
                }
            } else if filterReason == nil, descriptor.predicate != nil, context.hasChanges {
                filterReason = .unsavedChanges
            }
            let linked = plan.sort.flatMap { home.descriptor.entities(along: $0.path) }
            if sortReason == nil, !linked.isEmpty, context.hasPendingChanges(of: Set(linked)) {
                sortReason = .unsavedChanges
            }
        }
    }

    var filtersInMemory: Bool { filterReason != nil }
    var sortsInMemory: Bool { sortReason != nil }
    var isMerged: Bool { !pending.isEmpty }

    /// Whether the context has more to do to what the store finds than to merge its changes.
    var finishesInMemory: Bool { filtersInMemory || sortsInMemory || evaluates }

    /// What the store is asked for: everything that it can do while the context does the rest.
    func storePlan() -> FetchPlan {
        var plan = plan
        if filtersInMemory { plan.filter = nil } else if let division { plan.filter = division.kept }
        if sortsInMemory { plan.sort = [] }
        if finishesInMemory || division != nil {
            plan.limit = nil
            plan.offset = 0
        } else if isMerged {
            // Each pending model can push one stored row out of the page, or let one in.
            plan.limit = plan.limit.map { Self.sum($0, Self.sum(plan.offset, pending.count)) }
            plan.offset = 0
        }
        if finishesInMemory || isMerged { plan.slots = nil }
        return plan
    }

    /// A sum of counts; the largest number where it would be larger.
    private static func sum(_ left: Int, _ right: Int) -> Int {
        let (sum, overflow) = left.addingReportingOverflow(right)
        return overflow ? .max : sum
    }

    /// Runs a request, doing in memory what the store hands back.
    ///
    /// - Parameter isOrdered: whether the result depends on the order.
    private func request<T>(isOrdered: Bool = true, _ body: (PlannedFetch, FetchPlan) throws -> T) throws -> T {
        var fetch = self
        while true {
            if !context.allowsInMemoryFallback { try fetch.refuseFallback(ofOrder: isOrdered) }
            do {
                return try body(fetch, fetch.storePlan())
            } catch DataStoreError.preferInMemoryFilter where !fetch.filtersInMemory {
                fetch.takeBackFilter()
            } catch DataStoreError.preferInMemorySort where !fetch.sortsInMemory {
                fetch.sortReason = .handedBack
            }
        }
    }

    /// Does in memory what the store does not do of the filter; all of it the second time.
    mutating func takeBackFilter() {
        if division == nil, let rows = home.store.rows, plan.filter != nil {
            let division = rows.filterHandedBack(plan)
            if division.handedBack != nil {
                self.division = division
                return
            }
        }
        division = nil
        filterReason = .handedBack
    }

    /// The rows that pass the part of the filter that the store handed back, in the store's order.
    ///
    /// Only what that part reads is fetched: the models of the rows that it lets through come later, by their keys.
    ///
    /// - Parameter end: how many are wanted.
    private func handedBack(_ plan: FetchPlan, _ filter: FilterExpression, end: Int) throws -> [PersistentIdentifier] {
        var plan = plan
        plan.slots = filter.slots.sorted()
        let test = RowFilter(filter)
        var found: [PersistentIdentifier] = []
        func take(_ batch: RowBatch) throws {
            let rows = try test.matches(
                among: Array(0..<batch.count), of: batch, in: StoredRows(context, testing: batch),
                limit: end - found.count)
            for row in rows { found.append(batch.identifier(ofRow: row)) }
            if found.count >= end { throw PageIsFull() }
        }
        if end == 0 { return [] }
        do {
            for part in parts(of: plan) {
                if filter.followsLinks {
                    // Related rows are read while rows are tested, which is no business of a fetch that is under way.
                    try take(context.fetchRows(part, from: home))
                } else {
                    try context.loadBlocks(part, from: home, take)
                }
            }
        } catch is PageIsFull {}
        return found
    }

    /// How many rows of the store are wanted, where the context cuts the page out of what it handed back.
    private var handedBackEnd: Int {
        if finishesInMemory || isMerged { return .max }
        return plan.limit.map { Self.sum(plan.offset, $0) } ?? .max
    }

    /// The same for a store that takes descriptors.
    func storeDescriptor(_ plan: FetchPlan) -> FetchDescriptor<M> {
        var descriptor = descriptor
        if filtersInMemory { descriptor.predicate = nil }
        if sortsInMemory { descriptor.sortBy = [] }
        descriptor.fetchLimit = plan.limit
        descriptor.fetchOffset = plan.offset > 0 ? plan.offset : nil
        return descriptor
    }

    /// Whether a part that is done in memory would see unsaved changes that shall not count.
    var wouldSeeChanges: Bool {
        !descriptor.includePendingChanges && finishesInMemory && context.hasChanges
    }

    /// Whether a store of SwiftData's requests can count and name the rows without the context's help.
    private var storeAnswersAlone: Bool {
        home.store.rows == nil && !home.isPolymorphic && !filtersInMemory && !isMerged
    }

    /// The fetch in a context of its own, in whose memory nothing is unsaved.
    func apart() throws -> PlannedFetch {
        let other = ModelContext(context.container)
        other.allowsInMemoryFallback = context.allowsInMemoryFallback
        return try PlannedFetch(descriptor, home: other.home(of: M.self, for: .fetch), context: other, from: start)
    }

    func models() throws -> [M] {
        try request { fetch, plan in
            if fetch.wouldSeeChanges {
                let identifiers = try apart().identifiers()
                return try context.models(of: identifiers[...], as: M.self, in: home, slots: plan.slots)
            }
            if home.store.rows == nil {
                let batch =
                    home.isPolymorphic
                    ? try context.fetchSnapshotsOfFamily(home, includesSubclasses: includesSubclasses)
                    : try context.fetchSnapshots(fetch.storeDescriptor(plan), from: home)
                return try fetch.finish(context.materialise(batch, as: M.self, home: home))
            }
            if let filter = fetch.division?.handedBack, !fetch.filtersInMemory {
                let found = try fetch.handedBack(plan, filter, end: fetch.handedBackEnd)
                let page = fetch.finishesInMemory || isMerged ? found[...] : found.dropFirst(fetch.plan.offset)
                return try fetch.finish(context.models(of: page, as: M.self, in: home, slots: plan.slots))
            }
            var models: [M] = []
            for part in fetch.parts(of: plan) {
                var part = part
                if let limit = part.limit { part.limit = max(0, limit - models.count) }
                if part.limit == 0, plan.limit != 0 { break }
                try context.loadBlocks(part, from: home) { batch in
                    home.reserve(batch.count)
                    try context.fill(&models, batch, 0..<batch.count, home, isPartial: plan.slots != nil)
                }
            }
            return try fetch.finish(models)
        }
    }

    /// The plans that give the rows of a page, one after the other: one unless the page begins behind a place.
    private func parts(of plan: FetchPlan) -> [FetchPlan] {
        guard let start, !filtersInMemory, !sortsInMemory else { return [plan] }
        return start.filters.map { filter in
            var part = plan
            part.filter = plan.filter.map { .all([$0, filter]) } ?? filter
            return part
        }
    }

    /// Whether a model comes behind the place where the page begins.
    private func isBehindStart(_ model: M) throws -> Bool {
        guard let start, let pageOrder else { return true }
        return start.precedes(try pageOrder.values(of: model), model._$key)
    }

    func identifiers() throws -> [PersistentIdentifier] {
        try request { fetch, plan in
            if fetch.wouldSeeChanges { return try apart().identifiers() }
            if fetch.storeAnswersAlone, !fetch.sortsInMemory {
                return try context.snapshotIdentifiers(fetch.storeDescriptor(plan), from: home)
            }
            if fetch.finishesInMemory || isMerged || home.store.rows == nil {
                return try fetch.models().map { $0.persistentModelID }
            }
            guard let rows = home.store.rows else { return [] }
            if let filter = fetch.division?.handedBack {
                return Array(
                    try fetch.handedBack(plan, filter, end: fetch.handedBackEnd).dropFirst(fetch.plan.offset))
            }
            if includesSubclasses {
                // A key does not say which class its row is of.
                var plan = plan
                plan.slots = []
                let batch = try context.fetchRows(plan, from: home)
                return (0..<batch.count).map { batch.identifier(ofRow: $0) }
            }
            return try rows.fetchKeys(plan).map { PersistentIdentifier(_space: home.space, key: $0) }
        }
    }

    /// The models found, in any order and without reading their rows where the store can do that; such a model loads
    /// when it is read. The descriptor has neither offset nor limit.
    func unloadedModels() throws -> [M] {
        try request { fetch, plan in
            guard let rows = home.store.rows, !fetch.filtersInMemory, !fetch.evaluates, fetch.division == nil else {
                return try fetch.models()
            }
            var plan = plan
            plan.sort = []
            let changed = Set(pending.filter { $0._$key > 0 }.map { $0._$key })
            if home.isPolymorphic {
                plan.slots = []
                let batch = try context.fetchRows(plan, from: home)
                let stored = try (0..<batch.count).lazy.filter { !changed.contains(batch.key(ofRow: $0)) }.map {
                    try home.member(ofRow: $0, in: batch).fault(batch.key(ofRow: $0))
                }
                return try stored.compactMap { $0 as? M } + fetch.matchingPending()
            }
            let stored = try rows.fetchKeys(plan).lazy.filter { !changed.contains($0) }
            return try stored.compactMap { try home.model(key: $0, as: M.self) } + fetch.matchingPending()
        }
    }

    func count() throws -> Int {
        try request(isOrdered: false) { fetch, plan in
            if fetch.wouldSeeChanges { return try apart().count() }
            if fetch.storeAnswersAlone {
                // The page is the store's to cut out; the order does not matter for it.
                var descriptor = fetch.storeDescriptor(fetch.plan)
                descriptor.sortBy = []
                return try context.snapshotCount(descriptor, from: home)
            }
            guard let rows = home.store.rows, !fetch.filtersInMemory, !fetch.evaluates else {
                return try fetch.models().count
            }
            var plan = plan
            plan.sort = []
            if let filter = fetch.division?.handedBack { return try fetch.countHandedBack(plan, filter) }
            if !isMerged {
                plan.limit = fetch.plan.limit
                plan.offset = fetch.plan.offset
                return try rows.countRows(plan)
            }
            plan.limit = nil
            plan.offset = 0
            // Stored rows whose models have changes count by their changed values, the others as the store says.
            let changed = Set(pending.filter { $0._$key > 0 }.map { $0._$key })
            let stored =
                changed.isEmpty
                ? try rows.countRows(plan) : try rows.fetchKeys(plan).lazy.filter { !changed.contains($0) }.count
            let total = try stored + fetch.matchingPending().count
            return min(max(0, total - fetch.plan.offset), fetch.plan.limit ?? .max)
        }
    }

    private func countHandedBack(_ plan: FetchPlan, _ filter: FilterExpression) throws -> Int {
        let changed = Set(pending.filter { $0._$key > 0 }.map { $0._$key })
        let found = try handedBack(plan, filter, end: isMerged ? .max : handedBackEnd)
        let stored = changed.isEmpty ? found.count : found.count { !changed.contains($0._key) }
        let total = try stored + matchingPending().count
        return min(max(0, total - self.plan.offset), self.plan.limit ?? .max)
    }

    /// The pending models that belong in the result.
    func matchingPending() throws -> [M] {
        try pending.filter { try $0._$flags & _Flag.deleted == 0 && matches($0) && isBehindStart($0) }
    }

    func matches(_ model: M) throws -> Bool {
        do {
            return try matcher.matches(model)
        } catch let error as SwiftDataError {
            throw error.adding(operation: .fetch, store: home.store.name, entity: home.descriptor.entityName)
        } catch {
            throw SwiftDataError(
                .unsupportedPredicate, operation: .fetch, entity: home.descriptor.entityName, underlying: error)
        }
    }

    /// Does the context's part: merges pending changes, filters, sorts and cuts the page out.
    private func finish(_ stored: [M]) throws -> [M] {
        if !finishesInMemory, !isMerged { return stored }
        var models = stored
        if isMerged {
            let mine = Set(pending.map { ObjectIdentifier($0) })
            models.removeAll { mine.contains(ObjectIdentifier($0)) }
        }
        if filtersInMemory || evaluates { models = try models.filter(matches) }
        if start != nil, filtersInMemory || sortsInMemory { models = try models.filter(isBehindStart) }
        let order = ModelOrder(descriptor.sortBy)
        if isMerged { merge(try matchingPending(), into: &models, order) }
        if sortsInMemory { models.sort(by: order.isBefore) }
        let end = min(models.count, plan.limit.map { Self.sum(plan.offset, $0) } ?? models.count)
        return plan.offset >= end ? [] : Array(models[plan.offset..<end])
    }

    private func merge(_ additions: [M], into models: inout [M], _ order: ModelOrder<M>) {
        if sortsInMemory {
            models += additions
            return
        }
        // The stored models are in order, and the additions are few: each finds its place by halving.
        for model in additions {
            var low = 0
            var high = models.count
            while low < high {
                let middle = (low + high) / 2
                if order.isBefore(model, models[middle]) { high = middle } else { low = middle + 1 }
            }
            models.insert(model, at: low)
        }
    }
}

/// Ends a fetch whose page is full.
private struct PageIsFull: Error {}

extension _ModelHome {
    /// The entity's models with unsaved changes: new, changed and to be deleted.
    func pendingModels<M: PersistentModel>(includingSubclasses: Bool = false) -> [M] {
        if includingSubclasses { return family().flatMap { $0.pendingModels() } }
        if inserted.isEmpty, changed.isEmpty, deleted.isEmpty { return [] }
        return (liveChanged + deleted + inserted).compactMap { $0 as? M }
    }
}

extension ModelContext {
    /// Every model of a home, unsaved ones included.
    func everything(in home: _ModelHome) throws -> [any PersistentModel] {
        func fetch<M: PersistentModel>(_ type: M.Type) throws -> [any PersistentModel] {
            try PlannedFetch(FetchDescriptor<M>(), home: home, context: self).models()
        }
        return try fetch(home.descriptor.type)
    }

    /// Whether models of some entities, or of those below them, have unsaved changes.
    func hasPendingChanges(of entities: Set<String>) -> Bool {
        homes.values.contains { home in
            guard home.hasChanges else { return false }
            if entities.contains(home.descriptor.entityName) { return true }
            return container.hasHierarchies
                && !container.withEntitiesAbove([home.descriptor.entityName]).isDisjoint(with: entities)
        }
    }
}
