import Coffer
import Foundation
import Testing

extension RowTests {
    @Suite("Rows: rows") struct ValueTests {
        static let values: [String: StoredValue] = [
            "flag": .integer(1), "number": .integer(.min), "small": .integer(-5), "unsigned": .unsigned(.max),
            "double": .real(-.infinity), "float": .real(1.5),
            "text": .text("a\0ß" + String(repeating: "x", count: 300)),
            "letter": .text("é"), "date": .real(1e9), "data": .blob([0, 255, 3]),
            "uuid": .blob(Array(0..<16)), "url": .text("https://example.org"),
            "decimal": .text(DecimalText.text(Decimal(string: "-4.99") ?? .nan)),
            "place": .text("{}"), "mood": .text("wild"), "names": .text("[]"),
        ]

        @Test(arguments: TestStore.rowStores) func everyKindComesBack(_ store: TestStore) throws {
            let shop = try RowWorkshop(store, Everything.self)
            var other = Self.values
            for name in ["small", "float", "letter", "url", "place"] { other[name] = .null }
            other["text"] = .text("")
            other["data"] = .blob([])
            let keys = try shop.save(insert: [shop.batch("Everything", [(-1, Self.values), (-2, other)])])
            #expect(keys == [[1, 2]])
            #expect(try shop.rows("Everything") == [1: Self.values, 2: other])
            let some = try shop.fetch(FetchPlan(entityName: "Everything", slots: [1, 6]))
            #expect(
                some.map(\.values) == [
                    ["number": .integer(.min), "text": Self.values["text"]!],
                    ["number": .integer(.min), "text": .text("")],
                ])
        }

        /// Values at the edges of what there is.
        static let edges: [(String, StoredValue)] = [
            ("flag", .integer(0)), ("number", .integer(.max)), ("number", .integer(-1)), ("small", .integer(-128)),
            ("unsigned", .unsigned(1 << 63)), ("unsigned", .integer(.max)), ("double", .real(.infinity)),
            ("double", .real(.greatestFiniteMagnitude)), ("double", .real(.leastNonzeroMagnitude)),
            ("double", .real(3)), ("double", .real(9_007_199_254_740_992)), ("float", .real(Double(Float.pi))),
            ("text", .text("\u{0}a")), ("text", .text("a\u{0}b\u{0}")), ("text", .text("👩‍👩‍👧‍👦 é ß 漢字")),
            ("text", .text("12")), ("letter", .text("🦊")), ("date", .real(-1e10)), ("date", .real(0.1)),
            ("data", .blob([0])), ("data", .blob(Array("text".utf8))), ("url", .text("https://example.com/a?b#c")),
            ("decimal", .text(DecimalText.text(Decimal(sign: .minus, exponent: -5, significand: 123)))),
            ("place", .text("{\"latitude\":1.5,\"name\":\"x\"}")),
        ]

        @Test(arguments: TestStore.rowStores) func edgesComeBackFromEveryOpening(_ store: TestStore) throws {
            let shop = try RowWorkshop(store, Everything.self)
            let rows = Self.edges.enumerated().map { (Int64(-1 - $0), Self.values.merging([$1.0: $1.1]) { $1 }) }
            let keys = try shop.save(insert: [shop.batch("Everything", rows)])[0]
            let places = [shop] + (store.withoutPlace == nil ? [try shop.reopened(as: shop.store.schema)] : [])
            for place in places {
                let found = try place.rows("Everything")
                for (key, row) in zip(keys, rows) { #expect(found[key] == row.1) }
            }
        }

        @Test(
            arguments: TestStore.rowStores,
            [
                Double.nan.bitPattern, 0x7FF8_0000_0000_BEEF, 0xFFF8_0000_0000_0001, 0x7FF0_0000_0000_0001,
                (-0.0).bitPattern, 0.0.bitPattern, (-1.0).bitPattern,
            ])
        func bitPatternsOfNumbersStay(_ store: TestStore, _ pattern: UInt64) throws {
            let shop = try RowWorkshop(store, Everything.self)
            let batch = shop.batch("Everything", [(-1, Self.values)])
            // Of a date nothing shows the sign of zero.
            let properties = pattern == (-0.0).bitPattern ? ["double", "float"] : ["double", "date", "float"]
            for property in properties {
                batch.set(RowCell(.real, bits: pattern), row: 0, slot: shop.slot("Everything", property))
            }
            try shop.save(insert: [batch])
            let found = shop.batch("Everything", [])
            try shop.store.fetchRows(FetchPlan(entityName: "Everything"), into: found)
            for property in properties {
                let cell = found.cell(row: 0, slot: shop.slot("Everything", property))
                #expect(cell.kind == .real && cell.bits == pattern)
            }
        }

        @Test(arguments: TestStore.rowStores) func largeValuesComeBack(_ store: TestStore) throws {
            let shop = try RowWorkshop(store, Everything.self)
            let bytes = (0..<5_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31 ^ $0 >> 8) }
            let text = String(repeating: "åé漢🦊", count: 200_000)
            let row = Self.values.merging(["data": .blob(bytes), "text": .text(text)]) { $1 }
            try shop.save(insert: [shop.batch("Everything", [(-1, row)])])
            #expect(try shop.rows("Everything")[1] == row)
        }

