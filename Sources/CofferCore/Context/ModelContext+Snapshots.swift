import Foundation

// The compatible door: stores that know nothing of rows and plans, only SwiftData's own protocol family.

extension ModelContext {
    /// Runs a call of a store, in which snapshots are decoded for the container's schema.
    private func working<T>(_ call: () throws -> T) rethrows -> T {
        try StoreHandle.$schemaAtWork.withValue(container.schema, operation: call)
    }

    /// Fetches through a store's generic members.
    func fetchSnapshots<M: PersistentModel>(_ descriptor: FetchDescriptor<M>, from home: _ModelHome) throws -> RowBatch
    {
        func fetch<S: DataStore>(_ store: S) throws -> RowBatch {
            let result = try working {
                try store.fetch(DataStoreFetchRequest(editingState: editingState, descriptor: descriptor))
            }
            return try pack(result.fetchedSnapshots, of: home)
        }
        return try fetch(home.store.store)
    }

    /// All rows of a class and of those below it: one fetch a class, or a single one where the store knows of
    /// hierarchies.
    func fetchSnapshotsOfFamily(_ home: _ModelHome, includesSubclasses: Bool) throws -> RowBatch {
        func all<M: PersistentModel>(_ type: M.Type, of home: _ModelHome) throws -> RowBatch {
            try fetchSnapshots(FetchDescriptor<M>(), from: home)
        }
        let knowsHierarchies = home.store.capabilities.features.contains(.inheritance)
        if knowsHierarchies, includesSubclasses { return try all(home.descriptor.type, of: home) }
        let batch = home.makeBatch(for: home.plan())
        for (index, member) in home.family().prefix(includesSubclasses ? .max : 1).enumerated() {
            let found = try all(member.descriptor.type, of: member)
            for row in 0..<found.count where found.entityIndex(ofRow: row) == 0 { batch.append(found, row, as: index) }
        }
        return batch
    }

    /// Counts through a store's generic members.
    func snapshotCount<M: PersistentModel>(_ descriptor: FetchDescriptor<M>, from home: _ModelHome) throws -> Int {
        func count<S: DataStore>(_ store: S) throws -> Int {
            try working {
                try store.fetchCount(DataStoreFetchRequest(editingState: editingState, descriptor: descriptor))
            }
        }
        return try count(home.store.store)
    }

    /// Fetches identifiers through a store's generic members.
    func snapshotIdentifiers<M: PersistentModel>(
        _ descriptor: FetchDescriptor<M>, from home: _ModelHome
    ) throws -> [PersistentIdentifier] {
        func identifiers<S: DataStore>(_ store: S) throws -> [PersistentIdentifier] {
            try working {
                try store.fetchIdentifiers(DataStoreFetchRequest(editingState: editingState, descriptor: descriptor))
            }
        }
        return try identifiers(home.store.store)
    }

    /// The rows of these identifiers.
    func fetchSnapshots(of identifiers: [PersistentIdentifier], from home: _ModelHome) throws -> RowBatch {
        if home.isPolymorphic, identifiers.contains(where: { $0.entityName != home.descriptor.entityName }) {
            let batch = home.makeBatch(for: home.plan(), capacity: identifiers.count)
            for (index, member) in home.family().enumerated() {
                let own = identifiers.filter { $0.entityName == member.descriptor.entityName }
                if own.isEmpty { continue }
                let found = try fetchOwnSnapshots(of: own, from: member)
                for row in 0..<found.count where found.entityIndex(ofRow: row) == 0 {
                    batch.append(found, row, as: index)
                }
            }
            return batch
        }
        return try fetchOwnSnapshots(of: identifiers, from: home)
    }

