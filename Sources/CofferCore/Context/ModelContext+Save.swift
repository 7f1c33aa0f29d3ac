import Foundation

extension ModelContext {
    /// Posted before a save, without further information; the object is the context.
    public static let willSave = Notification.Name("CofferModelContextWillSave")
    /// Posted after a save; the object is the context, and the keys are those of ``NotificationKey``. With several stores
    /// it is posted of a save that throws as well, where stores before the failing one have stored their part.
    public static let didSave = Notification.Name("CofferModelContextDidSave")

    /// The keys of what ``didSave`` tells; the values are arrays of ``PersistentIdentifier``.
    public enum NotificationKey: String, Hashable, Sendable {
        /// SwiftData's mark of the state of a store. Never posted here.
        case queryGeneration
        /// SwiftData's sign that all models are out of date. Never posted here.
        case invalidatedAllIdentifiers
        /// The rows that are new.
        case insertedIdentifiers
        /// The rows that have changed.
        case updatedIdentifiers
        /// The rows that are gone.
        case deletedIdentifiers
    }

    /// Stores all changes.
    ///
    /// Delete rules are followed first; each store then takes its part in one transaction. Afterwards every new model
    /// has its permanent identifier, and the container's other contexts see the changes at their next use.
    ///
    /// - Throws: ``SwiftDataError`` that names entity and property when a value is missing, a rule is violated or a
    ///   model was refused by ``insert(_:)``; or what a store throws. The store and the context's changes are then as
    ///   before, and the next save may succeed. With several stores, those before the failing one, in the order of the
    ///   container's configurations, have stored their part: it is no unsaved change any more, and everybody is told of it.
    /// - Complexity: O(*changed models*).
    public func save() throws {
        try enter(.save)
        defer { leave() }
        catchUp()
        if let insertionError { throw insertionError }
        outside { NotificationCenter.default.post(name: Self.willSave, object: self) }
        recorder?.checkpoint()
        guard hasChanges else { return }
        loadError = nil
        if !discardedEntities.isEmpty {
            let entities = container.withEntitiesAbove(discardedEntities)
            recorder?.noteLinksToDiscarded(entities, self)
            for home in homes.values { home.dropLinks(toDiscarded: entities) }
            discardedEntities = []
        }
        try dropLinksToGone()
        try refuseForeignLinks()
        try settleContestedLinks()
        try container.trimHistoryNowAndThen()
        var batches = try takeBatches()
        var outcome = SaveOutcome()
        do {
            try save(&batches, &outcome)
        } catch let error as DataStoreError where !batches.isEmpty && error.handsBatchesBack {
            pendingBatches = batches
            try settleBatches()
            batches = []
            try save(&batches, &outcome)
        } catch {
            pendingBatches = batches
            throw error
        }
    }

    /// Stores everything.
    ///
    /// - Parameter batches: what the stores do by plan; what is left of them was not stored.
    private func save(_ batches: inout [PendingBatch], _ outcome: inout SaveOutcome) throws {
        var roots = homes.values.flatMap { $0.deleted }
        if !batches.isEmpty { roots.removeAll { model in batches.contains { $0.owns(model) } } }
        let plan = try SavePlan(deleting: roots, context: self)
        try plan.checkCounts(in: self)
        let recorded = try recorder?.record(plan, self)
        var done: [StoreHandle] = []
        do {
            for store in container.stores {
                do {
                    if try save(to: store, plan, batches.filter { $0.home.store === store }, &outcome) {
                        done.append(store)
                    }
                } catch let error as SwiftDataError {
                    throw error.adding(operation: .save, store: store.name)
                }
                batches.removeAll { $0.home.store === store }
            }
        } catch {
            if !done.isEmpty {
                // What they have stored is there: nobody would hear of it otherwise, and the next save knows nothing of it.
                let part = plan.part(of: done)
                if let recorder, let recorded { recorder.keep(recorded, self, of: done) }
                part.apply()
                finish(part, outcome, isWhole: false)
                outcome = SaveOutcome()
            }
            inbox.touchWatches()
            throw error
        }
        if let recorder, let recorded { recorder.keep(recorded, self) }
        plan.apply()
        finish(plan, outcome)
    }