        @Test(arguments: TestStore.rowStores) func missingRequiredValuesAreNamed(_ store: TestStore) throws {
            let shop = try RowWorkshop(store, Everything.self)
            try shop.save(insert: [shop.batch("Everything", [(-1, Self.values)])])
            for value in [StoredValue.null, .integer(1)] {
                let row = Self.values.merging(["text": value]) { $1 }
                let code: SwiftDataError.Code = value.isNull ? .missingRequiredValue : .valueEncoding
                let error = expect(code) { try shop.save(insert: [shop.batch("Everything", [(-2, row)])]) }
                #expect(error?.entity == "Everything" && error?.property == "text" && error?.operation == .save)
            }
            expect(.missingRequiredValue) {
                try shop.save(update: [shop.batch("Everything", [(1, ["number": .integer(9), "text": .null])])])
            }
            #expect(try shop.rows("Everything") == [1: Self.values])
            // Nothing is left open, and the next save works.
            try shop.save(update: [shop.batch("Everything", [(1, ["number": .integer(9)])])])
            #expect(try shop.rows("Everything")[1]?["number"] == .integer(9))
        }

        @Test(arguments: TestStore.rowStores) func updatesTouchOnlyWhatTheySay(_ store: TestStore) throws {
            let shop = try RowWorkshop(store, Everything.self)
            try shop.save(insert: [shop.batch("Everything", [(-1, Self.values), (-2, Self.values)])])
            try shop.save(update: [shop.batch("Everything", [(2, ["text": .text("new"), "small": .null])])])
            var changed = Self.values
            changed["text"] = .text("new")
            changed["small"] = .null
            #expect(try shop.rows("Everything") == [1: Self.values, 2: changed])
        }

        @Test(arguments: TestStore.rowStores) func keysAreNeverUsedAgain(_ store: TestStore) throws {
            let shop = try RowWorkshop(store, Animal.self)
            func add(_ count: Int) throws -> [Int64] {
                try shop.save(insert: [
                    shop.batch("Animal", (1...count).map { (Int64(-$0), ["name": .text("\($0)")]) })
                ])[0]
            }
            #expect(try add(3) == [1, 2, 3])
            try shop.save(delete: [("Animal", [3, 1])])
            #expect(try add(1) == [4])
            try shop.save(delete: [("Animal", [2, 4, 77])])
            #expect(try add(1) == [5])
            try shop.store.erase()
            #expect(try shop.rows("Animal").isEmpty)
            #expect(try add(2) == [6, 7])
            #expect(try shop.rows("Animal").keys.sorted() == [6, 7])
        }

        @Test(arguments: TestStore.rowStores) func rowsSurviveTheClosingOfGaps(_ store: TestStore) throws {
            let shop = try RowWorkshop(store, Animal.self)
            let names = (0..<1000).map { "animal \($0) " + String(repeating: "·", count: $0 % 7) }
            try shop.save(insert: [
                shop.batch("Animal", names.enumerated().map { (Int64(-1 - $0), ["name": .text($1)]) })
            ])
            var expected = Dictionary(uniqueKeysWithValues: names.enumerated().map { (Int64($0 + 1), $1) })
            var generator = SystemRandomNumberGenerator()
            for round in 0..<30 {
                let keys = expected.keys.shuffled(using: &generator)
                let dead = Array(keys.prefix(keys.count / 9))
                let changed = Array(keys.suffix(20))
                for key in dead { expected[key] = nil }
                for key in changed { expected[key] = "changed \(round)" }
                try shop.save(
                    update: [shop.batch("Animal", changed.map { ($0, ["name": .text("changed \(round)")]) })],
                    delete: [("Animal", dead)])
                #expect(try shop.rows("Animal").mapValues { $0["name"] } == expected.mapValues { .text($0) })
                let wanted = Array(expected.keys.sorted().dropFirst(5).prefix(40))
                let page = try shop.fetch(FetchPlan(entityName: "Animal", limit: 40, offset: 5))
                #expect(page.map(\.key) == wanted)
            }
        }

        @Test(arguments: TestStore.rowStores) func scopesOffsetsAndLimits(_ store: TestStore) throws {
            let shop = try RowWorkshop(store, Animal.self)
            try shop.save(insert: [shop.batch("Animal", (1...9).map { (Int64(-$0), ["name": .text("\($0)")]) })])
            func keys(_ scope: FetchScope, limit: Int? = nil, offset: Int = 0) throws -> [Int64] {
                try shop.fetch(FetchPlan(entityName: "Animal", scope: scope, limit: limit, offset: offset)).map(\.key)
            }
            #expect(try keys(.all) == Array(1...9))
            #expect(try keys(.all, limit: 3, offset: 7) == [8, 9])
            #expect(try keys(.all, limit: 0) == [])
            #expect(try keys(.all, offset: 20) == [])
            #expect(try keys(.keys([5, 2, 99, 5, -3])) == [2, 5])
            #expect(try keys(.keys([7, 3, 1]), limit: 1, offset: 1) == [3])
            #expect(try keys(.keys([4])) == [4])
            #expect(try keys(.keys([4]), offset: 1) == [])
            #expect(try keys(.keys([])) == [])
        }

        @Test(arguments: TestStore.rowStores) func whatTheSchemaLacksIsRefused(_ store: TestStore) throws {
            let shop = try RowWorkshop(store, Animal.self)
            expect(.unknownModelType) { _ = try shop.store.countRows(FetchPlan(entityName: "Ghost")) }
            expect(.unknownModelType) { try shop.save(delete: [("Ghost", [1])]) }
            let wrong = RowBatch(entityName: "Animal", width: 5, storeIdentifier: shop.store.identifier)
            expect(.storeFailure) { try shop.store.fetchRows(FetchPlan(entityName: "Animal"), into: wrong) }
            expect(.storeFailure) { try shop.save(insert: [wrong]) }
        }
    }
}
