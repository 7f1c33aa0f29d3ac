import CofferCore
import Foundation

enum QueryMood: String, Codable, Sendable {
    case calm, wild
}

struct QueryPlace: Codable, Hashable, Sendable {
    var x: Int
    var name: String?
}

@Model final class QueryOwner {
    var name: String
    var city: String?
    @Relationship(inverse: \QueryTrip.owner) var trips: [QueryTrip] = []

    init(name: String) { self.name = name }
}

@Model final class QueryTrip {
    var name: String
    var days: Int
    var price: Double = 0
    var note: String?
    var mood: QueryMood = QueryMood.calm
    var tags: [String] = []
    var place: QueryPlace?
    var start: Date?
    var isOpen = true
    var owner: QueryOwner?
    @Relationship(inverse: \QueryStop.trip) var stops: [QueryStop] = []
    @Transient var scratch = 0
    @Attribute(.ephemeral) var shown = false

    var title: String { name.uppercased() }
    var sameName: String { name }

    init(name: String, days: Int) {
        self.name = name
        self.days = days
    }
}

@Model final class QueryStop {
    var city: String
    var nights: Int
    var trip: QueryTrip?

    init(city: String, nights: Int) {
        self.city = city
        self.nights = nights
    }
}
