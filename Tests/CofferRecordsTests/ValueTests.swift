import CofferCore
import Foundation
import Testing

@testable import CofferRecords

@Suite("Records: rows") struct ValueTests {
    static let values: [String: StoredValue] = [
        "flag": .integer(1), "number": .integer(.min), "small": .integer(-5), "unsigned": .unsigned(.max),
        "double": .real(-.infinity), "float": .real(1.5), "text": .text("a\0ß" + String(repeating: "x", count: 300)),
        "letter": .text("é"), "date": .real(1e9), "data": .blob([0, 255, 3]),
        "uuid": .blob(Array(0..<16)), "url": .text("https://example.org"), "decimal": .text("p1"),
        "place": .text("{}"), "mood": .text("wild"), "names": .text("[]"),
    ]

    @Test(arguments: TestEngine.allCases) func everyKindComesBack(_ engine: TestEngine) throws {
        let shop = try Workshop(engine, Everything.self)
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

    @Test(arguments: TestEngine.allCases) func notANumberIsKept(_ engine: TestEngine) throws {
        let shop = try Workshop(engine, Everything.self)
        var row = Self.values
        row["double"] = .real(Double(bitPattern: 0x7FF8_0000_0000_0042))
        try shop.save(insert: [shop.batch("Everything", [(-1, row)])])
        guard case .real(let number)? = try shop.rows("Everything")[1]?["double"] else {
            Issue.record("no number")
            return
        }
        #expect(number.bitPattern == 0x7FF8_0000_0000_0042)
    }

    @Test(arguments: TestEngine.allCases) func updatesTouchOnlyWhatTheySay(_ engine: TestEngine) throws {
        let shop = try Workshop(engine, Everything.self)
        try shop.save(insert: [shop.batch("Everything", [(-1, Self.values), (-2, Self.values)])])
        try shop.save(update: [shop.batch("Everything", [(2, ["text": .text("new"), "small": .null])])])
        var changed = Self.values
        changed["text"] = .text("new")
        changed["small"] = .null
        #expect(try shop.rows("Everything") == [1: Self.values, 2: changed])
    }

    @Test(arguments: TestEngine.allCases) func keysAreNeverUsedAgain(_ engine: TestEngine) throws {
        let shop = try Workshop(engine, Animal.self)
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

    @Test(arguments: TestEngine.allCases) func rowsSurviveTheClosingOfGaps(_ engine: TestEngine) throws {
        let shop = try Workshop(engine, Animal.self)
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

    @Test(arguments: TestEngine.allCases) func scopesOffsetsAndLimits(_ engine: TestEngine) throws {
        let shop = try Workshop(engine, Animal.self)
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

    @Test(arguments: TestEngine.allCases) func whatTheSchemaLacksIsRefused(_ engine: TestEngine) throws {
        let shop = try Workshop(engine, Animal.self)
        expect(.unknownModelType) { _ = try shop.store.countRows(FetchPlan(entityName: "Ghost")) }
        expect(.unknownModelType) { try shop.save(delete: [("Ghost", [1])]) }
        let wrong = RowBatch(entityName: "Animal", width: 5, storeIdentifier: shop.store.identifier)
        expect(.storeFailure) { try shop.store.fetchRows(FetchPlan(entityName: "Animal"), into: wrong) }
        expect(.storeFailure) { try shop.save(insert: [wrong]) }
    }
}
