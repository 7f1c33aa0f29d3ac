/// Which transactions of one store's history to read.
public struct HistoryQuery: Hashable, Sendable {
    /// Only those with greater numbers.
    public var after: Int64?
    /// Only those with this number or a smaller one.
    public var through: Int64?
    /// Whose; nil for anybody's.
    public var author: Author?
    /// The largest number of transactions.
    public var limit: Int?
    /// Whether the last ones come first.
    public var isNewestFirst = false
    /// Whether nobody asks what was changed: a store may leave ``StoredTransaction/changes`` empty then.
    public var isBrief = false

    /// Who saved.
    public enum Author: Hashable, Sendable {
        /// Saves of contexts without an author.
        case nobody
        /// Saves of contexts with this author.
        case named(String)

        /// Whether a transaction's author is the one.
        public func matches(_ author: String?) -> Bool {
            switch self {
            case .nobody: author == nil
            case .named(let name): author == name
            }
        }
    }

    /// All transactions, from the first on.
    public init() {}

    /// The first transactions, or none for a limit of zero: then only the ends of the history are read.
    public init(limit: Int) { self.limit = limit }

    mutating func narrow(after number: Int64) { after = max(after ?? number, number) }

    mutating func narrow(through number: Int64) { through = min(through ?? number, number) }

    /// Whether a transaction is one of those, but for the limit.
    public func matches(number: Int64, author: String?) -> Bool {
        if let after, number <= after { return false }
        if let through, number > through { return false }
        return self.author?.matches(author) ?? true
    }
}

/// A part of a store's history.
public struct StoredHistory: Hashable, Sendable {
    /// The greatest number of a transaction that was deleted; zero where none was.
    public var start: Int64
    /// The greatest number that was given out; zero where none was.
    public var latest: Int64
    /// The transactions, in the order that was asked for.
    public var transactions: [StoredTransaction]

    /// Makes an answer.
    ///
    /// - Parameters:
    ///   - start: the greatest number of a transaction that was deleted.
    ///   - latest: the greatest number that was given out.
    ///   - transactions: the transactions, in the order that was asked for.
    public init(start: Int64 = 0, latest: Int64 = 0, transactions: [StoredTransaction] = []) {
        self.start = start
        self.latest = latest
        self.transactions = transactions
    }
}
