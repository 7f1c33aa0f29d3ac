import Coffer
import Foundation
import Synchronization
import Testing

enum PetsV1: VersionedSchema {
    static let versionIdentifier = Schema.Version(1, 0, 0)
    static var models: [any PersistentModel.Type] { [Person.self, Pet.self] }

    @Model final class Person {
        var email: String
        var name: String
        @Relationship(deleteRule: .cascade, inverse: \Pet.owner) var pets: [Pet] = []
        init(_ email: String, _ name: String, _ pets: [String]) {
            self.email = email
            self.name = name
            self.pets = pets.map { Pet($0) }
        }
    }

    @Model final class Pet {
        var name: String
        var owner: Person?
        init(_ name: String) { self.name = name }
    }
}

enum PetsV2: VersionedSchema {
    static let versionIdentifier = Schema.Version(2, 0, 0)
    static var models: [any PersistentModel.Type] { [Person.self, Pet.self] }

    @Model final class Person {
        @Attribute(.unique) var email: String
        var name: String
        @Relationship(deleteRule: .cascade, inverse: \Pet.owner) var pets: [Pet] = []
        init(_ email: String, _ name: String) {
            self.email = email
            self.name = name
        }
    }

    @Model final class Pet {
        var name: String
        var owner: Person?
        init(_ name: String) { self.name = name }
    }
}

/// What the closures of a plan do and did, for one test at a time.
final class StageLog: Sendable {
    struct Refused: Error, Equatable {}

    let calls = Mutex<[String]>([])
    let refuses: Bool

    init(refuses: Bool = false) { self.refuses = refuses }

    func note(_ call: String) throws {
        calls.withLock { $0.append(call) }
        if refuses { throw Refused() }
    }

    var all: [String] { calls.withLock { $0 } }

    @TaskLocal static var current = StageLog()
}

enum PetsPlan: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [PetsV1.self, PetsV2.self] }
    static var stages: [MigrationStage] {
        [
            .custom(
                fromVersion: PetsV1.self, toVersion: PetsV2.self,
                willMigrate: { context in
                    var kept: [String: PetsV1.Person] = [:]
                    let people = try context.fetch(
                        FetchDescriptor<PetsV1.Person>(sortBy: [SortDescriptor(\.name)]))
                    for person in people {
                        guard let first = kept[person.email] else {
                            kept[person.email] = person
                            continue
                        }
                        for pet in person.pets { pet.owner = first }
                        context.delete(person)
                    }
                    try context.save()
                    try StageLog.current.note("will")
                },
                didMigrate: { context in
                    for pet in try context.fetch(FetchDescriptor<PetsV2.Pet>()) { pet.name += "!" }
                    try context.save()
                    try StageLog.current.note("did")
                })
        ]
    }
}

@Suite("A migration that the program takes part in")
struct StagedMigrationTests {
    static func make(_ store: TestStore) throws -> MigrationSite {
        let site = try MigrationSite(store)
        try site.open(Schema(versionedSchema: PetsV1.self)) { context in
            context.insert(PetsV1.Person("a@x", "p1", ["k1"]))
            context.insert(PetsV1.Person("a@x", "p2", ["k2", "k3"]))
            context.insert(PetsV1.Person("b@x", "p3", []))
            try context.save()
        }
        return site
    }

    static func expectNew(_ context: ModelContext) throws {
        let people = try context.all(PetsV2.Person.self, by: SortDescriptor(\.email))
        #expect(people.map(\.email) == ["a@x", "b@x"])
        #expect(Set(people[0].pets.map(\.name)) == ["k1!", "k2!", "k3!"])
        #expect(try context.count(PetsV2.Pet.self) == 3)
    }

    static func expectOld(_ context: ModelContext) throws {
        let people = try context.all(PetsV1.Person.self, by: SortDescriptor(\.name))
        #expect(people.map { $0.pets.map(\.name).sorted() } == [["k1"], ["k2", "k3"], []])
        #expect(try context.count(PetsV1.Pet.self) == 3)
    }

