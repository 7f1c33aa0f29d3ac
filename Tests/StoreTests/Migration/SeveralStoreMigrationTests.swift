import Coffer
import CofferJSON
import Foundation
import Testing

/// Trips and counters, which lie in two stores; only the trips change.
enum MixedV1: VersionedSchema {
    static let versionIdentifier = Schema.Version(1, 0, 0)
    static var models: [any PersistentModel.Type] { [TripsV1.Trip.self, Counter.self] }
}

enum MixedV2: VersionedSchema {
    static let versionIdentifier = Schema.Version(2, 0, 0)
    static var models: [any PersistentModel.Type] { [TripsV2.Trip.self, TripsV2.Stop.self, Counter.self] }
}

enum MixedPlan: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [MixedV1.self, MixedV2.self] }
    static var stages: [MigrationStage] {
        [
            .custom(
                fromVersion: MixedV1.self, toVersion: MixedV2.self, willMigrate: nil,
                didMigrate: { context in
                    for trip in try context.fetch(FetchDescriptor<TripsV2.Trip>()) { trip.mood = "new" }
                    try StageLog.current.note("did")
                })
        ]
    }
}

@Suite("A migration plan")
struct SeveralStoreMigrationTests {
    @Test("reaches each of several stores, with what lies there", arguments: TestStore.migrating)
    func severalStores(_ store: TestStore) throws {
        let site = try MigrationSite(store)
        func container(_ trips: Schema, _ schema: Schema, _ plan: (any SchemaMigrationPlan.Type)?) throws
            -> ModelContainer
        {
            var first = RecordingConfiguration(site.configuration, record: Record())
            first.schema = trips
            let second = JSONArchiveConfiguration(
                "counters", schema: Schema([Counter.self]), url: site.folder.appendingPathComponent("counters.json"))
            return try ModelContainer(for: schema, migrationPlan: plan, configurations: [first, second])
        }
        func fill() throws {
            let context = ModelContext(
                try container(Schema([TripsV1.Trip.self]), Schema(versionedSchema: MixedV1.self), nil))
            context.insert(TripsV1.Trip("T1", 1))
            context.insert(Counter(5))
            try context.save()
        }
        try fill()
        let log = StageLog()
        try StageLog.$current.withValue(log) {
            for _ in 0..<2 {
                let new = try container(
                    Schema([TripsV2.Trip.self, TripsV2.Stop.self]), Schema(versionedSchema: MixedV2.self),
                    MixedPlan.self)
                let context = ModelContext(new)
                let trip = try context.only(TripsV2.Trip.self)
                #expect(trip.name == "T1" && trip.mood == "new")
                #expect(try context.only(Counter.self).count == 5)
            }
        }
        #expect(log.all == ["did"])
    }

    @Test("reaches the store behind a model configuration")
    func modelConfiguration() throws {
        let site = try MigrationSite(.sqlite)
        let configuration = ModelConfiguration(url: site.folder.appendingPathComponent("default.store"))
        func fill() throws {
            let context = ModelContext(
                try ModelContainer(for: Schema(versionedSchema: PetsV1.self), configurations: [configuration]))
            context.insert(PetsV1.Person("a@x", "p1", ["k1"]))
            try context.save()
        }
        try fill()
        try StageLog.$current.withValue(StageLog()) {
            let container = try ModelContainer(
                for: PetsV2.Person.self, PetsV2.Pet.self, migrationPlan: PetsPlan.self, configurations: configuration)
            #expect(try ModelContext(container).only(PetsV2.Pet.self).name == "k1!")
            #expect(container.migrationReports.first?.steps.first?.isCustom == true)
        }
    }
}
