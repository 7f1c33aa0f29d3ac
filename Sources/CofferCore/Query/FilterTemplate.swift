/// The filter of one predicate, by which those of all predicates of its shape are made.
///
/// What the predicate has captured is told from the filter's other constants by its value: the shape says which of them
/// are equal, and holds all that a filter could have of its own accord.
public final class FilterTemplate: Sendable {
    private let filter: FilterExpression
    /// What was captured, with its place among the values that a predicate of the shape captures.
    package let places: [TracedConstant: Int]
    /// Key paths whose addresses are part of the shape: nothing else may get them.
    private let keyPaths: KeyPaths

    private struct KeyPaths: @unchecked Sendable { let all: [AnyKeyPath] }

    /// Nil where the filter does not have every captured value for a constant: it may then depend on one in another way.
    init?(_ filter: FilterExpression, _ constants: [TracedConstant], keyPaths: [AnyKeyPath]) {
        let places = Dictionary(constants.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
        var found: Set<Int> = []
        _ = filter.replacing { constant in
            if let place = places[constant] { found.insert(place) }
            return nil
        }
        if found.count != constants.count { return nil }
        self.filter = filter
        self.places = places
        self.keyPaths = KeyPaths(all: keyPaths)
    }

    /// The filter of a predicate that has captured other values.
    func filter(with constants: [TracedConstant]) -> FilterExpression {
        constants.isEmpty ? filter : filter.replacing { constant in places[constant].map { constants[$0] } }
    }
}

/// A captured value that takes its place in a filter of known shape.
package enum TracedConstant: Hashable, Sendable {
    case value(StoredValue)
    case list(FilterList)
}

/// The template a plan's filter was made by, and what was put into it. Says nothing that the filter does not say.
public struct FilterOrigin: Hashable, Sendable {
    package let template: FilterTemplate
    package let constants: [TracedConstant]

    public static func == (left: FilterOrigin, right: FilterOrigin) -> Bool { true }
    public func hash(into hasher: inout Hasher) {}
}
