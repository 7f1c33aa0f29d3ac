import Foundation

extension ModelContext {
    /// Runs a block for each model that a descriptor describes, with only some of them in memory at a time.
    ///
    /// ```swift
    /// try context.enumerate(FetchDescriptor<Trip>(), batchSize: 500) { trip in
    ///     total += trip.cost
    /// }
    /// ```
    ///
    /// Which models there are, and their order, is settled at the start, by identifier; their values are read batch by
    /// batch, and a model whose row is gone by then, or that the block deleted, is left out. A model that nobody keeps is
    /// released with its batch. A context keeps models with unsaved changes, though: a block that changes models makes
    /// memory grow with the number of rows, so that has to be allowed.
    ///
    /// - Parameters:
    ///   - descriptor: which models, and in which order.
    ///   - batchSize: how many are read at a time; larger is faster and takes more memory. Less than one counts as one.
    ///   - allowEscapingMutations: whether the context may have unsaved changes, the block's own included. They are
    ///     saved when the program calls ``save()``, which the block may do from time to time.
    ///   - block: what to do with a model.
    /// - Throws: ``SwiftDataError/mutationDuringEnumeration`` as soon as the context has unsaved changes that are not
    ///   allowed, what the block throws, or what ``fetch(_:)`` throws.
    /// - Complexity: one request for the identifiers and one for each batch; 16 bytes for each row beside the batch.
    public func enumerate<M: PersistentModel>(
        _ descriptor: FetchDescriptor<M>, batchSize: Int = 5000, allowEscapingMutations: Bool = false,
        block: (_ model: M) throws -> Void
    ) throws {
        try enter(.fetch)
        defer { leave() }
        catchUp()
        let home = try home(of: M.self, for: .fetch)
        func checkMutations() throws {
            guard !allowEscapingMutations, hasChanges else { return }
            throw SwiftDataError(
                .mutationDuringEnumeration, operation: .fetch, store: home.store.name,
                entity: home.descriptor.entityName)
        }
        try checkMutations()
        let slots = try descriptor._slotsToFetch()
        let identifiers = try PlannedFetch(descriptor, home: home, context: self).identifiers()
        let size = max(batchSize, 1)
        var start = 0
        while start < identifiers.count {
            let end = start + min(size, identifiers.count - start)
            let models = try models(of: identifiers[start..<end], as: M.self, in: home, slots: slots)
            noteRecent(models, in: home)
            try prefetch(descriptor.relationshipKeyPathsForPrefetching, of: models, in: home)
            for model in models where model._$flags & _Flag.detached == 0 {
                if model._$flags & _Flag.deleted != 0, descriptor.includePendingChanges { continue }
                try outside { try block(model) }
                try checkMutations()
            }
            start = end
        }
    }
}
