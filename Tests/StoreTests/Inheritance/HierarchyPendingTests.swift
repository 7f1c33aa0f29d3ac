import Coffer
import Foundation
import Testing

@Suite("Unsaved changes in a hierarchy")
struct HierarchyPendingTests {
    typealias Trip = Travel.Trip

    @Test("are merged into fetches of the base", arguments: TestStore.all)
    func merged(_ store: TestStore) throws {
        let place = try Travel.place(store)
        let context = place.context()
        context.insert(Travel.BusinessTrip("another", days: 9, perDiem: 1))
        try context.trip("luxury").name = "zlux"
        context.delete(try context.trip("personal"))
        var sorted = FetchDescriptor<Trip>(sortBy: [SortDescriptor(\.name)])
        #expect(try context.fetch(sorted).map(\.name) == ["another", "business", "plain", "zlux"])
        #expect(try context.fetchCount(sorted) == 4)
        #expect(
            try context.fetchIdentifiers(sorted).map(\.entityName) == [
                "BusinessTrip", "BusinessTrip", "Trip", "LuxuryTrip",
            ])
        sorted.fetchOffset = 1
        sorted.fetchLimit = 2
        #expect(try context.fetch(sorted).map(\.name) == ["business", "plain"])
        #expect(
            try context.all(Travel.BusinessTrip.self, by: SortDescriptor(\.name)).map(\.name) == [
                "another", "business", "zlux",
            ])
        #expect(try context.count(Travel.PersonalTrip.self) == 0)
        #expect(try context.count(Trip.self, where: #Predicate { $0.days == 9 }) == 1)
        sorted = FetchDescriptor<Trip>(sortBy: [SortDescriptor(\.name)])
        sorted.includePendingChanges = false
        #expect(try context.fetchCount(sorted) == 4)
        #expect(
            try context.fetch(sorted).map { "\(type(of: $0))" } == [
                "BusinessTrip", "LuxuryTrip", "PersonalTrip", "Trip",
            ])
    }

    @Test("are saved under their own classes, and taken back by a rollback", arguments: TestStore.all)
    func savedAndTakenBack(_ store: TestStore) throws {
        let place = try Travel.place(store)
        let context = place.context()
        for trip in try context.all(Trip.self) {
            trip.days += 10
            if let business = trip as? Travel.BusinessTrip { business.perDiem += 1 }
        }
        #expect(Set(context.changedModelsArray.map { "\(type(of: $0))" }).count == 4)
        context.rollback()
        #expect(try context.all(Trip.self, by: SortDescriptor(\.name)).map(\.days) == [2, 1, 3, 4])
        for trip in try context.all(Trip.self) {
            trip.days += 10
            if let business = trip as? Travel.BusinessTrip { business.perDiem += 1 }
        }
        try context.save()
        for context in try place.newContexts() {
            #expect(try context.all(Trip.self, by: SortDescriptor(\.name)).map(\.days) == [12, 11, 13, 14])
            #expect(try context.only(Travel.LuxuryTrip.self).perDiem == 1001)
        }
    }

    @Test("are seen through links to the fetched class itself and to its relatives", arguments: TestStore.all)
    func throughLinks(_ store: TestStore) throws {
        let place = try Travel.place(store)
        let context = place.context()
        try context.trip("personal").name = "renamed"
        #expect(try context.count(Trip.self, where: #Predicate { $0.next?.name == "renamed" }) == 1)
        #expect(try context.count(Trip.self, where: #Predicate { $0.next?.name == "personal" }) == 0)
        try context.only(Travel.Company.self).name = "zzz"
        var descriptor = FetchDescriptor<Trip>(
            predicate: #Predicate { $0.owner != nil },
            sortBy: [SortDescriptor(\.owner?.name, order: .reverse), SortDescriptor(\.name)])
        #expect(try context.fetch(descriptor).map(\.name) == ["business", "luxury", "plain"])
        #expect(try context.count(Trip.self, where: #Predicate { $0.owner?.name == "zzz" }) == 2)
        descriptor.includePendingChanges = false
        #expect(try context.fetchIdentifiers(descriptor).map(\.entityName) == ["Trip", "BusinessTrip", "LuxuryTrip"])
    }

    @Test("a required value of a subclass that is missing is named", arguments: TestStore.all)
    func missing(_ store: TestStore) throws {
        let place = try TestPlace(store, models: Travel.models)
        let context = place.context()
        // A model without values, as only a store's reader makes one.
        let trip = Travel.LuxuryTrip(backingData: Travel.LuxuryTrip.createBackingData())
        trip.name = "n"
        trip.days = 1
        trip.perDiem = 2
        trip.stars = 1
        context.insert(trip)
        let error = #expect(throws: SwiftDataError.self) { try context.save() }
        #expect(error?.code == .missingRequiredValue && error?.entity == "LuxuryTrip" && error?.property == "butler")
        trip.butler = "b"
        try context.save()
        #expect(try place.context().count(Trip.self) == 1)
    }
}
