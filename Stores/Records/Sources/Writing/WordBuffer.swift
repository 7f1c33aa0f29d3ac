import CofferCore
import Foundation

/// Entries of an index of words that wait to be written or compared; see ``RecordWords``.
struct WordBuffer {
    private let longestWord: Int
    /// All keys one behind the other.
    private var bytes: [UInt8] = []
    private var entries: [(start: Int, count: Int)] = []

    init(maximumKeySize: Int) { longestWord = RecordWords.longestWord(maximumKeySize: maximumKeySize) }

    /// Whether there are so many entries that they should be written.
    var isFull: Bool { entries.count >= 1 << 17 }

    /// Adds the entries of a row's text.
    mutating func add(_ text: UnsafeRawBufferPointer, field: Int, row key: Int64) {
        TextWords.forEachWord(of: text) { word, _ in
            let start = bytes.count
            bytes.append(contentsOf: word.prefix(longestWord))
            bytes.append(0)
            withUnsafeBytes(of: UInt16(truncatingIfNeeded: field).bigEndian) { bytes.append(contentsOf: $0) }
            withUnsafeBytes(of: key.bigEndian) { bytes.append(contentsOf: $0) }
            entries.append((start, bytes.count - start))
        }
    }

    /// Adds the entries of a stored row.
    mutating func add(_ record: Record, row key: Int64, of words: RecordWords) {
        for field in words.fields where record.kind(field) == .text {
            add(record.bytes(field), field: field, row: key)
        }
    }

    /// Puts the entries in order, each once.
    private mutating func arrange() {
        bytes.withUnsafeBytes { bytes in
            func key(_ entry: (start: Int, count: Int)) -> UnsafeRawBufferPointer {
                UnsafeRawBufferPointer(rebasing: bytes[entry.start..<entry.start + entry.count])
            }
            entries.sort { RecordOrder.compareBytes(key($0), key($1)) < 0 }
            var kept = 0
            for index in entries.indices
            where index == 0 || RecordOrder.compareBytes(key(entries[index]), key(entries[kept - 1])) != 0 {
                entries[kept] = entries[index]
                kept += 1
            }
            entries.removeLast(entries.count - kept)
        }
    }

    /// The keys of all entries, in order.
    mutating func entryKeys() -> [[UInt8]] {
        arrange()
        return entries.map { Array(bytes[$0.start..<$0.start + $0.count]) }
    }

    /// Writes all entries and forgets them.
    mutating func flush(to table: RecordTable, _ writer: any RecordWriter) throws {
        arrange()
        try bytes.withUnsafeBytes { bytes in
            for entry in entries {
                let key = UnsafeRawBufferPointer(rebasing: bytes[entry.start..<entry.start + entry.count])
                try writer.putEntry(table, key, isLossy: false, ascending: true)
            }
        }
        bytes.removeAll(keepingCapacity: true)
        entries.removeAll(keepingCapacity: true)
    }

    /// Removes all entries from a table, and forgets them.
    mutating func remove(from table: RecordTable, _ writer: any RecordWriter) throws {
        arrange()
        try bytes.withUnsafeBytes { bytes in
            for entry in entries {
                _ = try writer.delete(
                    table, UnsafeRawBufferPointer(rebasing: bytes[entry.start..<entry.start + entry.count]))
            }
        }
        bytes.removeAll(keepingCapacity: true)
        entries.removeAll(keepingCapacity: true)
    }

    /// Brings a table from these entries, which it has, to others: what both have stays as it is.
    mutating func replace(with others: inout WordBuffer, in table: RecordTable, _ writer: any RecordWriter) throws {
        arrange()
        others.arrange()
        try bytes.withUnsafeBytes { old in
            try others.bytes.withUnsafeBytes { new in
                var (left, right) = (entries[...], others.entries[...])
                func key(_ entry: (start: Int, count: Int), _ bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
                    UnsafeRawBufferPointer(rebasing: bytes[entry.start..<entry.start + entry.count])
                }
                while left.first != nil || right.first != nil {
                    let before = left.first.map { key($0, old) }
                    let after = right.first.map { key($0, new) }
                    var order = 0
                    if let before, let after {
                        order = RecordOrder.compareBytes(before, after)
                    } else {
                        order = before == nil ? 1 : -1
                    }
                    if order < 0, let before { _ = try writer.delete(table, before) }
                    if order > 0, let after { try writer.putEntry(table, after, isLossy: false) }
                    if order <= 0 { left.removeFirst() }
                    if order >= 0 { right.removeFirst() }
                }
            }
        }
    }
}

extension RecordWriter {
    /// Enters all rows of a space into its index of words, which is empty.
    func fill(_ words: RecordWords, of space: RecordSpace, maximumKeySize: Int) throws {
        var buffer = WordBuffer(maximumKeySize: maximumKeySize)
        // What is written moves what a scan hands out, so it is done in parts, each with a scan of its own.
        var next: [UInt8]? = []
        while let start = next {
            next = nil
            try scan(space.rows, KeyRange(from: start)) { rowKey, bytes in
                if buffer.isFull {
                    next = Array(rowKey)
                    return false
                }
                if let key = IndexKey.row(rowKey) {
                    buffer.add(try Record(bytes, fields: space.fields.count), row: key, of: words)
                }
                return true
            }
            try buffer.flush(to: words.table, self)
        }
    }

    /// Brings the index of words of a space in step with a row that was changed.
    ///
    /// - Parameters:
    ///   - old: the row as it was; nil for a new one.
    ///   - new: the row as it is; nil for one that is deleted.
    func updateWords(
        of space: RecordSpace, row key: Int64, from old: Record?, to new: Record?, maximumKeySize: Int
    ) throws {
        guard let words = space.words else { return }
        var (before, after) = (WordBuffer(maximumKeySize: maximumKeySize), WordBuffer(maximumKeySize: maximumKeySize))
        for field in words.fields {
            let oldText = old.flatMap { $0.kind(field) == .text ? $0.bytes(field) : nil }
            let newText = new.flatMap { $0.kind(field) == .text ? $0.bytes(field) : nil }
            if let oldText, let newText, RecordOrder.compareBytes(oldText, newText) == 0 { continue }
            if let oldText { before.add(oldText, field: field, row: key) }
            if let newText { after.add(newText, field: field, row: key) }
        }
        try before.replace(with: &after, in: words.table, self)
    }
}
