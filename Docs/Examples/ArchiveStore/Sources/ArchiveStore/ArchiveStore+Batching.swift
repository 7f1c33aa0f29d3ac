import CofferCore

extension ArchiveStore: DataStoreBatching {
    /// Deletes all rows of a class at once. A condition is handed back: the context then finds the rows by itself.
    public func delete<M: PersistentModel>(_ request: DataStoreBatchDeleteRequest<M>) throws {
        if request.predicate != nil { throw DataStoreError.preferInMemoryFilter }
        try change(.delete) { contents in
            let entity = Schema.entityName(for: M.self)
            let rows = contents.sorted(entity)
            contents.rows[entity] = nil
            try contents.remember(deleted: rows, author: request.editingState.author)
        }
    }
}
