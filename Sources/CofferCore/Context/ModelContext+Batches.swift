import Foundation

// What keeps deletions and updates by predicate as plans until the save, and what makes models of them before.

extension ModelContext {
    /// Makes changes of models of what waits as plans: somebody is going to look.
    ///
    /// - Throws: what the store throws; the plans wait on then.
    @inline(__always)
    func settleBatches() throws {
        if !pendingBatches.isEmpty { try settleAllBatches() }
    }

    /// The same for members that cannot throw: the reason goes to ``loadError``.
    @inline(__always)
    func settleBatchesOrNote() {
        if !pendingBatches.isEmpty {
            do { try settleAllBatches() } catch { loadError = error }
        }
    }

    @inline(never)
    private func settleAllBatches() throws {
        let batches = pendingBatches
        pendingBatches = []
        do {
            for batch in batches { try batch.settle() }
        } catch {
            pendingBatches = batches
            throw error
        }
    }

    // MARK: Before the save

    /// Marks the models of a deletion that are in memory, and has the store delete the rest at the save.
    ///
    /// - Returns: false where the models have to be found now.
    func deleteByPlan<M: PersistentModel>(
        _ type: M.Type, where predicate: Predicate<M>?, includeSubclasses: Bool, in home: _ModelHome
    ) throws -> Bool {
        guard recorder == nil, home.store.capabilities.features.contains(.batchDelete) || home.store.rows == nil,
            !isEntangled(home) || canFollowRules
        else { return false }
        if home.store.rows == nil { return try deleteByRequest(type, where: predicate, includeSubclasses, in: home) }
        let fetch = try PlannedFetch(
            FetchDescriptor(predicate: predicate), home: home, context: self, includesSubclasses: includeSubclasses,
            settles: false)
        guard let plan = fetch.batchPlan else { return false }
        if try settleBatches(before: plan, in: home, isUpdate: false) { return false }
        guard let found = try fetch.batchModels() else { return false }
        // New models and changed ones are no matter of the store.
        for model in try fetch.matchingPending() { delete(model) }
        mark(found.models)
        if found.hasMore || !found.models.isEmpty {
            pendingBatches.append(
                PendingBatch(
                    .delete, home, plan, includesSubclasses: includeSubclasses, models: found.models,
                    find: deletion(of: type, where: predicate)))
        }
        if home.isWatched { home.tellWatches() }
        scheduleAutosave()
        return true
    }

    /// The same for a store that deletes by predicate and knows nothing of plans.
    private func deleteByRequest<M: PersistentModel>(
        _ type: M.Type, where predicate: Predicate<M>?, _ includeSubclasses: Bool, in home: _ModelHome
    ) throws -> Bool {
        guard let store = home.store.store as? any DataStoreBatching, !isEntangled(home), !home.isPolymorphic,
            !home.hasChanges
        else { return false }
        let fetch = try PlannedFetch(
            FetchDescriptor(predicate: predicate), home: home, context: self, includesSubclasses: includeSubclasses,
            settles: false)
        guard let plan = fetch.batchPlan else { return false }
        let models = try home.models().filter { try ($0 as? M).map { try fetch.matches($0) } ?? false }
        mark(models)
        func request<S: DataStoreBatching>(_ store: S) -> (EditingState) throws -> Void {
            { [schema = container.schema] state in
                try StoreHandle.$schemaAtWork.withValue(schema) {
                    try store.delete(
                        DataStoreBatchDeleteRequest<M>(
                            editingState: state, predicate: predicate, includeSubclasses: includeSubclasses))
                }
            }
        }
        pendingBatches.append(
            PendingBatch(
                .delete, home, plan, includesSubclasses: includeSubclasses, models: models, request: request(store),
                find: deletion(of: type, where: predicate)))
        if home.isWatched { home.tellWatches() }
        scheduleAutosave()
        return true
    }

    /// What deletes the models of a plan one by one.
    private func deletion<M: PersistentModel>(
        of type: M.Type, where predicate: Predicate<M>?
    ) -> (PendingBatch) throws -> Void {
        { [unowned self] batch in
            for model in try storedModels(of: batch, as: type, where: predicate) { delete(model) }
        }
    }

