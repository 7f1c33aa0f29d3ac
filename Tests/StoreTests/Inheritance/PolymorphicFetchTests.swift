import Coffer
import Foundation
import Testing

@Suite("A fetch of a base class")
struct PolymorphicFetchTests {
    typealias Trip = Travel.Trip

    @Test("gives models of every subclass with their own classes and values", arguments: TestStore.all)
    func classes(_ store: TestStore) throws {
        let place = try Travel.place(store)
        for context in try place.newContexts() {
            let trips = try context.all(Trip.self, by: SortDescriptor(\.name))
            #expect(trips.map(\.name) == ["business", "luxury", "personal", "plain"])
            #expect(trips.map { "\(type(of: $0))" } == ["BusinessTrip", "LuxuryTrip", "PersonalTrip", "Trip"])
            #expect(
                trips.map(\.persistentModelID.entityName) == ["BusinessTrip", "LuxuryTrip", "PersonalTrip", "Trip"])
            #expect(trips.map(\.days) == [2, 1, 3, 4])
            let business = try #require(trips[0] as? Travel.BusinessTrip)
            #expect(business.perDiem == 80 && business.purpose == "sell")
            let luxury = try #require(trips[1] as? Travel.LuxuryTrip)
            #expect(luxury.perDiem == 1000 && luxury.purpose == nil && luxury.stars == 5 && luxury.butler == "james")
            let personal = try #require(trips[2] as? Travel.PersonalTrip)
            #expect(personal.purpose == 2.5 && personal.mood == .calm)
            #expect(!context.hasChanges && context.loadError == nil)
        }
    }

    @Test("a fetch of a class in the middle gives it and what is below", arguments: TestStore.all)
    func middle(_ store: TestStore) throws {
        let place = try Travel.place(store)
        let context = place.context()
        #expect(
            try context.all(Travel.BusinessTrip.self, by: SortDescriptor(\.name)).map(\.name) == ["business", "luxury"])
        #expect(try context.all(Travel.LuxuryTrip.self).map(\.butler) == ["james"])
        #expect(try context.count(Travel.BusinessTrip.self) == 2)
        #expect(try context.count(Travel.PersonalTrip.self) == 1)
        #expect(try context.count(Trip.self) == 4)
        let rich = #Predicate<Travel.BusinessTrip> { $0.perDiem > 100 && $0.days == 1 }
        #expect(try context.all(Travel.BusinessTrip.self, where: rich).map(\.name) == ["luxury"])
        let inherited = SortDescriptor(\Travel.BusinessTrip.days)
        #expect(try context.all(Travel.BusinessTrip.self, by: inherited).map(\.name) == ["luxury", "business"])
    }

    @Test("filters, sorts and pages over all classes", arguments: TestStore.all)
    func pages(_ store: TestStore) throws {
        let place = try Travel.place(store)
        let context = place.context()
        var descriptor = FetchDescriptor<Trip>(
            predicate: #Predicate { $0.days < 4 }, sortBy: [SortDescriptor(\.days, order: .reverse)])
        #expect(try context.fetch(descriptor).map(\.name) == ["personal", "business", "luxury"])
        descriptor.fetchOffset = 1
        descriptor.fetchLimit = 1
        #expect(try context.fetch(descriptor).map(\.name) == ["business"])
        #expect(try context.fetchCount(descriptor) == 1)
        descriptor.fetchLimit = nil
        let identifiers = try context.fetchIdentifiers(descriptor)
        #expect(identifiers.map(\.entityName) == ["BusinessTrip", "LuxuryTrip"])
        #expect(
            try identifiers.map { try context.existingModel(for: $0, as: Trip.self)?.name } == ["business", "luxury"])
    }

    @Test("in batches and by enumeration, too", arguments: TestStore.all)
    func batches(_ store: TestStore) throws {
        let place = try Travel.place(store)
        let sorted = FetchDescriptor<Trip>(sortBy: [SortDescriptor(\.name)])
        let batched = try place.context().fetch(sorted, batchSize: 3)
        #expect(
            batched.map { "\(type(of: $0)) \($0.days)" } == [
                "BusinessTrip 2", "LuxuryTrip 1", "PersonalTrip 3", "Trip 4",
            ])
        let identifiers = try place.context().fetchIdentifiers(sorted, batchSize: 2)
        #expect(identifiers.map(\.entityName) == ["BusinessTrip", "LuxuryTrip", "PersonalTrip", "Trip"])
        var seen: [String] = []
        try place.context().enumerate(sorted, batchSize: 2) { seen.append("\(type(of: $0)) \($0.name)") }
        #expect(seen == ["BusinessTrip business", "LuxuryTrip luxury", "PersonalTrip personal", "Trip plain"])
    }

    @Test("loads some properties and the rest on demand", arguments: TestStore.all)
    func properties(_ store: TestStore) throws {
        let place = try Travel.place(store)
        let context = place.context()
        var descriptor = FetchDescriptor<Trip>(sortBy: [SortDescriptor(\.name)])
        descriptor.propertiesToFetch = [\.name]
        let trips = try context.fetch(descriptor)
        #expect(trips.map(\.name) == ["business", "luxury", "personal", "plain"])
        #expect((trips[1] as? Travel.LuxuryTrip)?.butler == "james")
        #expect((trips[2] as? Travel.PersonalTrip)?.purpose == 2.5)
        #expect(trips[3].days == 4)
        var inherited = FetchDescriptor<Travel.LuxuryTrip>()
        inherited.propertiesToFetch = [\.name]
        #expect(try context.fetch(inherited).map(\.name) == ["luxury"])
    }

    @Test("prefetches relationships of all classes with one request each", arguments: TestStore.all)
    func prefetch(_ store: TestStore) throws {
        try store.needs(.requestsOfItsOwn)
        let place = try Travel.place(store)
        let context = place.context()
        var descriptor = FetchDescriptor<Trip>(sortBy: [SortDescriptor(\.name)])
        descriptor.relationshipKeyPathsForPrefetching = [\.stops, \.owner]
        let trips = try context.fetch(descriptor)
        let cost = place.record.during {
            #expect(trips.map { $0.stops.map(\.number) } == [[0, 1], [0, 1, 2, 3], [0, 1, 2], [0]])
            #expect(trips.map { $0.owner?.name } == ["acme", "acme", nil, "ann"])
        }
        #expect(cost.requests == 0)
    }

    @Test("asks once a block which classes the linked rows are of", arguments: TestStore.all)
    func requests(_ store: TestStore) throws {
        try store.needs(.requestsOfItsOwn)
        let place = try TestPlace(store, models: Travel.models)
        let writer = place.context()
        for number in 0..<100 {
            let trip = number % 2 == 0 ? Travel.Trip("t") : Travel.BusinessTrip("t", perDiem: number)
            writer.insert(trip)
            trip.owner = number % 3 == 0 ? Travel.Company("c", vat: "v") : Travel.Owner("o")
        }
        try writer.save()
        let context = place.context()
        var trips: [Trip] = []
        // The rows; the classes of the owners. Nothing leads to other trips.
        #expect(try place.record.during { trips = try context.all(Trip.self) }.requests == 2)
        let cost = place.record.during {
            #expect(trips.count { $0.owner is Travel.Company } == 34)
            #expect(trips.count { ($0.owner as? Travel.Company)?.vat == "v" } == 34)
        }
        #expect(cost.requests == 1)
    }

    @Test("a subclass' key paths of inherited properties sort, select and prefetch", arguments: TestStore.all)
    func inheritedKeyPaths(_ store: TestStore) throws {
        let place = try Travel.place(store)
        let context = place.context()
        var descriptor = FetchDescriptor<Travel.BusinessTrip>(sortBy: [
            SortDescriptor(\.owner?.name), SortDescriptor(\.name),
        ])
        descriptor.propertiesToFetch = [\.name, \.perDiem]
        descriptor.relationshipKeyPathsForPrefetching = [\.stops, \.owner]
        let trips = try context.fetch(descriptor)
        #expect(trips.map(\.name) == ["business", "luxury"])
        #expect(trips.map(\.perDiem) == [80, 1000])
        #expect(trips.map(\.stops.count) == [2, 4])
        #expect(trips.map(\.days) == [2, 1])
    }

    @Test("asks once for the classes behind the links of all models that wait", arguments: TestStore.all)
    func waiting(_ store: TestStore) throws {
        try store.needs(.requestsOfItsOwn)
        let place = try TestPlace(store, models: Travel.models)
        let writer = place.context()
        for number in 0..<50 {
            let trip = Trip("t\(number)")
            writer.insert(trip)
            let owner = Travel.Owner("o")
            trip.owner = owner
            owner.favourite = number % 2 == 0 ? Trip("f") : Travel.PersonalTrip("p")
        }
        try writer.save()
        let context = place.context()
        let trips = try context.all(Trip.self, where: #Predicate { $0.owner != nil })
        // The owners, and which classes their favourites are of.
        let cost = place.record.during { #expect(trips.count { $0.owner?.favourite is Travel.PersonalTrip } == 25) }
        #expect(cost.requests == 2)
    }
}

/// A list that is worked out from another must not be taken for it.
extension Travel.BusinessTrip {
    var largeReceipts: [Travel.Receipt] { receipts.filter { $0.amount > 6 } }
    var firstStops: [Travel.Stop] { Array(stops.prefix(1)) }
    var unnumberedStops: [Travel.Stop] { stops.filter { $0.number == 0 } }
}

@Suite("Lists that a subclass works out")
struct ComputedListTests {
    @Test("are evaluated, not taken for the lists they are made from", arguments: TestStore.all)
    func computed(_ store: TestStore) throws {
        let place = try Travel.place(store)
        let context = place.context()
        func count(_ predicate: Predicate<Travel.BusinessTrip>) throws -> Int {
            try context.count(Travel.BusinessTrip.self, where: predicate)
        }
        #expect(try count(#Predicate { $0.largeReceipts.count == 1 }) == 1)
        #expect(try count(#Predicate { $0.firstStops.count == 1 }) == 2)
        #expect(try count(#Predicate { $0.unnumberedStops.count == 1 }) == 2)
        #expect(try count(#Predicate { $0.stops.count == 1 }) == 0)
    }
}
