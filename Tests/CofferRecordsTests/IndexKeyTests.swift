import CofferCore
import Foundation
import Testing

@testable import CofferRecords

/// The bytes of index keys are in the order of the values.
@Suite("Records: index keys") struct IndexKeyTests {
    /// Values in their order; those of one inner list are equal.
    static let ordered: [[StoredValue]] = [
        [.null],
        [.integer(.min)], [.integer(-1)], [.integer(0)], [.integer(1)], [.integer(.max)],
        [.unsigned(UInt64(Int64.max) + 1)], [.unsigned(.max)],
        [.real(-.infinity)], [.real(-1e300)], [.real(-1)], [.real(-.leastNonzeroMagnitude)],
        [.real(-0.0), .real(0)], [.real(.leastNonzeroMagnitude)], [.real(0.5)], [.real(.infinity)],
        [.real(.nan), .real(Double(bitPattern: 0x7FF8_0000_0000_0001))],
        [.text("")], [.text("\0")], [.text("\0\0")], [.text("\0a")], [.text("a")], [.text("a\0")], [.text("a\0b")],
        [.text("a\u{1}")], [.text("aa")], [.text("b")], [.text("é")], [.text("\u{FFFF}")], [.text("\u{1F600}")],
        [.blob([])], [.blob([0])], [.blob([0, 255])], [.blob([1])], [.blob([255])], [.blob([255, 255])],
    ]

    func key(_ values: [StoredValue], _ maximumSize: Int = 511) -> IndexKey {
        var key = IndexKey(valueCount: values.count, maximumSize: maximumSize)
        for value in values {
            let batch = RowBatch(entityName: "X", width: 1, storeIdentifier: nil)
            batch.appendRow(key: 1)
            batch.set(value, row: 0, slot: 0)
            let cell = batch.cell(row: 0, slot: 0)
            let holdsBytes = cell.kind == .text || cell.kind == .blob
            key.append(
                cell.kind, word: cell.bits,
                content: holdsBytes ? batch.bytes(of: cell) : UnsafeRawBufferPointer(start: nil, count: 0))
        }
        return key
    }

    func entry(_ values: [StoredValue], row: Int64, _ maximumSize: Int = 511) -> [UInt8] {
        var key = key(values, maximumSize)
        key.append(row: row)
        return key.bytes
    }

    @Test func bytesAreInTheOrderOfValues() {
        for (left, lefts) in Self.ordered.enumerated() {
            for (right, rights) in Self.ordered.enumerated() {
                for a in lefts {
                    for b in rights {
                        let (x, y) = (key([a]).bytes, key([b]).bytes)
                        #expect(x.lexicographicallyPrecedes(y) == (left < right), "\(a) \(b)")
                        #expect((x == y) == (left == right), "\(a) \(b)")
                        // The rows' keys come after the values, whatever follows.
                        let (first, second) = (entry([a], row: .max), entry([b], row: 1))
                        if left != right { #expect(first.lexicographicallyPrecedes(second) == (left < right)) }
                    }
                }
            }
        }
    }

    @Test func laterValuesDecideBetweenEqualOnes() {
        var random = SeededGenerator(5)
        for _ in 0..<20_000 {
            let places = (0..<4).map { _ in Int.random(in: 0..<Self.ordered.count, using: &random) }
            func value(_ place: Int) -> StoredValue { Self.ordered[place].randomElement(using: &random) ?? .null }
            let left = entry([value(places[0]), value(places[1])], row: 7)
            let right = entry([value(places[2]), value(places[3])], row: 7)
            let expected = (places[0], places[1]) < (places[2], places[3])
            #expect(left.lexicographicallyPrecedes(right) == expected)
        }
    }

    @Test(arguments: [64, 100, 511]) func longValuesAreCutInOrder(_ maximumSize: Int) {
        var random = SeededGenerator(17)
        func text() -> String {
            let start = String(repeating: "x", count: Int.random(in: 0...(maximumSize / 2 + 20), using: &random))
            return start + ["", "\0", "a", "b", "\0b", "zzzzzzzzzzzzzzzzzzzzzzzzz"].randomElement(using: &random)!
        }
        for _ in 0..<5000 {
            let (a, b) = (text(), text())
            let (left, right) = (key([.text(a), .integer(1)], maximumSize), key([.text(b), .integer(1)], maximumSize))
            #expect(entry([.text(a), .integer(1)], row: 1, maximumSize).count <= maximumSize)
            if a == b { #expect(left.bytes == right.bytes) }
            if !left.isLossy || !right.isLossy, a != b {
                #expect(left.bytes.lexicographicallyPrecedes(right.bytes) == (a < b))
            }
            if left.isLossy, right.isLossy, a != b { #expect(left.bytes != right.bytes) }
        }
    }
}
