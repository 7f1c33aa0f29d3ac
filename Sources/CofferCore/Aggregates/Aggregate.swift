import Foundation

/// A value that is worked out of many models: how many there are, a sum, an average, the least or the largest value.
///
/// ```swift
/// let (count, total, last) = try context.aggregate(
///     FetchDescriptor<Trip>(predicate: #Predicate { $0.days > 3 }), .count, .sum(\.budget), .max(\.start))
/// ```
///
/// The meaning is that of a loop over the models; see ``AggregatePlan`` for nil, not-a-number and rounding. A key path
/// leads to a stored property, of the model or of one that to-one links lead to (`\.owner?.age`), and the store works
/// the value out. Any other key path, of a computed property for instance, is read from the models.
///
/// May cross isolations: key paths are immutable.
public struct Aggregate<Model: PersistentModel, Value>: @unchecked Sendable {
    let request: AggregateRequest<Model>
    /// Makes the result of a stored value; nil where it is none.
    let decode: (StoredValue) -> Value?

    fileprivate init(
        _ function: AggregateFunction, _ keyPath: PartialKeyPath<Model>? = nil, _ number: FilterNumber? = nil,
        _ decode: @escaping (StoredValue) -> Value?
    ) {
        request = AggregateRequest(function: function, keyPath: keyPath, number: number)
        self.decode = decode
    }
}

/// An aggregate without the type of its result.
struct AggregateRequest<Model: PersistentModel>: Hashable {
    let function: AggregateFunction
    /// Nil where models are counted.
    let keyPath: PartialKeyPath<Model>?
    /// The type of what is added up.
    let number: FilterNumber?
}

// MARK: - Counts

extension Aggregate where Value == Int {
    /// The number of models.
    public static var count: Aggregate { Aggregate(.count) { Int._number(of: $0) } }

    /// The number of models that have a value.
    public static func count<V>(of keyPath: KeyPath<Model, V?>) -> Aggregate {
        Aggregate(.count, keyPath) { Int._number(of: $0) }
    }
}

// MARK: - Sums

extension Aggregate where Value: AggregateNumber {
    /// The sum of a property; zero of no models.
    ///
    /// It is the exact sum, rounded once: in whichever order the models come, and on every store. An integer that does
    /// not fit throws ``SwiftDataError/arithmeticOverflow``; what overflows only on the way does not matter.
    public static func sum(_ keyPath: KeyPath<Model, Value>) -> Aggregate {
        Aggregate(.sum, keyPath, Value._number) { Value._number(of: $0) }
    }

    /// The sum of the values that are there.
    public static func sum(_ keyPath: KeyPath<Model, Value?>) -> Aggregate {
        Aggregate(.sum, keyPath, Value._number) { Value._number(of: $0) }
    }
}

extension Aggregate {
    /// The average of a property; nil of no models. It is the exact sum, rounded once, divided by the number of values.
    public static func average<V: AggregateNumber>(_ keyPath: KeyPath<Model, V>) -> Aggregate
    where Value == V.Average? {
        Aggregate(.average, keyPath, V._number) { $0.isNull ? .some(nil) : V.Average._number(of: $0) }
    }

    /// The average of the values that are there; nil where there are none.
    public static func average<V: AggregateNumber>(_ keyPath: KeyPath<Model, V?>) -> Aggregate
    where Value == V.Average? {
        Aggregate(.average, keyPath, V._number) { $0.isNull ? .some(nil) : V.Average._number(of: $0) }
    }

    // MARK: - Extremes

    /// The least value of a property, in the order in which a fetch sorts; nil of no models.
    public static func min<V: Comparable>(_ keyPath: KeyPath<Model, V>) -> Aggregate where Value == V? {
        Aggregate(.min, keyPath, nil, Self.reader(V.self))
    }

    /// The least of the values that are there; nil where there are none.
    public static func min<V: Comparable>(_ keyPath: KeyPath<Model, V?>) -> Aggregate where Value == V? {
        Aggregate(.min, keyPath, nil, Self.reader(V.self))
    }

    /// The largest value of a property, in the order in which a fetch sorts; nil of no models.
    ///
    /// Not-a-number stands behind all numbers there.
    public static func max<V: Comparable>(_ keyPath: KeyPath<Model, V>) -> Aggregate where Value == V? {
        Aggregate(.max, keyPath, nil, Self.reader(V.self))
    }

    /// The largest of the values that are there; nil where there are none.
    public static func max<V: Comparable>(_ keyPath: KeyPath<Model, V?>) -> Aggregate where Value == V? {
        Aggregate(.max, keyPath, nil, Self.reader(V.self))
    }

    private static func reader<V>(_ type: V.Type) -> (StoredValue) -> V?? {
        let coding = FilterCoding(V.self)
        return { value in
            if value.isNull { return .some(nil) }
            return (coding?.decode(value) as? V).map { .some($0) }
        }
    }
}

// MARK: - Orders of groups

/// An order of groups: by one of their keys, or by a value that is worked out for each.
///
/// ```swift
/// try context.groups(trips, by: \.country, giving: .count, order: [.value(.sum(\.budget), order: .reverse)], limit: 3)
/// ```
public struct GroupOrder<Model: PersistentModel>: @unchecked Sendable {
    enum Source {
        case key(PartialKeyPath<Model>)
        case value(AggregateRequest<Model>)
    }

    let source: Source
    let isDescending: Bool
    let comparison: SortKey.Comparison

    /// By a key; nil comes first, or last in reverse order.
    ///
    /// - Parameters:
    ///   - keyPath: one of the groups' keys.
    ///   - order: forward unless given.
    ///   - comparison: how text is compared.
    public static func key(
        _ keyPath: PartialKeyPath<Model>, order: SortOrder = .forward, comparison: SortKey.Comparison = .standard
    ) -> GroupOrder {
        GroupOrder(source: .key(keyPath), isDescending: order == .reverse, comparison: comparison)
    }

    /// By a value, which need not be among the results.
    public static func value<V>(_ aggregate: Aggregate<Model, V>, order: SortOrder = .forward) -> GroupOrder {
        GroupOrder(source: .value(aggregate.request), isDescending: order == .reverse, comparison: .standard)
    }
}

/// A group of models: what they have in common, and what was worked out for them.
public struct AggregateGroup<Key, Values> {
    /// The key; a tuple where there are several.
    public let key: Key
    /// The values that were asked for; a tuple where there are several.
    public let values: Values
}

extension AggregateGroup: Sendable where Key: Sendable, Values: Sendable {}
