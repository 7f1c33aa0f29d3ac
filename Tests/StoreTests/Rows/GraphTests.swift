import Coffer
import Foundation
import Testing

extension RowTests {
    /// Graphs that are saved and read back, by whoever opens the place next.
    @Suite("Graphs that come back") struct GraphTests {
        @Test(arguments: TestStore.all) func everyTypeComesBack(_ store: TestStore) throws {
            let place = try TestPlace(store, Everything.self)
            let context = place.context()
            let model = Everything()
            model.number = .max
            model.small = -7
            model.unsigned = .max
            model.double = .infinity
            model.float = -.pi
            model.text = "e\u{301}\0ü"
            model.letter = "👩‍👩‍👧"
            model.date = Date(timeIntervalSinceReferenceDate: 0.1)
            model.data = Data([1, 2, 3])
            model.url = URL(string: "https://example.org/x")
            model.decimal = Decimal(string: "-12345678901234567890.12345")!
            model.place = Place(latitude: 1.5, name: "here")
            model.mood = .wild
            model.names = ["a", "b"]
            context.insert(model)
            try context.save()
            let copy = try #require(try place.reopen().fetch(FetchDescriptor<Everything>()).first)
            #expect(copy !== model)
            #expect(copy.number == .max && copy.small == -7 && copy.unsigned == .max && copy.flag)
            #expect(copy.double == .infinity && copy.float == -.pi)
            #expect(copy.text == model.text && copy.letter == model.letter)
            #expect(copy.date == model.date && copy.data == model.data && copy.uuid == model.uuid)
            #expect(copy.url == model.url && copy.decimal == model.decimal)
            #expect(copy.place == model.place && copy.mood == .wild && copy.names == ["a", "b"])
        }

        @Test(arguments: TestStore.all) func cyclesOfNewRows(_ store: TestStore) throws {
            let place = try TestPlace(store, Left.self, Right.self)
            let context = place.context()
            let left = Left(name: "l")
            let right = Right(name: "r", left: left)
            context.insert(right)
            try context.save()
            let fresh = try place.reopen()
            let found = try #require(try fresh.fetch(FetchDescriptor<Left>()).first)
            #expect(left.right === right)
            #expect(found.right?.name == "r")
            #expect(found.right?.left === found)
        }

        @Test(arguments: TestStore.all) func graphsAndTheirOrder(_ store: TestStore) throws {
            let place = try TestPlace(store, Trip.self)
            let context = place.context()
            let trip = Trip(name: "Rome")
            context.insert(trip)
            let stops = (0..<5).map { Stop(title: "\($0)") }
            trip.stops = [4, 0, 2, 1, 3].map { stops[$0] }
            try context.save()
            func titles() throws -> [String] {
                let fresh = try place.reopen()
                return try #require(try fresh.fetch(FetchDescriptor<Trip>()).first).stops.map(\.title)
            }
            #expect(try titles() == ["4", "0", "2", "1", "3"])
            trip.stops.removeFirst()
            trip.stops.swapAt(0, 1)
            try context.save()
            #expect(try titles() == ["2", "0", "1", "3"])
            trip.stops.append(Stop(title: "9"))
            try context.save()
            #expect(try titles() == ["2", "0", "1", "3", "9"])
            context.delete(trip)
            try context.save()
            #expect(try place.reopen().fetchCount(FetchDescriptor<Stop>()) == 1)
        }

        @Test(arguments: TestStore.all) func manyToManyFromBothSides(_ store: TestStore) throws {
            let place = try TestPlace(store, Trip.self)
            let context = place.context()
            let trips = ["a", "b"].map { Trip(name: $0) }
            let tags = ["x", "y"].map { Tag(label: $0) }
            trips.forEach { context.insert($0) }
            trips[0].tags = [tags[1], tags[0]]
            tags[1].trips.append(trips[1])
            try context.save()
            func links() throws -> [String: [String]] {
                let fresh = try place.reopen()
                var result: [String: [String]] = [:]
                for trip in try fresh.fetch(FetchDescriptor<Trip>()) { result[trip.name] = trip.tags.map(\.label) }
                for tag in try fresh.fetch(FetchDescriptor<Tag>()) { result[tag.label] = tag.trips.map(\.name) }
                return result
            }
            #expect(try links() == ["a": ["y", "x"], "b": ["y"], "x": ["a"], "y": ["a", "b"]])
            tags[1].trips = [trips[1]]
            try context.save()
            #expect(try links() == ["a": ["x"], "b": ["y"], "x": ["a"], "y": ["b"]])
            context.delete(tags[0])
            try context.save()
            #expect(try links() == ["a": [], "b": ["y"], "y": ["b"]])
        }

        @Test(arguments: TestStore.all) func upserts(_ store: TestStore) throws {
            try store.needs(.uniqueness)
            let place = try TestPlace(store, Trip.self)
            let context = place.context()
            context.insert(Guide(first: "Ada", last: "L", age: 1))
            try context.save()
            let other = try place.reopen()
            let trip = Trip(name: "t")
            trip.guide = Guide(first: "Ada", last: "L", age: 2)
            other.insert(trip)
            try other.save()
            let fresh = try place.reopen()
            #expect(try fresh.fetch(FetchDescriptor<Guide>()).map(\.age) == [2])
            #expect(try fresh.fetch(FetchDescriptor<Trip>()).first?.guide?.age == 2)
            #expect(try context.fetch(FetchDescriptor<Guide>()).map(\.age) == [2])
        }

        @Test(arguments: TestStore.all) func aFailedSaveCanBeRepeated(_ store: TestStore) throws {
            try store.needs(.uniqueness)
            let place = try TestPlace(store, Trip.self)
            let context = place.context()
            let (one, two) = (Tag(label: "1"), Tag(label: "2"))
            context.insert(one)
            context.insert(two)
            try context.save()
            two.label = "1"
            let trip = Trip(name: "new")
            trip.tags = [two]
            context.insert(trip)
            #expect(throws: SwiftDataError.uniquenessConflict) { try context.save() }
            #expect(context.hasChanges)
            #expect(try place.reopen().fetchCount(FetchDescriptor<Trip>()) == 0)
            two.label = "3"
            try context.save()
            let fresh = try place.reopen()
            #expect(try fresh.fetch(FetchDescriptor<Trip>()).first?.tags.map(\.label) == ["3"])
        }

        @Test(arguments: TestStore.all) func prefetchedAndLazyRelationships(_ store: TestStore) throws {
            let place = try TestPlace(store, Trip.self)
            let context = place.context()
            for number in 0..<30 {
                let trip = Trip(name: "\(number)")
                context.insert(trip)
                trip.stops = (0..<number % 4).map { Stop(title: "\(number).\($0)") }
            }
            try context.save()
            var descriptor = FetchDescriptor<Trip>(sortBy: [SortDescriptor(\.name)])
            for prefetches in [false, true] {
                descriptor.relationshipKeyPathsForPrefetching = prefetches ? [\.stops] : []
                let fresh = try place.reopen()
                for trip in try fresh.fetch(descriptor) {
                    let number = try #require(Int(trip.name))
                    #expect(trip.stops.map(\.title) == (0..<number % 4).map { "\(number).\($0)" })
                }
            }
        }
    }
}
