import Coffer

/// A model of the random programs. Its number is what a program calls it by.
protocol FuzzModel: PersistentModel {
    var no: Int { get }
}

@Model final class Hub {
    var no: Int
    var title: String
    var count: Int
    var note: String?
    var list: [Int]
    var ratio: Double
    @Relationship(inverse: \Item.hub) var items: [Item] = []
    @Relationship(deleteRule: .cascade, inverse: \Part.hub) var parts: [Part] = []
    @Relationship(deleteRule: .deny, inverse: \Item.guarded) var guards: [Item] = []
    @Relationship(deleteRule: .noAction, inverse: \Item.visited) var visitors: [Item] = []
    @Relationship(inverse: \Tag.hubs) var tags: [Tag] = []
    @Relationship(inverse: \Badge.hub) var badge: Badge?
    var mark: Tag?
    var marks: [Tag] = []

    init(_ no: Int, _ seed: Int) {
        self.no = no
        title = Values.title(seed)
        count = Values.count(seed)
        note = Values.note(seed)
        list = Values.list(seed)
        ratio = Values.ratio(seed)
    }
}

@Model final class Item {
    var no: Int
    var title: String
    var count: Int?
    var hub: Hub?
    var guarded: Hub?
    var visited: Hub?
    var crew: Crew?
    var parent: Item?
    @Relationship(deleteRule: .cascade, inverse: \Item.parent) var children: [Item] = []
    @Relationship(inverse: \Item.likedBy) var likes: [Item] = []
    var likedBy: [Item] = []
    @Relationship(inverse: \Item.mateOf) var mate: Item?
    var mateOf: Item?

    init(_ no: Int, _ seed: Int) {
        self.no = no
        title = Values.title(seed)
        count = Values.size(seed)
    }
}

/// Cannot be without its hub.
@Model final class Part {
    var no: Int
    var title: String
    var hub: Hub

    init(_ no: Int, _ seed: Int, _ hub: Hub) {
        self.no = no
        title = Values.title(seed)
        self.hub = hub
    }
}

@Model final class Tag {
    var no: Int
    @Attribute(.unique) var name: String
    var count: Int
    var hubs: [Hub] = []

    init(_ no: Int, _ seed: Int) {
        self.no = no
        name = Values.name(seed)
        count = Values.count(seed)
    }
}

@Model final class Badge {
    #Unique<Badge>([\.series, \.number])
    var no: Int
    var series: String
    var number: Int
    var title: String
    var hub: Hub?

    init(_ no: Int, _ seed: Int) {
        self.no = no
        series = Values.series(seed)
        number = Values.number(seed)
        title = Values.title(seed)
    }
}

/// One to three members.
@Model final class Crew {
    var no: Int
    var title: String
    @Relationship(minimumModelCount: 1, maximumModelCount: 3, inverse: \Item.crew) var members: [Item] = []

    init(_ no: Int, _ seed: Int) {
        self.no = no
        title = Values.title(seed)
    }
}

extension Hub: FuzzModel {}
extension Item: FuzzModel {}
extension Part: FuzzModel {}
extension Tag: FuzzModel {}
extension Badge: FuzzModel {}
extension Crew: FuzzModel {}

/// The values that a program's numbers stand for: few, so that predicates match several and unique ones collide.
enum Values {
    static func title(_ seed: Int) -> String { ["", "a", "B", "zöe", "a\u{0}b", "é", "𝄞", "it's"][seed & 7] }
    static func count(_ seed: Int) -> Int { seed % 10 }
    static func size(_ seed: Int) -> Int? { seed % 4 == 0 ? nil : seed % 10 }
    static func note(_ seed: Int) -> String? { seed % 3 == 0 ? nil : "n\(seed % 5)" }
    static func list(_ seed: Int) -> [Int] { (0..<seed % 4).map { seed % 7 - $0 } }
    static func ratio(_ seed: Int) -> Double { [0, 0.5, -1.5, .infinity, 1e300][seed % 5] }
    static func name(_ seed: Int) -> String { "tag \(seed % 40)" }
    static func series(_ seed: Int) -> String { ["x", "y"][seed % 2] }
    static func number(_ seed: Int) -> Int { seed % 17 }
}
