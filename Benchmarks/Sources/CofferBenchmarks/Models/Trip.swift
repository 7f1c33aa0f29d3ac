import Coffer
import Foundation

/// The model of most workloads: text short and long, dates, numbers, optionals, bytes and a to-many relationship.
@Model public final class Trip {
    var name: String
    var destination: String
    var startDate: Date
    var endDate: Date
    var budget: Double
    var isFavorite: Bool
    var rating: Int?
    var notes: String?
    var uuid: UUID
    @Relationship(deleteRule: .cascade, inverse: \Stop.trip) var stops: [Stop] = []

    init(_ seed: TripSeed) {
        name = seed.name
        destination = seed.destination
        startDate = seed.startDate
        endDate = seed.endDate
        budget = seed.budget
        isFavorite = seed.isFavorite
        rating = seed.rating
        notes = seed.notes
        uuid = seed.uuid
    }
}
