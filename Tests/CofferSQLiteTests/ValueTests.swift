import CofferCore
import Foundation
import Testing

@testable import CofferSQLite

/// Every kind of value comes back as it went in, bit by bit.
@Suite struct ValueTests {
    /// A row whose values can be stored, to change some of.
    static let base: [String: StoredValue] = [
        "flag": .integer(1), "number": .integer(0), "small": .null, "unsigned": .integer(0), "double": .real(0),
        "float": .null, "text": .text(""), "letter": .null, "date": .real(0), "data": .blob([]),
        "uuid": .blob(Array(repeating: 7, count: 16)), "url": .null, "decimal": .text("1"), "note": .null,
        "place": .null, "mood": .text("calm"),
    ]

    static let values: [(String, StoredValue)] = [
        ("flag", .integer(0)), ("number", .integer(.min)), ("number", .integer(.max)), ("number", .integer(-1)),
        ("small", .integer(-128)), ("unsigned", .unsigned(.max)), ("unsigned", .unsigned(1 << 63)),
        ("unsigned", .integer(.max)), ("double", .real(.infinity)), ("double", .real(-.infinity)),
        ("double", .real(.greatestFiniteMagnitude)), ("double", .real(.leastNonzeroMagnitude)), ("double", .real(3)),
        ("double", .real(9_007_199_254_740_992)), ("float", .real(Double(Float.pi))), ("text", .text("\u{0}a")),
        ("text", .text("a\u{0}b\u{0}")), ("text", .text("👩‍👩‍👧‍👦 é ß 漢字")), ("text", .text("12")), ("text", .text("")),
        ("letter", .text("🦊")), ("date", .real(-1e10)), ("date", .real(0.1)), ("data", .blob([0])),
        ("data", .blob(Array("text".utf8))), ("data", .blob(Array(repeating: 200, count: 8))),
        ("url", .text("https://example.com/a?b#c")),
        ("decimal", .text(DecimalText.text(Decimal(sign: .minus, exponent: -5, significand: 123)))),
        ("note", .text("")), ("place", .text("{\"latitude\":1.5,\"name\":\"x\"}")), ("mood", .text("wild")),
    ]

    @Test func everyKindComesBack() throws {
        let shop = try Workshop(Everything.self)
        let rows = Self.values.enumerated().map { index, value in
            (Int64(-1 - index), Self.base.merging([value.0: value.1]) { $1 })
        }
        let store = try shop.open()
        let keys = try shop.save(store, insert: [shop.batch("Everything", rows)])[0]
        #expect(keys == (1...Int64(rows.count)).map { $0 })
        for reopened in [store, try shop.open(), try shop.open(allowsSave: false)] {
            let found = try shop.rows(reopened, "Everything")
            for (index, row) in rows.enumerated() { #expect(found[keys[index]] == row.1) }
        }
        try shop.expectSound()
    }

    @Test(arguments: [
        Double.nan.bitPattern, 0x7FF8_0000_0000_BEEF, 0xFFF8_0000_0000_0001, 0x7FF0_0000_0000_0001,
        (-0.0).bitPattern, 0.0.bitPattern, (-1.0).bitPattern,
    ])
    func bitPatternsOfNumbersStay(_ pattern: UInt64) throws {
        let shop = try Workshop(Everything.self)
        let batch = shop.batch("Everything", [(-1, Self.base)])
        // Of a date nothing shows the sign of zero.
        let properties = pattern == (-0.0).bitPattern ? ["double", "float"] : ["double", "date", "float"]
        for property in properties {
            batch.set(RowCell(.real, bits: pattern), row: 0, slot: shop.slot("Everything", property))
        }
        let store = try shop.open()
        try shop.save(store, insert: [batch])
        let found = shop.batch("Everything", [], store: store)
        try store.fetchRows(FetchPlan(entityName: "Everything"), into: found)
        for property in properties {
            let cell = found.cell(row: 0, slot: shop.slot("Everything", property))
            #expect(cell.kind == .real)
            #expect(cell.bits == pattern)
        }
    }

    @Test func largeValuesComeBack() throws {
        let shop = try Workshop(Everything.self)
        let bytes = (0..<5_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31 ^ $0 >> 8) }
        let text = String(repeating: "åé漢🦊", count: 200_000)
        let store = try shop.open()
        let row = Self.base.merging(["data": .blob(bytes), "text": .text(text)]) { $1 }
        try shop.save(store, insert: [shop.batch("Everything", [(-1, row)])])
        #expect(try shop.rows(store, "Everything")[1] == row)
        try shop.expectSound()
    }

    @Test func onlyWantedSlotsAreRead() throws {
        let shop = try Workshop(Everything.self)
        let store = try shop.open()
        try shop.save(store, insert: [shop.batch("Everything", [(-1, Self.base)])])
        let slots = [shop.slot("Everything", "text"), shop.slot("Everything", "number")]
        for scope in [FetchScope.all, .keys([1])] {
            #expect(
                try shop.rows(store, "Everything", scope: scope, slots: slots)[1]
                    == ["text": .text(""), "number": .integer(0)])
            #expect(try shop.rows(store, "Everything", scope: scope, slots: [])[1] == [:])
        }
    }

    @Test func valuesReadInTheShell() throws {
        let shop = try Workshop(Everything.self)
        let store = try shop.open()
        let row = Self.base.merging(["text": .text("it's"), "double": .real(2.5), "number": .integer(42)]) { $1 }
        try shop.save(store, insert: [shop.batch("Everything", [(-1, row)])])
        #expect(
            try shop.sql("SELECT _pk, text, double, number, typeof(note), mood FROM Everything")
                == ["1|it's|2.5|42|null|calm"])
    }

    @Test func missingRequiredValuesAreNamed() throws {
        let shop = try Workshop(Everything.self)
        let store = try shop.open()
        try shop.save(store, insert: [shop.batch("Everything", [(-1, Self.base)])])
        for value in [StoredValue.null, .integer(1)] {
            let row = Self.base.merging(["text": value]) { $1 }
            let code: SwiftDataError.Code = value.isNull ? .missingRequiredValue : .valueEncoding
            let error = expect(code) { try shop.save(store, insert: [shop.batch("Everything", [(-2, row)])]) }
            #expect(error?.entity == "Everything")
            #expect(error?.property == "text")
            #expect(error?.store == "test")
            #expect(error?.operation == .save)
            #expect(try shop.rows(store, "Everything").count == 1)
        }
        expect(.missingRequiredValue) {
            try shop.save(store, update: [shop.batch("Everything", [(1, ["number": .integer(9), "text": .null])])])
        }
        #expect(try shop.rows(store, "Everything")[1] == Self.base)
        // Nothing is left open, and the next save works.
        try shop.save(store, update: [shop.batch("Everything", [(1, ["number": .integer(9)])])])
        #expect(try shop.rows(store, "Everything")[1]?["number"] == .integer(9))
    }
}
