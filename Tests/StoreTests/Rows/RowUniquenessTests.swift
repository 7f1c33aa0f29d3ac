import Coffer
import Foundation
import Testing

extension RowTests {
    @Suite("Rows: uniqueness") struct UniquenessTests {
        func tags(_ shop: RowWorkshop, _ labels: [(Int64, String)]) -> RowBatch {
            shop.batch("Tag", labels.map { ($0, ["label": .text($1)]) })
        }

        @Test(arguments: TestStore.rowStores) func aNewRowGoesOntoTheStoredOne(_ store: TestStore) throws {
            let shop = try RowWorkshop(store, Trip.self, Tag.self)
            #expect(try shop.save(insert: [tags(shop, [(-1, "a"), (-2, "b")])]) == [[1, 2]])
            let keys = try shop.save(insert: [tags(shop, [(-1, "c"), (-2, "a")])])[0]
            #expect(keys[1] == 1)
            #expect(keys[0] > 2)
            #expect(
                try shop.rows("Tag").mapValues { $0["label"] } == [1: .text("a"), 2: .text("b"), keys[0]: .text("c")])
        }

        @Test(arguments: TestStore.rowStores) func theStoredRowTakesTheNewValues(_ store: TestStore) throws {
            let shop = try RowWorkshop(store, Guide.self)
            func guide(_ key: Int64, _ first: String, _ last: StoredValue, _ age: Int64) -> RowBatch {
                shop.batch("Guide", [(key, ["first": .text(first), "last": last, "age": .integer(age)])])
            }
            try shop.save(insert: [guide(-1, "Ada", .text("L"), 1)])
            #expect(try shop.save(insert: [guide(-1, "Ada", .text("L"), 2)]) == [[1]])
            #expect(try shop.rows("Guide")[1]?["age"] == .integer(2))
            // Nothing is the same as no value.
            try shop.save(insert: [guide(-1, "Bob", .null, 1)])
            try shop.save(insert: [guide(-1, "Bob", .null, 2)])
            #expect(try shop.rows("Guide").count == 3)
        }

        @Test(arguments: TestStore.rowStores) func withinOneSaveToo(_ store: TestStore) throws {
            let shop = try RowWorkshop(store, Trip.self, Tag.self)
            let trip = shop.batch("Trip", [(-9, ["name": .text("t"), "tags": shop.list([-3, -1], "Tag")])])
            let keys = try shop.save(insert: [tags(shop, [(-1, "a"), (-2, "b"), (-3, "a")]), trip])
            #expect(keys[0][2] == keys[0][0])
            #expect(try shop.rows("Tag").count == 2)
            #expect(try shop.related("Trip", "tags", keys[1]) == [keys[1][0]: [keys[0][0]]])
        }

        @Test(arguments: TestStore.rowStores) func linksToANewRowFollowIt(_ store: TestStore) throws {
            let shop = try RowWorkshop(store, Trip.self, Guide.self)
            func guide(_ key: Int64) -> RowBatch {
                shop.batch("Guide", [(key, ["first": .text("Ada"), "last": .text("L"), "age": .integer(1)])])
            }
            try shop.save(insert: [guide(-1)])
            let trips = shop.batch("Trip", [(-2, ["name": .text("t"), "guide": shop.link(-3, "Guide")])])
            try shop.save(insert: [trips, guide(-3)])
            #expect(try shop.rows("Trip")[1]?["guide"] == shop.link(1, "Guide"))
            try shop.save(delete: [("Guide", [1])])
            #expect(try shop.rows("Trip")[1]?["guide"] == .null)
        }

        @Test(arguments: TestStore.rowStores) func listsOfBothRowsAreJoined(_ store: TestStore) throws {
            let shop = try RowWorkshop(store, Trip.self, Tag.self)
            try shop.save(insert: [
                shop.batch(
                    "Trip",
                    [
                        (-1, ["name": .text("1"), "tags": shop.list([-3], "Tag")]), (-2, ["name": .text("2")]),
                    ]),
                tags(shop, [(-3, "a")]),
            ])
            let again = shop.batch("Tag", [(-1, ["label": .text("a"), "trips": shop.list([2], "Trip")])])
            #expect(try shop.save(insert: [again]) == [[1]])
            #expect(try shop.related("Tag", "trips", [1]) == [1: [1, 2]])
        }

