import Foundation

extension ModelContext {
    /// Fetches rows into an empty batch, from a store of rows or through snapshots.
    func fetchRows(_ plan: FetchPlan, from home: _ModelHome, capacity: Int = 16) throws -> RowBatch {
        let batch = home.makeBatch(for: plan, capacity: capacity)
        if let rows = home.store.rows {
            try rows.fetchRows(plan, into: batch)
        } else {
            try fetchSnapshots(plan, from: home, into: batch)
        }
        return batch
    }

    /// A batch that is used over and over for lookups of single rows, whose values are read at once.
    func scratchBatch(_ home: _ModelHome) -> RowBatch {
        if let batch = home.scratch {
            batch.removeAll()
            return batch
        }
        let batch = RowBatch(space: home.space, width: home.descriptor.slotCount, capacity: 1)
        batch.descriptor = home.descriptor
        home.scratch = batch
        return batch
    }

    /// The row of one model.
    func row<M: PersistentModel>(of model: M, in home: _ModelHome) throws -> DefaultSnapshot? {
        try settleBatches()
        let batch: RowBatch
        if model._$flags & _Flag.textKey != 0 {
            batch = try fetchSnapshots(of: [model.persistentModelID], from: home)
        } else {
            batch = try fetchRows(
                FetchPlan(entityName: home.descriptor.entityName, scope: .keys([model._$key])), from: home)
        }
        return batch.count > 0 ? DefaultSnapshot(batch, row: 0) : nil
    }

    /// Fills a model, and others that wait for their values, from the store.
    func load<M: PersistentModel>(_ model: M, with waiting: [Int64], from home: _ModelHome) throws {
        try settleBatches()
        let batch: RowBatch
        if model._$flags & _Flag.textKey != 0 {
            batch = try fetchSnapshots(of: [model.persistentModelID], from: home)
        } else {
            var keys = waiting.filter { key in
                key != model._$key && home.find(key, as: M.self).map { $0._$flags & _Flag.fault != 0 } ?? false
            }
            keys.append(model._$key)
            batch = try fetchRows(
                FetchPlan(entityName: home.descriptor.entityName, scope: .keys(keys)), from: home, capacity: keys.count)
        }
        let kept = container.hasHierarchies ? try settleLinks(batch, 0..<batch.count, home) : []
        defer { withExtendedLifetime(kept) {} }
        for row in 0..<batch.count {
            let found: M? =
                batch.key(ofRow: row) == model._$key ? model : home.find(batch.key(ofRow: row), as: M.self)
            if let found, found._$flags & (_Flag.fault | _Flag.stale) != 0 {
                try fill(found, from: batch, row: row, home: home)
            }
        }
        if model._$flags & (_Flag.fault | _Flag.stale) != 0 {
            // There is no such row any more: another context deleted it.
            home.detach(model)
            home.dropDetached()
            mayLinkGone = true
        }
    }

    /// Loads the models of a list that have no values yet, old ones, or some only: whoever asks goes by their links.
    ///
    /// Complexity: one request for each few thousand of them.
    func loadAll(_ models: [any PersistentModel], in home: _ModelHome) throws {
        try settleBatches()
        func load<M: PersistentModel>(_ type: M.Type) throws {
            let waiting = models.lazy.filter {
                $0._$flags & (_Flag.fault | _Flag.stale | _Flag.partial) != 0 && $0._$flags & _Flag.detached == 0
            }.compactMap { $0 as? M }
            let all = Array(waiting)
            var start = 0
            while start < all.count {
                let part = all[start..<min(start + 5000, all.count)]
                let found = try self.models(of: part.map { $0.persistentModelID }[...], as: M.self, in: home)
                start += part.count
                if found.count == part.count { continue }
                // The rows of the others are gone: another context deleted them.
                mayLinkGone = true
                for model in part where model._$flags & (_Flag.fault | _Flag.stale) != 0 { home.detach(model) }
                home.dropDetached()
            }
        }
        try load(home.descriptor.type)
    }

    /// Takes a row's values over, except for properties with unsaved changes.
    @inline(__always)
    func fill<M: PersistentModel>(_ model: M, from batch: RowBatch, row: Int, home: _ModelHome) throws {
        let dirty = model._$flags & _Flag.dirtyMask
        try model._$load(_RowReader(batch, row: row, mask: ~dirty, home: home))
        model._$flags &= ~(_Flag.fault | _Flag.stale | _Flag.partial)
    }

