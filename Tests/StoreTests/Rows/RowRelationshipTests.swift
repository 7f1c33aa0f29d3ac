import Coffer
import Foundation
import Testing

extension RowTests {
    @Suite("Rows: relationships") struct RelationshipTests {
        /// A trip with three stops.
        func save(_ shop: RowWorkshop, order: [Int64] = [-2, -3, -4]) throws {
            let trips = shop.batch("Trip", [(-1, ["name": .text("Rome"), "stops": shop.list(order, "Stop")])])
            let stops = shop.batch(
                "Stop", [-2, -3, -4].map { ($0, ["title": .text("\($0)"), "trip": shop.link(-1, "Trip")]) })
            #expect(try shop.save(insert: [stops, trips]) == [[1, 2, 3], [1]])
        }

        @Test(arguments: TestStore.rowStores) func temporaryKeysAreReplaced(_ store: TestStore) throws {
            let shop = try RowWorkshop(store, Trip.self)
            try save(shop)
            #expect(try shop.rows("Stop").values.allSatisfy { $0["trip"] == shop.link(1, "Trip") })
            #expect(try shop.related("Trip", "stops", [1, 9]) == [1: [1, 2, 3]])
        }

        @Test(arguments: TestStore.rowStores) func scatteredTemporaryKeysAreReplacedToo(_ store: TestStore) throws {
            let shop = try RowWorkshop(store, Trip.self)
            let far: [Int64] = [-1, -1_000_000, .min, -5_000_000_000]
            let trips = shop.batch("Trip", far.map { ($0, ["name": .text("\($0)")]) })
            let stops = shop.batch("Stop", far.map { ($0, ["title": .text("\($0)"), "trip": shop.link($0, "Trip")]) })
            try shop.save(insert: [stops, trips])
            let names = try shop.rows("Trip")
            for stop in try shop.rows("Stop").values {
                guard case .reference(let trip)? = stop["trip"] else { continue }
                #expect(names[trip._key]?["name"] == stop["title"])
            }
            let lost = shop.batch("Stop", [(-9, ["title": .text(""), "trip": shop.link(-8, "Trip")])])
            #expect(expect(.invalidRelationship) { try shop.save(insert: [lost]) }?.property == "trip")
        }

        @Test(arguments: TestStore.rowStores) func orderIsKept(_ store: TestStore) throws {
            let shop = try RowWorkshop(store, Trip.self)
            try save(shop, order: [-4, -2, -3])
            #expect(try shop.related("Trip", "stops", [1]) == [1: [3, 1, 2]])
            try shop.save(insert: [shop.batch("Stop", [(-1, ["title": .text("4"), "trip": shop.link(1, "Trip")])])])
            #expect(try shop.related("Trip", "stops", [1]) == [1: [3, 1, 2, 4]])
            try shop.save(update: [shop.batch("Trip", [(1, ["stops": shop.list([2, 4, 3, 1], "Stop")])])])
            #expect(try shop.related("Trip", "stops", [1]) == [1: [2, 4, 3, 1]])
            try shop.save(update: [shop.batch("Trip", [(1, ["stops": shop.list([1, 2, 3, 4], "Stop")])])])
            #expect(try shop.related("Trip", "stops", [1]) == [1: [1, 2, 3, 4]])
        }

        @Test(arguments: TestStore.rowStores) func movedRowsComeInTheOrderOfTheirKeys(_ store: TestStore) throws {
            let shop = try RowWorkshop(store, Trip.self)
            try save(shop)
            try shop.save(insert: [shop.batch("Trip", [(-1, ["name": .text("Paris")])])])
            for key: Int64 in [3, 1] {
                try shop.save(update: [shop.batch("Stop", [(key, ["trip": shop.link(2, "Trip")])])])
            }
            #expect(try shop.related("Trip", "stops", [2, 1]) == [2: [1, 3], 1: [2]])
            try shop.save(update: [shop.batch("Stop", [(3, ["trip": .null])])])
            #expect(try shop.related("Trip", "stops", [2, 1]) == [2: [1], 1: [2]])
        }

        @Test(arguments: TestStore.rowStores) func aDeletionCutsOptionalLinks(_ store: TestStore) throws {
            let shop = try RowWorkshop(store, Trip.self)
            try save(shop)
            try shop.save(delete: [("Trip", [1])])
            #expect(try shop.rows("Stop").values.allSatisfy { $0["trip"] == .null })
            #expect(try shop.related("Trip", "stops", [1]).isEmpty)
        }

        @Test(arguments: TestStore.rowStores) func requiredLinksForbidDeletions(_ store: TestStore) throws {
            let shop = try RowWorkshop(store, Left.self, Right.self)
            try shop.save(insert: [
                shop.batch("Right", [(-1, ["name": .text("r"), "left": shop.link(-2, "Left")])]),
                shop.batch(
                    "Left",
                    [
                        (-2, ["name": .text("l"), "right": shop.link(-1, "Right")]), (-3, ["name": .text("other")]),
                    ]),
            ])
            let before = try shop.dump()
            let error = expect(.invalidRelationship) { try shop.save(delete: [("Left", [1, 2])]) }
            #expect(error?.entity == "Right")
            #expect(error?.property == "left")
            #expect(error?.store == store.name)
            #expect(try shop.dump() == before)
            // A link that the same save leads elsewhere is no obstacle, and neither is a row that goes along.
            try shop.save(
                update: [shop.batch("Right", [(1, ["left": shop.link(2, "Left")])])], delete: [("Left", [1])])
            try shop.save(delete: [("Left", [2]), ("Right", [1])])
            #expect(try shop.dump().isEmpty)
        }

