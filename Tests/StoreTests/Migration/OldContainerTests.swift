import Coffer
import Foundation
import Testing

@Suite("A container that is still open when another version of the program opens the store")
struct OldContainerTests {
    @Test("does not keep the store from being migrated, and says so when it is used", arguments: TestStore.migrating)
    func superseded(_ store: TestStore) throws {
        let site = try MigrationSite.trips(store)
        let old = try ModelContainer(
            for: Schema(versionedSchema: TripsV1.self), configurations: [site.configuration])
        let context = ModelContext(old)
        let first = try context.only(TripsV1.Trip.self, where: #Predicate { $0.days == 1 })
        try site.open(TripsV2.Trip.self, TripsV2.Stop.self) { new in
            try expectSame(new.count(TripsV2.Trip.self), 3)
        }
        first.days = 100
        let error = try #require(#expect(throws: SwiftDataError.self) { try context.save() })
        #expect([.storeClosed, .unknownSchema].contains(error.code))
        try site.open(TripsV2.Trip.self, TripsV2.Stop.self) { new in
            try expectSame(Set(new.all(TripsV2.Trip.self).map(\.days)), [1, 2, 3])
        }
    }

    @Test("goes on where that version is refused", arguments: TestStore.migrating)
    func refused(_ store: TestStore) throws {
        let site = try MigrationSite.trips(store)
        let old = try ModelContainer(
            for: Schema(versionedSchema: TripsV1.self), configurations: [site.configuration])
        let context = ModelContext(old)
        let before = try site.files()
        #expect(throws: SwiftDataError.unknownSchema) { try site.open(RetypedTrips.Trip.self) { _ in } }
        #expect(throws: SwiftDataError.unknownSchema) { try site.open(StrayNote.self) { _ in } }
        #expect(try site.files() == before)
        context.insert(TripsV1.Trip("T4", 4))
        try context.save()
        #expect(try context.count(TripsV1.Trip.self) == 4)
    }

    @Test("of the same version, opened at the same time, is not closed", arguments: TestStore.migrating)
    func sameTime(_ store: TestStore) async throws {
        let site = try MigrationSite.trips(store)
        nonisolated(unsafe) let shared = site
        let containers = try await withThrowingTaskGroup(of: ModelContainer.self) { group in
            for _ in 0..<4 {
                group.addTask {
                    try ModelContainer(
                        for: Schema(versionedSchema: TripsV2.self), migrationPlan: TripsPlan.self,
                        configurations: [shared.configuration])
                }
            }
            var all: [ModelContainer] = []
            for try await container in group { all.append(container) }
            return all
        }
        #expect(containers.flatMap(\.migrationReports).count == 1)
        for container in containers { #expect(try ModelContext(container).count(TripsV2.Trip.self) == 3) }
    }
}

enum RetypedTrips {
    @Model final class Trip {
        var title: Int
        init() { title = 0 }
    }
}

@Model final class StrayNote {
    var text = ""
    init() {}
}
