import CofferCore
import Foundation

/// Equality of stored values, as uniqueness and indexes see it: by kind and content; nothing equals nothing.
enum CellHash {
    private static let seed = UInt64.random(in: .min ... .max)

    /// A hash of some cells of a row; nil where one has no value, since no value is the same as none.
    static func hash(_ batch: RowBatch, row: Int, slots: [Int]) -> UInt32? {
        var hash = seed
        for slot in slots {
            let cell = batch.cell(row: row, slot: slot)
            switch cell.kind {
            case .absent, .null: return nil
            case .text, .blob: mix(batch.bytes(of: cell), into: &hash)
            case .real: mix(cell.real == 0 ? 0 : cell.bits, into: &hash)
            default: mix(cell.bits, into: &hash)
            }
        }
        return UInt32(truncatingIfNeeded: hash ^ (hash >> 32))
    }

    /// Whether two rows have the same values.
    static func areEqual(
        _ leftBatch: RowBatch, _ left: Int, _ rightBatch: RowBatch, _ right: Int, slots: [Int]
    ) -> Bool {
        for slot in slots {
            let a = leftBatch.cell(row: left, slot: slot)
            let b = rightBatch.cell(row: right, slot: slot)
            guard a.kind == b.kind else { return false }
            switch a.kind {
            case .absent, .null: return false
            case .text, .blob:
                guard a.length == b.length else { return false }
                guard a.length > 0, let x = leftBatch.bytes(of: a).baseAddress,
                    let y = rightBatch.bytes(of: b).baseAddress
                else { continue }
                if memcmp(x, y, a.length) != 0 { return false }
            case .real: if a.bits != b.bits, a.real != b.real { return false }
            default: if a.bits != b.bits { return false }
            }
        }
        return true
    }

    @inline(__always)
    private static func mix(_ value: UInt64, into hash: inout UInt64) {
        let (high, low) = (hash ^ value).multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15)
        hash = high ^ low &+ 0x2545_F491_4F6C_DD1D
    }

    @inline(__always)
    private static func mix(_ bytes: UnsafeRawBufferPointer, into hash: inout UInt64) {
        var offset = 0
        while offset + 8 <= bytes.count {
            mix(bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self), into: &hash)
            offset += 8
        }
        var rest: UInt64 = UInt64(bytes.count) << 56
        var shift: UInt64 = 0
        while offset < bytes.count {
            rest ^= UInt64(bytes[offset]) << shift
            shift += 8
            offset += 1
        }
        mix(rest, into: &hash)
    }
}
