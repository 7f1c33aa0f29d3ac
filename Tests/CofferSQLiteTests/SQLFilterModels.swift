import CofferCore
import Foundation

enum Kind: String, Codable, CaseIterable, Sendable {
    case draft, live, retired
}

enum Level: Int, Codable, CaseIterable, Comparable, Sendable {
    case high = 1, low = 9, middle = 5

    /// Not the order of the raw values.
    static func < (left: Level, right: Level) -> Bool { left.place < right.place }
    private var place: Int {
        switch self {
        case .low: 0
        case .middle: 1
        case .high: 2
        }
    }
}

struct Spot: Codable, Hashable, Sendable {
    var x: Int
    var label: String?
    var far = 0.5
}

@Model final class Maker {
    var name: String
    var country: String?
    var founded: Date
    @Relationship(inverse: \Gadget.maker) var gadgets: [Gadget] = []
    @Relationship(inverse: \Maker.parent) var children: [Maker] = []
    var parent: Maker?

    init(name: String, country: String?, founded: Date) {
        self.name = name
        self.country = country
        self.founded = founded
    }
}

@Model final class Gadget {
    var serial: Int
    var name: String
    var note: String?
    var small: Int8 = 0
    var big: UInt64 = 0
    var price: Double = 0
    var rating: Double?
    var ratio: Float = 0
    var due: Date?
    var added: Date = Date(timeIntervalSinceReferenceDate: 0)
    var mass: Decimal = 0
    var code: UUID = UUID()
    var kind: Kind = Kind.draft
    var prior: Kind?
    var level: Level = Level.low
    var isNew: Bool = false
    var flag: Bool?
    var data: Data = Data()
    var link: URL?
    var tags: [String] = []
    var nums: [Int] = []
    var marks: [Double] = []
    var kinds: [Kind] = []
    var spot: Spot?
    var trail: [Spot] = []
    var extra: [String: Int] = [:]
    var maker: Maker?
    @Relationship(inverse: \Part.gadget) var parts: [Part] = []
    @Relationship(inverse: \Label.gadgets) var labels: [Label] = []

    init(serial: Int, name: String) {
        self.serial = serial
        self.name = name
    }
}

@Model final class Part {
    var name: String
    var weight: Int
    var gadget: Gadget?
    var spare: Part?

    init(name: String, weight: Int) {
        self.name = name
        self.weight = weight
    }
}

@Model final class Label {
    var text: String
    var gadgets: [Gadget] = []

    init(text: String) { self.text = text }
}