    /// The rows of identifiers of the home's own entity.
    private func fetchOwnSnapshots(
        of identifiers: [PersistentIdentifier], from home: _ModelHome
    ) throws -> RowBatch {
        func fetch<M: PersistentModel>(_ type: M.Type) throws -> RowBatch {
            let wanted = Set(identifiers)
            let predicate = Predicate<M> { model in
                PredicateExpressions.build_contains(
                    PredicateExpressions.build_Arg(wanted),
                    PredicateExpressions.build_KeyPath(root: model, keyPath: \.persistentModelID))
            }
            do {
                return try fetchSnapshots(FetchDescriptor<M>(predicate: predicate), from: home)
            } catch DataStoreError.preferInMemoryFilter {
                let all = try fetchSnapshots(FetchDescriptor<M>(), from: home)
                let rows = (0..<all.count).filter { wanted.contains(all.identifier(ofRow: $0)) }
                return try pack(rows.map { DefaultSnapshot(all, row: $0) }, of: home)
            }
        }
        return try fetch(home.descriptor.type)
    }

    /// Fetches rows of a plan that is nothing but a list of keys.
    func fetchSnapshots(_ plan: FetchPlan, from home: _ModelHome, into batch: RowBatch) throws {
        guard case .keys(let keys) = plan.scope else {
            throw SwiftDataError(
                .unsupportedFeature, operation: .fetch, store: home.store.name, entity: plan.entityName,
                detail: "the store takes no fetch plans")
        }
        let found = try fetchSnapshots(
            of: keys.map { PersistentIdentifier(_space: home.space, key: $0) }, from: home)
        for row in 0..<found.count { batch.append(found, row, as: found.entityIndex(ofRow: row)) }
    }

    /// Loads a to-many relationship from the links that the owners' own snapshots carry.
    func loadRelatedSnapshots<T: PersistentModel>(
        _ owners: [any PersistentModel], slot: Int, in home: _ModelHome, as type: T.Type
    ) throws {
        let batch = try fetchSnapshots(of: owners.map { $0.persistentModelID }, from: home)
        var rows: [PersistentIdentifier: Int] = [:]
        for row in 0..<batch.count { rows[batch.identifier(ofRow: row)] = row }
        for owner in owners {
            let models = try rows[owner.persistentModelID].flatMap {
                try home.resolveMany(batch.cell(row: $0, slot: slot), in: batch, slot: slot, as: T.self)
            }
            finishLoading(owner, slot, models ?? [])
        }
    }

    /// Rows of snapshots of whichever type.
    private func pack<S: DataStoreSnapshot>(_ snapshots: [S], of home: _ModelHome) throws -> RowBatch {
        let batch = home.makeBatch(for: home.plan(), capacity: snapshots.count)
        batch.keepsEntities = container.hasHierarchies
        let family = home.isPolymorphic ? home.family() : [home]
        for snapshot in snapshots {
            let identifier = snapshot.persistentIdentifier
            guard let index = family.firstIndex(where: { $0.descriptor.entityName == identifier.entityName }) else {
                throw SwiftDataError(
                    .storeFailure, operation: .fetch, store: home.store.name, entity: home.descriptor.entityName,
                    detail: "the store gave a \(identifier.entityName)")
            }
            if let snapshot = snapshot as? DefaultSnapshot {
                batch.append(snapshot.batch, snapshot.row, identifier: identifier, as: index)
            } else {
                batch.appendRow(identifier: identifier)
                if home.isPolymorphic { batch.setEntity(index, ofRow: batch.count - 1) }
                try SnapshotValues(snapshot).write(to: batch, home: family[index])
            }
            batch.descriptor = home.descriptor
        }
        return batch
    }

