import Foundation

/// Index entries that wait to be written in order: an ordered table takes them faster than in the order of the rows.
struct IndexBuffer {
    /// All keys one behind the other.
    private var bytes: [UInt8] = []
    private var entries: [(start: Int, count: Int, isLossy: Bool)] = []

    var isEmpty: Bool { entries.isEmpty }

    mutating func add(_ key: IndexKey) {
        entries.append((bytes.count, key.bytes.count, key.isLossy))
        bytes.append(contentsOf: key.bytes)
    }

    /// Writes all entries and forgets them.
    mutating func flush(to table: RecordTable, _ writer: any RecordWriter) throws {
        try bytes.withUnsafeBytes { bytes in
            func key(_ entry: (start: Int, count: Int, isLossy: Bool)) -> UnsafeRawBufferPointer {
                UnsafeRawBufferPointer(rebasing: bytes[entry.start..<entry.start + entry.count])
            }
            entries.sort { RecordOrder.compareBytes(key($0), key($1)) < 0 }
            for entry in entries { try writer.putEntry(table, key(entry), isLossy: entry.isLossy, ascending: true) }
        }
        bytes.removeAll(keepingCapacity: true)
        entries.removeAll(keepingCapacity: true)
    }
}

extension RecordWriter {
    /// Enters all rows of a space into an index, which is empty.
    func fill(_ index: RecordIndex, of space: RecordSpace, maximumKeySize: Int) throws {
        var buffer = IndexBuffer()
        try scan(space.rows, .all) { rowKey, bytes in
            if let key = IndexKey.row(rowKey) {
                let record = try Record(bytes, fields: space.fields.count)
                buffer.add(IndexKey(of: index, record, key, maximumSize: maximumKeySize))
            }
            return true
        }
        try buffer.flush(to: index.table, self)
    }

    /// Writes an index entry; its value says whether a value was cut.
    @inline(__always)
    func putEntry(
        _ table: RecordTable, _ key: UnsafeRawBufferPointer, isLossy: Bool, ascending: Bool = false
    ) throws {
        try put(table, key, count: isLossy ? 1 : 0, ascending: ascending) {
            if isLossy { $0.storeBytes(of: 1, as: UInt8.self) }
        }
    }

    func putEntry(_ table: RecordTable, _ key: IndexKey) throws {
        try key.bytes.withUnsafeBytes { try putEntry(table, $0, isLossy: key.isLossy) }
    }

    /// Writes a link, with its place in the list where it has one.
    @inline(__always)
    func putLink(
        _ table: RecordTable, _ owner: Int64, _ member: Int64, place: UInt32? = nil, ascending: Bool = false
    ) throws {
        try LinkKey.with(owner, member) { key in
            try put(table, key, count: place == nil ? 0 : 4, ascending: ascending) { value in
                if let place { value.storeBytes(of: place.bigEndian, as: UInt32.self) }
            }
        }
    }

    func deleteLink(_ table: RecordTable, _ owner: Int64, _ member: Int64) throws {
        _ = try LinkKey.with(owner, member) { try delete(table, $0) }
    }
}
