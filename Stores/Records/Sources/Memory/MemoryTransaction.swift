import CofferCore

extension MemoryTables {
    @inline(__always)
    func existingPlace(of table: RecordTable) throws -> Int {
        if let place = place(of: table) { return place }
        throw SwiftDataError(.corruptStore, detail: "there is no table \(table.name)")
    }
}

/// A transaction over one state of the tables.
final class MemoryReader: RecordReader {
    private let state: MemoryState
    /// Where a key was found last: the next one often lies right behind it. The tables keep the page alive.
    @exclusivity(unchecked) private var last = (table: -1, page: nil as Unmanaged<MemoryPage>?, index: 0)

    init(_ state: MemoryState) { self.state = state }

    private var tables: MemoryTables {
        @inline(__always) _read { yield state.tables }
    }

    func openTable(_ table: RecordTable) -> Bool { tables.place(of: table) != nil }

    func get(_ table: RecordTable, _ key: UnsafeRawBufferPointer) throws -> UnsafeRawBufferPointer? {
        let place = try tables.existingPlace(of: table)
        if place == last.table, let page = last.page,
            let index = page._withUnsafeGuaranteedRef({ $0.find(key, near: last.index) })
        {
            last.index = index
            return page._withUnsafeGuaranteedRef { $0.value(index) }
        }
        guard let (page, index) = tables[place].find(key) else { return nil }
        last = (place, page, index)
        return page._withUnsafeGuaranteedRef { $0.value(index) }
    }

    func scan(
        _ table: RecordTable, _ range: KeyRange, descending: Bool,
        _ body: (_ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) throws -> Bool
    ) throws {
        try tables[try tables.existingPlace(of: table)].scan(range, descending: descending, body)
    }

    func count(_ table: RecordTable) throws -> Int { tables[try tables.existingPlace(of: table)].count }
}

/// A transaction that changes a copy of the tables.
final class MemoryWriter: RecordWriter {
    /// Not checked for overlapping accesses at run time: a transaction stays on one thread, and what is read during a
    /// change is read from a copy.
    @exclusivity(unchecked) private(set) var tables: MemoryTables

    init(_ tables: MemoryTables) { self.tables = tables.next }

    func openTable(_ table: RecordTable) -> Bool { tables.place(of: table) != nil }

    func get(_ table: RecordTable, _ key: UnsafeRawBufferPointer) throws -> UnsafeRawBufferPointer? {
        tables[try tables.existingPlace(of: table)].get(key)
    }

    func scan(
        _ table: RecordTable, _ range: KeyRange, descending: Bool,
        _ body: (_ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) throws -> Bool
    ) throws {
        let tree = tables[try tables.existingPlace(of: table)]
        try tree.scan(range, descending: descending, body)
    }

    func count(_ table: RecordTable) throws -> Int { tables[try tables.existingPlace(of: table)].count }

    func makeTable(_ table: RecordTable) { tables.make(table) }

    func dropTable(named name: String) { tables.drop(name) }

    func put(
        _ table: RecordTable, _ key: UnsafeRawBufferPointer, count: Int, ascending: Bool,
        _ fill: (UnsafeMutableRawBufferPointer) -> Void
    ) throws {
        guard key.count <= MemoryPage.longestKey else {
            throw SwiftDataError(.storeFailure, detail: "a key of \(key.count) bytes is too long")
        }
        let place = try tables.existingPlace(of: table)
        tables[place].put(key, count: count, ascending: ascending, stamp: tables.stamp, fill)
    }

    @discardableResult
    func delete(_ table: RecordTable, _ key: UnsafeRawBufferPointer) throws -> Bool {
        let place = try tables.existingPlace(of: table)
        return tables[place].delete(key, stamp: tables.stamp)
    }

    func removeAll(_ table: RecordTable) throws {
        tables[try tables.existingPlace(of: table)] = MemoryTree()
    }
}
