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
}
