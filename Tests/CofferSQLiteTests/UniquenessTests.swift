import CofferCore
import Foundation
import Testing

@testable import CofferSQLite

/// New rows with unique values that are there already, and changed ones.
@Suite struct UniquenessTests {
    let shop: Workshop
    let store: SQLiteStore

    init() throws {
        shop = try Workshop(Member.self, Person.self, Trip.self)
        store = try shop.open()
    }

    func members(_ rows: (Int64, Int64, String)...) -> RowBatch {
        shop.batch("Member", rows.map { ($0.0, ["code": .integer($0.1), "name": .text($0.2), "chief": .null]) })
    }

    func table() throws -> [String] { try shop.sql("SELECT _pk, code, name FROM Member ORDER BY _pk") }

    @Test func aCollidingInsertBecomesAnUpdate() throws {
        #expect(try shop.save(store, insert: [members((-1, 7, "a"), (-2, 8, "b"))]) == [[1, 2]])
        #expect(try shop.save(store, insert: [members((-1, 9, "c"), (-2, 8, "d"))]) == [[3, 2]])
        #expect(try table() == ["1|7|a", "2|8|d", "3|9|c"])
        try shop.expectSound()
    }

    @Test func rowsOfOneSaveCollideToo() throws {
        let keys = try shop.save(
            store, insert: [members((-1, 7, "a"), (-2, 7, "b")), members((-3, 8, "c"), (-4, 7, "d"))])
        #expect(keys == [[1, 1], [2, 1]])
        #expect(try table() == ["1|7|d", "2|8|c"])
    }

    @Test func othersReferToTheRowThatWasThere() throws {
        try shop.save(store, insert: [members((-1, 7, "a"))])
        let batch = members((-5, 7, "new"), (-6, 8, "b"))
        batch.set(
            .reference(PersistentIdentifier(_space: .shared(entityName: "Member", storeIdentifier: nil), key: -5)),
            row: 1, slot: shop.slot("Member", "chief"))
        let keys = try shop.save(store, insert: [batch])[0]
        #expect(keys == [1, 2])
        #expect(try shop.sql("SELECT chief FROM Member WHERE _pk = 2") == ["1"])
    }

    @Test func aDeletedRowIsNotInTheWay() throws {
        try shop.save(store, insert: [members((-1, 7, "a"))])
        #expect(try shop.save(store, insert: [members((-1, 7, "b"))], delete: [("Member", [1])]) == [[2]])
        #expect(try table() == ["2|7|b"])
    }

    @Test func anUpdatedRowGivesItsValueUpFirst() throws {
        try shop.save(store, insert: [members((-1, 7, "a"))])
        let update = shop.batch("Member", [(1, ["code": .integer(8)])])
        #expect(try shop.save(store, insert: [members((-1, 7, "b"))], update: [update]) == [[2]])
        #expect(try table() == ["1|8|a", "2|7|b"])
    }

    @Test func anInsertGoesOntoTheRowThatTakesTheValue() throws {
        try shop.save(store, insert: [members((-1, 7, "a"))])
        let update = shop.batch("Member", [(1, ["code": .integer(8)])])
        #expect(try shop.save(store, insert: [members((-1, 8, "b"))], update: [update]) == [[1]])
        #expect(try table() == ["1|8|b"])
    }

    @Test func valuesCanBeSwapped() throws {
        try shop.save(store, insert: [members((-1, 1, "a"), (-2, 2, "b"), (-3, 3, "c"), (-4, 4, "d"))])
        try shop.save(
            store,
            update: [
                shop.batch(
                    "Member",
                    [
                        (1, ["code": .integer(2)]), (2, ["code": .integer(3)]), (3, ["code": .integer(1)]),
                        (4, ["code": .integer(5)]),
                    ])
            ])
        #expect(try table() == ["1|2|a", "2|3|b", "3|1|c", "4|5|d"])
        // In a row each waits for the next.
        try shop.save(
            store,
            update: [
                shop.batch(
                    "Member", [(3, ["code": .integer(2)]), (1, ["code": .integer(3)]), (2, ["code": .integer(9)])])
            ])
        #expect(try table() == ["1|3|a", "2|9|b", "3|2|c", "4|5|d"])
        try shop.expectSound()
    }

