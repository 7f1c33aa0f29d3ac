import Coffer
import Foundation
import Testing

@Suite("Deleting by predicate in a hierarchy")
struct HierarchyBatchDeleteTests {
    typealias Trip = Travel.Trip

    @Test("takes subclasses along", arguments: TestStore.all)
    func included(_ store: TestStore) throws {
        let place = try Travel.place(store)
        let context = place.context()
        try context.delete(model: Travel.BusinessTrip.self)
        #expect(try context.all(Trip.self, by: SortDescriptor(\.name)).map(\.name) == ["personal", "plain"])
        try context.save()
        for context in try place.newContexts() {
            #expect(try context.all(Trip.self, by: SortDescriptor(\.name)).map(\.name) == ["personal", "plain"])
            #expect(try context.count(Travel.Receipt.self) == 0)
        }
        try context.delete(model: Trip.self, where: #Predicate { $0.days > 3 })
        try context.save()
        #expect(try place.context().all(Trip.self).map(\.name) == ["personal"])
    }

    @Test("or leaves them", arguments: TestStore.all)
    func excluded(_ store: TestStore) throws {
        let place = try Travel.place(store)
        let context = place.context()
        context.insert(Trip("pending"))
        context.insert(Travel.BusinessTrip("pending business", perDiem: 1))
        try context.delete(model: Trip.self, includeSubclasses: false)
        try context.delete(
            model: Travel.BusinessTrip.self, where: #Predicate { $0.days == 2 }, includeSubclasses: false)
        try context.save()
        for context in try place.newContexts() {
            #expect(
                try context.all(Trip.self, by: SortDescriptor(\.name)).map(\.name)
                    == ["luxury", "pending business", "personal"])
        }
    }

    @Test("by a class that only the predicate names", arguments: TestStore.all)
    func byClass(_ store: TestStore) throws {
        let place = try Travel.place(store)
        let context = place.context()
        try context.delete(model: Trip.self, where: #Predicate { $0 is Travel.LuxuryTrip || $0.owner == nil })
        try context.save()
        #expect(
            try place.context().all(Trip.self, by: SortDescriptor(\.name)).map(\.name) == ["business", "plain"])
    }
}

@Suite("What another context saves in a hierarchy")
struct HierarchySavesElsewhereTests {
    typealias Trip = Travel.Trip

    @Test("is seen by models that were fetched as the base", arguments: TestStore.all)
    func seen(_ store: TestStore) throws {
        let place = try Travel.place(store)
        let (mine, other) = (place.context(), place.context())
        let trips = try mine.all(Trip.self, by: SortDescriptor(\.name))
        let acme = try mine.only(Travel.Company.self)
        #expect(acme.trips.count == 2)
        let luxury = try other.only(Travel.LuxuryTrip.self)
        luxury.days = 50
        luxury.butler = "jeeves"
        try other.save()
        #expect(try mine.count(Trip.self, where: #Predicate { $0.days == 50 }) == 1)
        #expect(trips[1].days == 50)
        #expect((trips[1] as? Travel.LuxuryTrip)?.butler == "jeeves")
        #expect(!mine.hasChanges)

        let added = Travel.PersonalTrip("new")
        other.insert(added)
        added.owner = try other.only(Travel.Company.self)
        try other.save()
        _ = try mine.count(Trip.self)
        #expect(
            acme.trips.map(\.name).sorted() == ["business", "luxury", "new"], "a relationship to the base has grown")

        let ann = try mine.only(Travel.Owner.self, where: #Predicate { $0.name == "ann" })
        #expect(ann.favourite === trips[1])
        other.delete(luxury)
        try other.save()
        _ = try mine.count(Trip.self)
        #expect(trips[1].modelContext == nil)
        #expect(ann.favourite == nil)
        #expect(acme.trips.map(\.name).sorted() == ["business", "new"])
    }
}
