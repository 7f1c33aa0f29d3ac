/// A reader that keeps its state between the blocks of a fetch as well.
final class HeldReader: RecordReader {
    private let base: any RecordReader

    init(_ base: any RecordReader) { self.base = base }

    func openTable(_ table: RecordTable) throws -> Bool { try base.openTable(table) }

    func get(_ table: RecordTable, _ key: UnsafeRawBufferPointer) throws -> UnsafeRawBufferPointer? {
        try base.get(table, key)
    }

    func scan(
        _ table: RecordTable, _ range: KeyRange, descending: Bool,
        _ body: (_ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) throws -> Bool
    ) throws {
        try base.scan(table, range, descending: descending, body)
    }

    func count(_ table: RecordTable) throws -> Int { try base.count(table) }

    // The engine is not told of pauses, in which it may give the state up.
}
