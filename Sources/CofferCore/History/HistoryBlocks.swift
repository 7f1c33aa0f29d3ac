/// Reads a whole history from its beginning, block by block, in little memory.
struct HistoryBlocks {
    private let store: any RowStore
    private var query: HistoryQuery
    private var isAtEnd = false

    init(of store: any RowStore, blockSize: Int) {
        self.store = store
        query = HistoryQuery(limit: blockSize)
    }

    /// The transactions from the next one on are read next.
    var after: Int64 { query.after ?? 0 }

    /// The next transactions. The first block comes also where it is empty, since a history has a start even then.
    ///
    /// - Throws: what the store throws, and `corruptStore` for transactions that are out of order, which would have no end.
    mutating func next() throws -> StoredHistory? {
        if isAtEnd { return nil }
        let isFirst = query.after == nil
        let history = try store.history(query)
        guard let last = history.transactions.last else {
            isAtEnd = true
            return isFirst ? history : nil
        }
        guard last.number > after else {
            throw SwiftDataError(.corruptStore, operation: .history, detail: "the transactions are not in order")
        }
        query.after = last.number
        return history
    }
}
