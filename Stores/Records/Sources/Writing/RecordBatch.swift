import CofferCore

/// Deletions and updates by filter as changes of single rows, in the write transaction that makes them.
struct RecordBatch {
    typealias Rows = DeletionRules.Rows

    let core: RecordStoreCore
    let reader: any RecordReader

    /// Changes with all rows of filters in them, and what is to be said of these.
    func resolve(_ changes: RowChanges) throws -> (changes: RowChanges, deleted: [Rows], updated: [Rows]) {
        if changes.batchDeletes.isEmpty, changes.batchUpdates.isEmpty { return (changes, [], []) }
        var resolved = changes
        (resolved.batchDeletes, resolved.batchUpdates) = ([], [])
        let deleted = try doomed(changes)
        resolved.deleted += deleted
        var updated: [Rows] = []
        for update in changes.batchUpdates {
            let gone = Set(resolved.deleted.lazy.filter { $0.entityName == update.plan.entityName }.flatMap(\.keys))
            let batch = try values(of: update, without: gone)
            updated.append((update.plan.entityName, (0..<batch.count).map { batch.key(ofRow: $0) }))
            resolved.updated.append(batch)
        }
        return (resolved, deleted, updated)
    }

    // MARK: Deleting

    private func doomed(_ changes: RowChanges) throws -> [Rows] {
        if changes.batchDeletes.isEmpty { return [] }
        var roots: [String: [Int64]] = [:]
        for delete in changes.batchDeletes {
            for rows in delete.besides { roots[rows.entityName, default: []] += rows.keys }
            let space = try core.space(named: delete.plan.entityName)
            let except = Set(delete.except)
            var found: [Int: [Int64]] = [:]
            try RecordFetch(core.layout.flat(delete.plan), space, core, reader).forEachRow { key, bytes in
                if !except.isEmpty, except.contains(key) { return }
                found[space.hierarchy == nil ? 0 : space.kind(of: try Record(bytes)), default: []].append(key)
            }
            for (kind, keys) in found { roots[space.entityName(ofKind: kind), default: []] += keys }
        }
        let rows = roots.sorted { $0.key < $1.key }.map {
            (entityName: $0.key, keys: RecordFetch.ascending($0.value))
        }
        return try rows + DeletionRules(core.schema).cascade(from: rows, besides: changes.deleted, over: self)
    }

    // MARK: Updating

    /// The changed cells of the rows of an update.
    private func values(of update: RowBatchUpdate, without gone: Set<Int64>) throws -> RowBatch {
        let space = try core.space(named: update.plan.entityName)
        guard space.hierarchy == nil else { throw DataStoreError.preferInMemoryFilter }
        let rows = RecordRows(core.layout, reader, storeIdentifier: core.identifier)
        let slots = update.assignments.reduce(into: Set<Int>()) { $0.formUnion($1.value.slots) }
        let decoder = RecordDecoder(space, slots: slots.sorted())
        let assignments = update.assignments.map { ($0.slot, RowExpression($0.value)) }
        let except = gone.union(update.except)
        func makeBatch() -> RowBatch {
            RowBatch(entityName: space.entityName, width: space.width, storeIdentifier: core.identifier)
        }
        let (old, new) = (makeBatch(), makeBatch())
        try RecordFetch(core.layout.flat(update.plan), space, core, reader).forEachRow { key, bytes in
            if except.contains(key) { return }
            old.removeAll()
            try decoder.append(bytes, key: key, to: old)
            let row = new.appendRow(key: key)
            for (slot, expression) in assignments {
                guard let value = try expression.value(old, row: 0, in: rows) else {
                    throw SwiftDataError.noValue(
                        entity: space.entityName, property: space.field(ofSlot: slot)?.property)
                }
                new.set(value, row: row, slot: slot)
            }
        }
        return new
    }
}

extension RecordBatch: RowLinks {
    func linked(to rows: Rows, _ slot: Int, of destination: String) throws -> [Int64] {
        let below = core.schema.entitiesByName[destination]?.subtree.dropFirst().map(\.name) ?? []
        let plan = FetchPlan(
            entityName: destination, subentityNames: Array(below),
            scope: .related(ownerEntity: rows.entityName, slot: slot, owners: rows.keys))
        let space = try core.space(named: destination)
        // Most deletions lead nowhere.
        if try reader.count(space.rows) == 0 { return [] }
        var keys: [Int64] = []
        var fetch = try RelatedFetch(core.layout.flat(plan), space, core, reader)
        try fetch.run(atLeast: .max) { _, key, _ in keys.append(key) }
        return keys
    }

    func divide(_ keys: [Int64], below entityName: String) throws -> [Rows] {
        let space = try core.space(named: entityName)
        var found: [Int: [Int64]] = [:]
        for key in keys {
            guard let bytes = try reader.get(space.rows, key) else { continue }
            found[space.kind(of: try Record(bytes)), default: []].append(key)
        }
        return found.sorted { $0.key < $1.key }.map { (space.entityName(ofKind: $0.key), $0.value) }
    }
}
