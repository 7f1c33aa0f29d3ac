import Foundation

/// Which transactions to fetch from a store's history, or to delete.
///
/// ```swift
/// var descriptor = HistoryDescriptor<DefaultHistoryTransaction>(predicate: #Predicate { $0.token > last })
/// descriptor.fetchLimit = 100
/// let news = try context.fetchHistory(descriptor)
/// ```
///
/// A descriptor may cross isolations: predicates and sort descriptors are sendable.
public struct HistoryDescriptor<T: HistoryTransaction>: Sendable {
    /// The condition a transaction must meet; nil for all.
    public var predicate: Predicate<T>?
    /// The largest number of transactions; 0 for all.
    public var fetchLimit: UInt64 = 0
    /// The order; empty for oldest first.
    public var sortBy: [SortDescriptor<T>]

    /// Describes all transactions, or those that meet a condition.
    ///
    /// - Parameters:
    ///   - predicate: the condition; nil for all.
    ///   - sortBy: the order; empty for oldest first.
    public init(predicate: Predicate<T>? = nil, sortBy: [SortDescriptor<T>] = []) {
        self.predicate = predicate
        self.sortBy = sortBy
    }
}
