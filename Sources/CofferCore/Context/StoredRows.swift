/// The rows of a context's stores, without unsaved changes: where a filter that a store hands back finds related rows.
///
/// Rows are read many at a time: a row that is asked for brings along those that others like its owner lead to.
final class StoredRows: RowSource {
    private let context: ModelContext
    private var batches: [RowBatch]
    private var rows: [Key: DefaultSnapshot?] = [:]
    private var lists: [ListKey: [DefaultSnapshot]] = [:]

    private struct Key: Hashable {
        let entityName: String
        let key: Int64
    }

    private struct ListKey: Hashable {
        let owner: Key
        let slot: Int
    }

    /// - Parameter batch: the rows that are tested.
    init(_ context: ModelContext, testing batch: RowBatch) {
        self.context = context
        batches = [batch]
    }

    private func home(of entityName: String) -> _ModelHome? {
        context.container.modelType(named: entityName).flatMap { context.home(of: $0._$descriptor) }
    }

    private func fetch(_ scope: FetchScope, from home: _ModelHome) throws -> RowBatch {
        let name = home.descriptor.entityName
        var plan = FetchPlan(entityName: name, scope: scope)
        if home.isPolymorphic { plan.subentityNames = home.subentityNames }
        // A whole row leaves out what lies in files of its own.
        plan.slots = slots(of: home)
        let batch = try context.fetchRows(plan, from: home)
        batches.append(batch)
        for row in 0..<batch.count { remember(DefaultSnapshot(batch, row: row), of: name) }
        return batch
    }

    private func slots(of home: _ModelHome) -> [Int]? {
        let descriptor = home.descriptor
        if descriptor.special.external.isEmpty { return nil }
        return (0..<descriptor.slotCount).filter { descriptor.relationships[$0]?.isToMany != true }
    }

    private func remember(_ row: DefaultSnapshot, of entityName: String) {
        rows[Key(entityName: entityName, key: row.persistentIdentifier._key)] = row
    }

    // MARK: Links

    func row(_ key: Int64, of entityName: String) throws -> DefaultSnapshot? {
        let wanted = Key(entityName: entityName, key: key)
        if let found = rows[wanted] { return found }
        guard let home = home(of: entityName), home.store.rows != nil else { return nil }
        var keys: Set<Int64> = [key]
        for batch in batches { collect(entityName, in: batch, &keys) }
        rows[wanted] = .some(nil)
        _ = try fetch(.keys(keys.sorted()), from: home)
        return rows[wanted] ?? nil
    }

    /// The keys of rows of an entity to which the rows of a batch lead, apart from those that are here.
    private func collect(_ entityName: String, in batch: RowBatch, _ keys: inout Set<Int64>) {
        guard let descriptor = home(of: batch.entityName)?.descriptor else { return }
        for case let link? in descriptor.relationships
        where !link.isToMany && link.destination.entityName == entityName {
            for row in 0..<batch.count {
                let cell = batch.cell(row: row, slot: link.slot)
                guard cell.kind == .reference, rows[Key(entityName: entityName, key: cell.integer)] == nil else {
                    continue
                }
                keys.insert(cell.integer)
            }
        }
    }

    func members(of owner: DefaultSnapshot, slot: Int) throws -> [DefaultSnapshot] {
        let entityName = owner.batch.entityName
        let wanted = ListKey(owner: Key(entityName: entityName, key: owner.persistentIdentifier._key), slot: slot)
        if let found = lists[wanted] { return found }
        guard let descriptor = home(of: owner.persistentIdentifier.entityName)?.descriptor,
            let link = descriptor.relationships[safe: slot] ?? nil,
            let home = home(of: link.destination.entityName), home.store.rows != nil
        else { return [] }
        // The lists of all rows that came with the owner.
        let owners = (0..<owner.batch.count).map { owner.batch.key(ofRow: $0) }
        for key in owners { lists[ListKey(owner: Key(entityName: entityName, key: key), slot: slot)] = [] }
        let batch = try fetch(.related(ownerEntity: descriptor.entityName, slot: slot, owners: owners), from: home)
        for row in 0..<batch.count {
            let owner = Key(entityName: entityName, key: batch.owners[row])
            lists[ListKey(owner: owner, slot: slot), default: []].append(DefaultSnapshot(batch, row: row))
        }
        return lists[wanted] ?? []
    }

    func destination(ofSlot slot: Int, in entityName: String) -> String? {
        guard let link = home(of: entityName)?.descriptor.relationships[safe: slot] ?? nil, !link.isToMany else {
            return nil
        }
        return link.destination.entityName
    }

    // MARK: Hierarchies

    var hasHierarchies: Bool { context.container.hasHierarchies }

    func hierarchy(of entityName: String) -> [String] {
        guard let root = context.container.schema.entitiesByName[entityName]?.rootEntity else { return [] }
        func names(_ entity: Schema.Entity) -> [String] { [entity.name] + entity.subentities.flatMap(names) }
        return root.subentities.isEmpty ? [] : names(root)
    }

    func isRow(_ row: DefaultSnapshot, of entityName: String) -> Bool {
        let own = row.persistentIdentifier.entityName
        if own == entityName { return true }
        return context.container.schema.entitiesByName[own]?.lineage.contains { $0.name == entityName } ?? false
    }
}
