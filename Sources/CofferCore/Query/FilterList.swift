/// Values that a predicate has captured as a collection, for `contains` and quantifiers.
///
/// Copies share one storage; a look-up takes the same time however many values there are.
public final class FilterList: Hashable, Sendable {
    /// The values, in the order of the captured collection.
    public let values: [StoredValue]
    /// What each value is.
    public let elementType: FilterType
    /// The values by hash, those that are equal to nothing left out.
    let set: Set<StoredValue>

    /// Makes a list, ready to be looked up in.
    ///
    /// - Parameters:
    ///   - values: the values; nil and not-a-number may be among them.
    ///   - elementType: the type of them all.
    /// - Complexity: O(*n*).
    public init(_ values: [StoredValue], elementType: FilterType) {
        self.values = values
        self.elementType = elementType
        set = Set(values.lazy.filter { !$0.isNotANumber })
    }

    /// Whether one of the values is equal to it, as Swift's `==` has it: nil to nil, not-a-number to nothing.
    public func contains(_ value: StoredValue) -> Bool { set.contains(value) }

    public static func == (left: FilterList, right: FilterList) -> Bool {
        left === right || left.values == right.values && left.elementType == right.elementType
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(values.count)
        // A few values tell lists apart; all of them would make hashing a plan cost as much as running it.
        for value in values.prefix(8) { hasher.combine(value) }
    }
}

extension FilterList: CustomStringConvertible {
    /// The first values in brackets, and how many there are when that is many.
    public var description: String {
        let shown = values.prefix(8).map { FilterExpression.text(of: $0) }.joined(separator: ", ")
        return values.count > 8 ? "[\(shown), … \(values.count)]" : "[\(shown)]"
    }
}

extension StoredValue {
    /// Whether this is a floating-point number that is none.
    var isNotANumber: Bool {
        if case .real(let number) = self { number.isNaN } else { false }
    }

}
