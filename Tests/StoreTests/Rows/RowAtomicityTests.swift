import Coffer
import Foundation
import Testing

extension RowTests {
    @Suite("Rows: all or nothing") struct AtomicityTests {
        /// A save that does a lot before it fails.
        @Test(
            arguments: TestStore.rowStores,
            [
                "required", "kind", "unknown row", "unknown link", "unknown list", "conflict", "two rows",
                "unknown model",
            ])
        func errorsLeaveTheStoreAsItWas(_ store: TestStore, _ reason: String) throws {
            let shop = try RowWorkshop(store, Trip.self, Tag.self, Guide.self, Animal.self, Twice.self)
            try shop.save(insert: [
                shop.batch(
                    "Trip",
                    (1...20).map {
                        (Int64(-$0), ["name": .text("\($0)"), "guide": shop.link(-1, "Guide")])
                    }),
                shop.batch(
                    "Stop",
                    (1...60).map {
                        (Int64(-$0), ["title": .text("\($0)"), "trip": shop.link(-1 - Int64($0) % 20, "Trip")])
                    }),
                shop.batch(
                    "Tag",
                    (1...5).map {
                        (Int64(-$0), ["label": .text("\($0)"), "trips": shop.list([-3, -2, -1], "Trip")])
                    }),
                shop.batch("Guide", [(-1, ["first": .text("a"), "last": .text("b"), "age": .integer(1)])]),
                shop.batch("Twice", (1...2).map { (Int64(-$0), ["a": .integer($0), "b": .integer($0)]) }),
            ])
            let before = try shop.dump()
            var insert = [
                shop.batch(
                    "Tag",
                    [
                        (-1, ["label": .text("1"), "trips": shop.list([9], "Trip")]),
                        (-2, ["label": .text("fresh"), "trips": shop.list([9], "Trip")]),
                    ]),
                shop.batch("Guide", [(-9, ["first": .text("a"), "last": .text("b"), "age": .integer(2)])]),
                shop.batch("Stop", [(-5, ["title": .text("new"), "trip": shop.link(2, "Trip")])]),
            ]
            var update = [
                shop.batch("Trip", [(2, ["name": .text("changed"), "guide": .null, "tags": shop.list([], "Tag")])]),
                shop.batch("Tag", [(4, ["label": .text("5")]), (5, ["label": .text("4")])]),
            ]
            var delete: [(String, [Int64])] = [("Trip", [1, 3]), ("Stop", [5]), ("Tag", [2])]
            let code: SwiftDataError.Code
            switch reason {
            case "required":
                insert.append(shop.batch("Trip", [(-3, ["name": .null])]))
                code = .missingRequiredValue
            case "kind":
                update.append(shop.batch("Trip", [(4, ["name": .integer(3)])]))
                code = .valueEncoding
            case "unknown row":
                update.append(shop.batch("Trip", [(777, ["name": .text("x")])]))
                code = .modelNotFound
            case "unknown link":
                insert.append(shop.batch("Stop", [(-8, ["title": .text("x"), "trip": shop.link(3, "Trip")])]))
                code = .invalidRelationship
            case "unknown list":
                update.append(shop.batch("Tag", [(3, ["trips": shop.list([4, 3], "Trip")])]))
                code = .invalidRelationship
            case "conflict":
                update.append(shop.batch("Tag", [(3, ["label": .text("4")])]))
                code = .uniquenessConflict
            case "two rows":
                insert.append(shop.batch("Twice", [(-8, ["a": .integer(1), "b": .integer(2)])]))
                code = .uniquenessConflict
            default:
                delete.append(("Ghost", [1]))
                code = .unknownModelType
            }
            for _ in 0..<3 {
                expect(code) { try shop.save(insert: insert, update: update, delete: delete) }
                #expect(try shop.dump() == before)
            }
            // Everything still works, and the keys go on where they were.
            let again = shop.batch("Tag", [(-1, ["label": .text("2")]), (-2, ["label": .text("fresh")])])
            #expect(try shop.save(insert: [again])[0].first == 2)
            try shop.save(delete: [("Trip", Array(1...20))])
            #expect(try shop.rows("Stop").values.allSatisfy { $0["trip"] == .null })
            #expect(try shop.related("Tag", "trips", Array(1...5)).isEmpty)
        }
    }
}
