import CofferCore

/// Takes records in any order and gives the first of them in the order of their own values; equal ones are in the order
/// of their keys.
///
/// With a limit it keeps no more records than that.
struct RecordSorter {
    /// A record by a number made of its first value, which decides nearly always.
    private struct Entry {
        let prefix: UInt64
        let rank: UInt8
        let key: Int64
        let bytes: UnsafeRawBufferPointer
    }

    private let keys: [(field: Int, isDescending: Bool)]
    private let limit: Int
    /// How many fields a record has to have.
    private let fieldCount: Int
    /// With a limit a heap with the last of the entries on top once it is full.
    private var entries: [Entry] = []

    /// - Parameter limit: how many records are wanted at most.
    init(_ keys: [(field: Int, isDescending: Bool)], limit: Int) {
        self.keys = keys
        self.limit = limit
        fieldCount = keys.reduce(0) { max($0, $1.field + 1) }
    }

    /// The fields of sort keys where all are a row's own values in their stored order.
    static func ownFields(_ keys: [SortKey], _ space: RecordSpace) -> [(field: Int, isDescending: Bool)]? {
        var fields: [(field: Int, isDescending: Bool)] = []
        for key in keys {
            guard key.path.count == 1, key.comparison == .standard, let field = space.field(ofSlot: key.path[0])
            else { return nil }
            fields.append((field.number, key.isDescending))
        }
        return fields
    }

    /// Takes a record, whose memory has to last until ``sorted()``.
    mutating func add(_ key: Int64, _ bytes: UnsafeRawBufferPointer) throws {
        guard limit > 0, let first = keys.first else { return }
        let record = try Record(bytes, fields: fieldCount)
        let (prefix, rank) = (RecordOrder.prefix(record, first.field), RecordOrder.rank(record, first.field))
        let entry =
            first.isDescending
            ? Entry(prefix: ~prefix, rank: ~rank, key: key, bytes: bytes)
            : Entry(prefix: prefix, rank: rank, key: key, bytes: bytes)
        if entries.count < limit {
            entries.append(entry)
            if entries.count == limit, limit < .max {
                for index in stride(from: limit / 2 - 1, through: 0, by: -1) { sink(index) }
            }
        } else if isBefore(entry, entries[0]) {
            entries[0] = entry
            sink(0)
        }
    }

    /// The records in order.
    mutating func sorted() -> [(key: Int64, bytes: UnsafeRawBufferPointer)] {
        entries.sort(by: isBefore)
        return entries.map { ($0.key, $0.bytes) }
    }

    private func isBefore(_ left: Entry, _ right: Entry) -> Bool {
        if left.rank != right.rank { return left.rank < right.rank }
        if left.prefix != right.prefix { return left.prefix < right.prefix }
        // Both were read when they were added.
        if let a = try? Record(left.bytes), let b = try? Record(right.bytes) {
            for key in keys {
                let order = RecordOrder.compare(a, b, key.field)
                if order != 0 { return (order < 0) != key.isDescending }
            }
        }
        return left.key < right.key
    }

    private mutating func sink(_ start: Int) {
        var parent = start
        while true {
            var child = parent * 2 + 1
            guard child < entries.count else { return }
            if child + 1 < entries.count, isBefore(entries[child], entries[child + 1]) { child += 1 }
            guard isBefore(entries[parent], entries[child]) else { return }
            entries.swapAt(parent, child)
            parent = child
        }
    }
}