    /// Makes models of rows: living ones, with their own unsaved changes, and new ones.
    func materialise<M: PersistentModel>(
        _ batch: RowBatch, as type: M.Type, home: _ModelHome, isPartial: Bool = false
    ) throws -> [M] {
        defer { for home in homes.values { home.forgetLastModel() } }
        var models: [M] = []
        models.reserveCapacity(batch.count)
        home.reserve(batch.count)
        if batch.rowIdentifiers.isEmpty {
            try fill(&models, batch, 0..<batch.count, home, isPartial: isPartial)
        } else if home.isPolymorphic {
            for row in 0..<batch.count {
                let member = try home.member(ofRow: row, in: batch)
                func materialise<S: PersistentModel>(_ type: S.Type) throws -> M? {
                    try materialiseKeyed(batch, row, as: S.self, home: member) as? M
                }
                if let model = try materialise(member.descriptor.type) { models.append(model) }
            }
        } else {
            for row in 0..<batch.count { models.append(try materialiseKeyed(batch, row, as: M.self, home: home)) }
        }
        return models
    }

    /// Appends the models of rows with integer keys to an array.
    ///
    /// - Parameter isSettled: whether the models that the rows link to are known to be of known classes.
    @inline(__always)
    func fill<M: PersistentModel>(
        _ models: inout [M], _ batch: RowBatch, _ rows: Range<Int>, _ home: _ModelHome, isPartial: Bool = false,
        isSettled: Bool = false
    ) throws {
        if container.hasHierarchies {
            let kept = isSettled ? [] : try settleLinks(batch, rows, home)
            if home.isPolymorphic {
                return try withExtendedLifetime(kept) {
                    try fillFamily(&models, batch, rows, home, isPartial: isPartial)
                }
            }
            return try withExtendedLifetime(kept) {
                try _ModelList.lending(&models) {
                    try M._$materialise(batch, rows, in: home, isPartial: isPartial, into: $0)
                }
            }
        }
        try _ModelList.lending(&models) {
            try M._$materialise(batch, rows, in: home, isPartial: isPartial, into: $0)
        }
    }

    private func materialiseKeyed<M: PersistentModel>(
        _ batch: RowBatch, _ row: Int, as type: M.Type, home: _ModelHome
    ) throws -> M {
        let model: M
        if let found = home.find(batch.identifier(ofRow: row)) as? M {
            model = found
            if model._$flags & (_Flag.fault | _Flag.stale) == 0 { return model }
        } else {
            model = home.makeBlank(M.self)
            model._$home = home
            home.setIdentifier(batch.identifier(ofRow: row), of: model)
            home.register(model)
        }
        try fill(model, from: batch, row: row, home: home)
        return model
    }

    /// Loads a to-many relationship of several owners with one request.
    ///
    /// Complexity: one request, O(*rows*).
    func loadRelated(_ owners: [any PersistentModel], slot: Int, in home: _ModelHome) throws {
        guard let relationship = home.relationships[slot], relationship.isToMany, let target = home.destination(slot)
        else { return }
        try settleBatches()
        func load<T: PersistentModel>(_ type: T.Type) throws {
            guard home.store.rows != nil, owners.allSatisfy({ $0._$flags & _Flag.textKey == 0 }) else {
                return try loadRelatedSnapshots(owners, slot: slot, in: home, as: type)
            }
            let plan = target.plan(
                .related(ownerEntity: home.descriptor.entityName, slot: slot, owners: owners.map { $0._$key }))
            // Whoever gets no rows has none.
            for owner in owners { owner._$edit(slot, .replace([])) }
            // Whoever comes along is likely to be asked for its own relationships next.
            let notes = target.hasToMany
            var recent: [Int64] = []
            do {
                try loadBlocks(plan, from: target) { batch in
                    try self.distribute(batch, of: target, to: home, slot: slot, as: type)
                    if notes { recent += UnsafeBufferPointer(start: batch.keys, count: batch.count) }
                }
            } catch {
                for owner in owners { owner._$forget(slot) }
                throw error
            }
            if recent.count > 1 { target.cameAlong = RecentModels(recent) }
            for owner in owners where owner._$extras?.pendingEdits[slot] != nil {
                finishLoading(owner, slot, owner._related(slot).compactMap { $0 as? T })
            }
        }
        try load(target.descriptor.type)
    }