        @Test(arguments: TestStore.rowStores) func pairsAreSeenFromBothSides(_ store: TestStore) throws {
            let shop = try RowWorkshop(store, Trip.self, Tag.self)
            try shop.save(insert: [
                shop.batch(
                    "Trip",
                    [
                        (-1, ["name": .text("Rome"), "tags": shop.list([-12, -11], "Tag")]),
                        (-2, ["name": .text("Paris"), "tags": shop.list([], "Tag")]),
                    ]),
                shop.batch(
                    "Tag",
                    [
                        (-11, ["label": .text("a")]),
                        (-12, ["label": .text("b"), "trips": shop.list([-2, -1], "Trip")]),
                    ]),
            ])
            #expect(try shop.related("Trip", "tags", [1, 2]) == [1: [2, 1], 2: [2]])
            #expect(try shop.related("Tag", "trips", [1, 2]) == [1: [1], 2: [2, 1]])
            try shop.save(update: [shop.batch("Trip", [(1, ["tags": shop.list([1], "Tag")])])])
            #expect(try shop.related("Tag", "trips", [1, 2]) == [1: [1], 2: [2]])
            try shop.save(update: [shop.batch("Tag", [(1, ["trips": shop.list([2], "Trip")])])])
            #expect(try shop.related("Trip", "tags", [1, 2]) == [2: [1, 2]])
            try shop.save(delete: [("Tag", [2])])
            #expect(try shop.related("Trip", "tags", [1, 2]) == [2: [1]])
            let lost = shop.batch("Tag", [(1, ["trips": shop.list([2, 44], "Trip")])])
            expect(.invalidRelationship) { try shop.save(update: [lost]) }
            #expect(try shop.related("Trip", "tags", [1, 2]) == [2: [1]])
        }

        @Test(arguments: TestStore.rowStores) func oneWayLists(_ store: TestStore) throws {
            let shop = try RowWorkshop(store, Guide.self, Animal.self)
            let animals = shop.batch("Animal", [-1, -2, -3].map { ($0, ["name": .text("\($0)")]) })
            let guides = shop.batch(
                "Guide",
                [
                    (-1, ["first": .text("A"), "age": .integer(1), "animals": shop.list([-3, -1], "Animal")]),
                    (-2, ["first": .text("B"), "age": .integer(1), "animals": shop.list([-1], "Animal")]),
                ])
            try shop.save(insert: [guides, animals])
            #expect(try shop.related("Guide", "animals", [1, 2]) == [1: [3, 1], 2: [1]])
            try shop.save(delete: [("Animal", [1]), ("Guide", [2])])
            #expect(try shop.related("Guide", "animals", [1, 2]) == [1: [3]])
            try shop.save(update: [shop.batch("Guide", [(1, ["animals": .null])])])
            #expect(try shop.related("Guide", "animals", [1]).isEmpty)
        }

        @Test(arguments: TestStore.rowStores) func friendshipsAreMutual(_ store: TestStore) throws {
            // No class can name a property in its own declaration, but a schema may say so.
            let friends = Schema.Relationship()
            friends.name = "friends"
            friends.destination = "Friend"
            friends.inverseName = "friends"
            friends.valueType = [Animal].self
            let name = Schema.Attribute(name: "name", valueType: String.self)
            let shop = try RowWorkshop(store, schema: Schema(Schema.Entity("Friend", properties: name, friends)))
            try shop.save(insert: [
                shop.batch(
                    "Friend",
                    [
                        (-1, ["name": .text("a"), "friends": shop.list([-2, -3], "Friend")]),
                        (-2, ["name": .text("b")]),
                        (-3, ["name": .text("c")]),
                    ])
            ])
            #expect(try shop.related("Friend", "friends", [1, 2, 3]) == [1: [2, 3], 2: [1], 3: [1]])
            try shop.save(update: [shop.batch("Friend", [(3, ["friends": shop.list([2], "Friend")])])])
            #expect(try shop.related("Friend", "friends", [1, 2, 3]) == [1: [2], 2: [1, 3], 3: [2]])
            try shop.save(delete: [("Friend", [2])])
            #expect(try shop.related("Friend", "friends", [1, 3]).isEmpty)
        }

        @Test(arguments: TestStore.rowStores) func linksMustLeadToRows(_ store: TestStore) throws {
            let shop = try RowWorkshop(store, Trip.self)
            try save(shop)
            let before = try shop.dump()
            let error = expect(.invalidRelationship) {
                try shop.save(update: [shop.batch("Stop", [(1, ["title": .text("x"), "trip": shop.link(7, "Trip")])])])
            }
            #expect(error?.entity == "Stop")
            #expect(error?.property == "trip")
            expect(.invalidRelationship) {
                try shop.save(
                    update: [shop.batch("Stop", [(1, ["trip": shop.link(1, "Trip")])])], delete: [("Trip", [1])])
            }
            #expect(try shop.dump() == before)
        }

        @Test(arguments: TestStore.rowStores) func pagesOfRelatedRows(_ store: TestStore) throws {
            let shop = try RowWorkshop(store, Trip.self)
            try save(shop, order: [-4, -2, -3])
            let plan = FetchPlan(
                entityName: "Stop", scope: .related(ownerEntity: "Trip", slot: 2, owners: [1]), limit: 1, offset: 1)
            #expect(try shop.fetch(plan).map(\.key) == [1])
            expect(.invalidRelationship) {
                _ = try shop.fetch(
                    FetchPlan(entityName: "Stop", scope: .related(ownerEntity: "Trip", slot: 0, owners: [1])))
            }
        }
    }
}
