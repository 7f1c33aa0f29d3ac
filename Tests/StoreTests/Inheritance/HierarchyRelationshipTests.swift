import Coffer
import Foundation
import Testing

@Suite("Relationships in a hierarchy")
struct HierarchyRelationshipTests {
    typealias Trip = Travel.Trip

    @Test("declared in the base hold any subclass, from both sides", arguments: TestStore.all)
    func base(_ store: TestStore) throws {
        let place = try Travel.place(store)
        for context in try place.newContexts() {
            let acme = try context.only(Travel.Company.self)
            #expect(acme.trips.map(\.name).sorted() == ["business", "luxury"])
            #expect(acme.trips.allSatisfy { $0.owner === acme })
            #expect(acme.trips.contains { $0 is Travel.LuxuryTrip })
            #expect(try context.trip("plain").owner is Travel.Company == false)
            let tag = try context.only(Travel.Tag.self)
            #expect(tag.trips.map { "\(type(of: $0))" } == ["Trip", "LuxuryTrip"])
            #expect(tag.trips.allSatisfy { $0.tags == [tag] })
            #expect(try context.trip("luxury").stops.map(\.number) == [0, 1, 2, 3])
            #expect(try context.all(Travel.Stop.self).allSatisfy { $0.trip?.stops.contains($0) == true })
        }
    }

