import CofferCore
import Foundation

/// An engine in memory: tables are ordered trees whose copies share what they have in common, so that a read goes on
/// with the state it began with while others write.
///
/// It is the whole of an engine that keeps nothing, the lower half of one that writes its state somewhere, and the
/// reference for the others.
public final class MemoryEngine: RecordEngine, @unchecked Sendable {
    public let maximumKeySize: Int
    public var path: String? { nil }
    public var isReadOnly: Bool { false }

    /// The tables by name.
    typealias State = [String: OrderedTree]

    /// Guards the state; held to take a copy of it or to put another in its place.
    private let lock = NSLock()
    private var state: State? = [:]
    /// Held by whoever writes.
    private let turn = NSLock()

    /// - Parameter maximumKeySize: the longest key.
    public init(maximumKeySize: Int = 4096) { self.maximumKeySize = maximumKeySize }

    private func current() throws -> State {
        lock.lock()
        defer { lock.unlock() }
        guard let state else { throw SwiftDataError(.storeClosed) }
        return state
    }

    public func read<T>(_ body: (any RecordReader) throws -> T) throws -> T {
        try body(MemoryTransaction(try current(), maximumKeySize))
    }

    public func write<T>(_ body: (any RecordWriter) throws -> T) throws -> T {
        turn.lock()
        defer { turn.unlock() }
        let transaction = MemoryTransaction(try current(), maximumKeySize)
        let result = try body(transaction)
        let state = transaction.finish()
        lock.lock()
        defer { lock.unlock() }
        guard self.state != nil else { throw SwiftDataError(.storeClosed) }
        self.state = state
        return result
    }

    /// Forgets everything.
    public func close() {
        lock.lock()
        defer { lock.unlock() }
        state = nil
    }
}

/// A transaction on trees of its own.
final class MemoryTransaction: RecordWriter {
    private var state: MemoryEngine.State
    /// The tree of each table, by place, taken from the state while the transaction uses it.
    private var trees: [OrderedTree?] = []
    private var names: [String] = []
    private let maximumKeySize: Int

    init(_ state: MemoryEngine.State, _ maximumKeySize: Int) {
        self.state = state
        self.maximumKeySize = maximumKeySize
    }

    /// The tables after the transaction.
    func finish() -> MemoryEngine.State {
        for (index, tree) in trees.enumerated() { if let tree { state[names[index]] = tree } }
        return state
    }

    /// Has a table's tree ready at its place.
    private func prepare(_ table: RecordTable) throws {
        if table.index < trees.count, trees[table.index] != nil { return }
        guard let tree = state[table.name] else {
            throw SwiftDataError(.storeFailure, detail: "there is no table \(table.name)")
        }
        while trees.count <= table.index {
            trees.append(nil)
            names.append("")
        }
        trees[table.index] = tree
        names[table.index] = table.name
    }

    private func tree(_ table: RecordTable) throws -> OrderedTree {
        try prepare(table)
        return trees[table.index] ?? OrderedTree()
    }

    func openTable(_ table: RecordTable) -> Bool { state[table.name] != nil }

    func get(_ table: RecordTable, _ key: UnsafeRawBufferPointer) throws -> UnsafeRawBufferPointer? {
        // The state, or a tree that took the entry out of it, keeps the memory.
        try tree(table).entry(key)?.value
    }

    func scan(
        _ table: RecordTable, _ range: KeyRange, descending: Bool,
        _ body: (UnsafeRawBufferPointer, UnsafeRawBufferPointer) throws -> Bool
    ) throws {
        try tree(table).scan(range, descending: descending) { try body($0.key, $0.value) }
    }

    func count(_ table: RecordTable) throws -> Int { try tree(table).count }

    func makeTable(_ table: RecordTable) {
        if state[table.name] == nil { state[table.name] = OrderedTree() }
    }

    func dropTable(named name: String) {
        state[name] = nil
        for index in names.indices where names[index] == name { trees[index] = nil }
    }

    func put(
        _ table: RecordTable, _ key: UnsafeRawBufferPointer, count: Int, ascending: Bool,
        _ fill: (UnsafeMutableRawBufferPointer) -> Void
    ) throws {
        guard key.count <= maximumKeySize else {
            throw SwiftDataError(.storeFailure, detail: "a key of \(key.count) bytes is too long")
        }
        try prepare(table)
        trees[table.index]?.insert(MemoryEntry(key, count: count, fill))
    }

    func delete(_ table: RecordTable, _ key: UnsafeRawBufferPointer) throws -> Bool {
        try prepare(table)
        return trees[table.index]?.remove(key) ?? false
    }

    func removeAll(_ table: RecordTable) throws {
        try prepare(table)
        trees[table.index] = OrderedTree()
    }
}
