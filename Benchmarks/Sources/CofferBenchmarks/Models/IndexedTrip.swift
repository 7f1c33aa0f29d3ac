import Coffer
import Foundation

/// The attributes of ``Trip`` with two secondary indexes.
@Model public final class IndexedTrip {
    #Index<IndexedTrip>([\.destination, \.startDate], [\.name])

    var name: String
    var destination: String
    var startDate: Date
    var endDate: Date
    var budget: Double
    var isFavorite: Bool
    var rating: Int?
    var notes: String?
    var uuid: UUID

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