    @Test("declared in a subclass lead there and back", arguments: TestStore.all)
    func subclass(_ store: TestStore) throws {
        let place = try Travel.place(store)
        let context = place.context()
        let acme = try context.only(Travel.Company.self)
        #expect(acme.businessTrips.map(\.name) == ["business"])
        let luxury = try context.only(Travel.LuxuryTrip.self)
        luxury.company = acme
        #expect(acme.businessTrips.map(\.name).sorted() == ["business", "luxury"])
        luxury.receipts.append(Travel.Receipt(100))
        try context.save()
        for context in try place.newContexts() {
            let acme = try context.only(Travel.Company.self)
            #expect(acme.businessTrips.map(\.name).sorted() == ["business", "luxury"])
            #expect(try context.only(Travel.LuxuryTrip.self).receipts.map(\.amount) == [100])
            #expect(
                try context.all(Travel.Receipt.self, by: SortDescriptor(\.amount)).map { $0.trip?.name } == [
                    "business", "business", "luxury",
                ])
        }
    }

    @Test("move, and keep the order they are given", arguments: TestStore.all)
    func moving(_ store: TestStore) throws {
        let place = try Travel.place(store)
        let context = place.context()
        let acme = try context.only(Travel.Company.self)
        let ann = try context.only(Travel.Owner.self, where: #Predicate { $0.name == "ann" })
        try context.trip("personal").owner = acme
        acme.trips = [try context.trip("personal"), try context.trip("luxury"), try context.trip("plain")]
        #expect(ann.trips.isEmpty)
        #expect(try context.trip("business").owner == nil)
        let tag = try context.only(Travel.Tag.self)
        tag.trips = [try context.trip("luxury"), try context.trip("business"), try context.trip("plain")]
        try context.save()
        for context in try place.newContexts() {
            let acme = try context.only(Travel.Company.self)
            #expect(acme.trips.map(\.name) == ["personal", "luxury", "plain"])
            #expect(try context.trip("business").owner == nil)
            #expect(try context.only(Travel.Tag.self).trips.map(\.name) == ["luxury", "business", "plain"])
        }
    }

    @Test("follow the delete rules of base and subclass", arguments: TestStore.all)
    func deleteRules(_ store: TestStore) throws {
        let place = try Travel.place(store)
        let context = place.context()
        context.delete(try context.trip("business"))
        context.delete(try context.trip("luxury"))
        try context.save()
        for context in try place.newContexts() {
            // The base's cascade takes stops along, the subclass' the receipts; the rest is nullified.
            #expect(try context.count(Travel.Stop.self) == 4)
            #expect(try context.count(Travel.Receipt.self) == 0)
            #expect(try context.all(Travel.Owner.self).allSatisfy { $0.favourite == nil })
            #expect(try context.only(Travel.Company.self).trips.isEmpty)
            #expect(try context.only(Travel.Company.self).businessTrips.isEmpty)
            #expect(try context.only(Travel.Tag.self).trips.map(\.name) == ["plain"])
        }
        context.delete(try context.only(Travel.Owner.self, where: #Predicate { $0.name == "ann" }))
        context.delete(try context.trip("personal"))
        try context.save()
        for context in try place.newContexts() {
            let plain = try context.only(Trip.self)
            #expect(plain.owner == nil && plain.next == nil)
        }
    }

    @Test("a stored row is reached through a link before its class is known, and changed", arguments: TestStore.all)
    func changeThroughLink(_ store: TestStore) throws {
        let place = try Travel.place(store)
        let context = place.context()
        let stop = try context.all(Travel.Stop.self, where: #Predicate { $0.number == 3 })[0]
        #expect((stop.trip as? Travel.LuxuryTrip)?.stars == 5)
        (stop.trip as? Travel.LuxuryTrip)?.stars = 4
        stop.trip?.days = 7
        try context.save()
        for context in try place.newContexts() {
            let luxury = try context.only(Travel.LuxuryTrip.self)
            #expect(luxury.stars == 4 && luxury.days == 7 && luxury.butler == "james")
        }
    }
}

/// Limits and a denial that a subclass inherits.
enum Harbour {
    @Model class Ship {
        var name: String
        @Relationship(minimumModelCount: 1, maximumModelCount: 2, inverse: \Sailor.ship) var sailors: [Sailor] = []
        @Relationship(deleteRule: .deny, inverse: \Load.ship) var loads: [Load] = []
        init(_ name: String) { self.name = name }
    }
    @Model final class Ferry: Ship {
        var cars: Int
        init(_ name: String, cars: Int) {
            self.cars = cars
            super.init(name)
        }
    }
    @Model final class Sailor {
        var ship: Ship?
        init() {}
    }
    @Model final class Load {
        var ship: Ship?
        init() {}
    }
}

@Suite("Rules that a subclass inherits")
struct InheritedRuleTests {
    @Test("counts hold for it", arguments: TestStore.all)
    func counts(_ store: TestStore) throws {
        let place = try TestPlace(store, Harbour.Ship.self, Harbour.Ferry.self)
        let context = place.context()
        let ferry = Harbour.Ferry("f", cars: 3)
        context.insert(ferry)
        let error = #expect(throws: SwiftDataError.self) { try context.save() }
        #expect(error?.code == .relationshipCount && error?.entity == "Ferry" && error?.property == "sailors")
        ferry.sailors = [Harbour.Sailor(), Harbour.Sailor(), Harbour.Sailor()]
        #expect(throws: SwiftDataError.relationshipCount) { try context.save() }
        ferry.sailors.removeLast()
        try context.save()
        let fresh = place.context()
        #expect(try fresh.only(Harbour.Ship.self).sailors.count == 2)
    }

    @Test("a denial holds for it", arguments: TestStore.all)
    func denial(_ store: TestStore) throws {
        let place = try TestPlace(store, Harbour.Ship.self, Harbour.Ferry.self)
        let context = place.context()
        let ferry = Harbour.Ferry("f", cars: 3)
        context.insert(ferry)
        ferry.sailors = [Harbour.Sailor()]
        ferry.loads = [Harbour.Load()]
        try context.save()
        let other = place.context()
        other.delete(try other.only(Harbour.Ship.self))
        let error = #expect(throws: SwiftDataError.self) { try other.save() }
        #expect(error?.code == .deleteDenied && error?.entity == "Ferry")
        let fresh = place.context()
        #expect(try fresh.only(Harbour.Ship.self).loads.count == 1)
    }
}
