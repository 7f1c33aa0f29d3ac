import Coffer
import Foundation

@testable import CofferRecords

/// A value of an index.
private enum KeyValue {
    case nothing
    case integer(Int64)
    case unsigned(UInt64)
    case real(Double)
    case text([UInt8])
    case blob([UInt8])
    case link(Int64)

    /// Takes a value off some bytes.
    init?(_ bytes: inout Slice<UnsafeRawBufferPointer>) {
        guard let kind = bytes.popFirst() else { return nil }
        func word() -> UInt64? {
            guard bytes.count >= 8 else { return nil }
            defer { bytes = bytes.dropFirst(8) }
            return bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
        }
        func content() -> [UInt8]? {
            guard let count = bytes.popFirst() else { return nil }
            // Long ones come from repetition, so that inputs stay short.
            let part = Array(bytes.prefix(Int(count & 0x1F)))
            bytes = bytes.dropFirst(part.count)
            return Array(repeating: part, count: Int(count >> 5) * Int(count >> 5) * 4 + 1).flatMap { $0 }
        }
        switch kind % 7 {
        case 1: guard let word = word() else { return nil }; self = .integer(Int64(bitPattern: word))
        case 2:
            guard let word = word() else { return nil }
            self = word > UInt64(Int64.max) ? .unsigned(word) : .integer(Int64(word))
        case 3: guard let word = word() else { return nil }; self = .real(Double(bitPattern: word))
        case 4: guard let content = content() else { return nil }; self = .text(content)
        case 5: guard let content = content() else { return nil }; self = .blob(content)
        case 6: guard let word = word() else { return nil }; self = .link(Int64(bitPattern: word))
        default: self = .nothing
        }
    }

    func append(to key: inout IndexKey) {
        let none = UnsafeRawBufferPointer(start: nil, count: 0)
        switch self {
        case .nothing: key.append(.null, word: 0, content: none)
        case .integer(let number): key.append(.integer, word: UInt64(bitPattern: number), content: none)
        case .unsigned(let number): key.append(.unsigned, word: number, content: none)
        case .real(let number): key.append(.real, word: number.bitPattern, content: none)
        case .text(let bytes): bytes.withUnsafeBytes { key.append(.text, word: 0, content: $0) }
        case .blob(let bytes): bytes.withUnsafeBytes { key.append(.blob, word: 0, content: $0) }
        case .link(let number): key.append(.reference, word: UInt64(bitPattern: number), content: none)
        }
    }

    private var rank: Int {
        switch self {
        case .nothing: 0
        case .integer: 1
        case .unsigned: 2
        case .real(let number): number.isNaN ? 4 : 3
        case .text: 5
        case .blob: 6
        case .link: 7
        }
    }

    /// Below zero where this comes first, zero for equal ones.
    func compare(_ other: KeyValue) -> Int {
        func order<T: Comparable>(_ a: T, _ b: T) -> Int { a < b ? -1 : a > b ? 1 : 0 }
        switch (self, other) {
        case (.integer(let a), .integer(let b)), (.link(let a), .link(let b)): return order(a, b)
        case (.unsigned(let a), .unsigned(let b)): return order(a, b)
        case (.real(let a), .real(let b)) where !a.isNaN && !b.isNaN: return order(a, b)
        case (.text(let a), .text(let b)), (.blob(let a), .blob(let b)):
            return a.lexicographicallyPrecedes(b) ? -1 : a == b ? 0 : 1
        default: return order(rank, other.rank)
        }
    }
}

extension FuzzTarget {
    /// Keys of index entries, whose order of bytes has to be that of the values.
    static let keys = FuzzTarget(name: "keys", summary: "keys of index entries") { bytes in
        var rest = bytes[...]
        guard let first = rest.popFirst() else { return }
        let width = Int(first % 3) + 1
        var tuples: [[KeyValue]] = []
        while tuples.count < 2 {
            var tuple: [KeyValue] = []
            for _ in 0..<width {
                guard let value = KeyValue(&rest) else { return }
                tuple.append(value)
            }
            tuples.append(tuple)
        }
        let sizes = [64, 128, 511, 512]
        let maximum = sizes[Int(first / 3) % sizes.count]
        let rows: [Int64] = [1, Int64(first)]
        let keys = zip(tuples, rows).map { tuple, row in
            var key = IndexKey(valueCount: width, maximumSize: maximum)
            for value in tuple { value.append(to: &key) }
            key.append(row: row)
            return key
        }
        for (key, row) in zip(keys, rows) {
            try demand(key.bytes.count <= max(maximum, width * 40 + 8), "a key has \(key.bytes.count) bytes")
            try demand(key.bytes.withUnsafeBytes { IndexKey.row($0) } == row, "a key does not end with its row")
        }
        if keys.contains(where: \.isLossy) { return }
        let order = zip(tuples[0], tuples[1]).lazy.map { $0.compare($1) }.first { $0 != 0 } ?? 0
        let (a, b) = (keys[0].bytes.dropLast(8), keys[1].bytes.dropLast(8))
        let found = a.lexicographicallyPrecedes(b) ? -1 : a.elementsEqual(b) ? 0 : 1
        try demand(found == order, "\(tuples) are in the order \(order), and their keys in the order \(found)")
        _ = bytes.withMemoryRebound(to: UInt8.self) { _ in (IndexKey.row(bytes), LinkKey.owner(bytes)) }
    }
}
