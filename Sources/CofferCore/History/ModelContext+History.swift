import Foundation

extension ModelContext {
    /// The transactions of the container's stores that match, oldest first unless the descriptor says otherwise.
    ///
    /// ```swift
    /// let news = try context.fetchHistory(
    ///     HistoryDescriptor<DefaultHistoryTransaction>(predicate: #Predicate { $0.token > last }))
    /// for change in news.flatMap(\.changes) {
    ///     if case .update(let update as DefaultHistoryUpdate<Trip>) = change, update.updates(\.name) { … }
    /// }
    /// ```
    ///
    /// Of several stores the transactions come in the order of their times, and a token says how far each store had
    /// come. Unsaved changes are no part of a history.
    ///
    /// - Throws: ``SwiftDataError/historyTokenExpired`` when the predicate asks for what came after a token and some of
    ///   that was deleted; ``SwiftDataError/invalidTransactionFetchRequest`` when no store of the container has such
    ///   transactions; ``SwiftDataError/unsupportedFeature`` when none keeps a history and the container
    ///   supplies none (``ModelContainer/suppliesHistory``).
    /// - Complexity: O(*changed rows of the transactions read*), see ``RowStore/fetchHistory(_:)``.
    public func fetchHistory<T: HistoryTransaction>(_ descriptor: HistoryDescriptor<T>) throws -> [T] {
        try enter(.history)
        defer { leave() }
        let sources = container.historySources
        if let descriptor = descriptor as? HistoryDescriptor<DefaultHistoryTransaction>, !sources.isEmpty {
            let found = try HistoryFetch(descriptor, sources: sources).run(checksTokens: true).map(\.typed)
            if let found = found as? [T] { return found }
        }
        let providers = try providers(of: T.self)
        var transactions: [T] = []
        for provider in providers { transactions += try provider.fetchHistory(descriptor) }
        if providers.count > 1 {
            transactions.sort { $0.timestamp < $1.timestamp }
            if !descriptor.sortBy.isEmpty { transactions.sort(using: descriptor.sortBy) }
            if descriptor.fetchLimit > 0 {
                transactions.removeLast(max(0, transactions.count - Int(clamping: descriptor.fetchLimit)))
            }
        }
        return transactions
    }

    /// Forgets the transactions that match. The data stays.
    ///
    /// ```swift
    /// try context.deleteHistory(
    ///     HistoryDescriptor<DefaultHistoryTransaction>(predicate: #Predicate { $0.token <= done }))
    /// ```
    ///
    /// Whoever stands at an earlier token gets ``SwiftDataError/historyTokenExpired`` from then on.
    ///
    /// - Throws: as ``fetchHistory(_:)``, but for expired tokens; whatever a store throws that cannot be written.
    public func deleteHistory<T: HistoryTransaction>(_ descriptor: HistoryDescriptor<T>) throws {
        try enter(.history)
        defer { leave() }
        let sources = container.historySources
        if let descriptor = descriptor as? HistoryDescriptor<DefaultHistoryTransaction>, !sources.isEmpty {
            return try HistoryFetch(descriptor, sources: sources).delete()
        }
        for provider in try providers(of: T.self) { try provider.deleteHistory(descriptor) }
    }

    /// The stores that have transactions of a type.
    private func providers<T: HistoryTransaction>(of type: T.Type) throws -> [any HistoryProviding<T>] {
        let all = container.stores.compactMap { $0.store as? any HistoryProviding }
        func typed<P: HistoryProviding>(_ provider: P) -> (any HistoryProviding<T>)? {
            P.HistoryType.self == T.self ? provider as? any HistoryProviding<T> : nil
        }
        let matching = all.compactMap { typed($0) }
        if !matching.isEmpty { return matching }
        guard all.isEmpty, container.historySources.isEmpty else {
            throw SwiftDataError(
                .invalidTransactionFetchRequest, operation: .history,
                detail: "no store of the container has transactions of the type \(T.self)")
        }
        throw SwiftDataError(
            .unsupportedFeature, operation: .history, store: container.stores.first?.name,
            detail: "no store of the container keeps a history")
    }
}
