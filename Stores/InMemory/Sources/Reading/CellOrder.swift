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
    static func compare(_ left: RowCell, _ right: RowCell, in rows: RowBatch) -> Int {
        let (leftRank, rightRank) = (rank(left), rank(right))
        if leftRank != rightRank { return leftRank < rightRank ? -1 : 1 }
        if leftRank == 5 || leftRank == 6 { return compareBytes(rows.bytes(of: left), rows.bytes(of: right)) }
        let (a, b) = (prefix(left, in: rows), prefix(right, in: rows))
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
}