    @Test("runs its closures once, the first on the old models, the second on the new", arguments: TestStore.migrating)
    func stage(_ store: TestStore) throws {
        let site = try Self.make(store)
        let log = StageLog()
        try StageLog.$current.withValue(log) {
            try site.open(Schema(versionedSchema: PetsV2.self), plan: PetsPlan.self) { context in
                try Self.expectNew(context)
                context.insert(PetsV2.Person("b@x", "again"))
                try context.save()
                try expectSame(context.count(PetsV2.Person.self), 2)
            }
            try site.open(PetsV2.Person.self, PetsV2.Pet.self, plan: PetsPlan.self) { context in
                try expectSame(context.count(PetsV2.Person.self), 2)
            }
        }
        #expect(log.all == ["will", "did"])
    }

    @Test("that fails throws the closure's own failure and leaves the old store", arguments: TestStore.migrating)
    func failure(_ store: TestStore) throws {
        let site = try Self.make(store)
        let before = try site.files()
        StageLog.$current.withValue(StageLog(refuses: true)) {
            #expect(throws: StageLog.Refused()) {
                try site.open(Schema(versionedSchema: PetsV2.self), plan: PetsPlan.self) { _ in }
            }
        }
        #expect(try site.files() == before)
        try site.open(Schema(versionedSchema: PetsV1.self)) { try Self.expectOld($0) }
        try StageLog.$current.withValue(StageLog()) {
            try site.open(Schema(versionedSchema: PetsV2.self), plan: PetsPlan.self) { try Self.expectNew($0) }
        }
    }

    @Test(
        "is needed where values are not unique that shall be; otherwise the property is named",
        arguments: TestStore.migrating)
    func uniqueness(_ store: TestStore) throws {
        let site = try Self.make(store)
        let before = try site.files()
        let error = try #require(
            #expect(throws: SwiftDataError.self) { try site.open(PetsV2.Person.self, PetsV2.Pet.self) { _ in } })
        #expect(error.code == .uniquenessConflict && error.entity == "Person" && error.property == "email")
        #expect(error.operation == .migrate)
        #expect(try site.files() == before)
        try site.open(Schema(versionedSchema: PetsV1.self)) { context in
            context.delete(try context.only(PetsV1.Person.self, where: #Predicate { $0.name == "p2" }))
            try context.save()
        }
        try site.open(PetsV2.Person.self, PetsV2.Pet.self) { context in
            try expectSame(context.count(PetsV2.Person.self), 2)
        }
    }

    @Test("starts anew from a store that knew no versions", arguments: TestStore.migrating)
    func unversioned(_ store: TestStore) throws {
        let site = try MigrationSite(store)
        try site.open(PetsV1.Person.self, PetsV1.Pet.self) { context in
            context.insert(PetsV1.Person("a@x", "p1", ["k1"]))
            try context.save()
        }
        let log = StageLog()
        try StageLog.$current.withValue(log) {
            try site.open(PetsV2.Person.self, PetsV2.Pet.self, plan: PetsPlan.self) { context in
                try expectSame(context.only(PetsV2.Pet.self).name, "k1!")
            }
        }
        #expect(log.all == ["will", "did"])
    }

    @Test("can be a step between models that are the same", arguments: TestStore.migrating)
    func sameModels(_ store: TestStore) throws {
        let site = try MigrationSite(store)
        try site.open(Schema(versionedSchema: CountersV1.self)) { context in
            context.insert(Counter(1))
            try context.save()
        }
        for _ in 0..<2 {
            try site.open(Counter.self, plan: CountersPlan.self) { context in
                try expectSame(context.only(Counter.self).count, 2)
            }
        }
        // The plan may be left behind and come back.
        try site.open(Counter.self) { try expectSame($0.only(Counter.self).count, 2) }
        try site.open(Counter.self, plan: CountersPlan.self) { try expectSame($0.only(Counter.self).count, 2) }
    }
}

@Model final class Counter {
    var count: Int
    init(_ count: Int) { self.count = count }
}

enum CountersV1: VersionedSchema {
    static let versionIdentifier = Schema.Version(1, 0, 0)
    static var models: [any PersistentModel.Type] { [Counter.self] }
}

enum CountersV2: VersionedSchema {
    static let versionIdentifier = Schema.Version(2, 0, 0)
    static var models: [any PersistentModel.Type] { [Counter.self] }
}

enum CountersPlan: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [CountersV1.self, CountersV2.self] }
    static var stages: [MigrationStage] {
        [
            .custom(
                fromVersion: CountersV1.self, toVersion: CountersV2.self, willMigrate: nil,
                didMigrate: { context in
                    for counter in try context.fetch(FetchDescriptor<Counter>()) { counter.count += 1 }
                })
        ]
    }
}
