import CofferCore
import Foundation
import Testing

@testable import CofferJSON

/// What goes into an archive comes out of it, by the document and by the journal.
@Suite struct ValueTests {
    let shop: Workshop

    init() throws { shop = try Workshop(Everything.self) }

    private func values(_ changed: [String: StoredValue]) -> [String: StoredValue] {
        let plain: [String: StoredValue] = [
            "flag": .integer(1), "number": .integer(3), "unsigned": .integer(4), "double": .real(0.5),
            "text": .text("text"), "date": .real(700_000_000.25), "data": .blob([1, 2, 255]),
            "uuid": .blob(Array(0..<16)), "url": .text("https://example.com/?a=b"), "decimal": .text("2501 499"),
        ]
        return plain.merging(changed) { _, new in new }
    }

    private var samples: [[String: StoredValue]] {
        var samples: [[String: StoredValue]] = []
        samples += [0, 1].map { values(["flag": .integer($0)]) }
        samples += [.min, -1, 0, 9, 10, .max].map { values(["number": .integer($0)]) }
        samples += [.integer(0), .integer(.max), .unsigned(1 << 63), .unsigned(.max)].map { values(["unsigned": $0]) }
        let reals: [Double] = [
            0, -0.0, 1, -1, 0.1, 1.0 / 3, .pi, 1e22, Double.leastNonzeroMagnitude, .leastNormalMagnitude,
            9_007_199_254_740_992,
            .greatestFiniteMagnitude, -.greatestFiniteMagnitude, .infinity, -.infinity,
        ]
        samples += reals.map { values(["double": .real($0), "date": .real($0)]) }
        let texts = [
            "", "\0", "a\0b", "\"\\/\u{8}\u{C}\n\r\t\u{1}\u{1F}\u{7F}", "ä日本\u{1F9F3}\u{2028}\u{FFFF}",
            "e\u{301}".precomposedStringWithCanonicalMapping,
            String(repeating: "x", count: 10_000), "{\"$id\": 3}",
        ]
        samples += texts.map { values(["text": .text($0), "note": .text($0)]) }
        samples += [[], [0], Array(0...255)].map { values(["data": .blob($0)]) }
        let decimals = [
            "0", "1", "-1", "4.99", "-0.001", "1e50", "1e-50", "123456789012345678901234567890.12345678",
            "0.00000000000001", "100000000",
        ]
        samples += decimals.map { values(["decimal": .text(DecimalText.text(Decimal(string: $0) ?? .nan))]) }
        samples.append(values(["decimal": .text(DecimalText.text(.nan))]))
        samples.append(values(["decimal": .text(DecimalText.text(.greatestFiniteMagnitude))]))
        samples.append(values(["decimal": .text(DecimalText.text(.leastNonzeroMagnitude))]))
        return samples
    }

    /// Rows that are the same bit by bit.
    private func expectEqual(_ rows: [Int64: [String: StoredValue]], _ samples: [[String: StoredValue]]) {
        #expect(rows.count == samples.count)
        for (index, sample) in samples.enumerated() {
            let row = rows[Int64(index + 1)] ?? [:]
            for (name, value) in sample {
                if case .real(let number) = value, case .real(let found)? = row[name] {
                    #expect(number.bitPattern == found.bitPattern, "\(name) of row \(index + 1)")
                } else {
                    #expect(row[name] == value, "\(name) of row \(index + 1)")
                }
            }
            #expect(Set(row.keys) == Set(sample.keys))
        }
    }

    @Test func everyValueSurvivesTheDocument() throws {
        let store = try shop.open()
        try shop.save(store, insert: [shop.batch("Everything", samples.enumerated().map { (Int64(-$0 - 1), $1) })])
        expectEqual(try shop.rows(store, "Everything"), samples)
        store.close()
        #expect(!shop.hasJournal)
        expectEqual(try shop.rows(try shop.open(), "Everything"), samples)
    }

    @Test func everyValueSurvivesTheJournal() throws {
        let first = try shop.open(.dying)
        let large = values(["text": .text(String(repeating: "x", count: 70_000))])
        try shop.save(first, insert: [shop.batch("Everything", [(-1, large)])])
        let before = try shop.text()
        for sample in samples { try shop.save(first, insert: [shop.batch("Everything", [(-1, sample)])]) }
        first.close()
        #expect(try shop.text() == before)
        #expect(shop.hasJournal)
        expectEqual(try shop.rows(try shop.open(), "Everything"), [large] + samples)
    }

    @Test func notANumberKeepsItsBits() throws {
        let bits: [UInt64] = [Double.nan.bitPattern, 0xFFF8_0000_0000_0001, 0x7FF0_0000_0000_0001]
        let store = try shop.open()
        let rows = bits.enumerated().map { (Int64(-$0 - 1), values(["double": .real(Double(bitPattern: $1))])) }
        try shop.save(store, insert: [shop.batch("Everything", rows)])
        store.close()
        #expect(try shop.text().contains("\"double\": \"nan\""))
        let found = try shop.rows(try shop.open(), "Everything")
        for (index, pattern) in bits.enumerated() {
            guard case .real(let number)? = found[Int64(index + 1)]?["double"] else {
                Issue.record("no number in row \(index + 1)")
                continue
            }
            #expect(number.bitPattern == pattern)
        }
    }

    @Test func valuesAreWrittenAsPeopleWriteThem() throws {
        let store = try shop.open()
        let row = values([
            "unsigned": .unsigned(.max), "double": .real(2),
            "decimal": .text(DecimalText.text(Decimal(-1234567) / 1000)),
        ])
        try shop.save(store, insert: [shop.batch("Everything", [(-1, row)])])
        #expect(
            try shop.rowLines() == [
                """
                {"$id": 1, "flag": true, "number": 3, "unsigned": "18446744073709551615", "double": 2.0, "text": "text", \
                "date": 700000000.25, "data": "AQL/", "uuid": "00010203-0405-0607-0809-0A0B0C0D0E0F", \
                "url": "https://example.com/?a=b", "decimal": "-1234.567"}
                """
            ])
    }

    @Test func decimalsAreWrittenByMovingDigits() throws {
        for text in ["0", "1", "-1", "10", "1000000", "0.5", "0.0000005", "4.99", "-12.5", "1.5e30", "1e-20", "nan"] {
            let stored = try #require(DecimalNotation.stored(text), "\(text)")
            #expect(DecimalNotation.notation(stored) == text)
        }
        #expect(DecimalNotation.stored("007.50") == DecimalNotation.stored("7.5"))
        #expect(DecimalNotation.stored("+1E2") == DecimalNotation.stored("100"))
        #expect(DecimalNotation.stored("-0.0") == "1")
        for text in ["", "-", ".", "1.2.3", "1e", "e5", "0x10", "1 2", "1e400", String(repeating: "9", count: 50)] {
            #expect(DecimalNotation.stored(text) == nil, "\(text)")
        }
    }
}
