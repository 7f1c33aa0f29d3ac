import Foundation

// Not with parameter packs; see `ModelContext+SeveralAggregates.swift` for the reason.

extension ModelContext {
    /// Groups by one key, with nothing but their keys; see ``groups(_:by:giving:order:limit:offset:)``.
    ///
    /// - Throws: as ``groups(_:by:giving:order:limit:offset:)`` does.
    public func groups<M: PersistentModel, K: Hashable>(
        _ descriptor: FetchDescriptor<M>, by key: KeyPath<M, K>,
        order: [GroupOrder<M>] = [], limit: Int? = nil, offset: Int = 0
    ) throws -> [AggregateGroup<K, Void>] {
        let page = GroupPage(order: order, limit: limit, offset: offset)
        return try makeGroups(descriptor, [key], [], page, { _ in }) {
            try $0.next(key)
        }
    }

    /// Groups by one key, with two values for each; see ``groups(_:by:giving:order:limit:offset:)``.
    ///
    /// - Throws: as ``groups(_:by:giving:order:limit:offset:)`` does.
    public func groups<M: PersistentModel, K: Hashable, A, B>(
        _ descriptor: FetchDescriptor<M>, by key: KeyPath<M, K>, giving a: Aggregate<M, A>, _ b: Aggregate<M, B>,
        order: [GroupOrder<M>] = [], limit: Int? = nil, offset: Int = 0
    ) throws -> [AggregateGroup<K, (A, B)>] {
        let page = GroupPage(order: order, limit: limit, offset: offset)
        return try makeGroups(descriptor, [key], [a.request, b.request], page, { try ($0.next(a), $0.next(b)) }) {
            try $0.next(key)
        }
    }

    /// Groups by one key, with three values for each; see ``groups(_:by:giving:order:limit:offset:)``.
    ///
    /// - Throws: as ``groups(_:by:giving:order:limit:offset:)`` does.
    public func groups<M: PersistentModel, K: Hashable, A, B, C>(
        _ descriptor: FetchDescriptor<M>, by key: KeyPath<M, K>, giving a: Aggregate<M, A>, _ b: Aggregate<M, B>,
        _ c: Aggregate<M, C>,
        order: [GroupOrder<M>] = [], limit: Int? = nil, offset: Int = 0
    ) throws -> [AggregateGroup<K, (A, B, C)>] {
        let page = GroupPage(order: order, limit: limit, offset: offset)
        return try makeGroups(
            descriptor, [key], [a.request, b.request, c.request], page, { try ($0.next(a), $0.next(b), $0.next(c)) }
        ) {
            try $0.next(key)
        }
    }

    /// Groups by one key, with four values for each; see ``groups(_:by:giving:order:limit:offset:)``.
    ///
    /// - Throws: as ``groups(_:by:giving:order:limit:offset:)`` does.
    public func groups<M: PersistentModel, K: Hashable, A, B, C, D>(
        _ descriptor: FetchDescriptor<M>, by key: KeyPath<M, K>, giving a: Aggregate<M, A>, _ b: Aggregate<M, B>,
        _ c: Aggregate<M, C>, _ d: Aggregate<M, D>,
        order: [GroupOrder<M>] = [], limit: Int? = nil, offset: Int = 0
    ) throws -> [AggregateGroup<K, (A, B, C, D)>] {
        let page = GroupPage(order: order, limit: limit, offset: offset)
        return try makeGroups(
            descriptor, [key], [a.request, b.request, c.request, d.request], page,
            { try ($0.next(a), $0.next(b), $0.next(c), $0.next(d)) }
        ) {
            try $0.next(key)
        }
    }

    /// Groups by one key, with five values for each; see ``groups(_:by:giving:order:limit:offset:)``.
    ///
    /// - Throws: as ``groups(_:by:giving:order:limit:offset:)`` does.
    public func groups<M: PersistentModel, K: Hashable, A, B, C, D, E>(
        _ descriptor: FetchDescriptor<M>, by key: KeyPath<M, K>, giving a: Aggregate<M, A>, _ b: Aggregate<M, B>,
        _ c: Aggregate<M, C>, _ d: Aggregate<M, D>, _ e: Aggregate<M, E>,
        order: [GroupOrder<M>] = [], limit: Int? = nil, offset: Int = 0
    ) throws -> [AggregateGroup<K, (A, B, C, D, E)>] {
        let page = GroupPage(order: order, limit: limit, offset: offset)
        return try makeGroups(
            descriptor, [key], [a.request, b.request, c.request, d.request, e.request], page,
            { try ($0.next(a), $0.next(b), $0.next(c), $0.next(d), $0.next(e)) }
        ) {
            try $0.next(key)
        }
    }
}
