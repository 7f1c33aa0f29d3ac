import CofferCore
import Synchronization

/// A layer that writes down what passes.
///
/// ```swift
/// let record = StoreRecord()
/// let container = try ModelContainer(for: Trip.self, configurations: layered(configuration, [record]))
/// …
/// print(record.counts.fetches, record.calls.last?.plan ?? "no plan")
/// ```
public final class StoreRecord: StoreLayer {
    /// Sums over the calls that succeeded.
    public struct Counts: Hashable, Sendable {
        /// Requests for rows, counts or identifiers.
        public var requests = 0
        /// Rows and identifiers that were handed out.
        public var rows = 0
        /// Saves.
        public var saves = 0
        /// Rows that saves have inserted.
        public var inserted = 0
        /// Rows that saves have updated.
        public var updated = 0
        /// Rows that saves have deleted.
        public var deleted = 0
        /// Deletions and updates by filter.
        public var batches = 0

        init() {}
    }

    private let state = Mutex<[(call: StoreCall, rows: Int)]>([])

    /// A record without calls.
    public init() {}

    /// The calls that succeeded, in order.
    public var calls: [StoreCall] { state.withLock { $0.map(\.call) } }

    /// Sums over the calls that succeeded.
    public var counts: Counts {
        state.withLock { calls in
            calls.reduce(into: Counts()) { counts, entry in
                let call = entry.call
                switch call.kind {
                case .fetch, .count, .identifiers: counts.requests += 1
                case .save: counts.saves += 1
                default: break
                }
                counts.rows += entry.rows
                counts.inserted += call.inserted
                counts.updated += call.updated
                counts.deleted += call.deleted
                counts.batches += call.batches
            }
        }
    }

    /// Forgets what was written down.
    public func reset() { state.withLock { $0 = [] } }

    public func didCall(_ call: StoreCall, rows: Int) throws { state.withLock { $0.append((call, rows)) } }
}
