import Foundation

/// Which models a fetch is to find, in which order, and how much of each to load.
///
/// ```swift
/// var descriptor = FetchDescriptor<Trip>(
///     predicate: #Predicate { $0.start > today },
///     sortBy: [SortDescriptor(\.start)])
/// descriptor.fetchLimit = 10
/// let next = try context.fetch(descriptor)
/// ```
///
/// Unsaved changes of the context are applied first, then filter, order, offset and limit, in this order.
///
/// A descriptor may cross isolations: predicates and sort descriptors are sendable, and key paths are immutable.
public struct FetchDescriptor<T: PersistentModel>: @unchecked Sendable {
    /// The condition a model must meet; nil for all models of the type.
    public var predicate: Predicate<T>?
    /// The order, by the first descriptor, then the second among equals, and so on; empty for any order.
    public var sortBy: [SortDescriptor<T>]
    /// The largest number of models; nil for all. A number below zero is zero.
    public var fetchLimit: Int?
    /// How many models at the start of the order to leave out; nil for none, as is a number below zero.
    public var fetchOffset: Int?
    /// Whether the context's unsaved changes count. True unless set.
    public var includePendingChanges = true
    /// The attributes to load at once, others when they are read; empty for all.
    public var propertiesToFetch: [PartialKeyPath<T>] = []
    /// The relationships whose models are loaded along with those found, instead of when they are read.
    ///
    /// A key path may go on through to-one links: `[\.session, \.session.plan?.owner, \.holder?.friends]` load the
    /// models at every step. Anything else is ``SwiftDataError/unsupportedKeyPath``. It takes one request for each
    /// relationship; where a to-one link leads to more than a thousand models, one for each thousand.
    public var relationshipKeyPathsForPrefetching: [PartialKeyPath<T>] = []

    /// Describes a fetch.
    ///
    /// - Parameters:
    ///   - predicate: the condition a model must meet; nil for all.
    ///   - sortBy: the order; empty for any.
    public init(predicate: Predicate<T>? = nil, sortBy: [SortDescriptor<T>] = []) {
        self.predicate = predicate
        self.sortBy = sortBy
    }
}

extension FetchDescriptor: Equatable {
    /// Whether both describe the same fetch.
    ///
    /// Predicates have no equality of their own: they are compared by their description, which has every captured
    /// value with its type. Two captured values of one type that describe themselves alike count as equal.
    ///
    /// Complexity: makes a text of each predicate; the cheap members are compared first.
    public static func == (left: FetchDescriptor, right: FetchDescriptor) -> Bool {
        left.fetchLimit == right.fetchLimit && left.fetchOffset == right.fetchOffset
            && left.includePendingChanges == right.includePendingChanges && left.sortBy == right.sortBy
            && left.propertiesToFetch == right.propertiesToFetch
            && left.relationshipKeyPathsForPrefetching == right.relationshipKeyPathsForPrefetching
            && left.predicate?.description == right.predicate?.description
    }
}
