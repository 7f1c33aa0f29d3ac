import Coffer
import CofferJSON
import Foundation
import Testing

/// The code of Docs/Migration.md.
enum MigrationGuide {
    enum TripsV1: VersionedSchema {
        static var versionIdentifier: Schema.Version { Schema.Version(1, 0, 0) }
        static var models: [any PersistentModel.Type] { [Trip.self] }

        @Model final class Trip {
            var name: String
            var junk: String?
            init(name: String, junk: String? = nil) {
                self.name = name
                self.junk = junk
            }
        }
    }

    enum TripsV2: VersionedSchema {
        static var versionIdentifier: Schema.Version { Schema.Version(2, 0, 0) }
        static var models: [any PersistentModel.Type] { [Trip.self] }

        @Model final class Trip {
            var name: String
            init(name: String) { self.name = name }
        }
    }

    enum TripsV3: VersionedSchema {
        static var versionIdentifier: Schema.Version { Schema.Version(3, 0, 0) }
        static var models: [any PersistentModel.Type] { [Trip.self] }

        @Model final class Trip {
            @Attribute(.unique) var name: String
            init(name: String) { self.name = name }
        }
    }

    enum TripsPlan: SchemaMigrationPlan {
        static var schemas: [any VersionedSchema.Type] { [TripsV1.self, TripsV2.self, TripsV3.self] }
        static var stages: [MigrationStage] {
            [
                .lightweight(fromVersion: TripsV1.self, toVersion: TripsV2.self),
                .custom(
                    fromVersion: TripsV2.self, toVersion: TripsV3.self,
                    willMigrate: { context in
                        for trip in try context.fetch(FetchDescriptor<TripsV2.Trip>()) where trip.name.isEmpty {
                            context.delete(trip)
                        }
                        try context.save()
                    }, didMigrate: nil),
            ]
        }
    }

    /// A folder with an archive of the first version.
    private static func withOldArchive(_ body: (URL) throws -> Void) throws {
        try withFolder { folder in
            let file = folder.appending(path: "trips")
            let container = try ModelContainer(
                for: TripsV1.Trip.self, configurations: JSONArchiveConfiguration("trips", url: file))
            let context = ModelContext(container)
            for name in ["Alps", "", ""] { context.insert(TripsV1.Trip(name: name, junk: "old")) }
            try context.save()
            try body(file)
        }
    }

    @Suite(.serialized) struct Examples {
        @Test func aPlan() throws {
            try withOldArchive { file in
                let container = try ModelContainer(
                    for: TripsV3.Trip.self, migrationPlan: TripsPlan.self,
                    configurations: JSONArchiveConfiguration(url: file))
                let trips = try ModelContext(container).fetch(FetchDescriptor<TripsV3.Trip>())
                #expect(trips.map(\.name) == ["Alps"])
            }
        }

        @Test func lookingFirst() throws {
            typealias Trip = TripsV2.Trip
            try withOldArchive { file in
                let configuration = JSONArchiveConfiguration("trips", url: file)
                let printed = try printed {
                    let reports = try ModelContainer.previewMigration(
                        for: Schema([Trip.self], version: Schema.Version(2, 0, 0)), configurations: [configuration])
                    print(reports[0])
                }
                #expect(
                    printed == """
                        trips: from 1.0.0 to 2.0.0, on a copy
                          1.0.0 → 2.0.0
                            Trip: 3 rows
                            Trip.junk: loses 3 values
                        """)
            }
        }

        @Test func conversion() throws {
            try withFolder { folder in
                let old = folder.appending(path: "trips.sqlite")
                let new = folder.appending(path: "trips.json")
                do {
                    let container = try ModelContainer(
                        for: TripsV3.Trip.self, configurations: SQLiteStoreConfiguration(url: old))
                    let context = ModelContext(container)
                    context.insert(TripsV3.Trip(name: "Alps"))
                    try context.save()
                }
                let printed = try printed {
                    try StoreConversion.convert(
                        from: SQLiteStoreConfiguration(url: old), to: JSONArchiveConfiguration(url: new)
                    ) { print($0.entityName, $0.rows, "of", $0.total) }
                }
                #expect(printed.hasSuffix("Trip 1 of 1"))
            }
        }
    }
}