    /// Fetches the rows of a plan block by block.
    func loadBlocks(_ plan: FetchPlan, from home: _ModelHome, _ body: (RowBatch) throws -> Void) throws {
        guard let rows = home.store.rows else { return try body(fetchRows(plan, from: home)) }
        let batch = home.makeBatch(for: plan, capacity: Self.blockSize)
        defer { for home in homes.values { home.forgetLastModel() } }
        do {
            try rows.fetchBlocks(plan, into: batch, of: Self.blockSize, body)
        } catch let error as SwiftDataError {
            // What a model cannot take is no store's error.
            throw error.adding(operation: .fetch, store: home.store.name)
        }
    }

    /// As many rows as stay in the processor's cache between the store's writing and the models' reading of them.
    static var blockSize: Int { 256 }

    /// Gives owners the models of their rows.
    private func distribute<T: PersistentModel>(
        _ batch: RowBatch, of target: _ModelHome, to home: _ModelHome, slot: Int, as type: T.Type
    ) throws {
        relatedCount += batch.count
        let kept = container.hasHierarchies ? try settleLinks(batch, 0..<batch.count, target) : []
        defer { withExtendedLifetime(kept) {} }
        func distribute<O: PersistentModel>(_ owners: O.Type) throws {
            var start = 0
            while start < batch.count {
                let key = batch.owners[start]
                var end = start + 1
                while end < batch.count, batch.owners[end] == key { end += 1 }
                if let owner = home.find(key, as: O.self) {
                    var models: [T] = []
                    models.reserveCapacity(end - start)
                    try fill(&models, batch, start..<end, target, isSettled: true)
                    withUnsafePointer(to: models) { owner._$edit(slot, .adopt(T.self, UnsafeRawPointer($0))) }
                }
                start = end
            }
        }
        try distribute(home.descriptor.type)
    }

    /// Puts a loaded relationship in place, with the links made and cut since.
    func finishLoading<M: PersistentModel, T: PersistentModel>(_ owner: M, _ slot: Int, _ related: [T]) {
        var models = related.filter { $0._$flags & _Flag.detached == 0 }
        if let edits = owner._$extras?.pendingEdits.removeValue(forKey: slot) {
            let removed = Set(edits.removed.map { ObjectIdentifier($0) })
            models.removeAll { removed.contains(ObjectIdentifier($0)) }
            for model in edits.added {
                guard let model = model as? T, !models.contains(where: { $0 === model }) else { continue }
                models.append(model)
            }
        }
        owner._$edit(slot, .replace(models))
    }

    // MARK: Changes of other contexts

    /// Takes in what other contexts have saved since: changed rows are read again when they are used, deleted ones are
    /// let go.
    func catchUp() {
        for changes in inbox.take() {
            mergeCount += 1
            if !changes.deleted.isEmpty || changes.everythingErased { mayLinkGone = true }
            if changes.everythingErased {
                recorder?.reset()
                pendingBatches = []
                for home in homes.values {
                    // What this context has saved since is there.
                    let living = self.living(home.models(), in: home)
                    let inserted = home.inserted.filter { $0._$key < changes.lastTemporaryKey }
                    home.rollback(keeping: inserted, sparing: living)
                    for model in home.models() {
                        if living.contains(ObjectIdentifier(model)) {
                            home.markStale(model)
                        } else {
                            home.detach(model)
                        }
                    }
                }
                continue
            }
            // Links are dropped once every model that is gone is known to be.
            for home in homes.values { home.takeRows(changes) }
            for home in homes.values { home.takeLinks(changes) }
        }
    }
}

extension ModelContext {
    /// Those of some models whose rows are in the store; where it cannot be asked all are taken for such, and find out when
    /// they are read.
    private func living(_ models: [any PersistentModel], in home: _ModelHome) -> Set<ObjectIdentifier> {
        guard let rows = home.store.rows, !models.isEmpty else { return [] }
        let plan = FetchPlan(
            entityName: home.descriptor.entityName, scope: .keys(models.lazy.map { $0._$key }.filter { $0 > 0 }))
        guard let found = try? rows.fetchKeys(plan) else { return Set(models.map { ObjectIdentifier($0) }) }
        if found.isEmpty { return [] }
        let keys = Set(found)
        return Set(models.lazy.filter { keys.contains($0._$key) }.map { ObjectIdentifier($0) })
    }
}

