import Coffer
import Foundation
import Testing

@Suite("Relationships that a migration carries over")
struct LinkMappingTests {
    static func make(_ store: TestStore) throws -> MigrationSite {
        let site = try MigrationSite(store)
        try site.open(LinksV1.Owner.self, LinksV1.Part.self, LinksV1.Tag.self) { context in
            let parts = (0..<6).map { LinksV1.Part("p\($0)") }
            let tags = (0..<3).map { LinksV1.Tag("t\($0)") }
            let (first, second) = (LinksV1.Owner("o0"), LinksV1.Owner("o1"))
            for model in parts { context.insert(model) }
            for model in tags { context.insert(model) }
            try context.save()
            first.one = parts[5]
            first.many = [parts[3], parts[0]]
            second.many = [parts[4]]
            first.parts = [parts[2], parts[1], parts[4]]
            first.tags = [tags[1], tags[0]]
            second.tags = [tags[2], tags[1]]
            second.single = [tags[0]]
            context.insert(first)
            context.insert(second)
            try context.save()
        }
        return site
    }

    @Test("change between one and several, get another side, and keep their order", arguments: TestStore.migrating)
    func kinds(_ store: TestStore) throws {
        let site = try Self.make(store)
        for _ in 0..<2 {
            try site.open(LinksV2.Owner.self, LinksV2.Part.self, LinksV2.Tag.self) { context in
                let owners = try context.all(LinksV2.Owner.self, by: SortDescriptor(\.title))
                #expect(owners.map(\.title) == ["o0", "o1"])
                #expect(owners.map { $0.one.map(\.name) } == [["p5"], []])
                #expect(owners.map { $0.many.map(\.name).sorted() } == [["p0", "p3"], ["p4"]])
                #expect(owners.map { $0.parts.map(\.name) } == [["p2", "p1", "p4"], []])
                #expect(owners.map { $0.tags.map(\.name) } == [["t1", "t0"], ["t2", "t1"]])
                #expect(owners.map { $0.single?.name } == [nil, "t0"])
                let parts = try context.all(LinksV2.Part.self, by: SortDescriptor(\.name))
                #expect(parts.map { $0.home?.title } == ["o0", nil, nil, "o0", "o1", nil])
                #expect(parts.map { $0.owner?.title } == [nil, "o0", "o0", nil, "o0", nil])
                let tags = try context.all(LinksV2.Tag.self, by: SortDescriptor(\.name))
                #expect(tags.map { $0.owners.map(\.title).sorted() } == [["o0"], ["o0", "o1"], ["o1"]])
            }
        }
    }

    @Test("that would lose rows keep the store as it is", arguments: TestStore.migrating)
    func refused(_ store: TestStore) throws {
        let site = try Self.make(store)
        try site.open(LinksV1.Owner.self, LinksV1.Part.self, LinksV1.Tag.self) { context in
            let owner = try context.only(LinksV1.Owner.self, where: #Predicate { $0.name == "o1" })
            owner.single = try context.all(LinksV1.Tag.self)
            try context.save()
        }
        let before = try site.files()
        let error = try #require(
            #expect(throws: SwiftDataError.self) {
                try site.open(LinksV2.Owner.self, LinksV2.Part.self, LinksV2.Tag.self) { _ in }
            })
        #expect(error.code == .migrationFailure && error.entity == "Owner" && error.property == "single")
        #expect(try site.files() == before)
    }

    @Test("lead nowhere where a class is gone, and its rows with it", arguments: TestStore.migrating)
    func hierarchies(_ store: TestStore) throws {
        let site = try MigrationSite(store)
        try site.open(ShapesV1.Shape.self, ShapesV1.Circle.self, ShapesV1.Square.self, ShapesV1.Drawing.self) {
            context in
            let shape = ShapesV1.Shape("shape")
            let circle = ShapesV1.Circle("circle", radius: 2)
            let square = ShapesV1.Square("square", side: 3)
            context.insert(shape)
            context.insert(circle)
            context.insert(square)
            shape.next = circle
            circle.next = square
            context.insert(ShapesV1.Drawing([square, circle, shape]))
            try context.save()
        }
        let schema = Schema([ShapesV2.Shape.self, ShapesV2.Circle.self, ShapesV2.Star.self, ShapesV2.Drawing.self])
        let before = try site.files()
        let error = try #require(#expect(throws: SwiftDataError.self) { try site.open(schema) { _ in } })
        #expect(error.code == .unknownSchema && error.entity == "Square")
        #expect(try site.files() == before)
        let report = try #require(try site.reports(schema, plan: ShapesPlan.self).first)
        #expect(report.steps.first?.entities.first { $0.name == "Square" }?.lostRows == 1)
        try site.open(schema) { context in
            let shapes = try context.all(ShapesV2.Shape.self, by: SortDescriptor(\.title))
            #expect(shapes.map(\.title) == ["circle", "shape"])
            let circle = try #require(shapes[0] as? ShapesV2.Circle)
            #expect(circle.radius == 2 && circle.color == "red" && circle.next == nil)
            #expect(shapes[1].next === circle)
            #expect(try context.only(ShapesV2.Drawing.self).shapes.map(\.title) == ["circle", "shape"])
            context.insert(ShapesV2.Star("star", points: 6))
            try context.save()
            #expect(try context.count(ShapesV2.Shape.self) == 3)
        }
    }

    @Test("of an entity whose class has another name stay, where the plan says so", arguments: TestStore.migrating)
    func renamedEntity(_ store: TestStore) throws {
        let site = try MigrationSite.trips(store)
        try site.open(Schema(versionedSchema: JourneysV2.self), plan: JourneysPlan.self) { context in
            try expectSame(
                context.all(JourneysV2.Journey.self, by: SortDescriptor(\.days)).map(\.name), ["T1", "T2", "T3"])
        }
        #expect(try site.reports(Schema(versionedSchema: JourneysV2.self), plan: JourneysPlan.self).isEmpty)
    }
}
