import Coffer
import Foundation
import Testing

/// The code of Docs/Concurrency.md.
enum ConcurrencyGuide {
    @Model final class Trip {
        var name: String
        var days: Int
        init(_ name: String, days: Int) {
            self.name = name
            self.days = days
        }
    }

    @ModelActor actor Importer {
        /// Stores trips, and gives their identifiers, which may go anywhere.
        func add(_ names: [String]) throws -> [PersistentIdentifier] {
            let trips = names.map { Trip($0, days: 1) }
            for trip in trips { modelContext.insert(trip) }
            try modelContext.save()
            return trips.map(\.persistentModelID)
        }

        func extend(_ id: PersistentIdentifier, by days: Int) throws {
            guard let trip = self[id, as: Trip.self] else { return }
            trip.days += days
            try modelContext.save()
        }
    }

    @Suite struct Examples {
        private let container: ModelContainer

        init() throws {
            container = try ModelContainer(for: Trip.self, configurations: InMemoryStoreConfiguration())
        }

        @MainActor @Test func anActorOfItsOwn() async throws {
            let printed = try await printed {
                let importer = Importer(modelContainer: container)
                let ids = try await importer.add(["Alps", "Andes"])
                try await importer.extend(ids[0], by: 4)

                let context = container.mainContext
                let trip = try context.existingModel(for: ids[0], as: Trip.self)
                print(trip?.name ?? "", trip?.days ?? 0)
            }
            #expect(
                printed == """
                    Alps 5
                    """)
        }

        @Test func twoContextsChangeOneRow() throws {
            let context = ModelContext(container)
            context.insert(Trip("Alps", days: 1))
            try context.save()

            let printed = try printed {
                let one = ModelContext(container)
                let other = ModelContext(container)
                let mine = try one.fetch(FetchDescriptor<Trip>())[0]
                let theirs = try other.fetch(FetchDescriptor<Trip>())[0]

                mine.name = "Alps by train"  // not saved yet
                theirs.days = 9
                try other.save()
                _ = try one.fetch(FetchDescriptor<Trip>())
                print(mine.name, mine.days)

                try one.save()
                _ = try other.fetch(FetchDescriptor<Trip>())
                print(theirs.name, theirs.days)
            }
            #expect(
                printed == """
                    Alps by train 9
                    Alps by train 9
                    """)
        }

        @Test func theLaterSaveOfAPropertyWins() throws {
            let one = ModelContext(container)
            let other = ModelContext(container)
            one.insert(Trip("Alps", days: 1))
            try one.save()
            let mine = try one.fetch(FetchDescriptor<Trip>())[0]
            let theirs = try other.fetch(FetchDescriptor<Trip>())[0]
            mine.days = 2
            theirs.days = 3
            try other.save()
            try one.save()
            let stored = try ModelContext(container).fetch(FetchDescriptor<Trip>())
            #expect(stored.map(\.days) == [2])
        }

        @Test func aDeletedRowIsGoneWhicheverSavesFirst() throws {
            for deletionComesFirst in [true, false] {
                let one = ModelContext(container)
                let other = ModelContext(container)
                one.insert(Trip("Alps", days: 1))
                try one.save()
                let mine = try one.fetch(FetchDescriptor<Trip>())[0]
                let theirs = try other.fetch(FetchDescriptor<Trip>())[0]
                mine.days = 2
                other.delete(theirs)
                for context in deletionComesFirst ? [other, one] : [one, other] { try context.save() }
                #expect(try ModelContext(container).fetchCount(FetchDescriptor<Trip>()) == 0)
            }
        }

        @Test func allOrNothing() throws {
            struct TooLong: Error {}
            let context = ModelContext(container)
            let plan = [3, 40]
            let printed = try printed {
                do {
                    try context.transaction {
                        for days in plan {
                            if days > 30 { throw TooLong() }
                            context.insert(Trip("Alps", days: days))
                        }
                    }
                } catch is TooLong {
                    context.rollback()
                }
                print(try context.fetchCount(FetchDescriptor<Trip>()))
            }
            #expect(
                printed == """
                    0
                    """)
        }

        @Test func aRowThatAnotherProcessDeletes() throws {
            try withFolder { folder in
                let file = SQLiteStoreConfiguration(url: folder.appending(path: "trips.sqlite"))
                let container = try ModelContainer(for: Trip.self, configurations: file)
                let context = ModelContext(container)
                let trip = Trip("Alps", days: 1)
                context.insert(trip)
                try context.save()
                let other = ModelContext(try ModelContainer(for: Trip.self, configurations: file))
                try other.delete(model: Trip.self)
                try other.save()

                trip.days = 5
                do {
                    try context.save()
                } catch SwiftDataError.modelNotFound {
                    try container.checkForRemoteChanges()
                    try context.save()
                }
                #expect(try context.fetchCount(FetchDescriptor<Trip>()) == 0)
            }
        }

        @Test func otherProcesses() throws {
            try withFolder { folder in
                let file = SQLiteStoreConfiguration(url: folder.appending(path: "trips.sqlite"))
                let container = try ModelContainer(for: Trip.self, configurations: file)
                let elsewhere = try ModelContainer(for: Trip.self, configurations: file)
                let other = ModelContext(elsewhere)
                other.insert(Trip("Alps", days: 1))
                try other.save()

                let context = ModelContext(container)
                let trip = try context.fetch(FetchDescriptor<Trip>())[0]
                try other.fetch(FetchDescriptor<Trip>())[0].days = 2
                try other.save()

                try container.checkForRemoteChanges()
                _ = try context.fetchCount(FetchDescriptor<Trip>())
                trip.days += 1
                try context.save()
                #expect(trip.days == 3)
            }
        }
    }
}
