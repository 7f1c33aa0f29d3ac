import Foundation

/// A transaction in the history of a store that uses Coffer's own types.
///
/// Two transactions are equal when they are the same transaction of the same store.
public struct DefaultHistoryTransaction: HistoryTransaction {
    /// Numbers, growing with time.
    public typealias TransactionIdentifier = Int64
    /// Places are numbers by store.
    public typealias TokenType = DefaultHistoryToken

    /// When it was saved.
    public let timestamp: Date
    /// What was changed, one change per model, in order.
    public let changes: [HistoryChange]
    /// The place of the transaction in the history.
    public let token: DefaultHistoryToken
    /// The transaction's number in its store.
    public let transactionIdentifier: Int64
    /// The identifier of the store.
    public let storeIdentifier: String
    /// The program that saved.
    public let bundleIdentifier: String
    /// The process that saved.
    public let processIdentifier: String
    /// The ``ModelContext/author`` of the context that saved; nil when it had none.
    public let author: String?

    /// The transaction's number in its store.
    public var id: Int64 { transactionIdentifier }

    /// Makes a transaction; for stores.
    ///
    /// - Parameters:
    ///   - transactionIdentifier: the transaction's number in its store.
    ///   - storeIdentifier: the identifier of the store.
    ///   - timestamp: when it was saved.
    ///   - changes: what was changed, one change per model, in order.
    ///   - token: its place in the history; nil for the place after this transaction of this store.
    ///   - bundleIdentifier: the program that saved.
    ///   - processIdentifier: the process that saved.
    ///   - author: the author of the context that saved.
    public init(
        transactionIdentifier: Int64, storeIdentifier: String, timestamp: Date, changes: [HistoryChange],
        token: DefaultHistoryToken? = nil, bundleIdentifier: String = "", processIdentifier: String = "",
        author: String? = nil
    ) {
        self.transactionIdentifier = transactionIdentifier
        self.storeIdentifier = storeIdentifier
        self.timestamp = timestamp
        self.changes = changes
        self.token = token ?? DefaultHistoryToken([storeIdentifier: transactionIdentifier])
        self.bundleIdentifier = bundleIdentifier
        self.processIdentifier = processIdentifier
        self.author = author
    }

    /// Compares store and number.
    public static func == (left: DefaultHistoryTransaction, right: DefaultHistoryTransaction) -> Bool {
        left.transactionIdentifier == right.transactionIdentifier && left.storeIdentifier == right.storeIdentifier
    }

    /// Hashes what `==` compares.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(transactionIdentifier)
        hasher.combine(storeIdentifier)
    }
}
