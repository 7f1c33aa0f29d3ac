import Coffer
import Foundation

// Models with everything that a store may hold.

struct Berth: Codable, Hashable {
    var deck: Int
    var letters: [String]
}

enum Weather: String, Codable {
    case fair
    case rough
}

@Model final class Voyage {
    #Index<Voyage>([\.start], [\.rating, \.name])
    @Attribute(.unique) var name: String
    var start: Date?
    var price: Decimal = Decimal(0)
    var rating: Double = 0
    var ton: Float = 0
    var miles: UInt64 = 0
    var small: Int8 = 0
    var isDone: Bool = false
    var code: UUID?
    var site: URL?
    var weather: Weather?
    var berth: Berth?
    var seal: Data?
    @Attribute(.externalStorage) var photo: Data?
    @Relationship(deleteRule: .cascade, inverse: \Halt.voyage) var halts: [Halt] = []
    @Relationship(inverse: \Guide.voyages) var guides: [Guide] = []
    var vessel: Vessel?

    init(_ name: String) { self.name = name }
}

@Model final class Halt {
    var city: String
    var nights: Int
    var voyage: Voyage?

    init(_ city: String, nights: Int) {
        self.city = city
        self.nights = nights
    }
}

@Model final class Guide {
    var name: String
    var voyages: [Voyage] = []

    init(_ name: String) { self.name = name }
}

@Model class Vessel {
    var label: String
    @Relationship(inverse: \Voyage.vessel) var voyages: [Voyage] = []

    init(label: String) { self.label = label }
}

@Model final class Sailer: Vessel {
    var masts: Int

    init(label: String, masts: Int) {
        self.masts = masts
        super.init(label: label)
    }
}

let voyageModels: [any PersistentModel.Type] = [
    Voyage.self, Halt.self, Guide.self, Vessel.self, Sailer.self,
]
