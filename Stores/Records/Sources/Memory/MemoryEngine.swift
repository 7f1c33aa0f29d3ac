import CofferCore
import Foundation
import Synchronization

/// An engine that keeps its tables in memory.
///
/// Readers see the state that was the latest when they began, and neither wait for a writer nor hold one up; writers
/// wait for each other. A state costs the pages that it does not share with others, and is gone with its last reader.
public final class MemoryEngine: RecordEngine {
    public let maximumKeySize: Int
    public let path: String?
    public let isReadOnly: Bool

    /// The state that was stored last; nil once the engine is closed.
    private let state = Mutex<MemoryState?>(MemoryState(MemoryTables()))
    private let writing = NSLock()

    /// An engine without tables.
    ///
    /// - Parameters:
    ///   - path: the file or folder that the tables stand for, if there is one; only for errors.
    ///   - isReadOnly: whether changes are refused.
    ///   - maximumKeySize: the longest key; 512 bytes at most.
    public init(path: String? = nil, isReadOnly: Bool = false, maximumKeySize: Int = 512) {
        self.maximumKeySize = min(maximumKeySize, MemoryPage.longestKey)
        self.path = path
        self.isReadOnly = isReadOnly
    }

    private func latest() throws -> MemoryState {
        if let state = state.withLock({ $0 }) { return state }
        throw SwiftDataError(.storeClosed, file: path)
    }

    public func read<T>(_ body: (any RecordReader) throws -> T) throws -> T {
        try body(MemoryReader(try latest()))
    }

    public func write<T>(_ body: (any RecordWriter) throws -> T) throws -> T {
        if isReadOnly { throw SwiftDataError(.storeNotWritable, file: path) }
        return try fill(body)
    }

    /// Changes the tables, of an engine that is read only too: for what fills it from elsewhere.
    ///
    /// - Throws: what the body throws; the tables are then as they were.
    public func fill<T>(_ body: (any RecordWriter) throws -> T) throws -> T {
        writing.lock()
        defer { writing.unlock() }
        let writer = MemoryWriter(try latest().tables)
        let result = try body(writer)
        let next = MemoryState(writer.tables)
        try state.withLock { state in
            if state == nil { throw SwiftDataError(.storeClosed, file: path) }
            state = next
        }
        return result
    }

    public func close() {
        writing.lock()
        defer { writing.unlock() }
        state.withLock { $0 = nil }
    }
}

/// One state of all tables, to be handed out at the cost of one reference.
final class MemoryState: Sendable {
    let tables: MemoryTables

    init(_ tables: MemoryTables) { self.tables = tables }
}

/// One state of all tables. A copy shares its pages with the original until one of them is changed.
struct MemoryTables: @unchecked Sendable {
    /// Different for each transaction that writes.
    private(set) var stamp: UInt64 = 0
    /// The tables by place, nil for dropped ones. Keeps them alive, so that their identifiers stay theirs.
    private var tables: ContiguousArray<RecordTable?> = []
    /// The same for comparing, which costs no retains.
    private var identifiers: ContiguousArray<ObjectIdentifier?> = []
    private var trees: ContiguousArray<MemoryTree> = []
    private var places: [String: Int] = [:]

    /// The state for the transaction after the one that made this.
    var next: MemoryTables {
        var next = self
        next.stamp += 1
        return next
    }

    /// Where a table is. Mostly the place that the store gives it, but a store that changes its layout deals with two.
    @inline(__always)
    func place(of table: RecordTable) -> Int? {
        let index = table.index
        if index < identifiers.count, identifiers[index] == ObjectIdentifier(table) { return index }
        return search(table)
    }

    @inline(never)
    private func search(_ table: RecordTable) -> Int? {
        if table.index < tables.count, tables[table.index]?.name == table.name { return table.index }
        return places[table.name]
    }

    @inline(__always)
    subscript(place: Int) -> MemoryTree {
        _read { yield trees[place] }
        _modify { yield &trees[place] }
    }

    mutating func make(_ table: RecordTable) {
        if places[table.name] != nil { return }
        places[table.name] = tables.count
        tables.append(table)
        identifiers.append(ObjectIdentifier(table))
        trees.append(MemoryTree())
    }

    mutating func drop(_ name: String) {
        guard let place = places.removeValue(forKey: name) else { return }
        tables[place] = nil
        identifiers[place] = nil
        trees[place] = MemoryTree()
    }
}
