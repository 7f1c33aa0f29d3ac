import Coffer

/// Trips of a program, version by version: a rename, a removal, new properties and a new model.
enum TripsV1: VersionedSchema {
    static let versionIdentifier = Schema.Version(1, 0, 0)
    static var models: [any PersistentModel.Type] { [Trip.self] }

    @Model final class Trip {
        var title: String
        var days: Int
        var junk: String
        init(_ title: String, _ days: Int) {
            self.title = title
            self.days = days
            junk = "junk of \(title)"
        }
    }
}

enum TripsV2: VersionedSchema {
    static let versionIdentifier = Schema.Version(2, 0, 0)
    static var models: [any PersistentModel.Type] { [Trip.self, Stop.self] }

    @Model final class Trip {
        @Attribute(originalName: "title") var name: String
        var days: Int
        var mood: String = "ok"
        var rating: Int?
        @Relationship(deleteRule: .cascade, inverse: \Stop.trip) var stops: [Stop] = []
        init(_ name: String, _ days: Int) {
            self.name = name
            self.days = days
        }
    }

    @Model final class Stop {
        var place: String
        var trip: Trip?
        init(_ place: String) { self.place = place }
    }
}

/// The name has another name again, and the new property took over the oldest one.
enum TripsV3: VersionedSchema {
    static let versionIdentifier = Schema.Version(3, 0, 0)
    static var models: [any PersistentModel.Type] { [Trip.self, Stop.self] }

    @Model final class Trip {
        @Attribute(originalName: "name") var label: String
        var title: String?
        var days: Int
        var mood: String = "ok"
        @Relationship(deleteRule: .cascade, inverse: \Stop.trip) var stops: [Stop] = []
        init(_ label: String, _ days: Int) {
            self.label = label
            self.days = days
        }
    }

    @Model final class Stop {
        var place: String
        var trip: Trip?
        init(_ place: String) { self.place = place }
    }
}

enum TripsPlan: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [TripsV1.self, TripsV2.self] }
    static var stages: [MigrationStage] { [.lightweight(fromVersion: TripsV1.self, toVersion: TripsV2.self)] }
}

enum LongTripsPlan: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [TripsV1.self, TripsV2.self, TripsV3.self] }
    static var stages: [MigrationStage] {
        [
            .lightweight(fromVersion: TripsV1.self, toVersion: TripsV2.self),
            .lightweight(fromVersion: TripsV2.self, toVersion: TripsV3.self),
        ]
    }
}

extension MigrationSite {
    /// A store of the first version with three trips.
    static func trips(_ store: TestStore, versioned: Bool = true) throws -> MigrationSite {
        let site = try MigrationSite(store)
        let schema = versioned ? Schema(versionedSchema: TripsV1.self) : Schema([TripsV1.Trip.self])
        try site.open(schema) { context in
            for number in 1...3 { context.insert(TripsV1.Trip("T\(number)", number)) }
            try context.save()
        }
        return site
    }
}