        @Test(arguments: TestStore.rowStores) func changedRowsMayNotCollide(_ store: TestStore) throws {
            let shop = try RowWorkshop(store, Trip.self, Tag.self)
            try shop.save(insert: [tags(shop, [(-1, "a"), (-2, "b")])])
            let before = try shop.dump()
            let error = expect(.uniquenessConflict) { try shop.save(update: [tags(shop, [(2, "a")])]) }
            #expect(error?.entity == "Tag")
            #expect(error?.property == "label")
            #expect(try shop.dump() == before)
            // They may take what others give up, in a circle as well.
            try shop.save(update: [tags(shop, [(1, "b"), (2, "a")])])
            try shop.save(insert: [tags(shop, [(-1, "b")])], update: [tags(shop, [(1, "c")])])
            try shop.save(insert: [tags(shop, [(-1, "a")])], delete: [("Tag", [2])])
            #expect(Set(try shop.rows("Tag").values.map { $0["label"] }) == [.text("a"), .text("b"), .text("c")])
            #expect(try shop.rows("Tag").count == 3)
            #expect(try shop.rows("Tag")[1]?["label"] == .text("c"))
        }

        @Test(arguments: TestStore.rowStores) func aRowCannotGoOntoTwo(_ store: TestStore) throws {
            let shop = try RowWorkshop(store, Twice.self)
            func row(_ key: Int64, _ a: Int64, _ b: Int64) -> RowBatch {
                shop.batch("Twice", [(key, ["a": .integer(a), "b": .integer(b)])])
            }
            try shop.save(insert: [row(-1, 1, 1)])
            try shop.save(insert: [row(-1, 2, 2)])
            let before = try shop.dump()
            expect(.uniquenessConflict) { try shop.save(insert: [row(-1, 1, 2)]) }
            #expect(try shop.dump() == before)
            #expect(try shop.save(insert: [row(-1, 2, 9)]) == [[2]])
            #expect(try shop.save(insert: [row(-1, 8, 2)])[0] != [2])
        }

        @Test(arguments: TestStore.rowStores) func linksTakePartInConstraints(_ store: TestStore) throws {
            let shop = try RowWorkshop(store, Folder.self)
            func tree(_ size: Int64) -> RowBatch {
                // Children come before their parents on purpose.
                shop.batch(
                    "Folder",
                    [
                        (-1, ["name": .text("c"), "size": .integer(size), "parent": shop.link(-2, "Folder")]),
                        (-2, ["name": .text("b"), "size": .integer(size), "parent": shop.link(-3, "Folder")]),
                        (-3, ["name": .text("a"), "size": .integer(size), "parent": shop.link(1, "Folder")]),
                    ])
            }
            try shop.save(insert: [shop.batch("Folder", [(-1, ["name": .text("root"), "size": .integer(0)])])])
            let first = try shop.save(insert: [tree(1)])
            #expect(try shop.save(insert: [tree(2)]) == first)
            #expect(try shop.rows("Folder").count == 4)
            #expect(try shop.rows("Folder").values.filter { $0["size"] == .integer(2) }.count == 3)
            #expect(try shop.related("Folder", "children", first[0] + [1]).count == 3)
            // The same name elsewhere is another folder.
            let other = shop.batch(
                "Folder",
                [
                    (-1, ["name": .text("c"), "size": .integer(3), "parent": shop.link(first[0][0], "Folder")])
                ])
            try shop.save(insert: [other])
            #expect(try shop.rows("Folder").count == 5)
            expect(.uniquenessConflict) {
                let moved = shop.batch("Folder", [(first[0][0], ["parent": shop.link(first[0][0], "Folder")])])
                try shop.save(update: [moved])
            }
        }

        @Test(arguments: TestStore.rowStores) func uniquenessSurvivesTheClosingOfGaps(_ store: TestStore) throws {
            let shop = try RowWorkshop(store, Trip.self, Tag.self)
            let labels = (0..<500).map { (Int64(-1 - $0), "tag \($0)") }
            try shop.save(insert: [tags(shop, labels)])
            try shop.save(delete: [("Tag", Array(1...400))])
            #expect(try shop.save(insert: [tags(shop, Array(labels[400...].reversed()))])[0] == (401...500).reversed())
            #expect(try shop.save(insert: [tags(shop, Array(labels[..<400]))])[0].allSatisfy { $0 > 500 })
            #expect(try shop.rows("Tag").count == 500)
        }
    }

    @Model final class Twice {
        @Attribute(.unique) var a: Int
        @Attribute(.unique) var b: Int

        init(a: Int, b: Int) {
            self.a = a
            self.b = b
        }
    }
}
