import Coffer

/// A place on the way of a trip.
@Model public final class Stop {
    var title: String
    var order: Int
    var trip: Trip?

    init(title: String, order: Int, trip: Trip) {
        self.title = title
        self.order = order
        self.trip = trip
    }
}
