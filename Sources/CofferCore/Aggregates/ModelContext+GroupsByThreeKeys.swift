import Foundation

// Not with parameter packs; see `ModelContext+SeveralAggregates.swift` for the reason.

extension ModelContext {
    /// Groups by three keys, with nothing but their keys; see ``groups(_:by:giving:order:limit:offset:)``.
    ///
    /// - Throws: as ``groups(_:by:giving:order:limit:offset:)`` does.
    public func groups<M: PersistentModel, K: Hashable, L: Hashable, N: Hashable>(
        _ descriptor: FetchDescriptor<M>, by first: KeyPath<M, K>, _ second: KeyPath<M, L>, _ third: KeyPath<M, N>,
        order: [GroupOrder<M>] = [], limit: Int? = nil, offset: Int = 0
    ) throws -> [AggregateGroup<(K, L, N), Void>] {
        let page = GroupPage(order: order, limit: limit, offset: offset)
        return try makeGroups(descriptor, [first, second, third], [], page, { _ in }) {
            try ($0.next(first), $0.next(second), $0.next(third))
        }
    }

    /// Groups by three keys, with one value for each; see ``groups(_:by:giving:order:limit:offset:)``.
    ///
    /// - Throws: as ``groups(_:by:giving:order:limit:offset:)`` does.
    public func groups<M: PersistentModel, K: Hashable, L: Hashable, N: Hashable, A>(
        _ descriptor: FetchDescriptor<M>, by first: KeyPath<M, K>, _ second: KeyPath<M, L>, _ third: KeyPath<M, N>,
        giving a: Aggregate<M, A>,
        order: [GroupOrder<M>] = [], limit: Int? = nil, offset: Int = 0
    ) throws -> [AggregateGroup<(K, L, N), A>] {
        let page = GroupPage(order: order, limit: limit, offset: offset)
        return try makeGroups(descriptor, [first, second, third], [a.request], page, { try $0.next(a) }) {
            try ($0.next(first), $0.next(second), $0.next(third))
        }
    }

    /// Groups by three keys, with two values for each; see ``groups(_:by:giving:order:limit:offset:)``.
    ///
    /// - Throws: as ``groups(_:by:giving:order:limit:offset:)`` does.
    public func groups<M: PersistentModel, K: Hashable, L: Hashable, N: Hashable, A, B>(
        _ descriptor: FetchDescriptor<M>, by first: KeyPath<M, K>, _ second: KeyPath<M, L>, _ third: KeyPath<M, N>,
        giving a: Aggregate<M, A>, _ b: Aggregate<M, B>,
        order: [GroupOrder<M>] = [], limit: Int? = nil, offset: Int = 0
    ) throws -> [AggregateGroup<(K, L, N), (A, B)>] {
        let page = GroupPage(order: order, limit: limit, offset: offset)
        return try makeGroups(
            descriptor, [first, second, third], [a.request, b.request], page, { try ($0.next(a), $0.next(b)) }
        ) {
            try ($0.next(first), $0.next(second), $0.next(third))
        }
    }

    /// Groups by three keys, with three values for each; see ``groups(_:by:giving:order:limit:offset:)``.
    ///
    /// - Throws: as ``groups(_:by:giving:order:limit:offset:)`` does.
    public func groups<M: PersistentModel, K: Hashable, L: Hashable, N: Hashable, A, B, C>(
        _ descriptor: FetchDescriptor<M>, by first: KeyPath<M, K>, _ second: KeyPath<M, L>, _ third: KeyPath<M, N>,
        giving a: Aggregate<M, A>, _ b: Aggregate<M, B>, _ c: Aggregate<M, C>,
        order: [GroupOrder<M>] = [], limit: Int? = nil, offset: Int = 0
    ) throws -> [AggregateGroup<(K, L, N), (A, B, C)>] {
        let page = GroupPage(order: order, limit: limit, offset: offset)
        return try makeGroups(
            descriptor, [first, second, third], [a.request, b.request, c.request], page,
            { try ($0.next(a), $0.next(b), $0.next(c)) }
        ) {
            try ($0.next(first), $0.next(second), $0.next(third))
        }
    }

    /// Groups by three keys, with four values for each; see ``groups(_:by:giving:order:limit:offset:)``.
    ///
    /// - Throws: as ``groups(_:by:giving:order:limit:offset:)`` does.
    public func groups<M: PersistentModel, K: Hashable, L: Hashable, N: Hashable, A, B, C, D>(
        _ descriptor: FetchDescriptor<M>, by first: KeyPath<M, K>, _ second: KeyPath<M, L>, _ third: KeyPath<M, N>,
        giving a: Aggregate<M, A>, _ b: Aggregate<M, B>, _ c: Aggregate<M, C>, _ d: Aggregate<M, D>,
        order: [GroupOrder<M>] = [], limit: Int? = nil, offset: Int = 0
    ) throws -> [AggregateGroup<(K, L, N), (A, B, C, D)>] {
        let page = GroupPage(order: order, limit: limit, offset: offset)
        return try makeGroups(
            descriptor, [first, second, third], [a.request, b.request, c.request, d.request], page,
            { try ($0.next(a), $0.next(b), $0.next(c), $0.next(d)) }
        ) {
            try ($0.next(first), $0.next(second), $0.next(third))
        }
    }

    /// Groups by three keys, with five values for each; see ``groups(_:by:giving:order:limit:offset:)``.
    ///
    /// - Throws: as ``groups(_:by:giving:order:limit:offset:)`` does.
    public func groups<M: PersistentModel, K: Hashable, L: Hashable, N: Hashable, A, B, C, D, E>(
        _ descriptor: FetchDescriptor<M>, by first: KeyPath<M, K>, _ second: KeyPath<M, L>, _ third: KeyPath<M, N>,
        giving a: Aggregate<M, A>, _ b: Aggregate<M, B>, _ c: Aggregate<M, C>, _ d: Aggregate<M, D>,
        _ e: Aggregate<M, E>,
        order: [GroupOrder<M>] = [], limit: Int? = nil, offset: Int = 0
    ) throws -> [AggregateGroup<(K, L, N), (A, B, C, D, E)>] {
        let page = GroupPage(order: order, limit: limit, offset: offset)
        return try makeGroups(
            descriptor, [first, second, third], [a.request, b.request, c.request, d.request, e.request], page,
            { try ($0.next(a), $0.next(b), $0.next(c), $0.next(d), $0.next(e)) }
        ) {
            try ($0.next(first), $0.next(second), $0.next(third))
        }
    }
}
