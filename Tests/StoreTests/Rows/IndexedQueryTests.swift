import Coffer
import Foundation
import Testing

extension RowTests {
    /// Two hundred trips in a store with indexes; some were deleted.
    @Suite("Queries over indexed rows") struct IndexedQueryTests {
        struct World {
            let place: TestPlace
            let context: ModelContext
            /// All trips, in the order of their keys.
            let trips: [Trip]

            init(_ store: TestStore) throws {
                place = try TestPlace(store, Trip.self)
                let writer = place.context()
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
                for (number, trip) in try writer.all(Trip.self).enumerated() where number % 17 == 16 {
                    writer.delete(trip)
                }
                try writer.save()
                context = try place.reopen()
                trips = try context.all(Trip.self)
                #expect(trips.count == 189)
            }

            /// Compares the store's answer with the predicate evaluated on the objects.
            func check(_ predicate: Predicate<Trip>, sourceLocation: SourceLocation = #_sourceLocation) throws {
                let expected = try trips.filter { try predicate.evaluate($0) }.map(\.persistentModelID)
                let descriptor = FetchDescriptor(predicate: predicate)
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
        }

        @Test(arguments: TestStore.all) func predicates(_ store: TestStore) throws {
            let world = try World(store)
            try world.check(#Predicate { $0.name == "trip 5" })
            try world.check(#Predicate { $0.name != "trip 5" })
            try world.check(#Predicate { $0.name > "trip 3" && $0.name <= "trip 36" })
            try world.check(#Predicate { $0.name >= "trip 3" && $0.name != "trip 31" })
            try world.check(#Predicate { $0.name < "trip 3" })
            try world.check(#Predicate { $0.days == 4 && $0.name > "trip 2" })
            try world.check(#Predicate { $0.days == 4 && $0.name <= "trip 2" })
            try world.check(#Predicate { $0.days == 4 && $0.name == "trip 4" })
            try world.check(#Predicate { $0.days == nil })
            try world.check(#Predicate { $0.days != 4 })
            try world.check(#Predicate { ($0.days ?? 0) > 4 })
            try world.check(#Predicate { $0.name == "trip 5" || $0.days == 2 })
            try world.check(#Predicate { $0.name.contains("3") && !($0.days == 3) })
            try world.check(#Predicate { $0.guide == nil })
            try world.check(#Predicate { $0.guide?.first == "Ada" })
            try world.check(#Predicate { $0.stops.count == 2 })
            try world.check(#Predicate { trip in trip.tags.contains { $0.label == "b" } })
            try world.check(#Predicate { _ in false })
            try world.check(#Predicate { _ in true })
        }

        @Test(arguments: TestStore.all) func identitiesAndLinks(_ store: TestStore) throws {
            let world = try World(store)
            let some = [
                world.trips[7].persistentModelID, world.trips[3].persistentModelID, world.trips[100].persistentModelID,
            ]
            try world.check(#Predicate { some.contains($0.persistentModelID) })
            try world.check(#Predicate { some.contains($0.persistentModelID) && $0.name != "trip 7" })
            let one = some[0]
            try world.check(#Predicate { $0.persistentModelID == one })
            let guide = try #require(world.trips.first { $0.guide != nil }?.guide?.persistentModelID)
            try world.check(#Predicate { $0.guide?.persistentModelID == guide })
            try world.check(#Predicate { $0.guide?.persistentModelID == guide && ($0.days ?? 0) > 2 })
            let stopless = world.trips[5].persistentModelID
            #expect(
                try world.context.fetchCount(
                    FetchDescriptor<Stop>(
                        predicate: #Predicate {
                            $0.trip?.persistentModelID == stopless
                        })) == world.trips[5].stops.count)
            let tag = try world.context.fetch(FetchDescriptor<Tag>(predicate: #Predicate { $0.label == "b" }))
            #expect(tag.map(\.label) == ["b"])
            #expect(try world.context.fetchCount(FetchDescriptor<Tag>(predicate: #Predicate { $0.label == "zz" })) == 0)
        }

        @Test(arguments: TestStore.all) func orders(_ store: TestStore) throws {
            let world = try World(store)
            func check(
                _ sort: [SortDescriptor<Trip>], sourceLocation: SourceLocation = #_sourceLocation,
                _ isBefore: (Trip, Trip) -> Bool?
            ) throws {
                let expected = world.trips.sorted {
                    isBefore($0, $1) ?? ($0.persistentModelID._key < $1.persistentModelID._key)
                }.map(\.persistentModelID)
                var descriptor = FetchDescriptor(sortBy: sort)
                #expect(try world.context.fetchIdentifiers(descriptor) == expected, sourceLocation: sourceLocation)
                for (offset, limit) in [(0, 1), (5, 10), (100, 60), (180, 100), (500, 5)] {
                    descriptor.fetchOffset = offset
                    descriptor.fetchLimit = limit
                    #expect(
                        try world.context.fetch(descriptor).map(\.persistentModelID)
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

        @Test(arguments: TestStore.all) func ordersOfSomeRows(_ store: TestStore) throws {
            let world = try World(store)
            let expected = world.trips.filter { $0.days == 4 && $0.guide != nil }
                .sorted { ($0.name, $0.persistentModelID._key) < ($1.name, $1.persistentModelID._key) }
            var descriptor = FetchDescriptor<Trip>(
                predicate: #Predicate { $0.days == 4 && $0.guide != nil }, sortBy: [SortDescriptor(\.name)])
            for limit in [nil, 3] {
                descriptor.fetchLimit = limit
                let found = try world.context.fetchIdentifiers(descriptor)
                #expect(found == expected.prefix(limit ?? .max).map(\.persistentModelID))
            }
        }
    }
}