    /// One store's part of a save.
    ///
    /// - Returns: whether it had one.
    private func save(
        to store: StoreHandle, _ plan: SavePlan, _ batches: [PendingBatch], _ outcome: inout SaveOutcome
    ) throws -> Bool {
        var work = StoreWork(batches: batches)
        for home in orderedHomes(of: store) {
            let packer = RowPacker(home, plan: plan)
            let inserted = plan.isPlain ? home.inserted : home.inserted.filter { !plan.isDoomed($0) }
            if !inserted.isEmpty {
                work.inserted.append((home, inserted, try packer.inserted(inserted)))
            }
            let changed = plan.isPlain ? home.liveChanged : changedModels(of: home, plan)
            if !changed.isEmpty { work.updated.append((home, changed, try packer.updated(changed))) }
            if plan.isPlain { continue }
            let deleted = plan.doomed.filter { $0._$home === home && $0._$flags & _Flag.inserted == 0 }
            if !deleted.isEmpty { work.deleted.append((home, deleted)) }
        }
        if work.isEmpty { return false }
        let insertedBefore = outcome.inserted.count
        if let rows = store.rows {
            try commit(work, to: rows, &outcome)
        } else if batches.isEmpty {
            try commit(work, through: store.store, plan, &outcome)
        } else {
            // Nothing else waits for a store that deletes in a call of its own.
            try runRequests(batches, &outcome)
        }
        if let supply = container.historySupply(of: store),
            let number = supply.note(work, inserted: Array(outcome.inserted[insertedBefore...]), editingState)
        {
            outcome.historyTokens[store.identifier] = DefaultHistoryToken([supply.tokenKey: number])
        }
        settle(store, plan)
        return true
    }

    /// The changed models of a save that deletes others: those whose links the delete rules cut belong to them.
    private func changedModels(of home: _ModelHome, _ plan: SavePlan) -> [any PersistentModel] {
        var changed = home.liveChanged.filter { !plan.isDoomed($0) }
        if plan.cut.isEmpty { return changed }
        let listed = Set(changed.map { ObjectIdentifier($0) })
        for cut in plan.cut.values
        where cut.model._$home === home && cut.model._$flags & _Flag.inserted == 0
            && !listed.contains(ObjectIdentifier(cut.model))
        {
            changed.append(cut.model)
        }
        return changed
    }

    /// What a store has taken is no change any more, even if a store after it fails.
    private func settle(_ store: StoreHandle, _ plan: SavePlan) {
        saveCount += 1
        for home in homes.values where home.store === store {
            for model in home.changed where !plan.isDoomed(model) {
                model._$flags &= ~(_Flag.dirtyMask | _Flag.listed)
                model._$extras?.pendingEdits = [:]
            }
            home.changed = []
            home.inserted = []
            home.deleted = []
        }
    }

    /// The homes of a store, those that others refer to first.
    private func orderedHomes(of store: StoreHandle) -> [_ModelHome] {
        var ordered: [_ModelHome] = []
        var visited: Set<ObjectIdentifier> = []
        func visit(_ home: _ModelHome) {
            guard visited.insert(ObjectIdentifier(home)).inserted else { return }
            for case let relationship? in home.relationships where !relationship.isToMany {
                if let other = homes[ObjectIdentifier(relationship.destination.type)] {
                    for member in other.isPolymorphic ? other.family() : [other] { visit(member) }
                }
            }
            ordered.append(home)
        }
        for home in homes.values.filter({ $0.store === store }).sorted(by: { $0.space.entityName < $1.space.entityName }
        ) {
            visit(home)
        }
        return ordered
    }

