import Coffer
import Foundation

enum Flag: String, Codable, Sendable { case red, green }

enum Rank: Int, Codable, Comparable, Sendable {
    case first = 3
    case second = 1

    static func < (left: Rank, right: Rank) -> Bool { left.rawValue > right.rawValue }
}

enum Cargo: Codable, Hashable, Sendable {
    case none
    case tons(Int)
}

struct Berth: Codable, Hashable, Sendable {
    struct Pier: Codable, Hashable, Sendable { var number: Int }
    var harbour: String
    var pier: Pier
}

@Model final class Ship {
    var name = ""
    var note: String?
    var days = 0
    var crewSize: Int?
    var speed = 0.0
    var built = Date.distantPast
    var price: Decimal = 0
    var code = UUID()
    var data = Data()
    var link: URL?
    var isOpen = false
    var flag = Flag.red
    var rank = Rank.first
    var cargo = Cargo.none
    var berth = Berth(harbour: "", pier: Berth.Pier(number: 1))
    var oldBerth: Berth?
    var tags: [String] = []
    var depths: [Int] = []
    var ratings: [String: Int] = [:]
    var captain: Captain?
    @Relationship(inverse: \Stop.ship) var stops: [Stop] = []
    init() {}
}

@Model final class Captain {
    var name = ""
    var city: String?
    @Relationship(inverse: \Ship.captain) var ships: [Ship] = []
    init() {}
}

@Model final class Stop {
    var name = ""
    var nights = 0
    var ship: Ship?
    init() {}
}

@Model class Craft {
    var name = ""
    init() {}
}

@Model final class Ferry: Craft {
    var cars = 0
    override init() { super.init() }
}
