import Coffer
import Foundation
import Testing

/// The code of Docs/Models.md.
enum ModelsGuide {
    @Model final class Trip {
        #Unique<Trip>([\.name, \.start])
        var name: String
        var start: Date
        @Attribute(.externalStorage) var photo: Data?
        @Relationship(deleteRule: .cascade, inverse: \Stop.trip) var stops: [Stop] = []
        init(name: String, start: Date) {
            self.name = name
            self.start = start
        }
    }

    @Model final class Stop {
        var city: String
        var trip: Trip?
        init(city: String) { self.city = city }
    }

    @Suite struct Examples {
        @Test func twoOfTheSameNameAndDayAreOne() throws {
            let container = try ModelContainer(for: Trip.self, configurations: InMemoryStoreConfiguration())
            let context = ModelContext(container)
            let alps = Trip(name: "Alps", start: .distantPast)
            alps.stops = [Stop(city: "Zermatt")]
            alps.photo = Data(count: 100_000)
            context.insert(alps)
            try context.save()
            context.insert(Trip(name: "Alps", start: .distantPast))
            try context.save()
            #expect(try context.fetchCount(FetchDescriptor<Trip>()) == 1)
            #expect(alps.stops.map(\.city) == ["Zermatt"])
        }
    }
}

/// The part of Docs/Models.md on inheritance.
enum InheritanceGuide {
    @Model final class Stop {
        var city: String
        var trip: Trip?
        init(city: String) { self.city = city }
    }

    @Model class Person {
        var name: String
        init(name: String) { self.name = name }
    }

    @Model final class Employee: Person {
        override init(name: String) { super.init(name: name) }
    }

    @Model class Trip {
        var name: String
        var days: Int
        var owner: Person?
        @Relationship(deleteRule: .cascade, inverse: \Stop.trip) var stops: [Stop] = []
        init(name: String, days: Int) {
            self.name = name
            self.days = days
        }
    }

    @Model class BusinessTrip: Trip {
        var perDiem: Int
        init(name: String, days: Int, perDiem: Int) {
            self.perDiem = perDiem
            super.init(name: name, days: days)
        }
    }

    @Suite struct Examples {
        private let configuration = InMemoryStoreConfiguration()

        @Test func fetching() throws {
            let container = try ModelContainer(
                for: Trip.self, BusinessTrip.self, Employee.self, configurations: configuration)
            let context = ModelContext(container)
            let trip = BusinessTrip(name: "Rome", days: 4, perDiem: 80)
            trip.owner = Employee(name: "Ada")
            context.insert(trip)
            context.insert(Trip(name: "Alps", days: 5))
            try context.save()

            let long = try context.fetch(
                FetchDescriptor<Trip>(predicate: #Predicate { $0 is BusinessTrip && $0.days > 3 }))
            let paid = try context.fetch(
                FetchDescriptor<Trip>(predicate: #Predicate { ($0 as? BusinessTrip)?.perDiem == 80 }))
            let ours = try context.fetch(FetchDescriptor<Trip>(predicate: #Predicate { $0.owner is Employee }))
            #expect(long == [trip] && paid == [trip] && ours == [trip])
            #expect(try context.fetchCount(FetchDescriptor<Trip>()) == 2)
        }
    }
}
