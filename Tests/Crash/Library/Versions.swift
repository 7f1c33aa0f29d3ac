import Coffer
import Foundation

/// The versions of a program's models that migrations go through.
enum KeepersV1: VersionedSchema {
    static let versionIdentifier = Schema.Version(1, 0, 0)
    static var models: [any PersistentModel.Type] { [Keeper.self, Animal.self] }

    @Model final class Keeper {
        #Index<Keeper>([\.name])
        var name: String
        var email: String
        var junk: String?
        @Attribute(.externalStorage) var photo: Data?
        @Relationship(deleteRule: .cascade, inverse: \Animal.keeper) var animals: [Animal] = []
        init(_ name: String, _ email: String) {
            self.name = name
            self.email = email
        }
    }

    @Model final class Animal {
        var name: String
        var legs: Int
        var keeper: Keeper?
        init(_ name: String, legs: Int) {
            self.name = name
            self.legs = legs
        }
    }
}

/// What only adds.
enum KeepersMore: VersionedSchema {
    static let versionIdentifier = Schema.Version(1, 1, 0)
    static var models: [any PersistentModel.Type] { [Keeper.self, Animal.self, Cage.self] }

    @Model final class Keeper {
        #Index<Keeper>([\.name], [\.email])
        #FullText<Keeper>([\.name, \.email])
        var name: String
        var email: String
        var junk: String?
        var age: Int = 30
        var hobby: String?
        @Attribute(.externalStorage) var photo: Data?
        @Relationship(deleteRule: .cascade, inverse: \Animal.keeper) var animals: [Animal] = []
        init() {
            name = ""
            email = ""
        }
    }

    @Model final class Animal {
        var name: String
        var legs: Int
        var keeper: Keeper?
        var cage: Cage?
        init() {
            name = ""
            legs = 0
        }
    }

    @Model final class Cage {
        var number: Int
        @Relationship(inverse: \Animal.cage) var animals: [Animal] = []
        init(_ number: Int) { self.number = number }
    }
}

/// What takes a copy: another name, a property less, uniqueness, another type, values out of files.
enum KeepersV2: VersionedSchema {
    static let versionIdentifier = Schema.Version(2, 0, 0)
    static var models: [any PersistentModel.Type] { [Keeper.self, Animal.self] }

    @Model final class Keeper {
        #Unique<Keeper>([\.email])
        @Attribute(originalName: "name") var title: String
        var email: String
        @Attribute(.externalStorage) var photo: Data?
        @Relationship(deleteRule: .cascade, inverse: \Animal.keeper) var animals: [Animal] = []
        init() {
            title = ""
            email = ""
        }
    }

    @Model final class Animal {
        #Index<Animal>([\.legs])
        var name: String
        var legs: Double
        var keeper: Keeper?
        init() {
            name = ""
            legs = 0
        }
    }
}

/// What only the program knows how to fill.
enum KeepersV3: VersionedSchema {
    static let versionIdentifier = Schema.Version(3, 0, 0)
    static var models: [any PersistentModel.Type] { [Keeper.self, Animal.self] }

    @Model final class Keeper {
        #Unique<Keeper>([\.email])
        var first: String
        var last: String
        var email: String
        var photo: Data?
        @Relationship(deleteRule: .cascade, inverse: \Animal.keeper) var animals: [Animal] = []
        init() {
            first = ""
            last = ""
            email = ""
        }
    }

    @Model final class Animal {
        #FullText<Animal>([\.name])
        var name: String
        var legs: Double
        var keeper: Keeper?
        init() {
            name = ""
            legs = 0
        }
    }
}

enum KeepersPlan: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [KeepersV1.self, KeepersV2.self, KeepersV3.self] }
    static var stages: [MigrationStage] {
        [
            .custom(
                fromVersion: KeepersV1.self, toVersion: KeepersV2.self,
                willMigrate: { context in
                    for keeper in try context.fetch(FetchDescriptor<KeepersV1.Keeper>()) where keeper.email == "twice" {
                        context.delete(keeper)
                    }
                    try context.save()
                },
                didMigrate: { context in
                    for animal in try context.fetch(FetchDescriptor<KeepersV2.Animal>()) { animal.name += "!" }
                    try context.save()
                }),
            .transform(fromVersion: KeepersV2.self, toVersion: KeepersV3.self) { transition in
                try transition.forEach(KeepersV2.Keeper.self, KeepersV3.Keeper.self) { old, new in
                    let words = old.title.split(separator: " ")
                    new.first = words.first.map(String.init) ?? ""
                    new.last = words.dropFirst().joined(separator: " ")
                }
            },
        ]
    }
}