    private func commit(_ work: StoreWork, to store: any RowStore, _ outcome: inout SaveOutcome) throws {
        var changes = RowChanges(editingState: editingState)
        changes.inserted = work.inserted.map { $0.batch }
        changes.updated = work.updated.map { $0.batch }
        changes.deleted = work.deleted.map { ($0.home.descriptor.entityName, $0.models.map { $0._$key }) }
        for batch in work.batches { batch.add(to: &changes) }
        let result = try container.remoteChanges.own(store) { try store.commit(changes) }
        if let number = result.historyNumber {
            outcome.historyTokens[store.identifier] = DefaultHistoryToken([store.identifier: number])
        }
        guard result.keys.count == work.inserted.count,
            zip(work.inserted, result.keys).allSatisfy({ $0.batch.count == $1.count })
        else {
            throw SwiftDataError(
                .storeFailure, operation: .save, store: work.inserted.first?.home.store.name,
                detail: "the store did not give every new model a key")
        }
        for (inserted, keys) in zip(work.inserted, result.keys) {
            let home = inserted.home
            home.reserve(inserted.models.count)
            home.descriptor.type._$settle(inserted.models, keys: keys, in: home)
            remapped.add(
                entityName: home.descriptor.entityName, temporary: inserted.batch.keys, permanent: keys)
            outcome.inserted.append(keys.map { PersistentIdentifier(_space: home.space, key: $0) })
            if home.enforcesUniqueness, let identifiers = outcome.inserted.last {
                outcome.overwritten[home.descriptor.entityName, default: []] += identifiers
            }
        }
        redirectOneWayLinks()
        for updated in work.updated {
            outcome.updated.append((0..<updated.batch.count).map { updated.batch.identifier(ofRow: $0) })
        }
        if work.batches.isEmpty { return }
        outcome.gone += work.batches.flatMap { $0.models }
        func identifiers(_ rows: (entityName: String, keys: [Int64])) -> [PersistentIdentifier] {
            let space = _IdentifierSpace.shared(entityName: rows.entityName, storeIdentifier: store.identifier)
            return rows.keys.map { PersistentIdentifier(_space: space, key: $0) }
        }
        for rows in result.batchDeleted where !rows.keys.isEmpty { outcome.deleted.append(identifiers(rows)) }
        for rows in result.batchUpdated where !rows.keys.isEmpty {
            outcome.updated.append(identifiers(rows))
            outcome.rewritten.append(identifiers(rows))
        }
    }

    /// Everything of a plan is stored: deleted models are let go, and the news is spread.
    ///
    /// - Parameter isWhole: false where a part of the save has failed.
    private func finish(_ plan: SavePlan, _ outcome: SaveOutcome, isWhole: Bool = true) {
        var deleted = plan.doomed.map { $0.persistentModelID }
        for model in plan.doomed { model._$home?.detach(model) }
        var changes = SavedChanges()
        changes.noteDeleted(deleted)
        for identifiers in outcome.deleted {
            let name = identifiers.first?.entityName
            for home in homes.values where home.descriptor.entityName == name { home.detachAll(identifiers) }
            changes.noteDeleted(identifiers)
            // Many rows may have gone: one list of them is enough.
            if deleted.isEmpty { deleted = identifiers } else { deleted += identifiers }
        }
        for model in outcome.gone where !model._isGone {
            deleted.append(model.persistentModelID)
            changes.deleted[model.persistentModelID.entityName, default: []].append(model.persistentModelID)
            model._$home?.detach(model)
        }
        for name in outcome.swept { changes.deleted[name, default: []] += [] }
        changes.swept = outcome.swept
        if !changes.deleted.isEmpty {
            let entities = container.withEntitiesAbove(Set(changes.deleted.keys))
            for home in homes.values { home.dropLinks(to: entities) }
        }
        for identifiers in outcome.rewritten {
            for home in homes.values where home.descriptor.entityName == identifiers.first?.entityName {
                home.markStale(identifiers)
            }
        }
        if isWhole { mayLinkGone = false }
        for identifiers in outcome.inserted {
            if let entityName = identifiers.first?.entityName { changes.inserted.insert(entityName) }
        }
        for identifiers in outcome.updated {
            if let entityName = identifiers.first?.entityName {
                changes.updated[entityName, default: []] += identifiers
            }
        }
        changes.overwritten = outcome.overwritten
        changes.lost = container.withEntitiesAbove(Set(changes.deleted.keys))
        changes.moved = container.withEntitiesAbove(
            changes.inserted.union(changes.updated.keys).union(changes.deleted.keys))
        changes.author = author
        changes.historyTokens = outcome.historyTokens
        outside { container.announce(changes, from: self) }
        tellWatches(of: changes, plan)
        outside {
            NotificationCenter.default.post(
                name: Self.didSave, object: self,
                userInfo: [
                    NotificationKey.insertedIdentifiers.rawValue: SaveOutcome.one(outcome.inserted),
                    NotificationKey.updatedIdentifiers.rawValue: SaveOutcome.one(outcome.updated),
                    NotificationKey.deletedIdentifiers.rawValue: deleted,
                ])
        }
    }
}

