import CofferCore

/// A transaction over one state of the tables.
class MemoryReader: RecordReader {
    fileprivate(set) var tables: MemoryTables

    init(_ tables: MemoryTables) { self.tables = tables }

    @inline(__always)
    fileprivate func place(of table: RecordTable) throws -> Int {
        if let place = tables.place(of: table) { return place }
        throw SwiftDataError(.corruptStore, detail: "there is no table \(table.name)")
    }

    func openTable(_ table: RecordTable) -> Bool { tables.place(of: table) != nil }

    func get(_ table: RecordTable, _ key: UnsafeRawBufferPointer) throws -> UnsafeRawBufferPointer? {
        tables[try place(of: table)].get(key)
    }

    func scan(
        _ table: RecordTable, _ range: KeyRange, descending: Bool,
        _ body: (_ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) throws -> Bool
    ) throws {
        try tables[try place(of: table)].scan(range, descending: descending, body)
    }

    func count(_ table: RecordTable) throws -> Int { tables[try place(of: table)].count }
}

/// A transaction that changes a copy of the tables.
final class MemoryWriter: MemoryReader, RecordWriter {
    override init(_ tables: MemoryTables) { super.init(tables.next) }

    func makeTable(_ table: RecordTable) { tables.make(table) }

    func dropTable(named name: String) { tables.drop(name) }

    func put(
        _ table: RecordTable, _ key: UnsafeRawBufferPointer, count: Int, ascending: Bool,
        _ fill: (UnsafeMutableRawBufferPointer) -> Void
    ) throws {
        guard key.count <= MemoryPage.longestKey else {
            throw SwiftDataError(.storeFailure, detail: "a key of \(key.count) bytes is too long")
        }
        let place = try place(of: table)
        tables[place].put(key, count: count, ascending: ascending, stamp: tables.stamp, fill)
    }

    @discardableResult
    func delete(_ table: RecordTable, _ key: UnsafeRawBufferPointer) throws -> Bool {
        let place = try place(of: table)
        return tables[place].delete(key, stamp: tables.stamp)
    }

    func removeAll(_ table: RecordTable) throws {
        tables[try place(of: table)] = MemoryTree()
    }
}
