import Foundation

// Not with parameter packs: the compiler (6.3) fails on a key path with `?` whose root it has to infer where the argument
// is part of a pack, as in `.sum(\.owner?.age)`, and the runtime stops at arrays of types made of two of them.

extension ModelContext {
    /// Works two values out of the models that a descriptor describes; see ``aggregate(_:_:)``.
    ///
    /// - Throws: as ``aggregate(_:_:)`` does.
    public func aggregate<M: PersistentModel, A, B>(
        _ descriptor: FetchDescriptor<M>, _ a: Aggregate<M, A>, _ b: Aggregate<M, B>
    ) throws -> (A, B) {
        let reader = try aggregateReader(descriptor, [a.request, b.request])
        return try (reader.next(a), reader.next(b))
    }

    /// Works three values out of the models that a descriptor describes; see ``aggregate(_:_:)``.
    ///
    /// - Throws: as ``aggregate(_:_:)`` does.
    public func aggregate<M: PersistentModel, A, B, C>(
        _ descriptor: FetchDescriptor<M>, _ a: Aggregate<M, A>, _ b: Aggregate<M, B>, _ c: Aggregate<M, C>
    ) throws -> (A, B, C) {
        let reader = try aggregateReader(descriptor, [a.request, b.request, c.request])
        return try (reader.next(a), reader.next(b), reader.next(c))
    }

    /// Works four values out of the models that a descriptor describes; see ``aggregate(_:_:)``.
    ///
    /// - Throws: as ``aggregate(_:_:)`` does.
    public func aggregate<M: PersistentModel, A, B, C, D>(
        _ descriptor: FetchDescriptor<M>, _ a: Aggregate<M, A>, _ b: Aggregate<M, B>, _ c: Aggregate<M, C>,
        _ d: Aggregate<M, D>
    ) throws -> (A, B, C, D) {
        let reader = try aggregateReader(descriptor, [a.request, b.request, c.request, d.request])
        return try (reader.next(a), reader.next(b), reader.next(c), reader.next(d))
    }

    /// Works five values out of the models that a descriptor describes; see ``aggregate(_:_:)``.
    ///
    /// - Throws: as ``aggregate(_:_:)`` does.
    public func aggregate<M: PersistentModel, A, B, C, D, E>(
        _ descriptor: FetchDescriptor<M>, _ a: Aggregate<M, A>, _ b: Aggregate<M, B>, _ c: Aggregate<M, C>,
        _ d: Aggregate<M, D>, _ e: Aggregate<M, E>
    ) throws -> (A, B, C, D, E) {
        let reader = try aggregateReader(descriptor, [a.request, b.request, c.request, d.request, e.request])
        return try (reader.next(a), reader.next(b), reader.next(c), reader.next(d), reader.next(e))
    }

    /// Works six values out of the models that a descriptor describes; see ``aggregate(_:_:)``.
    ///
    /// - Throws: as ``aggregate(_:_:)`` does.
    public func aggregate<M: PersistentModel, A, B, C, D, E, F>(
        _ descriptor: FetchDescriptor<M>, _ a: Aggregate<M, A>, _ b: Aggregate<M, B>, _ c: Aggregate<M, C>,
        _ d: Aggregate<M, D>, _ e: Aggregate<M, E>, _ f: Aggregate<M, F>
    ) throws -> (A, B, C, D, E, F) {
        let reader = try aggregateReader(
            descriptor, [a.request, b.request, c.request, d.request, e.request, f.request])
        return try (reader.next(a), reader.next(b), reader.next(c), reader.next(d), reader.next(e), reader.next(f))
    }
}
