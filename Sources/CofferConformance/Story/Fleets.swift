import CofferCore

// The models of a fleet of barges, as several versions of a program have them.

enum FirstFleet: VersionedSchema {
    static let versionIdentifier = Schema.Version(1, 0, 0)
    static var models: [any PersistentModel.Type] { [Barge.self, Hand.self] }

    @Model final class Barge {
        var name: String
        var load: Int
        var owner: String?
        @Relationship(inverse: \Hand.barge) var hands: [Hand] = []

        init(_ name: String, load: Int, owner: String? = nil) {
            self.name = name
            self.load = load
            self.owner = owner
        }
    }

    @Model final class Hand {
        var name: String
        var barge: Barge?

        init(_ name: String) { self.name = name }
    }
}

/// Something of each kind that a store can take in without touching rows.
enum GrownFleet: VersionedSchema {
    static let versionIdentifier = Schema.Version(2, 0, 0)
    static var models: [any PersistentModel.Type] { [Barge.self, Hand.self, Quay.self] }

    @Model final class Barge {
        var name: String
        var load: Int
        var owner: String?
        @Relationship(inverse: \Hand.barge) var hands: [Hand] = []
        var motto: String?
        var rating: Int = 3
        @Relationship(inverse: \Quay.barges) var quay: Quay?

        init(_ name: String, load: Int) {
            self.name = name
            self.load = load
        }
    }

    @Model final class Hand {
        var name: String
        var barge: Barge?

        init(_ name: String) { self.name = name }
    }

    @Model final class Quay {
        var name: String
        var barges: [Barge] = []

        init(_ name: String) { self.name = name }
    }
}

/// `load` is called `cargo` now, and nobody asks for owners.
enum RenamedFleet: VersionedSchema {
    static let versionIdentifier = Schema.Version(3, 0, 0)
    static var models: [any PersistentModel.Type] { [Barge.self, Hand.self] }

    @Model final class Barge {
        var name: String
        @Attribute(originalName: "load") var cargo: Int
        @Relationship(inverse: \Hand.barge) var hands: [Hand] = []

        init(_ name: String, cargo: Int) {
            self.name = name
            self.cargo = cargo
        }
    }

    @Model final class Hand {
        var name: String
        var barge: Barge?

        init(_ name: String) { self.name = name }
    }
}

/// Loads are no longer whole numbers, and every barge has an owner.
enum ConvertedFleet: VersionedSchema {
    static let versionIdentifier = Schema.Version(4, 0, 0)
    static var models: [any PersistentModel.Type] { [Barge.self, Hand.self] }

    @Model final class Barge {
        var name: String
        var load: Double
        var owner: String = "the town"
        @Relationship(inverse: \Hand.barge) var hands: [Hand] = []

        init(_ name: String, load: Double) {
            self.name = name
            self.load = load
        }
    }

    @Model final class Hand {
        var name: String
        var barge: Barge?

        init(_ name: String) { self.name = name }
    }
}

/// Names are numbers: nothing that could be made of what is there.
enum NumberedFleet: VersionedSchema {
    static let versionIdentifier = Schema.Version(5, 0, 0)
    static var models: [any PersistentModel.Type] { [Barge.self, Hand.self] }

    @Model final class Barge {
        var name: Int
        var load: Int
        var owner: String?
        @Relationship(inverse: \Hand.barge) var hands: [Hand] = []

        init(_ name: Int) {
            self.name = name
            load = 0
        }
    }

    @Model final class Hand {
        var name: String
        var barge: Barge?

        init(_ name: String) { self.name = name }
    }
}

/// Somebody else's models.
enum OtherFleet: VersionedSchema {
    static let versionIdentifier = Schema.Version(1, 0, 0)
    static var models: [any PersistentModel.Type] { [Kite.self] }

    @Model final class Kite {
        var colour: String

        init(_ colour: String) { self.colour = colour }
    }
}

/// From the first fleet to the grown one, by code.
enum FleetPlan: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [FirstFleet.self, GrownFleet.self] }
    static var stages: [MigrationStage] {
        [
            .custom(
                fromVersion: FirstFleet.self, toVersion: GrownFleet.self,
                willMigrate: { context in
                    for barge in try context.fetch(FetchDescriptor<FirstFleet.Barge>()) { barge.load += 1 }
                    try context.save()
                },
                didMigrate: { context in
                    for barge in try context.fetch(FetchDescriptor<GrownFleet.Barge>()) {
                        barge.rating = barge.load * 10
                    }
                    try context.save()
                })
        ]
    }
}

/// The same way, with a stage that fails once the rows are in their new form.
enum FailingFleetPlan: SchemaMigrationPlan {
    struct Fault: Error {}

    static var schemas: [any VersionedSchema.Type] { [FirstFleet.self, GrownFleet.self] }
    static var stages: [MigrationStage] {
        [
            .custom(
                fromVersion: FirstFleet.self, toVersion: GrownFleet.self, willMigrate: nil,
                didMigrate: { _ in throw Fault() })
        ]
    }
}

/// A plan that knows nothing of the first fleet.
enum OtherFleetPlan: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [RenamedFleet.self, ConvertedFleet.self] }
    static var stages: [MigrationStage] {
        [.lightweight(fromVersion: RenamedFleet.self, toVersion: ConvertedFleet.self)]
    }
}
