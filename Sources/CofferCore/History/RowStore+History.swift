import Foundation

// The history of a store of rows in SwiftData's terms: with these a store that keeps ``StoredTransaction``s has all of
// ``HistoryProviding``.

extension RowStore {
    /// The transactions that match, oldest first unless the descriptor says otherwise.
    ///
    /// Bounds by token and number and the author are the store's work; so are the limit and the order from the newest
    /// on, where the predicate has nothing else. The latest token costs reading one transaction:
    ///
    /// ```swift
    /// var latest = HistoryDescriptor<DefaultHistoryTransaction>(
    ///     sortBy: [SortDescriptor(\.token, order: .reverse)])
    /// latest.fetchLimit = 1
    /// let token = try store.fetchHistory(latest).first?.token
    /// ```
    ///
    /// - Throws: ``SwiftDataError/historyTokenExpired`` when the predicate asks for what came after a token and some of
    ///   that was deleted; ``DataStoreError/unsupportedFeature`` where the store keeps no history.
    public func fetchHistory(
        _ descriptor: HistoryDescriptor<DefaultHistoryTransaction>
    ) throws -> [DefaultHistoryTransaction] {
        try HistoryFetch(descriptor, sources: [HistorySource(self)]).run(checksTokens: true).map(\.typed)
    }

    /// Forgets the transactions that match. The data stays.
    ///
    /// - Throws: ``DataStoreError/unsupportedFeature`` where the store keeps no history, ``SwiftDataError`` where it
    ///   cannot be written.
    public func deleteHistory(_ descriptor: HistoryDescriptor<DefaultHistoryTransaction>) throws {
        try HistoryFetch(descriptor, sources: [HistorySource(self)]).delete()
    }
}

/// One fetch of the history of one or several stores.
struct HistoryFetch {
    let descriptor: HistoryDescriptor<DefaultHistoryTransaction>
    let sources: [HistorySource]

    init(_ descriptor: HistoryDescriptor<DefaultHistoryTransaction>, sources: [HistorySource]) {
        self.descriptor = descriptor
        self.sources = sources
    }

    struct Found {
        let store: Int
        let typed: DefaultHistoryTransaction
    }

    func run(checksTokens: Bool) throws -> [Found] {
        let isOneOfSeveral = sources.count > 1
        let limit = descriptor.fetchLimit == 0 ? Int.max : Int(clamping: descriptor.fetchLimit)
        let order = nativeOrder
        var found: [(store: Int, stored: StoredTransaction)] = []
        var places: [String: Int64] = [:]
        var isWhole = true
        for (index, store) in sources.enumerated() {
            let lowering = HistoryLowering(
                descriptor.predicate, tokenKey: store.tokenKey, isOneOfSeveral: isOneOfSeveral)
            if !lowering.isWhole { isWhole = false }
            var query = lowering.query
            if lowering.isWhole, !isOneOfSeveral, let order {
                query.isNewestFirst = order == .reverse
                if limit < .max { query.limit = limit }
            }
            let history = try store.history(query)
            if checksTokens, let since = lowering.since, since < history.start {
                throw SwiftDataError(
                    .historyTokenExpired, operation: .history, store: store.name,
                    detail: "the token stands at \(since), and transactions up to \(history.start) were deleted")
            }
            // A token must not say that a store had come further than it has.
            if checksTokens, store.isSupplied, lowering.namesStranger {
                throw SwiftDataError(
                    .historyTokenExpired, operation: .history, store: store.name,
                    detail: "the token is of another run, and the history that the container keeps ended with it")
            }
            if let after = query.after, after > 0 { places[store.tokenKey] = min(after, history.latest) }
            found += history.transactions.map { (index, $0) }
        }
        if isOneOfSeveral {
            found.sort {
                ($0.stored.timestamp, $0.store, $0.stored.number) < ($1.stored.timestamp, $1.store, $1.stored.number)
            }
        }
        var result: [Found] = []
        for (index, stored) in found {
            let store = sources[index]
            // A token of several stores says of each how far one has come.
            if isOneOfSeveral { places[store.tokenKey] = stored.number }
            let token = DefaultHistoryToken(isOneOfSeveral ? places : [store.tokenKey: stored.number])
            let typed = stored.typed(in: store.schema, storeIdentifier: store.identifier, token: token)
            if !isWhole || isOneOfSeveral, try descriptor.predicate?.evaluate(typed) == false { continue }
            result.append(Found(store: index, typed: typed))
            if order == .forward, result.count == limit { break }
        }
        if order == nil {
            // The standard library's sort of descriptors keeps equal elements in order.
            let sorted = result.map(\.typed).sorted(using: descriptor.sortBy)
            let byIdentity = Dictionary(result.map { ($0.typed, $0.store) }) { first, _ in first }
            result = sorted.map { Found(store: byIdentity[$0] ?? 0, typed: $0) }
        } else if order == .reverse, isOneOfSeveral || !isWhole {
            result.reverse()
        }
        return Array(result.prefix(limit))
    }

    func delete() throws {
        if sources.count == 1, descriptor.predicate == nil, descriptor.fetchLimit == 0 {
            let last = try sources[0].history(HistoryQuery(limit: 0)).latest
            if last > 0 { try sources[0].forget(KeyRanges(1...last)) }
            return
        }
        // All are found before any is deleted, which would change what the limit takes.
        let found = try run(checksTokens: false)
        for (index, store) in sources.enumerated() {
            let numbers = found.filter { $0.store == index }.map(\.typed.transactionIdentifier)
            if !numbers.isEmpty { try store.forget(KeyRanges(numbers)) }
        }
    }

    /// The order of the descriptor, where it is that of the numbers; nil for any other.
    private var nativeOrder: SortOrder? {
        guard let first = descriptor.sortBy.first else { return .forward }
        switch first.keyPath {
        case \DefaultHistoryTransaction.transactionIdentifier, \DefaultHistoryTransaction.id:
            return sources.count == 1 ? first.order : nil
        case \DefaultHistoryTransaction.token: return first.order
        default: return nil
        }
    }
}