    /// Saves through a store's generic members.
    func commit(_ work: StoreWork, through store: any DataStore, _ plan: SavePlan, _ outcome: inout SaveOutcome) throws
    {
        func commit<S: DataStore>(_ store: S) throws {
            func snapshot<M: PersistentModel>(_ model: M, _ batch: RowBatch, _ row: Int) throws -> S.Snapshot {
                // A snapshot of our own type is a view of the row that is packed already, links cut and all.
                let view = DefaultSnapshot(batch, row: row)
                if let view = view as? S.Snapshot { return view }
                var related: [PersistentIdentifier: any BackingData] = [:]
                return S.Snapshot(
                    from: SavedBackingData(model, row: view, plan: plan), relatedBackingDatas: &related)
            }
            func snapshots(_ part: (home: _ModelHome, models: [any PersistentModel], batch: RowBatch)) throws -> [S
                .Snapshot]
            {
                try part.models.enumerated().map { try snapshot($1, part.batch, $0) }
            }
            // Such a store takes whole snapshots, so a changed model comes with all its values.
            let updated = try work.updated.flatMap { part in
                try snapshots(
                    (part.home, part.models, try wholeRows(part.models, in: part.home, plan, changes: part.batch)))
            }
            let deleted = try work.deleted.flatMap { part in
                try snapshots((part.home, part.models, try wholeRows(part.models, in: part.home, nil, changes: nil)))
            }
            let request = DataStoreSaveChangesRequest<S.Snapshot>(
                editingState: editingState, inserted: try work.inserted.flatMap(snapshots), updated: updated,
                deleted: deleted)
            let result = try working { try store.save(request) }
            for part in work.inserted {
                for model in part.models {
                    guard let identifier = result.remappedIdentifiers[model.persistentModelID] else {
                        throw SwiftDataError(
                            .storeFailure, operation: .save, store: part.home.store.name,
                            entity: part.home.descriptor.entityName,
                            detail: "the store gave a new model no permanent identifier")
                    }
                    enter(model, identifier, part.home)
                }
                outcome.inserted.append(part.models.map { $0.persistentModelID })
            }
            for part in work.updated { outcome.updated.append(part.models.map { $0.persistentModelID }) }
            // What the store made of the values is read when they are asked for.
            for identifier in result.snapshotsToReregister.keys { markStale(identifier) }
        }
        try commit(store)
    }

    private func markStale(_ identifier: PersistentIdentifier) {
        for home in homes.values where home.descriptor.entityName == identifier.entityName {
            if let model = home.find(identifier) { model._$flags |= _Flag.stale }
        }
    }

    private func enter<M: PersistentModel>(_ model: M, _ identifier: PersistentIdentifier, _ home: _ModelHome) {
        let temporary = model._$key
        home.setIdentifier(identifier, of: model)
        model._$flags &= _Flag.observed | _Flag.textKey
        home.register(model)
        if identifier._textKey == nil {
            withUnsafePointer(to: temporary) {
                remapped.add(entityName: identifier.entityName, temporary: $0, permanent: [identifier._key])
            }
        }
    }

    /// Rows with all values of models, without links to what the plan deletes.
    private func wholeRows(
        _ models: [any PersistentModel], in home: _ModelHome, _ plan: SavePlan?, changes: RowBatch?
    ) throws -> RowBatch {
        try loadAll(models, in: home)
        for slot in home.relationships.indices where home.relationships[slot]?.isToMany == true {
            let unloaded = models.filter { $0._$flags & _Flag.inserted == 0 && !$0._isLoaded(slot) }
            if !unloaded.isEmpty { try loadRelated(unloaded, slot: slot, in: home) }
        }
        let packer = plan.map { RowPacker(home, plan: $0) }
        let batch = RowBatch(space: home.space, width: home.descriptor.slotCount, capacity: models.count)
        batch.descriptor = home.descriptor
        batch.keepsEntities = container.hasHierarchies
        func write<M: PersistentModel>(_ model: M) throws {
            let row = batch.appendRow(identifier: model.persistentModelID)
            var writer = _RowWriter(batch, row: row, descriptor: home.descriptor)
            try model._$store(&writer)
            try packer?.checkLinks(row, of: batch)
        }
        for model in models { try write(model) }
        guard let changes else { return batch }
        // What the save changed besides the model itself, such as a link that a delete rule cuts.
        for row in 0..<batch.count {
            for slot in 0..<batch.width {
                let cell = changes.cell(row: row, slot: slot)
                if cell.kind == .absent { continue }
                batch.set(
                    changes.value(
                        of: cell, destination: home.relationships[slot] == nil ? nil : home.destination(slot)?.space),
                    row: row, slot: slot)
            }
        }
        return batch
    }
}

extension RowBatch {
    /// Appends a row of another batch under its own identifier, as one of the entity with that number.
    fileprivate func append(
        _ other: RowBatch, _ row: Int, identifier: PersistentIdentifier? = nil, as index: Int
    ) {
        let new = appendRow(identifier: identifier ?? other.identifier(ofRow: row))
        if !subspaces.isEmpty { setEntity(index, ofRow: new) }
        copyCells(from: other, row: row) { $0 }
    }
}
