import Coffer
import Foundation
import Testing

extension RowTests {
    @Model final class Member {
        @Attribute(.unique) var code: Int
        var name: String
        var chief: Member?

        init(code: Int, name: String) {
            self.code = code
            self.name = name
        }
    }

    /// New rows with unique values that are there already, and changed ones, step by step.
    @Suite("Rows: upserts") struct UpsertTests {
        typealias Entry = (key: Int64, code: Int64, name: String)

        func members(_ shop: RowWorkshop, _ rows: Entry...) -> RowBatch {
            shop.batch(
                "Member", rows.map { ($0.key, ["code": .integer($0.code), "name": .text($0.name), "chief": .null]) })
        }

        func code(_ shop: RowWorkshop, _ rows: (Int64, Int64)...) -> RowBatch {
            shop.batch("Member", rows.map { ($0.0, ["code": .integer($0.1)]) })
        }

        /// Key, code and name of each row.
        func table(_ shop: RowWorkshop) throws -> [String] {
            try shop.fetch(FetchPlan(entityName: "Member")).map { row in
                guard case .integer(let code)? = row.values["code"], case .text(let name)? = row.values["name"] else {
                    return "\(row.key)"
                }
                return "\(row.key)|\(code)|\(name)"
            }
        }

        @Test(arguments: TestStore.rowStores) func rowsOfSeveralBatchesOfOneSaveCollide(_ store: TestStore) throws {
            let shop = try RowWorkshop(store, Member.self)
            let keys = try shop.save(insert: [
                members(shop, (-1, 7, "a"), (-2, 7, "b")), members(shop, (-3, 8, "c"), (-4, 7, "d")),
            ])
            #expect(keys[0] == [1, 1] && keys[1][1] == 1)
            #expect(try table(shop) == ["1|7|d", "\(keys[1][0])|8|c"])
        }

        @Test(arguments: TestStore.rowStores) func othersReferToTheRowThatWasThere(_ store: TestStore) throws {
            let shop = try RowWorkshop(store, Member.self)
            try shop.save(insert: [members(shop, (-1, 7, "a"))])
            let batch = members(shop, (-5, 7, "new"), (-6, 8, "b"))
            batch.set(shop.link(-5, "Member"), row: 1, slot: shop.slot("Member", "chief"))
            let keys = try shop.save(insert: [batch])[0]
            #expect(keys[0] == 1)
            #expect(try shop.rows("Member")[keys[1]]?["chief"] == shop.link(1, "Member"))
        }

        @Test(arguments: TestStore.rowStores) func aDeletedRowIsNotInTheWay(_ store: TestStore) throws {
            let shop = try RowWorkshop(store, Member.self)
            try shop.save(insert: [members(shop, (-1, 7, "a"))])
            #expect(try shop.save(insert: [members(shop, (-1, 7, "b"))], delete: [("Member", [1])]) == [[2]])
            #expect(try table(shop) == ["2|7|b"])
        }

        @Test(arguments: TestStore.rowStores) func anUpdatedRowGivesItsValueUpFirst(_ store: TestStore) throws {
            let shop = try RowWorkshop(store, Member.self)
            try shop.save(insert: [members(shop, (-1, 7, "a"))])
            #expect(try shop.save(insert: [members(shop, (-1, 7, "b"))], update: [code(shop, (1, 8))]) == [[2]])
            #expect(try table(shop) == ["1|8|a", "2|7|b"])
        }

        @Test(arguments: TestStore.rowStores) func anInsertGoesOntoTheRowThatTakesTheValue(_ store: TestStore) throws {
            let shop = try RowWorkshop(store, Member.self)
            try shop.save(insert: [members(shop, (-1, 7, "a"))])
            #expect(try shop.save(insert: [members(shop, (-1, 8, "b"))], update: [code(shop, (1, 8))]) == [[1]])
            #expect(try table(shop) == ["1|8|b"])
        }