    @Test func conflictsOfUpdatesAreErrors() throws {
        try shop.save(store, insert: [members((-1, 1, "a"), (-2, 2, "b"), (-3, 3, "c"))])
        for rows in [
            [(Int64(1), ["code": StoredValue.integer(2)])],
            [(1, ["code": .integer(9)]), (2, ["code": .integer(9)])],
            [(1, ["code": .integer(3)]), (2, ["code": .integer(3)])],
        ] {
            let error = expect(.uniquenessConflict) { try shop.save(store, update: [shop.batch("Member", rows)]) }
            #expect(error?.entity == "Member")
            #expect(error?.property == "code")
            #expect(try table() == ["1|1|a", "2|2|b", "3|3|c"])
        }
        expect(.modelNotFound) { try shop.save(store, update: [shop.batch("Member", [(44, ["name": .text("x")])])]) }
        try shop.save(store, update: [shop.batch("Member", [(1, ["code": .integer(10)])])])
        #expect(try table()[0] == "1|10|a")
    }

    @Test func severalPropertiesAreUniqueTogether() throws {
        func people(_ rows: (Int64, String, String?, Int64)...) -> RowBatch {
            shop.batch(
                "Person",
                rows.map {
                    ($0.0, ["first": .text($0.1), "last": $0.2.map { .text($0) } ?? .null, "age": .integer($0.3)])
                })
        }
        let keys = try shop.save(
            store,
            insert: [
                people((-1, "A", "B", 1), (-2, "A", "C", 2), (-3, "A", nil, 3), (-4, "A", nil, 4), (-5, "A", "B", 5))
            ])
        #expect(keys == [[1, 2, 3, 4, 1]])
        #expect(try shop.save(store, insert: [people((-1, "A", "C", 6), (-2, "A", nil, 7))]) == [[2, 5]])
        #expect(try shop.sql("SELECT age FROM Person ORDER BY _pk") == ["5", "6", "3", "4", "7"])
    }

    @Test func listsOfARowThatIsReplacedGrow() throws {
        func list(_ keys: [Int64]) -> StoredValue {
            let space = _IdentifierSpace.shared(entityName: "Trip", storeIdentifier: nil)
            return .references(keys.map { PersistentIdentifier(_space: space, key: $0) })
        }
        let trips = shop.batch("Trip", [(-1, ["name": .text("a")]), (-2, ["name": .text("b")])])
        try shop.save(store, insert: [trips, shop.batch("Tag", [(-3, ["label": .text("x"), "trips": list([-1])])])])
        let keys = try shop.save(store, insert: [shop.batch("Tag", [(-3, ["label": .text("x"), "trips": list([2])])])])
        #expect(keys == [[1]])
        #expect(try shop.related(store, "Tag", "trips", "Trip", [1]) == [1: [1, 2]])
        try shop.expectSound()
    }

    @Test func aRowThatMatchesTwoIsAConflict() throws {
        let shop = try Workshop(Twice.self)
        let store = try shop.open()
        func rows(_ values: (Int64, Int64, Int64)...) -> RowBatch {
            shop.batch("Twice", values.map { ($0.0, ["a": .integer($0.1), "b": .integer($0.2)]) })
        }
        try shop.save(store, insert: [rows((-1, 1, 1), (-2, 2, 2))])
        expect(.uniquenessConflict) { try shop.save(store, insert: [rows((-1, 1, 2))]) }
        expect(.uniquenessConflict) { try shop.save(store, insert: [rows((-1, 5, 6), (-2, 7, 8), (-3, 5, 8))]) }
        #expect(try shop.save(store, insert: [rows((-1, 1, 3), (-2, 4, 4))]) == [[1, 3]])
    }

    @Test func failedSavesGiveTheirKeysBack() throws {
        #expect(try shop.save(store, insert: [members((-1, 1, "a"))]) == [[1]])
        for _ in 0..<3 {
            expect(.modelNotFound) {
                try shop.save(
                    store, insert: [members((-1, 2, "b"))],
                    update: [shop.batch("Member", [(99, ["name": .text("")])])])
            }
        }
        #expect(try shop.save(store, insert: [members((-1, 2, "b"))]) == [[2]])
    }
}

@Model final class Twice {
    #Unique<Twice>([\.a], [\.b])
    var a: Int
    var b: Int

    init(a: Int, b: Int) {
        self.a = a
        self.b = b
    }
}
