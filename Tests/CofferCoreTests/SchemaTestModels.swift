import CofferCore
import Foundation
import Observation

// Models written by hand, so that the schema is tested without the macros.

/// What a model that is only described, and never kept in a context, need not write.
protocol HandMadeModel: PersistentModel {}

extension HandMadeModel {
    static var _$descriptor: _ModelDescriptor { .of(Self.self, superclass: nil) }
    var _$flags: UInt64 {
        get { 0 }
        set {}
    }
    var _$key: Int64 {
        get { 0 }
        set {}
    }
    var _$home: _ModelHome? {
        get { nil }
        set {}
    }
    var _$extras: _ModelExtras? {
        get { nil }
        set {}
    }
    init(_$blank: Void) { preconditionFailure("a model of this kind is never loaded") }
    func _$load(_ row: _RowReader) throws {}
    func _$store(_ row: inout _RowWriter) throws {}
    func _$visit(_ visitor: inout _RelatedVisitor) {}
    func _$forget(_ slot: Int) {}
    func _$edit(_ slot: Int, _ edit: _RelationshipEdit) {}
}

/// Whether two types are the same; `#expect` cannot compare metatypes.
func areSame(_ left: any Any.Type, _ right: any Any.Type) -> Bool { left == right }

final class Trip: HandMadeModel {
    var name = ""
    var days: Int = 3
    var rating: Double?
    var stops: [Stop] = []
    var owner: Person?
    var mood = Mood.fine
    var place = Place()
    var tags: [String] = []

    enum Mood: String, Codable { case fine, grumpy }
    struct Place: Codable, Sendable { var city = ""; var x = 0.0 }

    static var schemaMetadata: [Schema.PropertyMetadata] {
        [
            ._make("name", \Trip.name, metadata: Schema.Attribute(.unique, originalName: "title")),
            ._make("days", \Trip.days, default: 3),
            ._make("rating", \Trip.rating, default: nil),
            ._make(
                "stops", \Trip.stops, default: [],
                metadata: Schema.Relationship(deleteRule: .cascade, inverse: \Stop.trip)),
            ._make("owner", \Trip.owner),
            ._make("mood", \Trip.mood, default: .fine),
            ._make("place", \Trip.place, default: Place()),
            ._make("tags", \Trip.tags, default: []),
        ]
    }
    static var _$constraints: [any SchemaProperty] {
        [Schema.Index<Trip>([\.name], [\.days, \.name]), Schema.Unique<Trip>([\.name], [\.days, \.mood])]
    }
}

final class Stop: HandMadeModel {
    var place = ""
    var trip: Trip?

    static var schemaMetadata: [Schema.PropertyMetadata] {
        [._make("place", \Stop.place), ._make("trip", \Stop.trip)]
    }
}

final class Person: HandMadeModel {
    var name = ""
    var trips: [Trip]? = []
    var friend: Person?

    static var schemaMetadata: [Schema.PropertyMetadata] {
        [
            ._make("name", \Person.name), ._make("trips", \Person.trips, default: []),
            ._make("friend", \Person.friend),
        ]
    }
}

// MARK: Hierarchies

class Animal: HandMadeModel {
    var name = ""
    var keeper: Keeper?

    class var schemaMetadata: [Schema.PropertyMetadata] {
        [._make("name", \Animal.name), ._make("keeper", \Animal.keeper)]
    }
}

class Mammal: Animal {}

final class Dog: Animal {
    var tricks: [String] = []

    override class var schemaMetadata: [Schema.PropertyMetadata] {
        [._make("tricks", \Dog.tricks, default: [])]
    }
}

final class Keeper: HandMadeModel {
    var animals: [Animal] = []

    static var schemaMetadata: [Schema.PropertyMetadata] {
        [._make("animals", \Keeper.animals, default: [])]
    }
}

// MARK: Pairs of all kinds

final class Node: HandMadeModel {
    var parent: Node?
    var children: [Node] = []

    static var schemaMetadata: [Schema.PropertyMetadata] {
        [._make("parent", \Node.parent), ._make("children", \Node.children, default: [])]
    }
}

final class Match: HandMadeModel {
    var home: Team?
    var away: Team?

    static var schemaMetadata: [Schema.PropertyMetadata] {
        [._make("home", \Match.home), ._make("away", \Match.away)]
    }
}

final class Team: HandMadeModel {
    var matches: [Match] = []

    static var schemaMetadata: [Schema.PropertyMetadata] {
        [._make("matches", \Team.matches, default: [])]
    }
}

/// A to-one relationship that must have a value is nobody's inverse by itself.
final class Wheel: HandMadeModel {
    var car: Car
    init(car: Car) { self.car = car }

    static var schemaMetadata: [Schema.PropertyMetadata] { [._make("car", \Wheel.car)] }
}

final class Car: HandMadeModel {
    var wheels: [Wheel] = []

    static var schemaMetadata: [Schema.PropertyMetadata] { [._make("wheels", \Car.wheels, default: [])] }
}

// MARK: Mistakes

enum Wrong {
    struct NotCodable {}

    final class Named: HandMadeModel {
        var hasChanges = false
        var text = ""
        var other = ""

        static var schemaMetadata: [Schema.PropertyMetadata] {
            [
                ._make("hasChanges", \Named.hasChanges), ._make("text", \Named.text), ._make("text", \Named.other),
            ]
        }
    }

    final class Typed: HandMadeModel {
        var thing = NotCodable()
        var number = 1
        var stops: [Loose] = []

        static var schemaMetadata: [Schema.PropertyMetadata] {
            [
                ._make("thing", \Typed.thing),
                ._make("number", \Typed.number, metadata: Schema.Relationship()),
                ._make("stops", \Typed.stops, metadata: Schema.Attribute(.unique)),
            ]
        }
    }

    final class Loose: HandMadeModel {
        var label = ""
        static var schemaMetadata: [Schema.PropertyMetadata] { [._make("label", \Loose.label)] }
    }

    /// Names an inverse that leads elsewhere.
    final class Inverted: HandMadeModel {
        var stop: Stop?
        var loose: Loose?

        static var schemaMetadata: [Schema.PropertyMetadata] {
            [
                ._make("stop", \Inverted.stop, metadata: Schema.Relationship(inverse: \Stop.trip)),
                ._make("loose", \Inverted.loose, metadata: Schema.Relationship(inverse: \Loose.label)),
            ]
        }
    }

    final class Trip: HandMadeModel {
        static var schemaMetadata: [Schema.PropertyMetadata] { [] }
    }
}
