import Coffer
import Foundation

/// Values whose types, options and defaults change.
enum ValuesV1 {
    enum Kind: String, Codable { case plain, fancy }

    @Model final class Item {
        #Index<Item>([\.number])
        var number: Int16
        var large: Int
        var note: String?
        var must: String
        var kind: Kind
        var link: URL
        @Attribute(.externalStorage) var data: Data
        var inside: Data
        var single: Float
        var junk: String?
        init(_ number: Int16, note: String? = nil) {
            self.number = number
            large = Int(number) * 1000
            self.note = note
            must = "must \(number)"
            kind = number == 1 ? .plain : .fancy
            link = URL(string: "https://example.org/\(number)")!
            data = Data(repeating: UInt8(number), count: 40_000)
            inside = Data(repeating: UInt8(number), count: 30_000)
            single = Float(number) / 4
            junk = number == 1 ? nil : "junk"
        }
    }
}

enum ValuesV2 {
    @Model final class Item {
        #Unique<Item>([\.number])
        @Attribute(originalName: "number") var number: Int
        var large: Decimal
        var note: String = "none"
        var must: String?
        var kind: String
        var link: String
        var data: Data
        @Attribute(.externalStorage) var inside: Data
        var single: Double
        var mark: UUID = UUID()
        var added: Int?
        init() {
            number = 0
            large = 0
            kind = ""
            link = ""
            data = Data()
            inside = Data()
            single = 0
        }
    }
}

/// Versions that cannot be reached, each for one reason.
enum ValuesRefused {
    enum Narrow { @Model final class Item { var large: Int8; init() { large = 0 } } }
    enum Text { @Model final class Item { var number: String; init() { number = "" } } }
    enum Required { @Model final class Item { var note: String; init() { note = "" } } }
    enum Lost { @Model final class Item { var mood: String; init() { mood = "" } } }
}

/// Models whose relationships change their kind.
enum LinksV1 {
    @Model final class Owner {
        var name: String
        var one: Part?
        var many: [Part] = []
        @Relationship(inverse: \Part.owner) var parts: [Part] = []
        @Relationship(inverse: \Tag.owners) var tags: [Tag] = []
        var single: [Tag] = []
        init(_ name: String) { self.name = name }
    }

    @Model final class Part {
        var name: String
        var owner: Owner?
        init(_ name: String) { self.name = name }
    }

    @Model final class Tag {
        var name: String
        var owners: [Owner] = []
        init(_ name: String) { self.name = name }
    }
}

enum LinksV2 {
    @Model final class Owner {
        @Attribute(originalName: "name") var title: String
        /// Was one.
        var one: [Part] = []
        /// Has another side now.
        @Relationship(inverse: \Part.home) var many: [Part] = []
        @Relationship(inverse: \Part.owner) var parts: [Part] = []
        @Relationship(inverse: \Tag.owners) var tags: [Tag] = []
        /// Was several.
        var single: Tag?
        init(_ title: String) { self.title = title }
    }

    @Model final class Part {
        var name: String
        var owner: Owner?
        var home: Owner?
        init(_ name: String) { self.name = name }
    }

    @Model final class Tag {
        var name: String
        var owners: [Owner] = []
        init(_ name: String) { self.name = name }
    }
}

/// A hierarchy that loses a class and gets another.
enum ShapesV1 {
    @Model final class Drawing {
        var shapes: [Shape] = []
        init(_ shapes: [Shape]) { self.shapes = shapes }
    }

    @Model class Shape {
        var name: String
        var next: Shape?
        init(_ name: String) { self.name = name }
    }

    @Model final class Circle: Shape {
        var radius: Double
        init(_ name: String, radius: Double) {
            self.radius = radius
            super.init(name)
        }
    }

    @Model final class Square: Shape {
        var side: Double
        init(_ name: String, side: Double) {
            self.side = side
            super.init(name)
        }
    }
}

enum ShapesV2 {
    @Model final class Drawing {
        var shapes: [Shape] = []
        init(_ shapes: [Shape]) { self.shapes = shapes }
    }

    @Model class Shape {
        @Attribute(originalName: "name") var title: String
        var next: Shape?
        init(_ title: String) { self.title = title }
    }

    @Model final class Circle: Shape {
        var radius: Double
        var color = "red"
        init(_ title: String, radius: Double) {
            self.radius = radius
            super.init(title)
        }
    }

    @Model final class Star: Shape {
        var points = 5
        init(_ title: String, points: Int) {
            self.points = points
            super.init(title)
        }
    }
}

enum JourneysV2: VersionedSchema {
    static let versionIdentifier = Schema.Version(2, 0, 0)
    static var models: [any PersistentModel.Type] { [Journey.self] }

    @Model final class Journey {
        @Attribute(originalName: "title") var name: String
        var days: Int
        init() {
            name = ""
            days = 0
        }
    }
}

enum JourneysPlan: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [TripsV1.self, JourneysV2.self] }
    static var stages: [MigrationStage] { [.lightweight(fromVersion: TripsV1.self, toVersion: JourneysV2.self)] }
    static var entityRenames: [String: String] { ["Journey": "Trip"] }
}

enum ShapesPlan: SchemaMigrationPlan {
    enum First: VersionedSchema {
        static let versionIdentifier = Schema.Version(1, 0, 0)
        static var models: [any PersistentModel.Type] {
            [ShapesV1.Shape.self, ShapesV1.Circle.self, ShapesV1.Square.self, ShapesV1.Drawing.self]
        }
    }

    enum Second: VersionedSchema {
        static let versionIdentifier = Schema.Version(2, 0, 0)
        static var models: [any PersistentModel.Type] {
            [ShapesV2.Shape.self, ShapesV2.Circle.self, ShapesV2.Star.self, ShapesV2.Drawing.self]
        }
    }

    static var schemas: [any VersionedSchema.Type] { [First.self, Second.self] }
    static var stages: [MigrationStage] { [.lightweight(fromVersion: First.self, toVersion: Second.self)] }
}
