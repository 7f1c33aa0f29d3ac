import Coffer
import CofferJSON
import CofferLMDB
import Foundation
import Testing

@Suite("A store that another version of the models has left")
struct LightweightMigrationTests {
    private func expectSecondVersion(_ context: ModelContext) throws {
        let trips = try context.all(TripsV2.Trip.self, by: SortDescriptor(\.days))
        #expect(trips.map(\.name) == ["T1", "T2", "T3"])
        #expect(trips.map(\.days) == [1, 2, 3])
        #expect(trips.allSatisfy { $0.mood == "ok" && $0.rating == nil && $0.stops.isEmpty })
    }

    @Test("has the rows of nested classes right after the save", arguments: TestStore.migrating)
    func nestedClasses(_ store: TestStore) throws {
        let site = try MigrationSite(store)
        try site.open(TripsV1.Trip.self) { context in
            context.insert(TripsV1.Trip("T1", 1))
            try context.save()
            #expect(try context.count(TripsV1.Trip.self) == 1)
        }
    }

    @Test("is brought forward by the plan, once", arguments: TestStore.migrating)
    func plan(_ store: TestStore) throws {
        let site = try MigrationSite.trips(store)
        try site.open(Schema(versionedSchema: TripsV2.self), plan: TripsPlan.self) { context in
            try expectSecondVersion(context)
            let first = try context.only(TripsV2.Trip.self, where: #Predicate { $0.days == 1 })
            first.stops = [TripsV2.Stop("Rome")]
            try context.save()
        }
        #expect(try site.reports(Schema(versionedSchema: TripsV2.self), plan: TripsPlan.self).isEmpty)
        for plan in [TripsPlan.self, nil] as [(any SchemaMigrationPlan.Type)?] {
            try site.open(TripsV2.Trip.self, TripsV2.Stop.self, plan: plan) { context in
                let stop = try context.only(TripsV2.Stop.self)
                #expect(stop.place == "Rome" && stop.trip?.name == "T1")
                #expect(try context.count(TripsV2.Trip.self) == 3)
            }
        }
    }

    @Test("is brought forward without a plan as with one", arguments: TestStore.migrating)
    func noPlan(_ store: TestStore) throws {
        for versioned in [true, false] {
            let site = try MigrationSite.trips(store, versioned: versioned)
            try site.open(TripsV2.Trip.self, TripsV2.Stop.self) { try expectSecondVersion($0) }
            try site.open(TripsV2.Trip.self, TripsV2.Stop.self, plan: TripsPlan.self) { try expectSecondVersion($0) }
        }
    }

    @Test("keeps identifiers, and gives no key out twice", arguments: TestStore.migrating)
    func identifiers(_ store: TestStore) throws {
        let site = try MigrationSite.trips(store)
        var old: [PersistentIdentifier] = []
        try site.open(TripsV1.Trip.self) { context in
            let trips = try context.all(TripsV1.Trip.self, by: SortDescriptor(\.days))
            context.delete(trips[2])
            try context.save()
            old = trips.map(\.persistentModelID)
        }
        try site.open(TripsV2.Trip.self, TripsV2.Stop.self) { context in
            let trips = try context.all(TripsV2.Trip.self, by: SortDescriptor(\.days))
            #expect(trips.map(\.persistentModelID) == Array(old[..<2]))
            let trip = TripsV2.Trip("new", 9)
            context.insert(trip)
            try context.save()
            #expect(!old.contains(trip.persistentModelID))
        }
    }

    @Test("goes through all versions of the plan from whichever it has", arguments: TestStore.migrating)
    func skippedVersions(_ store: TestStore) throws {
        let site = try MigrationSite.trips(store)
        let schema = Schema(versionedSchema: TripsV3.self)
        try site.open(schema, plan: LongTripsPlan.self) { context in
            let trips = try context.all(TripsV3.Trip.self, by: SortDescriptor(\.days))
            #expect(trips.map(\.label) == ["T1", "T2", "T3"])
            #expect(trips.allSatisfy { $0.title == nil })
        }
        #expect(try site.reports(schema, plan: LongTripsPlan.self).isEmpty)
    }

    @Test("that is newer than the program is refused", arguments: TestStore.migrating)
    func newer(_ store: TestStore) throws {
        let site = try MigrationSite.trips(store)
        try site.open(Schema(versionedSchema: TripsV2.self), plan: TripsPlan.self) { _ in }
        let before = try site.files()
        for plan in [nil, TripsPlan.self] as [(any SchemaMigrationPlan.Type)?] {
            #expect(throws: SwiftDataError.backwardMigration) {
                try site.open(Schema(versionedSchema: TripsV1.self), plan: plan) { _ in }
            }
        }
        #expect(try site.files() == before)
    }

    @Test("that the plan does not know is refused with what differs", arguments: TestStore.migrating)
    func unknown(_ store: TestStore) throws {
        let site = try MigrationSite(store)
        try site.open(StrayTrips.Trip.self) { context in
            context.insert(StrayTrips.Trip())
            try context.save()
        }
        let before = try site.files()
        let error = try #require(
            #expect(throws: SwiftDataError.self) {
                try site.open(Schema(versionedSchema: TripsV2.self), plan: TripsPlan.self) { _ in }
            })
        #expect(error.code == .unknownSchema && error.entity == "Trip")
        #expect("\(error)".contains("1.0.0") && "\(error)".contains("Trip.color"))
        #expect(try site.files() == before)
    }

    @Test("is left alone where it may not be changed", arguments: TestStore.migrating)
    func readOnly(_ store: TestStore) throws {
        let site = try MigrationSite.trips(store)
        let before = try site.files()
        let error = try #require(
            #expect(throws: SwiftDataError.self) {
                try ModelContainer(
                    for: Schema([TripsV2.Trip.self, TripsV2.Stop.self]), configurations: [site.readOnlyConfiguration])
            })
        #expect(error.code == .unknownSchema)
        #expect(try site.files() == before)
    }
}

enum StrayTrips {
    @Model final class Trip {
        var title = "?"
        var days = 1
        var junk = ""
        var color = "red"
        init() {}
    }
}
