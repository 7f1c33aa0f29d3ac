import CofferCore
import CofferRecords

/// One change of a table as it stands in a log: what, where, and where it matters key and value.
enum LogEntry: UInt8 {
    case make, drop, clear, delete, put

    func bytes(_ table: String, _ key: UnsafeRawBufferPointer? = nil, _ value: [UInt8] = []) -> [UInt8] {
        var bytes =
            [rawValue] + littleEndian(UInt32(table.utf8.count)) + table.utf8 + littleEndian(UInt32(key?.count ?? 0))
        if let key { bytes += key }
        return bytes + littleEndian(UInt32(value.count)) + value
    }

    /// Does the changes of one save again.
    static func replay(_ log: UnsafeRawBufferPointer, _ writer: any RecordWriter, _ tables: inout [String: RecordTable])
        throws
    {
        var log = log[...]
        while let entry = log.popFirst() {
            let name = String(decoding: try log.take(Int(log.number() as UInt32)), as: UTF8.self)
            let key = try log.take(Int(log.number() as UInt32))
            let value = try log.take(Int(log.number() as UInt32))
            // The store brings tables of its own and the engine finds them by name, so nothing else matters here.
            let table = tables[name] ?? RecordTable(name: name, role: .metadata, index: tables.count)
            tables[name] = table
            switch LogEntry(rawValue: entry) {
            case .make: try writer.makeTable(table)
            case .drop: try writer.dropTable(named: name)
            case .clear: try writer.removeAll(table)
            case .delete: try writer.delete(table, key)
            case .put: try writer.put(table, key, value, ascending: true)
            case nil: throw SwiftDataError(.corruptStore, detail: "an entry of the log makes no sense")
            }
        }
    }
}

/// Hands changes on to another writer and writes them down.
final class LogWriter: RecordWriter {
    private let base: any RecordWriter
    private(set) var log: [UInt8] = []

    init(_ base: any RecordWriter) { self.base = base }

    func makeTable(_ table: RecordTable) throws {
        if try base.openTable(table) { return }
        try base.makeTable(table)
        log += LogEntry.make.bytes(table.name)
    }

    func dropTable(named name: String) throws {
        try base.dropTable(named: name)
        log += LogEntry.drop.bytes(name)
    }

    func put(
        _ table: RecordTable, _ key: UnsafeRawBufferPointer, count: Int, ascending: Bool,
        _ fill: (UnsafeMutableRawBufferPointer) -> Void
    ) throws {
        var value = [UInt8](repeating: 0, count: count)
        value.withUnsafeMutableBytes(fill)
        log += LogEntry.put.bytes(table.name, key, value)
        try value.withUnsafeBytes { try base.put(table, key, $0, ascending: ascending) }
    }

    func delete(_ table: RecordTable, _ key: UnsafeRawBufferPointer) throws -> Bool {
        // The key may lie in the table itself, and be gone with the entry.
        log += LogEntry.delete.bytes(table.name, key)
        return try base.delete(table, key)
    }

    func removeAll(_ table: RecordTable) throws {
        try base.removeAll(table)
        log += LogEntry.clear.bytes(table.name)
    }

    func openTable(_ table: RecordTable) throws -> Bool { try base.openTable(table) }
    func count(_ table: RecordTable) throws -> Int { try base.count(table) }
    func get(_ table: RecordTable, _ key: UnsafeRawBufferPointer) throws -> UnsafeRawBufferPointer? {
        try base.get(table, key)
    }
    func scan(
        _ table: RecordTable, _ range: KeyRange, descending: Bool,
        _ body: (UnsafeRawBufferPointer, UnsafeRawBufferPointer) throws -> Bool
    ) throws {
        try base.scan(table, range, descending: descending, body)
    }
}

func littleEndian(_ number: some FixedWidthInteger) -> [UInt8] {
    withUnsafeBytes(of: number.littleEndian) { Array($0) }
}

extension Slice<UnsafeRawBufferPointer> {
    /// Takes bytes from the front.
    mutating func take(_ count: Int) throws -> UnsafeRawBufferPointer {
        guard count <= self.count else { throw SwiftDataError(.corruptStore, detail: "an entry of the log is cut") }
        defer { self = dropFirst(count) }
        return UnsafeRawBufferPointer(rebasing: prefix(count))
    }

    mutating func number<T: FixedWidthInteger>() throws -> T {
        T(littleEndian: try take(MemoryLayout<T>.size).loadUnaligned(as: T.self))
    }
}
