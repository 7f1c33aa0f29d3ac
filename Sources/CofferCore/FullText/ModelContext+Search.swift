import Foundation

extension ModelContext {
    /// Searches texts, the best finds first.
    ///
    /// ```swift
    /// var recent = FetchDescriptor<Article>(predicate: #Predicate { !$0.isDraft })
    /// recent.fetchLimit = 20
    /// for hit in try context.search(recent, for: "swift persist*") {
    ///     print(hit.model.title, hit.score)
    /// }
    /// ```
    ///
    /// It finds what `matchesFullText(_:)` would, among what the descriptor describes, unsaved changes included. The order
    /// is that of ``FullTextQuery/score(of:)-(String...)``, which is the same in every store; models with equal scores
    /// stand in the descriptor's order. Offset and limit apply to the result.
    ///
    /// - Parameters:
    ///   - descriptor: what to search among.
    ///   - query: what to look for; see ``FullTextQuery``. One without words finds everything, with a score of 0.
    ///   - properties: the properties to look into, of the type `String` or `String?`; none for those that `#FullText`
    ///     declares.
    /// - Throws: ``SwiftDataError/unsupportedKeyPath`` for a property that is no stored text, and what
    ///   ``fetch(_:)`` throws.
    /// - Complexity: that of a fetch of all models that match, and O(*length of their texts*).
    public func search<M: PersistentModel>(
        _ descriptor: FetchDescriptor<M> = FetchDescriptor(), for query: String, in properties: [PartialKeyPath<M>] = []
    ) throws -> [SearchHit<M>] {
        let slots = try searchedSlots(properties)
        let condition = _predicate(M.self) { build, model in
            build.root(PredicateExpressions.ModelMatchesFullText(model: model, query: build.arg(query), slots: slots))
        }
        var all = descriptor
        all.predicate = descriptor.predicate.map { Predicate(all: [$0, condition]) } ?? condition
        (all.fetchOffset, all.fetchLimit) = (nil, nil)
        let search = FullTextQuery(query)
        // Sorting is stable, so what is equal stays in the descriptor's order.
        let hits = try fetch(all).map { SearchHit(model: $0, score: search.score(of: $0._fullTexts(slots))) }
            .sorted { $0.score > $1.score }
        let found = hits.dropFirst(max(descriptor.fetchOffset ?? 0, 0))
        return Array(descriptor.fetchLimit.map { found.prefix(max($0, 0)) } ?? found)
    }

    private func searchedSlots<M: PersistentModel>(_ properties: [PartialKeyPath<M>]) throws -> [Int] {
        let descriptor = M._$descriptor
        if properties.isEmpty { return descriptor.fullTextSlots }
        return try properties.map { property in
            if let slot = descriptor.slot(of: property), descriptor.isText(slot) { return slot }
            throw SwiftDataError(
                .unsupportedKeyPath, operation: .fetch, entity: descriptor.entityName,
                property: Schema._propertyName(of: property, in: M.self),
                detail: "full-text search looks into stored properties of the type String, and this is none")
        }
    }
}

/// A model that a full-text search has found.
public struct SearchHit<Model: PersistentModel> {
    /// The model.
    public let model: Model
    /// How well its texts fit, see ``FullTextQuery/score(of:)-(String...)``; greater is better.
    public let score: Double
}
