import Foundation

extension ModelContext {
    /// The distinct values of a property of the models that a descriptor describes, in order.
    /// There may be three properties, whose distinct tuples are given.
    ///
    /// ```swift
    /// let countries = try context.distinctValues(FetchDescriptor<Trip>(), of: \.country)
    /// ```
    ///
    /// Nil is one of the values. They come in the order in which a fetch sorts, by the first property first.
    ///
    /// - Parameters:
    ///   - descriptor: which models.
    ///   - keyPath: the property.
    ///   - order: of all properties; forward unless given.
    ///   - limit: the largest number of values; nil for all.
    ///   - offset: how many values at the start to leave out.
    /// - Throws: as ``groups(_:by:giving:order:limit:offset:)`` does.
    /// - Complexity: one request; where an index begins with the property, stores of records take
    ///   O(*values* log *rows*).
    public func distinctValues<M: PersistentModel, K: Hashable>(
        _ descriptor: FetchDescriptor<M>, of keyPath: KeyPath<M, K>,
        order: SortOrder = .forward, limit: Int? = nil, offset: Int = 0
    ) throws -> [K] {
        let reverse: [GroupOrder<M>] = [.key(keyPath, order: .reverse)]
        let page = GroupPage(order: order == .reverse ? reverse : [], limit: limit, offset: offset)
        return try makeGroups(descriptor, [keyPath], [], page, { _ in }) {
            try $0.next(keyPath)
        }.map(\.key)
    }

    /// The distinct pairs of values of two properties; see ``distinctValues(_:of:order:limit:offset:)``.
    ///
    /// - Throws: as ``groups(_:by:giving:order:limit:offset:)`` does.
    public func distinctValues<M: PersistentModel, K: Hashable, L: Hashable>(
        _ descriptor: FetchDescriptor<M>, of first: KeyPath<M, K>, _ second: KeyPath<M, L>,
        order: SortOrder = .forward, limit: Int? = nil, offset: Int = 0
    ) throws -> [(K, L)] {
        let reverse: [GroupOrder<M>] = [.key(first, order: .reverse), .key(second, order: .reverse)]
        let page = GroupPage(order: order == .reverse ? reverse : [], limit: limit, offset: offset)
        return try makeGroups(descriptor, [first, second], [], page, { _ in }) {
            try ($0.next(first), $0.next(second))
        }.map(\.key)
    }

    /// The distinct values of three properties together; see ``distinctValues(_:of:order:limit:offset:)``.
    ///
    /// - Throws: as ``groups(_:by:giving:order:limit:offset:)`` does.
    public func distinctValues<M: PersistentModel, K: Hashable, L: Hashable, N: Hashable>(
        _ descriptor: FetchDescriptor<M>, of first: KeyPath<M, K>, _ second: KeyPath<M, L>, _ third: KeyPath<M, N>,
        order: SortOrder = .forward, limit: Int? = nil, offset: Int = 0
    ) throws -> [(K, L, N)] {
        let reverse: [GroupOrder<M>] = [
            .key(first, order: .reverse), .key(second, order: .reverse), .key(third, order: .reverse),
        ]
        let page = GroupPage(order: order == .reverse ? reverse : [], limit: limit, offset: offset)
        return try makeGroups(descriptor, [first, second, third], [], page, { _ in }) {
            try ($0.next(first), $0.next(second), $0.next(third))
        }.map(\.key)
    }

    /// The distinct values of a property of all models, or of those that match, in order.
    ///
    /// - Throws: as ``groups(_:by:giving:order:limit:offset:)`` does.
    public func distinctValues<M: PersistentModel, Value: Hashable>(
        of keyPath: KeyPath<M, Value>, where predicate: Predicate<M>? = nil, order: SortOrder = .forward,
        limit: Int? = nil, offset: Int = 0
    ) throws -> [Value] {
        try distinctValues(
            FetchDescriptor(predicate: predicate), of: keyPath, order: order, limit: limit, offset: offset)
    }
}
