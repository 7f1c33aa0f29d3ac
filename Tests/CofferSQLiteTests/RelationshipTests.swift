import CofferCore
import Foundation
import Testing

@testable import CofferSQLite

/// How links and lists lie in tables.
@Suite struct RelationshipTests {
    func link(_ key: Int64, _ entity: String) -> StoredValue {
        .reference(PersistentIdentifier(_space: .shared(entityName: entity, storeIdentifier: nil), key: key))
    }

    func list(_ keys: [Int64], _ entity: String) -> StoredValue {
        .references(
            keys.map { PersistentIdentifier(_space: .shared(entityName: entity, storeIdentifier: nil), key: $0) })
    }

    /// A trip with stops whose order is that of their temporary keys' negatives unless said otherwise.
    func save(_ shop: Workshop, _ store: SQLiteStore, order: [Int64] = [-2, -3, -4]) throws -> (Int64, [Int64]) {
        let trips = shop.batch("Trip", [(-1, ["name": .text("Rome"), "stops": list(order, "Stop")])])
        let rows = [-2, -3, -4].map { key -> (Int64, [String: StoredValue]) in
            (key, ["title": .text("\(key)"), "order": .integer(0), "trip": link(-1, "Trip")])
        }
        let stops = shop.batch("Stop", rows)
        let keys = try shop.save(store, insert: [stops, trips])
        return (keys[1][0], keys[0])
    }

