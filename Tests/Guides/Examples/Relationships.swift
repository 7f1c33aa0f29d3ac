import Coffer
import Foundation
import Testing

/// The code of Docs/Relationships.md.
enum RelationshipsGuide {
    @Model final class Trip {
        var name: String
        @Relationship(deleteRule: .cascade, inverse: \Stop.trip) var stops: [Stop] = []
        @Relationship(deleteRule: .deny, inverse: \Booking.trip) var bookings: [Booking] = []
        @Relationship(inverse: \Person.trips) var people: [Person] = []
        var journal: Journal?
        init(_ name: String) { self.name = name }
    }

    @Model final class Stop {
        var city: String
        var trip: Trip?
        init(_ city: String) { self.city = city }
    }

    @Model final class Person {
        var name: String
        var trips: [Trip] = []
        init(_ name: String) { self.name = name }
    }

    @Model final class Booking {
        var number: Int
        @Relationship var trip: Trip
        init(_ number: Int, for trip: Trip) {
            self.number = number
            self.trip = trip
        }
    }

    @Model final class Journal {
        var text: String
        @Relationship(inverse: \Trip.journal) var trip: Trip?
        init(_ text: String) { self.text = text }
    }

    @Suite struct Examples {
        private let context: ModelContext

        init() throws {
            context = ModelContext(
                try ModelContainer(for: Trip.self, configurations: InMemoryStoreConfiguration()))
        }

        @Test func bothSidesAreKeptInStep() throws {
            let context = context
            let printed = try printed {
                let trip = Trip("Alps")
                context.insert(trip)
                trip.stops = [Stop("Zermatt"), Stop("Chamonix")]
                let bern = Stop("Bern")
                bern.trip = trip
                print(trip.stops.map(\.city))
                trip.stops.removeFirst()
                try context.save()
                print(try context.fetch(FetchDescriptor<Stop>(predicate: #Predicate { $0.trip == nil })).map(\.city))
            }
            #expect(
                printed == """
                    ["Zermatt", "Chamonix", "Bern"]
                    ["Zermatt"]
                    """)
        }

        @Test func manyToMany() throws {
            let printed = printed {
                let alps = Trip("Alps")
                let ada = Person("Ada")
                alps.people = [ada, Person("Bo")]
                ada.trips.append(Trip("Andes"))
                print(ada.trips.map(\.name))
            }
            #expect(
                printed == """
                    ["Alps", "Andes"]
                    """)
        }

        @Test func deletingFollowsTheRules() throws {
            let context = context
            let printed = try printed {
                let trip = Trip("Alps")
                trip.stops = [Stop("Zermatt")]
                context.insert(trip)
                context.insert(Booking(7, for: trip))
                try context.save()

                context.delete(trip)
                do {
                    try context.save()
                } catch SwiftDataError.deleteDenied {
                    context.rollback()
                    print("there is a booking")
                }
                try context.delete(model: Booking.self)
                context.delete(trip)
                try context.save()
                print(try context.fetchCount(FetchDescriptor<Stop>()), "stops are left")
            }
            #expect(
                printed == """
                    there is a booking
                    0 stops are left
                    """)
        }

        @Test func linksInQueries() throws {
            let trip = Trip("Alps")
            trip.stops = [Stop("Zermatt"), Stop("Chamonix")]
            trip.journal = Journal("Snow")
            context.insert(trip)
            try context.save()

            let bern = #Predicate<Trip> { $0.stops.contains { $0.city == "Bern" } }
            let snowy = #Predicate<Trip> { $0.journal?.text.contains("Snow") == true }
            var descriptor = FetchDescriptor<Trip>(predicate: snowy)
            descriptor.relationshipKeyPathsForPrefetching = [\.stops]
            let trips = try context.fetch(descriptor)
            #expect(try context.fetchCount(FetchDescriptor(predicate: bern)) == 0)
            #expect(trips == [trip])
        }
    }
}
