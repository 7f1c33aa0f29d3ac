/// Which element of a sequence ``FilterExpression/pick(_:_:_:)`` takes.
public enum FilterPick: Hashable, Sendable {
    /// The first. Where there is none the result is nil, or unknown if it is required.
    case first(isRequired: Bool)
    /// The last. Where there is none the result is nil, or unknown if it is required.
    case last(isRequired: Bool)
    /// The one at an offset from the first. Where there is none the result is unknown.
    case at(FilterExpression)

    /// Whether the result may be nil for want of an element.
    public var mayBeNil: Bool {
        switch self {
        case .first(let isRequired), .last(let isRequired): !isRequired
        case .at: false
        }
    }

    /// The same element, without which the result is unknown.
    var required: FilterPick {
        switch self {
        case .first: .first(isRequired: true)
        case .last: .last(isRequired: true)
        case .at: self
        }
    }
}

/// Which end of an order ``FilterExpression/extremum(_:_:_:_:)`` looks for.
public enum FilterExtreme: String, Hashable, Sendable {
    /// The first in ascending order.
    case minimum = "min"
    /// The last in ascending order.
    case maximum = "max"

    /// Whether one value takes the place of the one found so far, as Swift's `min()` and `max()` decide it.
    func prefers(_ value: StoredValue, to best: StoredValue, _ coding: FilterCoding?) -> Bool {
        let (left, right) = self == .minimum ? (value, best) : (best, value)
        guard let coding else { return ValueOrder.compare(left, right) == .less }
        return coding.compare(.less, coding.decode(left), coding.decode(right))
    }
}
