import CofferCore

/// Puts positions into a plan's order.
///
/// Rows are sorted by a number made of their first sort value, which decides nearly always; with a small limit only the
/// first rows are kept while going through all of them.
struct MemorySorter {
    private struct Entry {
        let prefix: UInt64
        let position: UInt32
        let rank: UInt8
    }

    private let keys: [SortKey]
    private let rows: RowBatch
    private let source: MemoryRowSource

    init(_ keys: [SortKey], _ rows: RowBatch, _ source: MemoryRowSource) {
        self.keys = keys
        self.rows = rows
        self.source = source
    }

    /// The first of some positions in the plan's order; equal rows are in the order of their keys.
    ///
    /// - Complexity: O(*n* log *limit*).
    func sort(_ positions: [Int], limit: Int) throws -> [Int] {
        guard let first = keys.first else { return positions.count > limit ? Array(positions[..<limit]) : positions }
        guard keys.allSatisfy({ $0.path.count == 1 && $0.comparison == .standard }) else {
            return try RowSorter(keys).sort(
                positions, of: rows, in: source, limit: limit < positions.count ? limit : nil)
        }
        if limit <= 0 { return [] }
        var entries = entries(positions, first)
        if limit < entries.count / 2 {
            entries = smallest(limit, of: entries)
        } else {
            entries.sort(by: isBefore)
        }
        return entries.prefix(limit).map { Int($0.position) }
    }

    private func entries(_ positions: [Int], _ key: SortKey) -> [Entry] {
        let slot = key.path[0]
        return positions.map { position in
            let cell = rows.cell(row: position, slot: slot)
            let (prefix, rank) = (CellOrder.prefix(cell, in: rows), CellOrder.rank(cell))
            return key.isDescending
                ? Entry(prefix: ~prefix, position: UInt32(position), rank: ~rank)
                : Entry(prefix: prefix, position: UInt32(position), rank: rank)
        }
    }

    @inline(__always)
    private func isBefore(_ left: Entry, _ right: Entry) -> Bool {
        if left.rank != right.rank { return left.rank < right.rank }
        if left.prefix != right.prefix { return left.prefix < right.prefix }
        return isBeforeAtLength(left, right)
    }

    @inline(never)
    private func isBeforeAtLength(_ left: Entry, _ right: Entry) -> Bool {
        for key in keys {
            let order = CellOrder.compare(
                rows.cell(row: Int(left.position), slot: key.path[0]),
                rows.cell(row: Int(right.position), slot: key.path[0]), in: rows)
            if order != 0 { return (order < 0) != key.isDescending }
        }
        return left.position < right.position
    }

    /// The first entries in order. A heap holds the first ones met so far, the last of them on top.
    private func smallest(_ count: Int, of entries: [Entry]) -> [Entry] {
        var heap = Array(entries.prefix(count))
        func sink(_ start: Int) {
            var parent = start
            while true {
                var child = parent * 2 + 1
                guard child < heap.count else { return }
                if child + 1 < heap.count, isBefore(heap[child], heap[child + 1]) { child += 1 }
                guard isBefore(heap[parent], heap[child]) else { return }
                heap.swapAt(parent, child)
                parent = child
            }
        }
        for index in stride(from: heap.count / 2 - 1, through: 0, by: -1) { sink(index) }
        for entry in entries.dropFirst(count) where isBefore(entry, heap[0]) {
            heap[0] = entry
            sink(0)
        }
        heap.sort(by: isBefore)
        return heap
    }
}
