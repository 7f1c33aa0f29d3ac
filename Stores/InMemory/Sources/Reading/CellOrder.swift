import CofferCore
import Foundation

/// The order of stored values: nil first, then numbers, not-a-number last of them, text by scalars.
enum CellOrder {
    /// Where values of a kind stand among others.
    @inline(__always)
    static func rank(_ cell: RowCell) -> UInt8 {
        switch cell.kind {
        case .absent, .null: 0
        case .integer: 1
        case .unsigned: 2
        case .real: cell.real.isNaN ? 4 : 3
        case .text: 5
        case .blob: 6
        case .reference, .references, .identifier, .identifiers: 7
        }
    }

    /// A number that is in the order of the values of one rank; where two are equal, text and bytes may still differ.
    @inline(__always)
    static func prefix(_ cell: RowCell, in rows: RowBatch) -> UInt64 {
        switch cell.kind {
        case .integer, .reference: return cell.bits ^ (1 << 63)
        case .unsigned: return cell.bits
        case .real:
            if cell.real.isNaN { return 0 }
            let bits = cell.real == 0 ? 0 : cell.bits
            return bits >> 63 == 0 ? bits | (1 << 63) : ~bits
        case .text, .blob:
            let bytes = rows.bytes(of: cell)
            if bytes.count >= 8 { return bytes.loadUnaligned(as: UInt64.self).bigEndian }
            var prefix: UInt64 = 0
            for byte in bytes { prefix = prefix << 8 | UInt64(byte) }
            return bytes.isEmpty ? 0 : prefix << UInt64(64 - 8 * bytes.count)
        default: return 0
        }
    }

    /// Negative where the left value comes first, zero where they are equal.
    static func compare(_ left: RowCell, _ leftRows: RowBatch, _ right: RowCell, _ rightRows: RowBatch) -> Int {
        let (leftRank, rightRank) = (rank(left), rank(right))
        if leftRank != rightRank { return leftRank < rightRank ? -1 : 1 }
        if leftRank == 5 || leftRank == 6 { return compareBytes(leftRows.bytes(of: left), rightRows.bytes(of: right)) }
        let (a, b) = (prefix(left, in: leftRows), prefix(right, in: rightRows))
        return a < b ? -1 : a == b ? 0 : 1
    }

    @inline(__always)
    static func compareBytes(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Int {
        let count = min(left.count, right.count)
        if count > 0, let a = left.baseAddress, let b = right.baseAddress {
            let order = Int(memcmp(a, b, count))
            if order != 0 { return order }
        }
        return left.count - right.count
    }

    // MARK: Sorting

    /// A row by a number made of its first value, which decides nearly always.
    private struct Entry {
        let prefix: UInt64
        let position: UInt32
        let rank: UInt8
    }

    /// The first of some positions in the order of their rows' values; equal rows are in the order of their keys.
    ///
    /// With a small limit only the first rows are kept while going through all of them.
    ///
    /// - Complexity: O(*n* log *limit*).
    static func sorted(
        _ positions: [Int], _ keys: [(slot: Int, isDescending: Bool)], _ rows: RowBatch, limit: Int = .max
    ) -> [Int] {
        guard let first = keys.first, limit > 0 else { return limit > 0 ? positions : [] }
        func isBefore(_ left: Entry, _ right: Entry) -> Bool {
            if left.rank != right.rank { return left.rank < right.rank }
            if left.prefix != right.prefix { return left.prefix < right.prefix }
            for key in keys {
                let order = compare(
                    rows.cell(row: Int(left.position), slot: key.slot), rows,
                    rows.cell(row: Int(right.position), slot: key.slot), rows)
                if order != 0 { return (order < 0) != key.isDescending }
            }
            return left.position < right.position
        }
        var entries = positions.map { position in
            let cell = rows.cell(row: position, slot: first.slot)
            let (prefix, rank) = (prefix(cell, in: rows), rank(cell))
            return first.isDescending
                ? Entry(prefix: ~prefix, position: UInt32(position), rank: ~rank)
                : Entry(prefix: prefix, position: UInt32(position), rank: rank)
        }
        if limit < entries.count / 2 {
            entries = smallest(limit, of: entries, isBefore)
        } else {
            entries.sort(by: isBefore)
        }
        return entries.prefix(limit).map { Int($0.position) }
    }

    /// The first entries in order. A heap holds the first ones met so far, the last of them on top.
    private static func smallest(
        _ count: Int, of entries: [Entry], _ isBefore: (Entry, Entry) -> Bool
    ) -> [Entry] {
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