extension _ModelHome {
    fileprivate func takeRows(_ changes: SavedChanges) {
        if let identifiers = changes.deleted[descriptor.entityName] {
            detachAll(identifiers)
            dropDetached()
        }
        // Nobody knows which rows are gone: a model finds out when it is read.
        if changes.swept.contains(descriptor.entityName) {
            for model in models() { markStale(model) }
        }
        for identifier in changes.updated[descriptor.entityName] ?? [] {
            if let model = find(identifier) { markStale(model) }
        }
        for identifier in changes.overwritten[descriptor.entityName] ?? [] {
            if let model = find(identifier) { markStale(model) }
        }
    }

    fileprivate func takeLinks(_ changes: SavedChanges) {
        // A relationship that leads to an entity with new, changed or deleted rows may hold other rows now.
        for slot in relationships.indices {
            guard let relationship = relationships[slot] else { continue }
            let destination = relationship.destination.entityName
            let isLost = changes.lost.contains(destination)
            if relationship.isPaired, !changes.overwritten.isEmpty { refreshPartners(slot, destination, changes) }
            guard (relationship.isToMany ? changes.moved : changes.lost).contains(destination) else { continue }
            for model in models() { refresh(model, slot, isToMany: relationship.isToMany) }
            if isLost { dropUnsavedLinks(relationship) }
        }
    }

    /// Lets go of the models of rows that are gone.
    func detachAll(_ identifiers: [PersistentIdentifier]) {
        if identifiers.count < 64 {
            for identifier in identifiers {
                if let model = find(identifier) { detach(model) }
            }
            return
        }
        // Many rows, of which few are likely to be in memory.
        let living = models()
        if living.isEmpty { return }
        let gone = Set(identifiers)
        for model in living where gone.contains(model.persistentModelID) { detach(model) }
    }

    /// A row that a new one was written onto may be linked to another model now, and the one before is to be read again.
    private func refreshPartners(_ slot: Int, _ destination: String, _ changes: SavedChanges) {
        guard let container = context?.container else { return }
        let rows = changes.overwritten.filter { container.withEntitiesAbove([$0.key]).contains(destination) }
        let identifiers = Set(rows.values.joined())
        if identifiers.isEmpty { return }
        for model in models() {
            if let target = model._current(slot), identifiers.contains(target.persistentModelID) { markStale(model) }
        }
    }

    /// Unsaved links to models that another context deleted give way, as unsaved changes of these do.
    private func dropUnsavedLinks(_ relationship: _ModelDescriptor.Relationship) {
        for model in inserted + changed + deleted {
            model._dropLinks(relationship) { $0._isGone }
            guard relationship.isToMany, let extras = model._$extras else { continue }
            extras.pendingEdits[relationship.slot]?.added.removeAll { $0._isGone }
            extras.pendingEdits[relationship.slot]?.removed.removeAll { $0._isGone }
        }
    }

    func markStale<M: PersistentModel>(_ model: M) {
        if model._$flags & _Flag.dirtyMask != 0, model._$flags & _Flag.detached == 0 {
            for link in pairedLinks
            where !link.isToMany && !link.inverseIsToMany && model._$flags & _slotBit(link.slot) != 0 {
                context?.contested[ObjectIdentifier(model), default: (model, [])].slots.insert(link.slot)
            }
        }
        if model._$flags & (_Flag.fault | _Flag.detached) == 0 { model._$flags |= _Flag.stale }
    }

    private func refresh<M: PersistentModel>(_ model: M, _ slot: Int, isToMany: Bool) {
        if isToMany {
            if model._$flags & (_slotBit(slot) | _Flag.inserted) == 0 { model._$forget(slot) }
        } else if let target = model._current(slot), target._$flags & _Flag.detached != 0 {
            model._$edit(slot, .set(nil))
        }
    }

    /// After a save that deleted rows: no model in memory keeps a link to one.
    func dropLinks(to entityNames: Set<String>) {
        for case let relationship? in relationships
        where entityNames.contains(relationship.destination.entityName) {
            for model in models() { model._dropLinks(relationship) { $0._isGone } }
        }
    }
}

extension PersistentModel {
    /// Takes some models out of a relationship, as far as it is in memory, without marking a change.
    func _dropLinks(
        _ relationship: _ModelDescriptor.Relationship, where isDropped: (any PersistentModel) -> Bool
    ) {
        let related = _related(relationship.slot)
        guard related.contains(where: isDropped) else { return }
        let kept = related.filter { !isDropped($0) }
        _notify(self, relationship.slot) {
            _$edit(relationship.slot, relationship.isToMany ? .replace(kept) : .set(nil))
        }
    }
}
