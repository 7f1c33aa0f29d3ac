import Coffer
import Foundation
import Synchronization

@Model final class Voyage {
    var name: String
    var country: String
    var days: Int
    var note = ""
    var ship: Ship?
    /// One-way.
    var port: Port?
    init(_ name: String, _ country: String = "", days: Int = 0) {
        self.name = name
        self.country = country
        self.days = days
    }
}

@Model final class Ship {
    var name: String
    var mate: String?
    var class_ = 0
    @Relationship(deleteRule: .cascade, inverse: \Voyage.ship) var voyages: [Voyage] = []
    init(_ name: String, mate: String? = nil) {
        self.name = name
        self.mate = mate
    }
}

@Model final class Port {
    var name: String
    init(_ name: String) { self.name = name }
}

enum Mood: String, Codable { case good, bad }

@Model final class Deckhand {
    @Attribute(.unique) var name: String
    var mood: Mood
    var age: Int?
    init(_ name: String, _ mood: Mood = .good, age: Int? = nil) {
        self.name = name
        self.mood = mood
        self.age = age
    }
}

/// Counts how often Observation tells that something which was read has changed.
final class ChangeCounter: Sendable {
    private let counter = Mutex(0)
    var count: Int { counter.withLock { $0 } }

    /// Reads, and counts the first change after it.
    func track<T>(_ read: () -> T) -> T {
        withObservationTracking(read) { self.counter.withLock { $0 += 1 } }
    }
}

typealias VoyageObserver = ResultsObserver<Voyage, Never>

extension TestPlace {
    /// A place with some voyages, and a context.
    static func voyages(_ store: TestStore, _ names: String...) throws -> (place: TestPlace, context: ModelContext) {
        let place = try TestPlace(store, Voyage.self, Ship.self, Port.self, Deckhand.self)
        let context = place.context()
        for (index, name) in names.enumerated() { context.insert(Voyage(name, days: index)) }
        try context.save()
        return (place, context)
    }

    /// Whether the block asks the store for anything.
    func asks(_ body: () throws -> Void) rethrows -> Bool { try record.during(body).requests > 0 }
}

/// A condition that no store can run and that fails wherever it is evaluated.
struct Refusal: StandardPredicateExpression {
    struct Failure: Error {}

    func evaluate(_ bindings: PredicateBindings) throws -> Bool { throw Failure() }

    static var predicate: Predicate<Voyage> { Predicate { _ in Refusal() } }
}
