import Foundation

// The generic members of the seam, for code that calls a store of rows without a context.

extension RowStore {
    /// Fetches snapshots; contexts use ``fetchRows(_:into:)`` instead.
    ///
    /// - Throws: ``DataStoreError/preferInMemoryFilter`` and ``DataStoreError/preferInMemorySort`` where the descriptor has
    ///   something that no plan can say; what the store throws.
    public func fetch<M: PersistentModel>(
        _ request: DataStoreFetchRequest<M>
    ) throws -> DataStoreFetchResult<M, DefaultSnapshot> {
        let plan = try plan(request.descriptor)
        let batch = batch(for: plan, of: M._$descriptor)
        try fetchRows(plan, into: batch)
        return DataStoreFetchResult(
            descriptor: request.descriptor, fetchedSnapshots: (0..<batch.count).map { DefaultSnapshot(batch, row: $0) })
    }

    public func fetchCount<M: PersistentModel>(_ request: DataStoreFetchRequest<M>) throws -> Int {
        try countRows(plan(request.descriptor))
    }

    public func fetchIdentifiers<M: PersistentModel>(
        _ request: DataStoreFetchRequest<M>
    ) throws -> [PersistentIdentifier] {
        var plan = try plan(request.descriptor)
        if !plan.subentityNames.isEmpty {
            // A key does not say which entity its row is of.
            plan.slots = []
            let batch = batch(for: plan, of: M._$descriptor)
            try fetchRows(plan, into: batch)
            return (0..<batch.count).map { batch.identifier(ofRow: $0) }
        }
        let space = _IdentifierSpace.shared(
            entityName: M._$descriptor.entityName, storeIdentifier: identifier)
        return try fetchKeys(plan).map { PersistentIdentifier(_space: space, key: $0) }
    }

    /// Deletes the rows of a predicate, delete rules included: the member of ``DataStoreBatching``.
    ///
    /// - Throws: ``DataStoreError/unsupportedFeature`` where the store does not declare
    ///   ``StoreCapabilities/Features/batchDelete``.
    public func delete<M: PersistentModel>(_ request: DataStoreBatchDeleteRequest<M>) throws {
        guard capabilities.features.contains(.batchDelete) else { throw DataStoreError.unsupportedFeature }
        var plan = try plan(FetchDescriptor(predicate: request.predicate))
        plan.slots = []
        if !request.includeSubclasses { plan.subentityNames = [] }
        var changes = RowChanges(editingState: request.editingState)
        changes.batchDeletes = [RowBatchDelete(plan)]
        _ = try commit(changes)
    }

    /// The plan of a descriptor, whole.
    ///
    /// - Throws: ``DataStoreError`` when a part of it is the context's to do.
    private func plan<M: PersistentModel>(_ descriptor: FetchDescriptor<M>) throws -> FetchPlan {
        let lowered = try descriptor._plan()
        if lowered.needsFilter { throw DataStoreError.preferInMemoryFilter }
        if lowered.needsSort { throw DataStoreError.preferInMemorySort }
        var plan = lowered.plan
        plan.subentityNames = schema.entitiesByName[plan.entityName]?.subtree.dropFirst().map(\.name) ?? []
        let family = [M._$descriptor] + plan.subentityNames.compactMap { schema._modelType(named: $0)?._$descriptor }
        if plan.slots == nil, family.contains(where: { !$0.special.external.isEmpty }) {
            // Whoever takes snapshots cannot ask for the rest of a row later.
            let relationships = M._$descriptor.relationships
            plan.slots = (0..<family.reduce(0) { max($0, $1.slotCount) }).filter {
                relationships[safe: $0]??.isToMany != true
            }
        }
        return plan
    }

    /// An empty batch for the rows of a plan.
    private func batch(for plan: FetchPlan, of descriptor: _ModelDescriptor) -> RowBatch {
        let below = plan.subentityNames.compactMap { schema._modelType(named: $0)?._$descriptor }
        let batch = RowBatch(
            space: .shared(entityName: plan.entityName, storeIdentifier: identifier),
            width: below.reduce(descriptor.slotCount) { max($0, $1.slotCount) },
            subspaces: plan.subentityNames.map { .shared(entityName: $0, storeIdentifier: identifier) })
        batch.descriptor = descriptor
        batch.subdescriptors = below
        return batch
    }

    /// Saves snapshots; contexts use ``commit(_:)`` instead.
    ///
    /// - Throws: what the store throws; nothing is stored then.
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
        return DataStoreSaveChangesResult(
            for: identifier, remappedIdentifiers: remapped,
            historyToken: result.historyNumber.map { DefaultHistoryToken([identifier: $0]) })
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
                let width = snapshot.batch.descriptor(ofRow: snapshot.row)?.slotCount ?? snapshot.batch.width
                batch = RowBatch(entityName: name, width: width, storeIdentifier: storeIdentifier)
                batches.append(batch)
            }
            batch.appendRow(identifier: snapshot.persistentIdentifier)
            batch.copyCells(from: snapshot.batch, row: snapshot.row, keepsEntities: false) { $0 }
        }
        return batches
    }
}