/// One store's share of a save.
struct StoreWork {
    var inserted: [(home: _ModelHome, models: [any PersistentModel], batch: RowBatch)] = []
    var updated: [(home: _ModelHome, models: [any PersistentModel], batch: RowBatch)] = []
    var deleted: [(home: _ModelHome, models: [any PersistentModel])] = []
    /// What the store does by plan.
    var batches: [PendingBatch] = []

    init(batches: [PendingBatch]) { self.batches = batches }

    var isEmpty: Bool { inserted.isEmpty && updated.isEmpty && deleted.isEmpty && batches.isEmpty }
}

/// What the stores have taken: identifiers, a list for each entity and store.
struct SaveOutcome {
    var inserted: [[PersistentIdentifier]] = []
    var updated: [[PersistentIdentifier]] = []
    /// What was deleted and changed by plan.
    var deleted: [[PersistentIdentifier]] = []
    var rewritten: [[PersistentIdentifier]] = []
    /// Models in memory that a plan has deleted.
    var gone: [any PersistentModel] = []
    /// Entities of which rows were deleted that nobody knows.
    var swept: Set<String> = []
    /// The places of the save in the histories of the stores.
    var historyTokens: [String: any HistoryToken] = [:]
    /// Those of the inserted rows, by entity, that may have been there before.
    var overwritten: [String: [PersistentIdentifier]] = [:]

    /// Several lists as one; mostly there is one at most.
    static func one(_ lists: [[PersistentIdentifier]]) -> [PersistentIdentifier] {
        lists.count > 1 ? Array(lists.joined()) : lists.first ?? []
    }
}

extension ModelContext {
    /// Leads one-way links to new models that turned out to be stored ones to these. Only models that are being saved can
    /// have such links.
    private func redirectOneWayLinks() {
        if merged.isEmpty { return }
        let survivors = Dictionary(merged.map { (ObjectIdentifier($0.new), $0.survivor) }) { _, last in last }
        merged = []
        func redirect<M: PersistentModel>(_ model: M, _ relationship: _ModelDescriptor.Relationship) {
            for target in model._related(relationship.slot) {
                guard let survivor = survivors[ObjectIdentifier(target)] else { continue }
                if relationship.isToMany { return model._$forget(relationship.slot) }
                model._$edit(relationship.slot, .set(survivor))
            }
        }
        for home in homes.values {
            for case let relationship? in home.relationships where relationship.inverseSlot == nil {
                for model in home.inserted + home.changed { redirect(model, relationship) }
            }
        }
    }
}

extension _ModelHome {
    /// A new model whose unique values a stored row already had: the row has the new values now, and the model that
    /// stood for the row before stays the row's. The newcomer's links go over to it.
    func merge<M: PersistentModel>(_ model: M, into survivor: M) {
        for case let relationship? in relationships {
            guard let inverse = relationship.inverseSlot else { continue }
            let related = model._related(relationship.slot)
            if !relationship.isToMany, let target = related.first {
                leave(survivor, relationship, inverse, for: target)
            }
            for other in related {
                if relationship.inverseIsToMany {
                    other._$forget(inverse)
                } else {
                    other._$edit(inverse, .set(survivor))
                }
            }
            if relationship.isToMany { survivor._$forget(relationship.slot) }
        }
        survivor._$flags |= _Flag.stale
        model._$home = nil
        model._$flags = model._$flags & _Flag.observed | _Flag.detached
        context?.merged.append((model, survivor))
    }

    /// The row gets another to-one link: the model it was linked to before is read again.
    private func leave<M: PersistentModel>(
        _ survivor: M, _ relationship: _ModelDescriptor.Relationship, _ inverse: Int, for target: any PersistentModel
    ) {
        // Where the row itself was never read, everybody may be the one.
        let candidates =
            survivor._$flags & _Flag.fault == 0
            ? survivor._related(relationship.slot) : destination(relationship.slot)?.models() ?? []
        for other in candidates where other !== target {
            guard other._related(inverse).contains(where: { $0 === survivor }) else { continue }
            if relationship.inverseIsToMany { other._$forget(inverse) } else { other._$home?.markStale(other) }
        }
    }
}
