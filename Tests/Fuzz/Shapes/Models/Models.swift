import Coffer
import Foundation

/// An enumeration by text.
public enum Kind: String, Codable, CaseIterable, Sendable { case draft, live, retired }

/// An enumeration by number, in an order that is not that of the numbers.
public enum Level: Int, Codable, CaseIterable, Comparable, Sendable {
    case high = 1
    case low = 9
    case middle = 5

    private var place: Int {
        switch self {
        case .low: 0
        case .middle: 1
        case .high: 2
        }
    }

    public static func < (left: Level, right: Level) -> Bool { left.place < right.place }
}

/// An enumeration with a payload.
public enum Mood: Codable, Hashable, Sendable {
    case calm
    case windy(Int)
}

/// A structure in a property, with one inside.
public struct Spot: Codable, Hashable, Sendable {
    public struct Depth: Codable, Hashable, Sendable {
        public var feet: Double
        public var isSafe: Bool
    }

    public var x: Int
    public var label: String?
    public var depth: Depth
}

/// What the predicates are about: a property of every kind, and every kind of link.
@Model public final class Thing {
    #Index<Thing>([\.count], [\.name], [\.note], [\.price], [\.made], [\.kind, \.count])

    public var no: Int
    public var name: String
    public var note: String?
    public var count: Int
    public var size: Int?
    public var small: Int8
    public var big: UInt64
    public var price: Double
    public var rating: Double?
    public var ratio: Float
    public var made: Date
    public var due: Date?
    public var mass: Decimal
    public var code: UUID
    public var isOn: Bool
    public var flag: Bool?
    public var kind: Kind
    public var prior: Kind?
    public var level: Level
    public var mood: Mood
    public var data: Data
    public var link: URL?
    public var tags: [String]
    public var nums: [Int]
    public var marks: [Double]
    public var kinds: [Kind]
    public var spot: Spot?
    public var base: Spot
    public var extra: [String: Int]
    public var owner: Owner?
    @Relationship(inverse: \Piece.thing) public var pieces: [Piece] = []
    @Relationship(inverse: \Mark.things) public var labels: [Mark] = []

    init(_ row: ThingRow) {
        no = row.no
        name = row.name
        note = row.note
        count = row.count
        size = row.size
        small = row.small
        big = row.big
        price = row.price
        rating = row.rating
        ratio = row.ratio
        made = row.made
        due = row.due
        mass = row.mass
        code = row.code
        isOn = row.isOn
        flag = row.flag
        kind = row.kind
        prior = row.prior
        level = row.level
        mood = row.mood
        data = row.data
        link = row.link
        tags = row.tags
        nums = row.nums
        marks = row.marks
        kinds = row.kinds
        spot = row.spot
        base = row.base
        extra = row.extra
    }

    /// Takes the values of another row.
    func set(_ row: ThingRow) {
        name = row.name
        note = row.note
        count = row.count
        size = row.size
        small = row.small
        big = row.big
        price = row.price
        rating = row.rating
        ratio = row.ratio
        made = row.made
        due = row.due
        mass = row.mass
        code = row.code
        isOn = row.isOn
        flag = row.flag
        kind = row.kind
        prior = row.prior
        level = row.level
        mood = row.mood
        data = row.data
        link = row.link
        tags = row.tags
        nums = row.nums
        marks = row.marks
        kinds = row.kinds
        spot = row.spot
        base = row.base
        extra = row.extra
    }
}

/// The end of a to-one link, with one more behind it.
@Model public final class Owner {
    public var no: Int
    public var name: String
    public var city: String?
    public var age: Int
    public var boss: Owner?
    @Relationship(inverse: \Owner.boss) public var staff: [Owner] = []
    @Relationship(inverse: \Thing.owner) public var things: [Thing] = []

    init(_ row: OwnerRow) {
        no = row.no
        name = row.name
        city = row.city
        age = row.age
    }
}

/// An element of a to-many relationship of one owner.
@Model public final class Piece {
    public var no: Int
    public var name: String
    public var weight: Int
    public var cost: Double?
    public var thing: Thing?

    init(_ row: PieceRow) {
        no = row.no
        name = row.name
        weight = row.weight
        cost = row.cost
    }
}

/// An element of a relationship between many and many.
@Model public final class Mark {
    public var no: Int
    public var text: String
    public var things: [Thing] = []

    init(_ row: MarkRow) {
        no = row.no
        text = row.text
    }
}
