import Coffer
import Foundation
import Testing

@Model final class Ferry {
    var name: String
    @Relationship(deleteRule: .cascade, inverse: \Cabin.ship) var cabins: [Cabin] = []
    init(_ name: String) { self.name = name }
}

@Model final class Cabin {
    var number: Int
    var ship: Ferry
    @Relationship(inverse: \Guest.cabin) var guests: [Guest] = []
    init(_ number: Int, _ ship: Ferry) {
        self.number = number
        self.ship = ship
    }
}

@Model final class Guest {
    var name: String
    var cabin: Cabin?
    init(_ name: String, _ cabin: Cabin?) {
        self.name = name
        self.cabin = cabin
    }
}

@Suite("A change of owner")
struct OwnerChangeTests {
    static func make(_ store: TestStore) throws -> TestPlace {
        let place = try TestPlace(store, Ferry.self)
        let context = place.context()
        for name in ["a", "b"] {
            let ship = Ferry(name)
            context.insert(ship)
            context.insert(Guest("g", Cabin(1, ship)))
        }
        try context.save()
        return place
    }

    @Test("of a new model that names its owner is one entry in the owner's list", arguments: TestStore.all)
    func namedTwice(_ store: TestStore) throws {
        let place = try Self.make(store)
        let context = place.context()
        let ship = try context.only(Ferry.self, where: #Predicate { $0.name == "a" })
        let cabin = Cabin(2, ship)
        ship.cabins.append(cabin)
        cabin.guests.append(Guest("h", cabin))
        #expect(ship.cabins.map(\.number) == [1, 2])
        #expect(cabin.guests.map(\.name) == ["h"])
        context.insert(cabin)
        #expect(ship.cabins.map(\.number) == [1, 2])
        try context.save()
        #expect(ship.cabins.map(\.number) == [1, 2])
    }

    @Test("of a model that was not read leaves the former owner", arguments: TestStore.all)
    func unread(_ store: TestStore) throws {
        let place = try Self.make(store)
        let context = place.context()
        let ships = try context.all(Ferry.self, by: SortDescriptor(\.name))
        #expect(ships.map(\.cabins.count) == [1, 1])
        let identifier = ships[0].cabins[0].persistentModelID
        let other = place.context()
        let (a, b) = try (
            other.only(Ferry.self, where: #Predicate { $0.name == "a" }),
            other.only(Ferry.self, where: #Predicate { $0.name == "b" })
        )
        let cabin = try #require(other.model(for: identifier) as? Cabin)
        cabin.ship = b
        #expect(a.cabins.isEmpty && b.cabins.count == 2)
        let touched = try #require(context.model(for: identifier) as? Cabin)
        try other.save()
        _ = try context.count(Ferry.self)
        touched.ship = ships[0]
        #expect(ships[0].cabins.count == 1 && ships[1].cabins.count == 1)
    }

    @Test("of a model that was fetched in part leaves the former owner", arguments: TestStore.all)
    func partial(_ store: TestStore) throws {
        let place = try Self.make(store)
        let context = place.context()
        let ships = try context.all(Ferry.self, by: SortDescriptor(\.name))
        var descriptor = FetchDescriptor<Cabin>()
        descriptor.propertiesToFetch = [\.number]
        for cabin in try context.fetch(descriptor) { cabin.ship = ships[1] }
        #expect(ships[0].cabins.isEmpty && ships[1].cabins.count == 2)
        var guests = FetchDescriptor<Guest>()
        guests.propertiesToFetch = [\.name]
        let held = ships[1].cabins
        for guest in try context.fetch(guests) { guest.cabin = held[1] }
        #expect(held[0].guests.isEmpty && held[1].guests.count == 2)
        try context.save()
        for context in try place.newContexts() {
            let ships = try context.all(Ferry.self, by: SortDescriptor(\.name))
            #expect(ships.map(\.cabins.count) == [0, 2])
            #expect(ships[1].cabins.map(\.guests.count).sorted() == [0, 2])
        }
    }
}
