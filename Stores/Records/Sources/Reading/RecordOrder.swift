import CofferCore
import Foundation

/// The order of stored values: nil first, then numbers, not-a-number last of them, text by scalars.
enum RecordOrder {
    /// Where a field's value stands among those of other kinds.
    @inline(__always)
    static func rank(_ record: Record, _ field: Int) -> UInt8 {
        let kind = record.kind(field)
        return kind.rawValue <= CellKind.real.rawValue
            ? (kind == .real && record.real(field).isNaN ? 5 : kind.rawValue) : kind.rawValue &+ 1
    }

    /// A number in the order of the values of one rank; where two are equal, text and bytes may still differ.
    @inline(__always)
    static func prefix(_ record: Record, _ field: Int) -> UInt64 {
        switch record.kind(field) {
        case .integer, .reference: return record.word(field) ^ (1 << 63)
        case .unsigned: return record.word(field)
        case .real:
            let number = record.real(field)
            if number.isNaN { return 0 }
            let bits = number == 0 ? 0 : number.bitPattern
            return bits >> 63 == 0 ? bits | (1 << 63) : ~bits
        case .text, .blob:
            let bytes = record.bytes(field)
            if bytes.count >= 8 { return bytes.loadUnaligned(as: UInt64.self).bigEndian }
            var prefix: UInt64 = 0
            for byte in bytes { prefix = prefix << 8 | UInt64(byte) }
            return bytes.isEmpty ? 0 : prefix << UInt64(64 - 8 * bytes.count)
        default: return 0
        }
    }

    /// Negative where the left record's value comes first, zero where they are equal.
    static func compare(_ left: Record, _ right: Record, _ field: Int) -> Int {
        let (leftRank, rightRank) = (rank(left, field), rank(right, field))
        if leftRank != rightRank { return leftRank < rightRank ? -1 : 1 }
        switch left.kind(field) {
        case .text, .blob: return compareBytes(left.bytes(field), right.bytes(field))
        default:
            let (a, b) = (prefix(left, field), prefix(right, field))
            return a < b ? -1 : a == b ? 0 : 1
        }
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
