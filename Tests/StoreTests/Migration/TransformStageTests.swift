import Coffer
import Foundation
import Testing

enum RoutesV1: VersionedSchema {
    static let versionIdentifier = Schema.Version(1, 0, 0)
    static var models: [any PersistentModel.Type] { [Route.self] }

    @Model final class Route {
        var name: String
        var length: String
        init(_ name: String, _ length: String) {
            self.name = name
            self.length = length
        }
    }
}

enum RoutesV2: VersionedSchema {
    static let versionIdentifier = Schema.Version(2, 0, 0)
    static var models: [any PersistentModel.Type] { [Route.self, Leg.self] }

    /// The length is a number now, and the name two names.
    @Model final class Route {
        var length: Double
        var start: String
        var end: String
        var legs: [Leg] = []
        init() { (length, start, end) = (0, "", "") }
    }

    @Model final class Leg {
        var number: Int
        init(_ number: Int) { self.number = number }
    }
}

enum RoutesPlan: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [RoutesV1.self, RoutesV2.self] }
    static var stages: [MigrationStage] {
        [
            .transform(fromVersion: RoutesV1.self, toVersion: RoutesV2.self) { transition in
                try transition.forEach(RoutesV1.Route.self, RoutesV2.Route.self, batchSize: 2) { old, new in
                    guard let length = Double(old.length) else { throw StageLog.Refused() }
                    new.length = length
                    let names = old.name.split(separator: "-").map(String.init)
                    (new.start, new.end) = (names[0], names[1])
                    new.legs = [RoutesV2.Leg(Int(length))]
                }
            }
        ]
    }
}

enum PacesV1: VersionedSchema {
    static let versionIdentifier = Schema.Version(1, 0, 0)
    static var models: [any PersistentModel.Type] { [Pace.self] }

    @Model final class Pace {
        var name: String
        var speed: Int
        init(_ name: String, _ speed: Int) { (self.name, self.speed) = (name, speed) }
    }
}

enum PacesV2: VersionedSchema {
    static let versionIdentifier = Schema.Version(2, 0, 0)
    static var models: [any PersistentModel.Type] { [Pace.self] }
    enum Name: String, Codable { case walk, run }

    /// Both types are kept as the old ones were, and have fewer values.
    @Model final class Pace {
        var name: Name
        var speed: Int8?
        init() { name = .walk }
    }
}

enum PacesPlan: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [PacesV1.self, PacesV2.self] }
    static var stages: [MigrationStage] {
        [
            .transform(fromVersion: PacesV1.self, toVersion: PacesV2.self) { transition in
                try transition.forEach(PacesV1.Pace.self, PacesV2.Pace.self) { old, new in
                    if old.name == "jog" { new.name = .run }
                    if new.speed == nil { new.speed = .max }
                }
            }
        ]
    }
}

@Suite("A stage that sees old and new models together")
struct TransformStageTests {
    private func make(_ store: TestStore, _ lengths: [String]) throws -> MigrationSite {
        let site = try MigrationSite(store)
        try site.open(Schema(versionedSchema: RoutesV1.self)) { context in
            for (number, length) in lengths.enumerated() {
                context.insert(RoutesV1.Route("a\(number)-b\(number)", length))
            }
            try context.save()
        }
        return site
    }

    @Test("splits values, changes types and makes models, row by row", arguments: TestStore.migrating)
    func transform(_ store: TestStore) throws {
        let site = try make(store, ["1.5", "2", "3.25"])
        for _ in 0..<2 {
            try site.open(Schema(versionedSchema: RoutesV2.self), plan: RoutesPlan.self) { context in
                let routes = try context.all(RoutesV2.Route.self, by: SortDescriptor(\.length))
                #expect(routes.map(\.length) == [1.5, 2, 3.25])
                #expect(routes.map(\.start) == ["a0", "a1", "a2"] && routes.map(\.end) == ["b0", "b1", "b2"])
                #expect(routes.map { $0.legs.map(\.number) } == [[1], [2], [3]])
            }
        }
    }

    @Test("gives values to rows whose old ones do not fit a narrower type", arguments: TestStore.migrating)
    func narrower(_ store: TestStore) throws {
        let site = try MigrationSite(store)
        try site.open(Schema(versionedSchema: PacesV1.self)) { context in
            for (name, speed) in [("walk", 5), ("jog", 10), ("run", 1000)] {
                context.insert(PacesV1.Pace(name, speed))
            }
            try context.save()
        }
        try site.open(Schema(versionedSchema: PacesV2.self), plan: PacesPlan.self) { context in
            let paces = try context.all(PacesV2.Pace.self, by: SortDescriptor(\.speed))
            #expect(paces.map(\.name) == [.walk, .run, .run])
            #expect(paces.map(\.speed) == [5, 10, .max])
        }
    }

    @Test("that refuses a row leaves the old store", arguments: TestStore.migrating)
    func failure(_ store: TestStore) throws {
        let site = try make(store, ["1", "2", "three"])
        let before = try site.files()
        #expect(throws: StageLog.Refused()) {
            try site.open(Schema(versionedSchema: RoutesV2.self), plan: RoutesPlan.self) { _ in }
        }
        #expect(try site.files() == before)
    }
}
