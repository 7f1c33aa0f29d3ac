import Foundation

extension ModelContext {
    /// Fetches models that are loaded in batches, as they are reached.
    ///
    /// ```swift
    /// var descriptor = FetchDescriptor<Trip>(sortBy: [SortDescriptor(\.start)])
    /// descriptor.includePendingChanges = false
    /// let trips = try context.fetch(descriptor, batchSize: 100)
    /// ```
    ///
    /// How many there are, and which, is settled now; see ``FetchResultsCollection`` for what happens when a batch
    /// cannot be loaded later. The collection keeps the context.
    ///
    /// - Parameters:
    ///   - descriptor: the fetch.
    ///   - batchSize: how many models are loaded at a time; less than one counts as one.
    /// - Throws: ``SwiftDataError/includePendingChangesWithBatchSize`` when the descriptor includes unsaved changes and
    ///   there are such, since the results would move under the batches; otherwise as ``fetch(_:)``.
    /// - Complexity: one request for the identifiers, and one for each batch that is reached.
    public func fetch<M: PersistentModel>(
        _ descriptor: FetchDescriptor<M>, batchSize: Int
    ) throws -> FetchResultsCollection<M> {
        try enter(.fetch)
        defer { leave() }
        let home = try home(of: M.self, for: .fetch)
        let slots = try descriptor._slotsToFetch()
        let identifiers = try settledIdentifiers(descriptor, in: home)
        return FetchResultsCollection(count: identifiers.count, batchSize: batchSize) { range in
            try self.enter(.fetch)
            defer { self.leave() }
            let models = try self.models(of: identifiers[range], as: M.self, in: home, slots: slots)
            self.noteRecent(models, in: home)
            try self.prefetch(descriptor.relationshipKeyPathsForPrefetching, of: models, in: home)
            return models
        } placeholder: { position in
            if let model = self.model(for: identifiers[position]) as? M { return model }
            let model = M(_$blank: ())
            model._$flags |= _Flag.detached
            return model
        }
    }

    /// The identifiers of the models that ``fetch(_:batchSize:)`` would give, as a collection of the same kind.
    ///
    /// - Throws: as ``fetch(_:batchSize:)``.
    public func fetchIdentifiers<M: PersistentModel>(
        _ descriptor: FetchDescriptor<M>, batchSize: Int
    ) throws -> FetchResultsCollection<PersistentIdentifier> {
        try enter(.fetch)
        defer { leave() }
        let home = try home(of: M.self, for: .fetch)
        let identifiers = try settledIdentifiers(descriptor, in: home)
        return FetchResultsCollection(count: identifiers.count, batchSize: batchSize) { range in
            Array(identifiers[range])
        } placeholder: {
            identifiers[$0]
        }
    }

    private func settledIdentifiers<M: PersistentModel>(
        _ descriptor: FetchDescriptor<M>, in home: _ModelHome
    ) throws -> [PersistentIdentifier] {
        catchUp()
        if descriptor.includePendingChanges, hasChanges {
            throw SwiftDataError(
                .includePendingChangesWithBatchSize, operation: .fetch, store: home.store.name,
                entity: home.descriptor.entityName)
        }
        return try PlannedFetch(descriptor, home: home, context: self).identifiers()
    }
}
