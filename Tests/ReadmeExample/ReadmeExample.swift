import Coffer
import Foundation

@Model final class Trip {
    @Attribute(.unique) var name: String
    @Relationship(deleteRule: .cascade, inverse: \Stop.trip) var stops: [Stop] = []
    init(name: String) { self.name = name }
}

@Model final class Stop {
    var city: String
    var nights: Int
    var trip: Trip?
    init(_ city: String, nights: Int) {
        self.city = city
        self.nights = nights
    }
}

@main struct ReadmeExample {
    static func main() throws {
        let file = URL.currentDirectory().appending(path: "trips.sqlite")
        let container = try ModelContainer(for: Trip.self, configurations: SQLiteStoreConfiguration(url: file))
        let context = ModelContext(container)
        if try context.fetchCount(FetchDescriptor<Trip>()) == 0 {
            let trip = Trip(name: "Alps")
            trip.stops = [Stop("Zermatt", nights: 3), Stop("Chamonix", nights: 1)]
            context.insert(trip)
            try context.save()
        }
        let long = FetchDescriptor<Stop>(predicate: #Predicate { $0.nights > 1 })
        for stop in try context.fetch(long) { print(stop.trip?.name ?? "", stop.city) }
    }
}
