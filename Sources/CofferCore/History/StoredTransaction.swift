import Foundation

/// One save as a store of rows keeps it in its history: what changed, by kind and entity, and the keys of the rows.
///
/// It takes little room: an insertion of many rows is one ``StoredChange`` with one range of keys.
public struct StoredTransaction: Hashable, Sendable {
    /// The number of the transaction in its store: later ones have greater ones, and none is given out twice.
    public var number: Int64
    /// When it was saved, in whole microseconds.
    public var timestamp: Date
    /// The ``ModelContext/author`` of the context that saved.
    public var author: String?
    /// The program that saved.
    public var bundleIdentifier: String
    /// The process that saved.
    public var processIdentifier: String
    /// What the save did, one entry for each entity, kind of change and set of properties.
    public var changes: [StoredChange]

    /// A transaction of this process, now.
    ///
    /// - Parameters:
    ///   - number: zero where the store does not know it yet.
    ///   - author: who saved, as ``ModelContext/author`` says.
    ///   - changes: what the save did.
    public init(number: Int64 = 0, author: String?, changes: [StoredChange]) {
        self.init(
            number: number, timestamp: Date(), author: author, bundleIdentifier: Self.ownBundle,
            processIdentifier: Self.ownProcess, changes: changes)
    }

    /// Makes a transaction as it was stored; ``init(number:author:changes:)`` makes one of now.
    ///
    /// - Parameters:
    ///   - number: its place in the store's history, from one on.
    ///   - timestamp: when it was saved.
    ///   - author: who saved, as ``ModelContext/author`` says.
    ///   - bundleIdentifier: the program that saved.
    ///   - processIdentifier: the process that saved.
    ///   - changes: what the save did.
    public init(
        number: Int64, timestamp: Date, author: String?, bundleIdentifier: String, processIdentifier: String,
        changes: [StoredChange]
    ) {
        self.number = number
        self.timestamp = HistoryTime.rounded(timestamp)
        self.author = author
        self.bundleIdentifier = bundleIdentifier
        self.processIdentifier = processIdentifier
        self.changes = changes
    }

    /// The number that follows another.
    ///
    /// - Throws: ``SwiftDataError/storeFull`` where there is none, which only a damaged history comes to.
    package static func number(after last: Int64) throws -> Int64 {
        let (number, isTooLarge) = last.addingReportingOverflow(1)
        if isTooLarge { throw SwiftDataError(.storeFull, detail: "the numbers of its transactions are used up") }
        return number
    }

    static let ownBundle = Bundle.main.bundleIdentifier ?? ProcessInfo.processInfo.processName
    static let ownProcess = String(ProcessInfo.processInfo.processIdentifier)
}

/// What a save did to rows of one entity.
public struct StoredChange: Hashable, Sendable {
    /// What became of a row.
    public enum Kind: String, Hashable, Sendable {
        /// The row is new.
        case insert
        /// The row has other values.
        case update
        /// The row is gone.
        case delete
    }

    /// What became of the rows.
    public var kind: Kind
    /// The rows' own entity.
    public var entityName: String
    /// The properties that an update has set, in the order of declaration.
    public var properties: [String] = []
    /// The rows' keys.
    public var keys: KeyRanges
    /// The values of deleted rows that outlive them, by key and property; see
    /// ``Schema/Attribute/Option/preserveValueOnDeletion``.
    public var preserved: [Int64: [String: StoredValue]] = [:]

    /// Makes a change.
    ///
    /// - Parameters:
    ///   - kind: what became of the rows.
    ///   - entityName: the rows' own entity.
    ///   - keys: the rows' keys.
    public init(_ kind: Kind, of entityName: String, keys: KeyRanges) {
        self.kind = kind
        self.entityName = entityName
        self.keys = keys
    }
}

/// Row keys in ascending order, as ranges: `1-100000,100003`.
public struct KeyRanges: Hashable, Sendable {
    /// The ranges, in ascending order and with gaps between them.
    public private(set) var ranges: [ClosedRange<Int64>] = []

    /// No keys.
    public init() {}

    /// Keys in any order; each counts once.
    ///
    /// Complexity: O(*keys*) where they ascend, otherwise what sorting them costs.
    public init(_ keys: [Int64]) {
        var isAscending = true
        for index in 1..<max(keys.count, 1) where keys[index] < keys[index - 1] {
            isAscending = false
            break
        }
        for key in isAscending ? keys : keys.sorted() { append(key) }
    }

    /// All keys of a range.
    public init(_ range: ClosedRange<Int64>) { ranges = [range] }

    /// Adds a key that is not below those that are there.
    @inline(__always)
    public mutating func append(_ key: Int64) {
        if let last = ranges.last {
            if key == last.upperBound { return }
            if key &- 1 == last.upperBound {
                ranges[ranges.count - 1] = last.lowerBound...key
                return
            }
        }
        ranges.append(key...key)
    }

    /// Adds a range behind those that are there; false for one that is not behind them.
    mutating func add(_ range: ClosedRange<Int64>) -> Bool {
        if let last = ranges.last, range.lowerBound <= last.upperBound { return false }
        ranges.append(range)
        return true
    }

    /// How many keys there are; `Int.max` where there are more.
    public var count: Int {
        ranges.reduce(0) { count, range in
            // From zero on all keys together would be one more than there are numbers.
            let (length, isLonger) = range.upperBound.subtractingReportingOverflow(range.lowerBound)
            let (sum, overflows) = count.addingReportingOverflow(Int(length))
            return isLonger || overflows || sum == .max ? .max : sum + 1
        }
    }
    /// Whether there are no keys.
    public var isEmpty: Bool { ranges.isEmpty }
    /// All keys, one by one.
    public var keys: some Sequence<Int64> { ranges.lazy.joined() }
}
