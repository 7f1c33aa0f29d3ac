import CofferCore
import Foundation
import Testing

import CofferInMemory

@Suite("In memory: filters and orders") struct QueryTests {
    let container: ModelContainer
    let context: ModelContext
    let trips: [Trip]

    init() throws {
        container = try ModelContainer(
            for: Trip.self, Stop.self, Tag.self, Guide.self, configurations: InMemoryStoreConfiguration())
        let writer = ModelContext(container)
        let guides = [Guide(first: "Ada", last: "L"), Guide(first: "Bob", last: nil)]
        let tags = ["a", "b", "c"].map { Tag(label: $0) }
        for number in 0..<200 {
            let trip = Trip(name: "trip \(number % 37)", days: number % 11 == 0 ? nil : number % 13 - 3)
            writer.insert(trip)
            trip.guide = number % 3 == 2 ? nil : guides[number % 3]
            trip.stops = (0..<number % 3).map { Stop(title: "stop \($0)") }
            trip.tags = tags.enumerated().filter { number % ($0.offset + 2) == 0 }.map(\.element)
        }
        try writer.save()
        for trip in try writer.fetch(FetchDescriptor<Trip>()) where trip.persistentModelID._key % 17 == 0 {
            writer.delete(trip)
        }
        try writer.save()
        context = ModelContext(container)
        trips = try context.fetch(FetchDescriptor<Trip>())
        #expect(trips.count == 189)
    }

    /// Compares the store's answer with the predicate evaluated on the objects.
    func check(_ predicate: Predicate<Trip>, sourceLocation: SourceLocation = #_sourceLocation) throws {
        let expected = try trips.filter { try predicate.evaluate($0) }.map(\.persistentModelID)
        let descriptor = FetchDescriptor(predicate: predicate)
        // An index is made when it is asked for the second time.
        for _ in 0..<2 { _ = try context.fetchCount(descriptor) }
        #expect(
            try context.fetch(descriptor).map(\.persistentModelID) == expected, sourceLocation: sourceLocation)
        #expect(try context.fetchCount(descriptor) == expected.count, sourceLocation: sourceLocation)
        #expect(try context.fetchIdentifiers(descriptor) == expected, sourceLocation: sourceLocation)
        var page = descriptor
        page.fetchOffset = 3
        page.fetchLimit = 4
        #expect(
            try context.fetchIdentifiers(page) == Array(expected.dropFirst(3).prefix(4)),
            sourceLocation: sourceLocation)
    }

    @Test func predicates() throws {
        try check(#Predicate { $0.name == "trip 5" })
        try check(#Predicate { $0.name != "trip 5" })
        try check(#Predicate { $0.name > "trip 3" && $0.name <= "trip 36" })
        try check(#Predicate { $0.name >= "trip 3" && $0.name != "trip 31" })
        try check(#Predicate { $0.name < "trip 3" })
        try check(#Predicate { $0.days == 4 && $0.name > "trip 2" })
        try check(#Predicate { $0.days == 4 && $0.name <= "trip 2" })
        try check(#Predicate { $0.days == 4 && $0.name == "trip 4" })
        try check(#Predicate { $0.days == nil })
        try check(#Predicate { $0.days != 4 })
        try check(#Predicate { ($0.days ?? 0) > 4 })
        try check(#Predicate { $0.name == "trip 5" || $0.days == 2 })
        try check(#Predicate { $0.name.contains("3") && !($0.days == 3) })
        try check(#Predicate { $0.guide == nil })
        try check(#Predicate { $0.guide?.first == "Ada" })
        try check(#Predicate { $0.stops.count == 2 })
        try check(#Predicate { trip in trip.tags.contains { $0.label == "b" } })
        try check(#Predicate { _ in false })
        try check(#Predicate { _ in true })
    }

    @Test func identitiesAndLinks() throws {
        let some = [trips[7].persistentModelID, trips[3].persistentModelID, trips[100].persistentModelID]
        try check(#Predicate { some.contains($0.persistentModelID) })
        try check(#Predicate { some.contains($0.persistentModelID) && $0.name != "trip 7" })
        let one = some[0]
        try check(#Predicate { $0.persistentModelID == one })
        let guide = try #require(trips.first { $0.guide != nil }?.guide?.persistentModelID)
        try check(#Predicate { $0.guide?.persistentModelID == guide })
        try check(#Predicate { $0.guide?.persistentModelID == guide && ($0.days ?? 0) > 2 })
        let stopless = trips[5].persistentModelID
        #expect(
            try context.fetchCount(
                FetchDescriptor<Stop>(
                    predicate: #Predicate {
                        $0.trip?.persistentModelID == stopless
                    })) == trips[5].stops.count)
        let tag = try context.fetch(FetchDescriptor<Tag>(predicate: #Predicate { $0.label == "b" }))
        #expect(tag.map(\.label) == ["b"])
        #expect(try context.fetchCount(FetchDescriptor<Tag>(predicate: #Predicate { $0.label == "zz" })) == 0)
    }

    @Test func orders() throws {
        func check(
            _ sort: [SortDescriptor<Trip>], sourceLocation: SourceLocation = #_sourceLocation,
            _ isBefore: (Trip, Trip) -> Bool?
        ) throws {
            let expected = trips.sorted {
                isBefore($0, $1) ?? ($0.persistentModelID._key < $1.persistentModelID._key)
            }.map(\.persistentModelID)
            var descriptor = FetchDescriptor(sortBy: sort)
            for _ in 0..<2 { _ = try context.fetchIdentifiers(descriptor) }
            #expect(try context.fetchIdentifiers(descriptor) == expected, sourceLocation: sourceLocation)
            for (offset, limit) in [(0, 1), (5, 10), (100, 60), (180, 100), (500, 5)] {
                descriptor.fetchOffset = offset
                descriptor.fetchLimit = limit
                #expect(
                    try context.fetch(descriptor).map(\.persistentModelID)
                        == Array(expected.dropFirst(offset).prefix(limit)), sourceLocation: sourceLocation)
            }
        }
        try check([SortDescriptor(\.name)]) { $0.name == $1.name ? nil : $0.name < $1.name }
        try check([SortDescriptor(\.name, order: .reverse)]) { $0.name == $1.name ? nil : $0.name > $1.name }
        try check([SortDescriptor(\.days), SortDescriptor(\.name)]) {
            if $0.days != $1.days { return ($0.days ?? .min) < ($1.days ?? .min) }
            return $0.name == $1.name ? nil : $0.name < $1.name
        }
        try check([SortDescriptor(\.days), SortDescriptor(\.name, order: .reverse)]) {
            if $0.days != $1.days { return ($0.days ?? .min) < ($1.days ?? .min) }
            return $0.name == $1.name ? nil : $0.name > $1.name
        }
    }

    @Test func ordersOfSomeRows() throws {
        let expected = trips.filter { $0.days == 4 && $0.guide != nil }
            .sorted { ($0.name, $0.persistentModelID._key) < ($1.name, $1.persistentModelID._key) }
        var descriptor = FetchDescriptor<Trip>(
            predicate: #Predicate { $0.days == 4 && $0.guide != nil }, sortBy: [SortDescriptor(\.name)])
        for limit in [nil, 3, 3] {
            descriptor.fetchLimit = limit
            let found = try context.fetchIdentifiers(descriptor)
            #expect(found == expected.prefix(limit ?? .max).map(\.persistentModelID))
        }
    }
}
