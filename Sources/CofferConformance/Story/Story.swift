import CofferCore
import Foundation

// The world in which most cases play: harbours with their berths, ships with their crews, and voyages between them.
// Between them the models have every shape of relationship.

/// A harbour owns its berths, and cannot go while ships call it their home.
@Model final class Harbour {
    var name: String
    var depth: Double
    @Relationship(deleteRule: .cascade, inverse: \Berth.harbour) var berths: [Berth] = []
    @Relationship(deleteRule: .deny, inverse: \Ship.home) var fleet: [Ship] = []

    init(_ name: String, depth: Double = 10) {
        self.name = name
        self.depth = depth
    }
}

@Model final class Berth {
    var number: Int
    var length: Int?
    var harbour: Harbour?

    init(_ number: Int, length: Int? = nil) {
        self.number = number
        self.length = length
    }
}

@Model final class Ship {
    var name: String
    var tonnage: Int
    var nickname: String?
    var launched: Date
    var home: Harbour?
    @Relationship(inverse: \Sailor.ship) var crew: [Sailor] = []

    init(_ name: String, tonnage: Int = 100, nickname: String? = nil) {
        self.name = name
        self.tonnage = tonnage
        self.nickname = nickname
        launched = Date(timeIntervalSinceReferenceDate: Double(tonnage) * 86400)
    }
}

@Model final class Sailor {
    var name: String
    var age: Int
    var rank: String?
    var ship: Ship?
    var mentor: Sailor?
    @Relationship(inverse: \Sailor.mentor) var pupils: [Sailor] = []
    @Relationship(inverse: \Skill.sailors) var skills: [Skill] = []
    @Relationship(deleteRule: .cascade, inverse: \Passport.sailor) var passport: Passport?

    init(_ name: String, age: Int = 30, rank: String? = nil) {
        self.name = name
        self.age = age
        self.rank = rank
    }
}

@Model final class Skill {
    var label: String
    var sailors: [Sailor] = []

    init(_ label: String) { self.label = label }
}

@Model final class Passport {
    var number: String
    var sailor: Sailor?

    init(_ number: String) { self.number = number }
}

/// A voyage knows its ship and its ports of call, which know nothing of it.
@Model final class Voyage {
    var title: String
    var day: Int
    var ship: Ship?
    var calls: [Harbour] = []

    init(_ title: String, day: Int = 1) {
        self.title = title
        self.day = day
    }
}

enum Story {
    static let models: [any PersistentModel.Type] = [
        Harbour.self, Berth.self, Ship.self, Sailor.self, Skill.self, Passport.self, Voyage.self,
    ]

    static let sailors: [(name: String, age: Int, rank: String?, ship: String?)] = [
        ("Ada", 41, "captain", "Argo"), ("Bo", 19, nil, "Argo"), ("Cem", 33, "mate", "Argo"),
        ("Dot", 27, "cook", "Beagle"), ("Eli", 52, "captain", "Beagle"), ("Fay", 19, nil, "Cutty"),
        ("Gus", 64, "captain", nil), ("Hal", 33, "mate", nil),
    ]

    /// Puts the story's models into a context.
    static func tell(_ context: ModelContext) {
        let brest = Harbour("Brest", depth: 12)
        let cadiz = Harbour("Cadiz", depth: 9.5)
        let dover = Harbour("Dover", depth: 20)
        for harbour in [brest, cadiz, dover] { context.insert(harbour) }
        brest.berths = [Berth(1, length: 120), Berth(2, length: 80), Berth(3)]
        cadiz.berths = [Berth(1, length: 200), Berth(2)]
        var ships: [String: Ship] = [:]
        for (name, tonnage, nickname, home) in [
            ("Argo", 300, "the Old Lady", brest), ("Beagle", 240, nil, brest), ("Cutty", 960, "Sark", cadiz),
        ] as [(String, Int, String?, Harbour)] {
            let ship = Ship(name, tonnage: tonnage, nickname: nickname)
            context.insert(ship)
            ship.home = home
            ships[name] = ship
        }
        let skills = ["knots", "stars", "stew"].map { Skill($0) }
        for skill in skills { context.insert(skill) }
        var byName: [String: Sailor] = [:]
        for (name, age, rank, ship) in sailors {
            let sailor = Sailor(name, age: age, rank: rank)
            context.insert(sailor)
            sailor.ship = ship.flatMap { ships[$0] }
            byName[name] = sailor
        }
        byName["Ada"]?.skills = [skills[1], skills[0]]
        byName["Dot"]?.skills = [skills[2]]
        byName["Eli"]?.skills = [skills[1]]
        byName["Bo"]?.mentor = byName["Ada"]
        byName["Cem"]?.mentor = byName["Ada"]
        byName["Fay"]?.mentor = byName["Eli"]
        byName["Ada"]?.passport = Passport("P-1")
        byName["Gus"]?.passport = Passport("P-2")
        let voyage = Voyage("Round the cape", day: 12)
        context.insert(voyage)
        voyage.ship = ships["Argo"]
        voyage.calls = [dover, brest, cadiz]
    }
}

extension ConformanceTrial {
    /// Saves the story.
    func tell() throws { try write { Story.tell($0) } }
}
