import Foundation

// The generic members of the seam, for code that calls a store of rows without a context.

extension RowStore {
    public func fetch<M: PersistentModel>(
        _ request: DataStoreFetchRequest<M>
    ) throws -> DataStoreFetchResult<M, DefaultSnapshot> {
        let descriptor = M._$descriptor
        let batch = RowBatch(
            entityName: descriptor.entityName, width: descriptor.slotCount, storeIdentifier: identifier)
        batch.descriptor = descriptor
        try fetchRows(plan(request.descriptor), into: batch)
        return DataStoreFetchResult(
            descriptor: request.descriptor, fetchedSnapshots: (0..<batch.count).map { DefaultSnapshot(batch, row: $0) })
    }

    public func fetchCount<M: PersistentModel>(_ request: DataStoreFetchRequest<M>) throws -> Int {
        try countRows(plan(request.descriptor))
    }

    public func fetchIdentifiers<M: PersistentModel>(
        _ request: DataStoreFetchRequest<M>
    ) throws -> [PersistentIdentifier] {
        let space = _IdentifierSpace.shared(
            entityName: M._$descriptor.entityName, storeIdentifier: identifier)
        return try fetchKeys(plan(request.descriptor)).map { PersistentIdentifier(_space: space, key: $0) }
    }

    /// The plan of a descriptor, whole.
    ///
    /// - Throws: ``DataStoreError`` when a part of it is the context's to do.
    private func plan<M: PersistentModel>(_ descriptor: FetchDescriptor<M>) throws -> FetchPlan {
        let lowered = try descriptor._plan()
        if lowered.needsFilter { throw DataStoreError.preferInMemoryFilter }
        if lowered.needsSort { throw DataStoreError.preferInMemorySort }
        var plan = lowered.plan
        if plan.slots == nil, !M._$descriptor.special.external.isEmpty {
            // Whoever takes snapshots cannot ask for the rest of a row later.
            let relationships = M._$descriptor.relationships
            plan.slots = relationships.indices.filter { relationships[$0]?.isToMany != true }
        }
        return plan
    }

    public func save(
        _ request: DataStoreSaveChangesRequest<DefaultSnapshot>
    ) throws -> DataStoreSaveChangesResult<DefaultSnapshot> {
        var changes = RowChanges(editingState: request.editingState)
        changes.inserted = Self.batches(of: request.inserted, storeIdentifier: identifier)
        changes.updated = Self.batches(of: request.updated, storeIdentifier: identifier)
        changes.deleted = Dictionary(grouping: request.deleted, by: \.persistentIdentifier.entityName)
            .sorted { $0.key < $1.key }.map { ($0.key, $0.value.map { $0.persistentIdentifier._key }) }
        let result = try commit(changes)
        var remapped: [PersistentIdentifier: PersistentIdentifier] = [:]
        for (batch, keys) in zip(changes.inserted, result.keys) {
            let space = _IdentifierSpace.shared(entityName: batch.entityName, storeIdentifier: identifier)
            for row in 0..<batch.count {
                remapped[batch.identifier(ofRow: row)] = PersistentIdentifier(_space: space, key: keys[row])
            }
        }
        return DataStoreSaveChangesResult(for: identifier, remappedIdentifiers: remapped)
    }

    /// One batch an entity, in the order in which the entities first come.
    private static func batches(of snapshots: [DefaultSnapshot], storeIdentifier: String) -> [RowBatch] {
        var batches: [RowBatch] = []
        for snapshot in snapshots {
            let name = snapshot.persistentIdentifier.entityName
            let batch: RowBatch
            if let known = batches.first(where: { $0.entityName == name }) {
                batch = known
            } else {
                batch = RowBatch(entityName: name, width: snapshot.batch.width, storeIdentifier: storeIdentifier)
                batches.append(batch)
            }
            batch.appendRow(identifier: snapshot.persistentIdentifier)
            batch.copyCells(from: snapshot.batch, row: snapshot.row) { $0 }
        }
        return batches
    }
}
