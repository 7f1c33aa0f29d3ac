import Foundation

// The same values as plain structures, and as plain objects that are linked: what the oracle's closures read.

public struct ThingRow: Sendable {
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
    /// The numbers of linked rows.
    var ownerNo: Int?
    var pieceNos: [Int] = []
    var markNos: [Int] = []
}

public struct OwnerRow: Sendable {
    public var no: Int
    public var name: String
    public var city: String?
    public var age: Int
    var bossNo: Int?
}

public struct PieceRow: Sendable {
    public var no: Int
    public var name: String
    public var weight: Int
    public var cost: Double?
}

public struct MarkRow: Sendable {
    public var no: Int
    public var text: String
}

@dynamicMemberLookup
public final class PlainThing {
    public let row: ThingRow
    public internal(set) var owner: PlainOwner?
    public internal(set) var pieces: [PlainPiece] = []
    public internal(set) var labels: [PlainMark] = []

    init(_ row: ThingRow) { self.row = row }

    public subscript<T>(dynamicMember path: KeyPath<ThingRow, T>) -> T { row[keyPath: path] }
}

@dynamicMemberLookup
public final class PlainOwner {
    public let row: OwnerRow
    public internal(set) var boss: PlainOwner?
    public internal(set) var staff: [PlainOwner] = []
    public internal(set) var things: [PlainThing] = []

    init(_ row: OwnerRow) { self.row = row }

    public subscript<T>(dynamicMember path: KeyPath<OwnerRow, T>) -> T { row[keyPath: path] }
}

@dynamicMemberLookup
public final class PlainPiece {
    public let row: PieceRow
    public internal(set) var thing: PlainThing?

    init(_ row: PieceRow) { self.row = row }

    public subscript<T>(dynamicMember path: KeyPath<PieceRow, T>) -> T { row[keyPath: path] }
}

@dynamicMemberLookup
public final class PlainMark {
    public let row: MarkRow
    public internal(set) var things: [PlainThing] = []

    init(_ row: MarkRow) { self.row = row }

    public subscript<T>(dynamicMember path: KeyPath<MarkRow, T>) -> T { row[keyPath: path] }
}

extension PlainThing {
    /// Lets go of what it is linked to, since plain objects hold each other.
    func unlink() {
        for piece in pieces { piece.thing = nil }
        for label in labels { label.things = [] }
        var above = owner
        while let one = above {
            (one.things, one.staff) = ([], [])
            above = one.boss
        }
        (owner, pieces, labels) = (nil, [], [])
    }
}