    /// The models of the rows that a plan is about, those with changes of their own left out.
    func storedModels<M: PersistentModel>(
        of batch: PendingBatch, as type: M.Type, where predicate: Predicate<M>?
    ) throws -> [M] {
        try PlannedFetch(
            FetchDescriptor(predicate: predicate), home: batch.home, context: self,
            includesSubclasses: batch.includesSubclasses, settles: false
        ).storedModels(except: batch.changedKeys)
    }

    private func mark(_ models: [any PersistentModel]) {
        for model in models where model._$flags & (_Flag.deleted | _Flag.detached) == 0 {
            model._$flags |= _Flag.deleted
            model._$home?.deleted.append(model)
        }
    }

    /// Sets attributes of the models in memory, and has the store set those of the other rows at the save.
    ///
    /// - Returns: false where the models have to be found now.
    func updateByPlan<M: PersistentModel>(
        _ update: BatchUpdate<M>, where predicate: Predicate<M>?, includeSubclasses: Bool, in home: _ModelHome
    ) throws -> Bool {
        guard recorder == nil, let rows = home.store.rows,
            home.store.capabilities.features.contains(.batchUpdate), let assignments = try update.plan(for: home)
        else { return false }
        let fetch = try PlannedFetch(
            FetchDescriptor(predicate: predicate), home: home, context: self, includesSubclasses: includeSubclasses,
            settles: false)
        guard let plan = fetch.batchPlan else { return false }
        if try settleBatches(before: plan, in: home, isUpdate: true) { return false }
        guard let found = try fetch.batchModels() else { return false }
        if found.hasMore {
            let uncertain = assignments.map(\.value).filter(\.mayBeUnknown)
            if !uncertain.isEmpty {
                do {
                    var known = plan
                    known.filter = .all((plan.filter.map { [$0] } ?? []) + uncertain.map(\.isKnown))
                    // Whether that matters, or a model in memory has another value, is found out model by model.
                    if try rows.countRows(known) != rows.countRows(plan) { return false }
                } catch DataStoreError.preferInMemoryFilter {
                    return false
                }
            }
        }
        try update.apply(to: found.models + fetch.matchingPending())
        if !found.hasMore { return true }
        pendingBatches.append(
            PendingBatch(
                .update(assignments), home, plan, includesSubclasses: includeSubclasses
            ) { [unowned self] batch in
                try update.apply(to: storedModels(of: batch, as: M.self, where: predicate))
            })
        if home.isWatched { home.tellWatches() }
        scheduleAutosave()
        return true
    }

    /// Makes changes of models of those plans that change what a later one finds, or whose rows it changes. Deletions do
    /// not disturb each other: all of them see the rows as they are before the save.
    ///
    /// - Returns: whether there were any; what was found out about the models in memory before does not hold then.
    private func settleBatches(before plan: FetchPlan, in home: _ModelHome, isUpdate: Bool) throws -> Bool {
        let followsLinks = plan.filter?.followsLinks ?? false
        func root(_ home: _ModelHome) -> ObjectIdentifier { ObjectIdentifier(home.top ?? home) }
        let isDisturbed = pendingBatches.contains { batch in
            (isUpdate || !batch.isDelete) && (followsLinks || root(batch.home) == root(home))
        }
        if isDisturbed { try settleBatches() }
        return isDisturbed
    }

    // MARK: At the save

    /// The plans that the stores shall run in this save; the others become changes of models.
    ///
    /// A plan about rows with relationships runs when nothing else waits that its rules might concern: these would have
    /// to be followed over rows and unsaved changes together.
    func takeBatches() throws -> [PendingBatch] {
        if pendingBatches.isEmpty { return [] }
        let batches = pendingBatches
        if recorder != nil || batches.contains(where: { !canRun($0, beside: batches) }) {
            try settleBatches()
            return []
        }
        pendingBatches = []
        return batches
    }

    private func canRun(_ batch: PendingBatch, beside batches: [PendingBatch]) -> Bool {
        func isOwned(_ model: any PersistentModel) -> Bool { batches.contains { $0.owns(model) } }
        func waits(_ home: _ModelHome) -> Bool {
            home.store === batch.home.store
                && (!home.inserted.isEmpty || !home.liveChanged.isEmpty || !home.deleted.allSatisfy(isOwned))
        }
        if batch.request != nil {
            return !homes.values.contains(where: waits)
                && !batches.contains { $0.home.store === batch.home.store && $0 !== batch }
        }
        guard batch.isDelete, isEntangled(batch.home) else { return true }
        return !homes.values.contains { ($0.hasRelationships || isEntangled($0)) && waits($0) }
    }

