import Foundation

extension ModelContext {
    /// Fetches one page of the models that a descriptor describes: as many as its
    /// ``FetchDescriptor/fetchLimit`` says, from where another page ended.
    ///
    /// ```swift
    /// var descriptor = FetchDescriptor<Trip>(sortBy: [SortDescriptor(\.start)])
    /// descriptor.fetchLimit = 50
    /// var page = try context.fetchPage(descriptor)
    /// while let next = page.next { page = try context.fetchPage(descriptor, after: next) }
    /// ```
    ///
    /// Unlike an offset, a token costs the same for the last page as for the first, and models that are inserted or
    /// deleted meanwhile neither repeat nor hide others. A model whose place in the order changes may come twice or not
    /// at all. Models that are equal in all sort keys come in the order in which they were stored, unsaved ones last.
    ///
    /// The predicate may change between pages; model and order may not.
    ///
    /// - Parameters:
    ///   - descriptor: the fetch; its offset counts on the first page only.
    ///   - token: the ``FetchPage/next`` of the page before; nil for the first page. One of a page that ends with a
    ///     model that was never saved holds in this context alone.
    /// - Throws: ``SwiftDataError/invalidPageToken`` for a token of another model, order or store,
    ///   ``SwiftDataError/unsupportedSortDescriptor`` for an order by something that is not stored, and as ``fetch(_:)``
    ///   does.
    /// - Complexity: one request for as many rows as the page has and one more, which an index on the first sort key
    ///   finds without going over those before; another one where the page goes from nil to values.
    public func fetchPage<M: PersistentModel>(
        _ descriptor: FetchDescriptor<M>, after token: PageToken? = nil
    ) throws -> FetchPage<M> {
        try enter(.fetch)
        defer { leave() }
        catchUp()
        releaseUnreachable()
        let home = try home(of: M.self, for: .fetch)
        let order = try PageOrder(descriptor, home: home, context: self)
        let start = try token.map { try order.start($0) }
        var wanted = descriptor
        if start != nil { wanted.fetchOffset = nil }
        let limit = descriptor.fetchLimit.map { max($0, 0) }
        if limit == 0 { return FetchPage(models: [], next: token) }
        // One more tells whether there is another page.
        wanted.fetchLimit = limit.map { $0 == .max ? $0 : $0 + 1 }
        var models = try PlannedFetch(wanted, home: home, context: self, from: start).models()
        var next: PageToken?
        if let limit, models.count > limit {
            models.removeLast(models.count - limit)
            next = try models.last.map { try pageToken(of: $0, descriptor, order) }
        }
        noteRecent(models, in: home)
        try prefetch(descriptor.relationshipKeyPathsForPrefetching, of: models, in: home)
        return FetchPage(models: models, next: next)
    }

    /// The token of a page that ends with a model, as it stands in the order that was fetched.
    private func pageToken<M: PersistentModel>(
        of model: M, _ descriptor: FetchDescriptor<M>, _ order: PageOrder<M>
    ) throws -> PageToken {
        guard !descriptor.includePendingChanges, hasChanges else { return try order.token(of: model) }
        // The store's values count, not those that are unsaved here.
        let other = ModelContext(container)
        let home = try other.home(of: M.self, for: .fetch)
        let stored = try other.models(of: [model.persistentModelID][...], as: M.self, in: home).first
        return try stored.map { try PageOrder(descriptor, home: home, context: other).token(of: $0) }
            ?? order.token(of: model)
    }
}
