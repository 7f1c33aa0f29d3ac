import Foundation

/// How much of a history is kept; what goes beyond is deleted, oldest first.
///
/// ```swift
/// container.historyRetention = HistoryRetention(maximumAge: 30 * 86_400, maximumCount: 100_000)
/// ```
public struct HistoryRetention: Hashable, Sendable {
    /// How long a transaction is kept, in seconds; nil for ever.
    public var maximumAge: TimeInterval?
    /// How many transactions each store keeps; nil for all.
    public var maximumCount: Int?

    /// - Parameters:
    ///   - maximumAge: in seconds.
    ///   - maximumCount: in transactions.
    public init(maximumAge: TimeInterval? = nil, maximumCount: Int? = nil) {
        self.maximumAge = maximumAge
        self.maximumCount = maximumCount
    }
}

extension HistoryRetention {
    /// How many transactions are read at a time to see how old they are.
    private static let blockSize = 256

    /// Deletes what goes beyond from the history of a store.
    ///
    /// - Complexity: O(*deleted transactions*).
    func apply(to source: HistorySource, now: Date) throws {
        var query = HistoryQuery(limit: 0)
        let history = try source.history(query)
        // Numbers follow one another but for what was deleted, so that this is never too much.
        var last = maximumCount.map { history.latest - Int64(max(0, $0)) } ?? 0
        if let maximumAge {
            let bound = now.addingTimeInterval(-maximumAge)
            query.limit = Self.blockSize
            query.after = max(last, history.start)
            search: while true {
                let block = try source.history(query).transactions
                for transaction in block {
                    // A clock that was put back must not have later transactions deleted before earlier ones.
                    guard transaction.timestamp < bound else { break search }
                    last = transaction.number
                }
                if block.count < Self.blockSize { break }
                query.after = last
            }
        }
        if last > history.start { try source.forget(KeyRanges(1...last)) }
    }
}

extension ModelContainer {
    /// How much of their histories the container's stores keep; nil, as at first, for everything.
    ///
    /// It is applied before the first save and then before every 64th, and by ``trimHistory()``. Whoever stands at a
    /// token before what was deleted gets ``SwiftDataError/historyTokenExpired``.
    public var historyRetention: HistoryRetention? {
        get { retention.withLock { $0.policy } }
        set { retention.withLock { $0 = (newValue, 0) } }
    }

    /// Deletes what ``historyRetention`` does not keep.
    ///
    /// - Throws: what a store throws that cannot be written.
    /// - Complexity: O(*deleted transactions*).
    public func trimHistory() throws {
        guard let policy = historyRetention else { return }
        for source in historySources { try policy.apply(to: source, now: Date()) }
    }

    /// A context is about to save.
    func trimHistoryNowAndThen() throws {
        let isDue = retention.withLock { retention in
            guard retention.policy != nil else { return false }
            defer { retention.saves += 1 }
            return retention.saves % 64 == 0
        }
        if isDue { try trimHistory() }
    }
}