    /// Runs the deletions of a store that takes predicates.
    func runRequests(_ batches: [PendingBatch], _ outcome: inout SaveOutcome) throws {
        for batch in batches {
            guard let request = batch.request else { continue }
            try request(editingState)
            outcome.swept.insert(batch.home.descriptor.entityName)
            outcome.gone += batch.models
        }
    }

    /// Whether deleting rows of a class may concern others: it has relationships, or some lead to it.
    private func isEntangled(_ home: _ModelHome) -> Bool {
        if let known = entangled[ObjectIdentifier(home)] { return known }
        let names = container.withEntitiesAbove([home.descriptor.entityName]).union(home.subentityNames)
        let result =
            home.family().contains { $0.hasRelationships }
            || container.schema.entities.contains { entity in
                entity.relationships.contains { names.contains($0.destination) }
            }
        entangled[ObjectIdentifier(home)] = result
        return result
    }

    /// Whether a store can follow the delete rules of all models: least numbers of models are counted by the context.
    private var canFollowRules: Bool {
        !container.schema.entities.contains { entity in
            entity.relationships.contains { !$0.isToOneRelationship && ($0.minimumModelCount ?? 0) > 0 }
        }
    }
}

extension DataStoreError {
    /// Whether a store wants the context to do a plan's work itself.
    var handsBatchesBack: Bool { self == .preferInMemoryFilter || self == .unsupportedFeature }
}

extension _ModelHome {
    /// Has the models of rows that a store has changed by plan read again.
    func markStale(_ identifiers: [PersistentIdentifier]) {
        let living = models()
        if living.isEmpty { return }
        let changed = Set(identifiers)
        for model in living where changed.contains(model.persistentModelID) { markStale(model) }
    }
}

extension PlannedFetch {
    /// The plan of the rows, for a store to work on; nil where the context has to look at the rows itself.
    var batchPlan: FetchPlan? { (filtersInMemory || evaluates) && home.store.rows != nil ? nil : plan }

    /// The models in memory, without changes, whose rows match, and whether there are other such rows.
    ///
    /// - Returns: nil where the store hands the filter back.
    /// - Complexity: a request that stops at the first row; one more where models are in memory.
    func batchModels() throws -> (models: [M], hasMore: Bool)? {
        guard let rows = home.store.rows else { return nil }
        do {
            let living = (includesSubclasses ? home.family() : [home]).flatMap { member in
                member.models().compactMap { $0 as? M }.filter { Swift.type(of: $0) == member.descriptor.type }
            }
            let clean = living.filter {
                $0._$key > 0
                    && $0._$flags & (_Flag.dirtyMask | _Flag.inserted | _Flag.deleted | _Flag.detached) == 0
            }
            var models: [M] = []
            if !clean.isEmpty {
                var plan = plan
                plan.scope = .keys(clean.map { $0._$key })
                let keys = Set(try rows.fetchKeys(plan))
                models = clean.filter { keys.contains($0._$key) }
            }
            var first = plan
            // Each model in memory may hide a row.
            first.limit = living.count + 1
            return (models, try rows.countRows(first) > models.count)
        } catch DataStoreError.preferInMemoryFilter {
            return nil
        }
    }

    /// The models of the stored rows that match, but for some.
    func storedModels(except keys: [Int64]) throws -> [M] {
        let except = Set(keys)
        guard let rows = home.store.rows else {
            return try models().filter { $0._$key > 0 && !except.contains($0._$key) }
        }
        if home.isPolymorphic {
            var plan = plan
            plan.slots = []
            let batch = try context.fetchRows(plan, from: home)
            return try (0..<batch.count).compactMap { row in
                let key = batch.key(ofRow: row)
                return except.contains(key) ? nil : try home.member(ofRow: row, in: batch).fault(key) as? M
            }
        }
        return try rows.fetchKeys(plan).compactMap { key in
            except.contains(key) ? nil : try home.model(key: key, as: M.self)
        }
    }
}
