import Foundation

/// What a store throws to hand a part of the work back, or to refuse it.
///
/// A store that cannot evaluate a predicate throws ``preferInMemoryFilter`` and gets the same request without it; the
/// context then filters what the store returns. Sorting works the same way.
public enum DataStoreError: Error, Hashable, Sendable {
    /// The store does not do what it was asked for. Nothing takes its place.
    case unsupportedFeature
    /// The store wants the request again without its predicate; the context filters.
    case preferInMemoryFilter
    /// The store wants the request again without its order; the context sorts.
    case preferInMemorySort
    /// The predicate makes no sense to the store, and would make none to the context either.
    case invalidPredicate
}

extension DataStoreError: CustomStringConvertible, LocalizedError {
    /// The case and its meaning.
    public var description: String {
        switch self {
        case .unsupportedFeature: "unsupportedFeature: the store does not have the feature that was asked for"
        case .preferInMemoryFilter: "preferInMemoryFilter: the store leaves the filter to the context"
        case .preferInMemorySort: "preferInMemorySort: the store leaves the order to the context"
        case .invalidPredicate: "invalidPredicate: the predicate cannot be evaluated"
        }
    }

    /// The same as ``description``.
    public var errorDescription: String? { description }
}