        @Test(arguments: TestStore.rowStores) func valuesCanBeSwapped(_ store: TestStore) throws {
            let shop = try RowWorkshop(store, Member.self)
            try shop.save(insert: [members(shop, (-1, 1, "a"), (-2, 2, "b"), (-3, 3, "c"), (-4, 4, "d"))])
            try shop.save(update: [code(shop, (1, 2), (2, 3), (3, 1), (4, 5))])
            #expect(try table(shop) == ["1|2|a", "2|3|b", "3|1|c", "4|5|d"])
            // In a row each waits for the next.
            try shop.save(update: [code(shop, (3, 2), (1, 3), (2, 9))])
            #expect(try table(shop) == ["1|3|a", "2|9|b", "3|2|c", "4|5|d"])
        }

        @Test(arguments: TestStore.rowStores) func conflictsOfUpdatesAreErrors(_ store: TestStore) throws {
            let shop = try RowWorkshop(store, Member.self)
            try shop.save(insert: [members(shop, (-1, 1, "a"), (-2, 2, "b"), (-3, 3, "c"))])
            for update in [
                code(shop, (1, 2)), code(shop, (1, 9), (2, 9)), code(shop, (1, 3), (2, 3)),
            ] {
                let error = expect(.uniquenessConflict) { try shop.save(update: [update]) }
                #expect(error?.entity == "Member" && error?.property == "code")
                #expect(try table(shop) == ["1|1|a", "2|2|b", "3|3|c"])
            }
            expect(.modelNotFound) { try shop.save(update: [shop.batch("Member", [(44, ["name": .text("x")])])]) }
            try shop.save(update: [code(shop, (1, 10))])
            #expect(try table(shop)[0] == "1|10|a")
        }

        @Test(arguments: TestStore.rowStores) func severalPropertiesAreUniqueTogether(_ store: TestStore) throws {
            let shop = try RowWorkshop(store, Guide.self)
            func guides(_ rows: (Int64, String?, Int64)...) -> RowBatch {
                shop.batch(
                    "Guide",
                    rows.map {
                        ($0.0, ["first": .text("A"), "last": $0.1.map { .text($0) } ?? .null, "age": .integer($0.2)])
                    })
            }
            let keys = try shop.save(insert: [
                guides((-1, "B", 1), (-2, "C", 2), (-3, nil, 3), (-4, nil, 4), (-5, "B", 5))
            ])
            #expect(keys == [[1, 2, 3, 4, 1]])
            let more = try shop.save(insert: [guides((-1, "C", 6), (-2, nil, 7))])[0]
            #expect(more[0] == 2 && more[1] > 4)
            #expect(
                try shop.fetch(FetchPlan(entityName: "Guide")).map(\.values["age"])
                    == [5, 6, 3, 4, 7].map { .integer($0) })
        }

        @Test(arguments: TestStore.rowStores) func threeRowsThatCannotBeOneAreAConflict(_ store: TestStore) throws {
            let shop = try RowWorkshop(store, Twice.self)
            func rows(_ values: (Int64, Int64, Int64)...) -> RowBatch {
                shop.batch("Twice", values.map { ($0.0, ["a": .integer($0.1), "b": .integer($0.2)]) })
            }
            expect(.uniquenessConflict) { try shop.save(insert: [rows((-1, 5, 6), (-2, 7, 8), (-3, 5, 8))]) }
            #expect(try shop.rows("Twice").isEmpty)
        }

        @Test(arguments: TestStore.rowStores) func failedSavesGiveTheirKeysBack(_ store: TestStore) throws {
            let shop = try RowWorkshop(store, Member.self)
            #expect(try shop.save(insert: [members(shop, (-1, 1, "a"))]) == [[1]])
            for _ in 0..<3 {
                expect(.modelNotFound) {
                    try shop.save(
                        insert: [members(shop, (-1, 2, "b"))],
                        update: [shop.batch("Member", [(99, ["name": .text("")])])])
                }
            }
            #expect(try shop.save(insert: [members(shop, (-1, 2, "b"))]) == [[2]])
        }
    }
}
