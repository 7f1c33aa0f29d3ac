import Coffer
import Foundation
import Testing

/// The code of Docs/ComingFromSwiftData.md and of Docs/StartHere.md that stands in no program.
enum ComingFromSwiftDataGuide {
    @Model final class Trip {
        var name: String
        init(name: String) { self.name = name }
    }

    @Suite struct Examples {
        @Test func whatAnAppleProgramWrites() throws {
            try withFolder { folder in
                let configuration = ModelConfiguration(url: folder.appending(path: "trips.store"))
                let container = try ModelContainer(for: Trip.self, configurations: configuration)
                let context = ModelContext(container)
                context.insert(Trip(name: "Alps"))
                try context.save()
                #expect(try context.fetchCount(FetchDescriptor<Trip>()) == 1)
            }
        }

        @Test func aModelByItsIdentifier() throws {
            let container = try ModelContainer(for: Trip.self, configurations: InMemoryStoreConfiguration())
            let context = ModelContext(container)
            let trip = Trip(name: "Alps")
            context.insert(trip)
            try context.save()
            let id = trip.persistentModelID
            context.delete(trip)
            try context.save()

            let gone = try context.existingModel(for: id, as: Trip.self)
            #expect(gone == nil)
        }

        @Test func aTestOfYourOwn() throws {
            let container = try ModelContainer(for: Trip.self, configurations: InMemoryStoreConfiguration())
            let context = ModelContext(container)
            context.insert(Trip(name: "Alps"))
            #expect(try context.fetchCount(FetchDescriptor<Trip>()) == 1)
        }

        @Test func aPrivateDatabaseIsRefused() throws {
            let configuration = ModelConfiguration(
                schema: Schema([Trip.self]), cloudKitDatabase: .private("iCloud.trips"))
            #expect(throws: SwiftDataError.self) {
                try ModelContainer(for: Trip.self, configurations: configuration)
            }
        }
    }
}
