import Coffer
import Foundation

/// Two hierarchies that lead to each other: trips (three levels, with siblings that name a property alike) and their
/// owners.
enum Travel {
    @Model class Trip {
        #Index<Trip>([\.name])
        var name: String
        var days: Int
        var owner: Owner?
        @Relationship(deleteRule: .cascade, inverse: \Stop.trip) var stops: [Stop] = []
        @Relationship(inverse: \Tag.trips) var tags: [Tag] = []
        var next: Trip?

        init(_ name: String, days: Int = 1) {
            self.name = name
            self.days = days
        }
    }

    @Model class BusinessTrip: Trip {
        var perDiem: Int
        var purpose: String?
        var company: Company?
        @Relationship(deleteRule: .cascade, inverse: \Receipt.trip) var receipts: [Receipt] = []

        init(_ name: String, days: Int = 1, perDiem: Int, purpose: String? = nil) {
            self.perDiem = perDiem
            self.purpose = purpose
            super.init(name, days: days)
        }
    }

    @Model class PersonalTrip: Trip {
        var purpose: Double
        var mood: Mood = Mood.calm

        init(_ name: String, days: Int = 1, purpose: Double = 0) {
            self.purpose = purpose
            super.init(name, days: days)
        }
    }

    @Model final class LuxuryTrip: BusinessTrip {
        var stars: Int = 5
        var butler: String

        init(_ name: String, days: Int = 1, butler: String) {
            self.butler = butler
            super.init(name, days: days, perDiem: 1000)
        }
    }

    enum Mood: String, Codable { case calm, wild }

    @Model class Owner {
        var name: String
        @Relationship(inverse: \Trip.owner) var trips: [Trip] = []
        var favourite: Trip?

        init(_ name: String) { self.name = name }
    }

    @Model final class Company: Owner {
        var vat: String
        @Relationship(inverse: \BusinessTrip.company) var businessTrips: [BusinessTrip] = []

        init(_ name: String, vat: String) {
            self.vat = vat
            super.init(name)
        }
    }

    @Model final class Stop {
        var number: Int
        var trip: Trip?
        init(_ number: Int) { self.number = number }
    }

    @Model final class Receipt {
        var amount: Int
        var trip: BusinessTrip?
        init(_ amount: Int) { self.amount = amount }
    }

    @Model final class Tag {
        var label: String
        var trips: [Trip] = []
        init(_ label: String) { self.label = label }
    }

    static let models: [any PersistentModel.Type] = [
        Trip.self, BusinessTrip.self, PersonalTrip.self, LuxuryTrip.self, Company.self,
    ]

    /// A place with one trip of each class, in the order in which they were saved: plain, business, personal, luxury.
    static func place(_ store: TestStore) throws -> TestPlace {
        let place = try TestPlace(store, models: models)
        let context = place.context()
        let company = Company("acme", vat: "v1")
        let ann = Owner("ann")
        let trips = [
            Trip("plain", days: 4), BusinessTrip("business", days: 2, perDiem: 80, purpose: "sell"),
            PersonalTrip("personal", days: 3, purpose: 2.5), LuxuryTrip("luxury", days: 1, butler: "james"),
        ]
        for (index, trip) in trips.enumerated() {
            context.insert(trip)
            trip.stops = (0...index).map { Stop($0) }
            // In the order of the keys.
            try context.save()
        }
        trips[0].owner = ann
        trips[1].owner = company
        trips[3].owner = company
        (trips[1] as? BusinessTrip)?.company = company
        (trips[1] as? BusinessTrip)?.receipts = [Receipt(5), Receipt(7)]
        ann.favourite = trips[3]
        trips[0].next = trips[2]
        let tag = Tag("t")
        context.insert(tag)
        tag.trips = [trips[0], trips[3]]
        try context.save()
        return place
    }
}

extension ModelContext {
    /// The trip of a name, of whichever class.
    func trip(_ name: String) throws -> Travel.Trip {
        try only(Travel.Trip.self, where: #Predicate { $0.name == name })
    }
}
