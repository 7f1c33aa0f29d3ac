import CofferCore
import Foundation
import Observation

// Models written by hand, so that the schema is tested without the macros.

/// Whether two types are the same; `#expect` cannot compare metatypes.
func areSame(_ left: any Any.Type, _ right: any Any.Type) -> Bool { left == right }

final class Trip: PersistentModel {
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
            ._make("stops", \Trip.stops, default: [],
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

final class Stop: PersistentModel {
    var place = ""
    var trip: Trip?

    static var schemaMetadata: [Schema.PropertyMetadata] {
        [._make("place", \Stop.place), ._make("trip", \Stop.trip)]
    }
}

final class Person: PersistentModel {
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

class Animal: PersistentModel {
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

final class Keeper: PersistentModel {
    var animals: [Animal] = []

    static var schemaMetadata: [Schema.PropertyMetadata] {
        [._make("animals", \Keeper.animals, default: [])]
    }
}

// MARK: Pairs of all kinds

final class Node: PersistentModel {
    var parent: Node?
    var children: [Node] = []

    static var schemaMetadata: [Schema.PropertyMetadata] {
        [._make("parent", \Node.parent), ._make("children", \Node.children, default: [])]
    }
}

final class Match: PersistentModel {
    var home: Team?
    var away: Team?

    static var schemaMetadata: [Schema.PropertyMetadata] {
        [._make("home", \Match.home), ._make("away", \Match.away)]
    }
}

final class Team: PersistentModel {
    var matches: [Match] = []

    static var schemaMetadata: [Schema.PropertyMetadata] {
        [._make("matches", \Team.matches, default: [])]
    }
}

/// A to-one relationship that must have a value is nobody's inverse by itself.
final class Wheel: PersistentModel {
    var car: Car
    init(car: Car) { self.car = car }

    static var schemaMetadata: [Schema.PropertyMetadata] { [._make("car", \Wheel.car)] }
}

final class Car: PersistentModel {
    var wheels: [Wheel] = []

    static var schemaMetadata: [Schema.PropertyMetadata] { [._make("wheels", \Car.wheels, default: [])] }
}

// MARK: Mistakes

enum Wrong {
    struct NotCodable {}

    final class Named: PersistentModel {
        var hasChanges = false
        var text = ""
        var other = ""

        static var schemaMetadata: [Schema.PropertyMetadata] {
            [
                ._make("hasChanges", \Named.hasChanges), ._make("text", \Named.text), ._make("text", \Named.other),
            ]
        }
    }

    final class Typed: PersistentModel {
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

    final class Loose: PersistentModel {
        var label = ""
        static var schemaMetadata: [Schema.PropertyMetadata] { [._make("label", \Loose.label)] }
    }

    /// Names an inverse that leads elsewhere.
    final class Inverted: PersistentModel {
        var stop: Stop?
        var loose: Loose?

        static var schemaMetadata: [Schema.PropertyMetadata] {
            [
                ._make("stop", \Inverted.stop, metadata: Schema.Relationship(inverse: \Stop.trip)),
                ._make("loose", \Inverted.loose, metadata: Schema.Relationship(inverse: \Loose.label)),
            ]
        }
    }

    final class Trip: PersistentModel {
        static var schemaMetadata: [Schema.PropertyMetadata] { [] }
    }
}