    @Test func temporaryKeysAreReplaced() throws {
        let shop = try Workshop(Trip.self)
        let store = try shop.open()
        let (trip, stops) = try save(shop, store)
        #expect(stops == [1, 2, 3])
        #expect(
            try shop.rows(store, "Stop")[2]?["trip"]
                == .reference(
                    RowBatch.identifier(
                        key: trip, in: .shared(entityName: "Stop", storeIdentifier: store.identifier))))
        #expect(try shop.sql("SELECT trip, _trip_position FROM Stop") == ["1|NULL", "1|NULL", "1|NULL"])
        #expect(try shop.related(store, "Trip", "stops", "Stop", [trip]) == [trip: stops])
        try shop.expectSound()
    }

    @Test func orderIsKept() throws {
        let shop = try Workshop(Trip.self)
        let store = try shop.open()
        let (trip, stops) = try save(shop, store, order: [-4, -2, -3])
        #expect(try shop.related(store, "Trip", "stops", "Stop", [trip])[trip] == [stops[2], stops[0], stops[1]])
        #expect(try shop.sql("SELECT _trip_position FROM Stop") == ["1", "2", "0"])
        // Appended without the owner's list: it comes last.
        let more = shop.batch("Stop", [(-1, ["title": .text("x"), "order": .integer(0), "trip": link(trip, "Trip")])])
        let new = try shop.save(store, insert: [more])[0][0]
        let wanted = [stops[2], stops[0], stops[1], new]
        #expect(try shop.related(store, "Trip", "stops", "Stop", [trip])[trip] == wanted)
        let slot = shop.slot("Trip", "stops")
        let found = shop.batch("Trip", [], store: store)
        try store.fetchRows(FetchPlan(entityName: "Trip", slots: [slot]), into: found)
        #expect(found.keys(of: found.cell(row: 0, slot: slot)) == wanted)
        // Back to the order of the keys: places are gone again.
        try shop.save(store, update: [shop.batch("Trip", [(trip, ["stops": list(stops + [new], "Stop")])])])
        #expect(try shop.related(store, "Trip", "stops", "Stop", [trip])[trip] == stops + [new])
        #expect(try shop.sql("SELECT count(_trip_position) FROM Stop") == ["0"])
        try shop.expectSound()
    }

    @Test func rowsChangeOwners() throws {
        let shop = try Workshop(Trip.self)
        let store = try shop.open()
        let (first, stops) = try save(shop, store, order: [-4, -3, -2])
        let second = try shop.save(store, insert: [shop.batch("Trip", [(-1, ["name": .text("Oslo")])])])[0][0]
        try shop.save(
            store,
            update: [
                shop.batch("Stop", [(stops[2], ["trip": link(second, "Trip")])]),
                shop.batch("Trip", [(second, ["stops": list([stops[2]], "Stop")])]),
            ])
        let lists = try shop.related(store, "Trip", "stops", "Stop", [second, first, 99])
        #expect(lists == [first: [stops[1], stops[0]], second: [stops[2]]])
        #expect(try shop.sql("SELECT _trip_position FROM Stop WHERE _pk = \(stops[2])") == ["NULL"])
        // A link written again without change keeps the place.
        try shop.save(store, update: [shop.batch("Stop", [(stops[1], ["trip": link(first, "Trip")])])])
        #expect(try shop.related(store, "Trip", "stops", "Stop", [first])[first] == [stops[1], stops[0]])
        try shop.save(store, update: [shop.batch("Stop", [(stops[1], ["trip": .null])])])
        #expect(try shop.related(store, "Trip", "stops", "Stop", [first])[first] == [stops[0]])
    }

    @Test func manyToManyIsOneTable() throws {
        let shop = try Workshop(Trip.self)
        let store = try shop.open()
        let tags = shop.batch(
            "Tag",
            [
                (-1, ["label": .text("a"), "trips": list([-3], "Trip")]),
                (-2, ["label": .text("b"), "trips": list([-3], "Trip")]),
            ])
        let trips = shop.batch("Trip", [(-3, ["name": .text("Rome"), "tags": list([-2, -1], "Tag")])])
        let keys = try shop.save(store, insert: [tags, trips])
        let (a, b, trip) = (keys[0][0], keys[0][1], keys[1][0])
        #expect(try shop.related(store, "Trip", "tags", "Tag", [trip])[trip] == [b, a])
        #expect(try shop.related(store, "Tag", "trips", "Trip", [a, b]) == [a: [trip], b: [trip]])
        #expect(try shop.sql("SELECT count(*) FROM Tag_trips") == ["2"])
        let other = try shop.save(store, insert: [shop.batch("Trip", [(-1, ["name": .text("Oslo")])])])[0][0]
        try shop.save(
            store,
            update: [
                shop.batch("Tag", [(a, ["trips": list([other], "Trip")])]),
                shop.batch("Trip", [(trip, ["tags": list([b], "Tag")]), (other, ["tags": list([a], "Tag")])]),
            ])
        #expect(try shop.related(store, "Trip", "tags", "Tag", [trip, other]) == [trip: [b], other: [a]])
        try shop.save(store, delete: [("Tag", [a])])
        #expect(try shop.sql("SELECT count(*) FROM Tag_trips") == ["1"])
        try shop.expectSound()
    }

    @Test func listsWithoutAWayBackHaveTheirTable() throws {
        let shop = try Workshop(Person.self)
        let store = try shop.open()
        let animals = shop.batch("Animal", [-1, -2, -3].map { ($0, ["name": .text("\($0)")]) })
        let person = shop.batch(
            "Person",
            [
                (-4, ["first": .text("A"), "last": .null, "age": .integer(1), "friends": list([-3, -1], "Animal")])
            ])
        let keys = try shop.save(store, insert: [person, animals])
        let (owner, friends) = (keys[0][0], keys[1])
        #expect(try shop.related(store, "Person", "friends", "Animal", [owner]) == [owner: [friends[2], friends[0]]])
        try shop.save(store, delete: [("Animal", [friends[2]])])
        #expect(try shop.related(store, "Person", "friends", "Animal", [owner]) == [owner: [friends[0]]])
        try shop.save(store, delete: [("Person", keys[0])])
        #expect(try shop.sql("SELECT count(*) FROM Person_friends") == ["0"])
        try shop.expectSound()
    }

    @Test func circlesAreSaved() throws {
        let shop = try Workshop(Left.self)
        let store = try shop.open()
        let left = shop.batch("Left", [(-1, ["name": .text("l"), "right": link(-2, "Right")])])
        let right = shop.batch("Right", [(-2, ["name": .text("r"), "left": link(-1, "Left")])])
        let keys = try shop.save(store, insert: [left, right])
        #expect(try shop.sql("SELECT l.right, r.left FROM Left l JOIN Right r") == ["\(keys[1][0])|\(keys[0][0])"])
        // The required side stays, and says which link is in the way.
        let error = expect(.invalidRelationship) { try shop.save(store, delete: [("Left", keys[0])]) }
        #expect(error?.entity == "Right")
        #expect(error?.property == "left")
        #expect(try shop.rows(store, "Left").count == 1)
        try shop.save(store, delete: [("Left", keys[0]), ("Right", keys[1])])
        #expect(try shop.sql("SELECT count(*) FROM Right") == ["0"])
        try shop.expectSound()
    }

    @Test func rowsOfOneEntityMayReferToEachOther() throws {
        let shop = try Workshop(Member.self)
        let store = try shop.open()
        let batch = shop.batch(
            "Member",
            [
                (-1, ["code": .integer(1), "name": .text("a"), "chief": link(-2, "Member")]),
                (-2, ["code": .integer(2), "name": .text("b"), "chief": link(-1, "Member")]),
            ])
        #expect(try shop.save(store, insert: [batch]) == [[1, 2]])
        #expect(try shop.sql("SELECT chief FROM Member ORDER BY _pk") == ["2", "1"])
    }
}
