import Coffer
import Foundation
import Testing

@Suite("A row of a hierarchy")
struct HierarchyIdentityTests {
    typealias Trip = Travel.Trip

    @Test("is one object, whether reached through the base or a subclass", arguments: TestStore.all)
    func oneObject(_ store: TestStore) throws {
        let place = try Travel.place(store)
        let context = place.context()
        let luxury = try context.only(Travel.LuxuryTrip.self)
        #expect(try context.trip("luxury") === luxury)
        #expect(try context.all(Travel.BusinessTrip.self).contains { $0 === luxury })
        let ann = try context.only(Travel.Owner.self, where: #Predicate { $0.name == "ann" })
        #expect(ann.favourite === luxury)
        #expect(try context.only(Travel.Tag.self).trips.contains { $0 === luxury })
        #expect(luxury.owner?.trips.contains { $0 === luxury } == true)
        let id = luxury.persistentModelID
        #expect(context.registered(Trip.self, id) === luxury)
        #expect(context.registered(Travel.LuxuryTrip.self, id) === luxury)
        #expect(context.registered(Travel.PersonalTrip.self, id) == nil)
        #expect(context.model(for: id) === luxury)
        #expect(try context.existingModel(for: id, as: Trip.self) === luxury)
        #expect(try context.existingModel(for: id, as: Travel.PersonalTrip.self) == nil)
    }

    @Test("has its own class where only a link or an identifier leads to it", arguments: TestStore.all)
    func faults(_ store: TestStore) throws {
        let place = try Travel.place(store)
        let context = place.context()
        let ann = try context.only(Travel.Owner.self, where: #Predicate { $0.name == "ann" })
        #expect(try #require(ann.favourite as? Travel.LuxuryTrip).butler == "james")
        let plain = try context.only(Trip.self, where: #Predicate { $0.days == 4 })
        #expect(plain.next is Travel.PersonalTrip)
        #expect((plain.next as? Travel.PersonalTrip)?.purpose == 2.5)
        let id = try place.context().only(Travel.LuxuryTrip.self).persistentModelID
        let other = place.context()
        #expect(other.registered(Trip.self, id) == nil)
        #expect((other.model(for: id) as? Travel.LuxuryTrip)?.butler == "james")
        #expect(try place.context().existingModel(for: id, as: Trip.self)?.name == "luxury")
    }

    @Test("keeps its identifier's entity from the insertion on", arguments: TestStore.all)
    func identifiers(_ store: TestStore) throws {
        let place = try TestPlace(store, models: Travel.models)
        let context = place.context()
        let trip: Trip = Travel.LuxuryTrip("l", butler: "b")
        #expect(trip.persistentModelID.entityName == "LuxuryTrip")
        context.insert(trip)
        let temporary = trip.persistentModelID
        #expect(context.insertedModelsArray.first === trip)
        #expect(context.registered(Trip.self, temporary) === trip)
        try context.save()
        #expect(trip.persistentModelID.entityName == "LuxuryTrip")
        #expect(trip.persistentModelID.storeIdentifier != nil)
        #expect(context.registered(Trip.self, temporary) === trip)
        #expect(try context.only(Trip.self) === trip)
        #expect(try place.reopen().only(Trip.self) is Travel.LuxuryTrip)
    }

    @Test("has no identifier under the name of another class", arguments: TestStore.all)
    func wrongEntity(_ store: TestStore) throws {
        let place = try Travel.place(store)
        let context = place.context()
        let id = try place.context().only(Travel.LuxuryTrip.self).persistentModelID
        // An identifier that nobody gave out: right key, wrong class.
        let wrong = try PersistentIdentifier.identifier(
            for: id.storeIdentifier ?? "", entityName: "PersonalTrip", primaryKey: id._key)
        let ghost = try #require(context.model(for: wrong) as? Travel.PersonalTrip)
        #expect(ghost.name.isEmpty)
        #expect(ghost.modelContext == nil)
        #expect(try context.trip("luxury") is Travel.LuxuryTrip)
        #expect(try context.only(Travel.LuxuryTrip.self).butler == "james")
    }

    @Test("stays readable when its context is gone, and leaves the identity map", arguments: TestStore.all)
    func lifetimes(_ store: TestStore) throws {
        let place = try Travel.place(store)
        var context: ModelContext? = place.context()
        let luxury = try #require(try context?.only(Travel.LuxuryTrip.self))
        weak var other: Trip?
        do {
            let trip = try #require(try context?.trip("personal"))
            other = trip
            #expect(context?.registered(Trip.self, trip.persistentModelID) === trip)
        }
        #expect(other == nil)
        weak let gone = context
        context = nil
        #expect(gone == nil)
        #expect(luxury.butler == "james" && luxury.modelContext == nil)
    }
}
