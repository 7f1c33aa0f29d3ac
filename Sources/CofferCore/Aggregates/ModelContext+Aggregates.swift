import Foundation

extension ModelContext {
    /// Works values out of the models that a descriptor describes, without making the models where the store can do it.
    ///
    /// ```swift
    /// let (count, total) = try context.aggregate(FetchDescriptor<Trip>(), .count, .sum(\.budget))
    /// ```
    ///
    /// Predicate, offset and limit of the descriptor say which models count, and so do unsaved changes with
    /// ``FetchDescriptor/includePendingChanges``.
    ///
    /// - Returns: the result, or a tuple of them where there are several; there may be six.
    /// - Throws: ``SwiftDataError/arithmeticOverflow`` for a sum that is no number of its type,
    ///   ``SwiftDataError/unsupportedKeyPath`` for a property that is closed to this, or as ``fetch(_:)`` does.
    /// - Complexity: one request, in which the store goes over the rows that match; O(log *rows*) where an index knows
    ///   the least or largest value.
    public func aggregate<M: PersistentModel, A>(
        _ descriptor: FetchDescriptor<M>, _ a: Aggregate<M, A>
    ) throws -> A {
        try aggregateReader(descriptor, [a.request]).next(a)
    }

    /// The sum of a property of all models, or of those that match; zero of none.
    ///
    /// - Parameters:
    ///   - keyPath: the property, of the model or of one that to-one links lead to.
    ///   - predicate: which models count; nil for all.
    /// - Throws: as ``aggregate(_:_:)`` does.
    public func sum<M: PersistentModel, V: AggregateNumber>(
        of keyPath: KeyPath<M, V>, where predicate: Predicate<M>? = nil
    ) throws -> V {
        try aggregate(FetchDescriptor(predicate: predicate), .sum(keyPath))
    }

    /// The sum of the values that a property has; zero of none.
    ///
    /// - Throws: as ``aggregate(_:_:)`` does.
    public func sum<M: PersistentModel, V: AggregateNumber>(
        of keyPath: KeyPath<M, V?>, where predicate: Predicate<M>? = nil
    ) throws -> V {
        try aggregate(FetchDescriptor(predicate: predicate), .sum(keyPath))
    }

    /// The average of a property of all models, or of those that match; nil of none.
    ///
    /// - Throws: as ``aggregate(_:_:)`` does.
    public func average<M: PersistentModel, V: AggregateNumber>(
        of keyPath: KeyPath<M, V>, where predicate: Predicate<M>? = nil
    ) throws -> V.Average? {
        try aggregate(FetchDescriptor(predicate: predicate), .average(keyPath))
    }

    /// The average of the values that a property has; nil of none.
    ///
    /// - Throws: as ``aggregate(_:_:)`` does.
    public func average<M: PersistentModel, V: AggregateNumber>(
        of keyPath: KeyPath<M, V?>, where predicate: Predicate<M>? = nil
    ) throws -> V.Average? {
        try aggregate(FetchDescriptor(predicate: predicate), .average(keyPath))
    }

    /// The least value of a property of all models, or of those that match; nil of none.
    ///
    /// - Throws: as ``aggregate(_:_:)`` does.
    public func minimum<M: PersistentModel, V: Comparable>(
        of keyPath: KeyPath<M, V>, where predicate: Predicate<M>? = nil
    ) throws -> V? {
        try aggregate(FetchDescriptor(predicate: predicate), .min(keyPath))
    }

    /// The least of the values that a property has; nil of none.
    ///
    /// - Throws: as ``aggregate(_:_:)`` does.
    public func minimum<M: PersistentModel, V: Comparable>(
        of keyPath: KeyPath<M, V?>, where predicate: Predicate<M>? = nil
    ) throws -> V? {
        try aggregate(FetchDescriptor(predicate: predicate), .min(keyPath))
    }

    /// The largest value of a property of all models, or of those that match; nil of none.
    ///
    /// - Throws: as ``aggregate(_:_:)`` does.
    public func maximum<M: PersistentModel, V: Comparable>(
        of keyPath: KeyPath<M, V>, where predicate: Predicate<M>? = nil
    ) throws -> V? {
        try aggregate(FetchDescriptor(predicate: predicate), .max(keyPath))
    }

    /// The largest of the values that a property has; nil of none.
    ///
    /// - Throws: as ``aggregate(_:_:)`` does.
    public func maximum<M: PersistentModel, V: Comparable>(
        of keyPath: KeyPath<M, V?>, where predicate: Predicate<M>? = nil
    ) throws -> V? {
        try aggregate(FetchDescriptor(predicate: predicate), .max(keyPath))
    }

    /// The values of all models that a descriptor describes.
    func aggregateReader<M: PersistentModel>(
        _ descriptor: FetchDescriptor<M>, _ requests: [AggregateRequest<M>]
    ) throws -> AggregateReader<M> {
        AggregateReader(try aggregateRows(descriptor, keys: [], requests: requests).first?.values ?? [])
    }

    func aggregateRows<M: PersistentModel>(
        _ descriptor: FetchDescriptor<M>, keys: [PartialKeyPath<M>], requests: [AggregateRequest<M>],
        order: [GroupOrder<M>] = [], limit: Int? = nil, offset: Int = 0
    ) throws -> [AggregateRow] {
        try enter(.fetch)
        defer { leave() }
        catchUp()
        let home = try home(of: M.self, for: .fetch)
        return try PlannedAggregate(
            descriptor, keys: keys, requests: requests, order: order, limit: limit, offset: offset, home: home,
            context: self
        ).rows()
    }
}

/// Takes the values of a group one after the other.
final class AggregateReader<M: PersistentModel> {
    private let values: [AggregateRow.Value]
    private var index = 0

    init(_ values: [AggregateRow.Value]) { self.values = values }

    /// The next value, which is that of an aggregate.
    ///
    /// - Throws: ``SwiftDataError/arithmeticOverflow`` where it is no number of its type.
    func next<V>(_ aggregate: Aggregate<M, V>) throws -> V {
        defer { index += 1 }
        if index < values.count, case .value(let stored) = values[index], let value = aggregate.decode(stored) {
            return value
        }
        let isSum = aggregate.request.function == .sum
        throw SwiftDataError(
            isSum ? .arithmeticOverflow : .valueDecoding, operation: .fetch, entity: M._$descriptor.entityName,
            property: aggregate.request.keyPath.flatMap { M._$descriptor.slot(of: $0) }.map {
                M._$descriptor.properties[$0].name
            })
    }
}
