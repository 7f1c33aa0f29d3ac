import Coffer
import CofferJSON
import CofferLMDB
import Foundation
import Testing

/// The code of Docs/ChoosingAStore.md, and of the stores' own pages.
enum ChoosingAStoreGuide {
    @Model final class Trip {
        var name: String
        init(name: String) { self.name = name }
    }

    @Model final class Setting {
        @Attribute(.unique) var key: String
        var value: String
        init(key: String, value: String) {
            self.key = key
            self.value = value
        }
    }

    @Suite struct Examples {
        @Test func everyStoreTakesTheSameModels() throws {
            try withFolder { folder in
                try use {
                    let container = try ModelContainer(
                        for: Trip.self,
                        configurations: SQLiteStoreConfiguration(url: folder.appending(path: "trips.sqlite")))
                    return container
                }
                try use {
                    let container = try ModelContainer(
                        for: Trip.self,
                        configurations: LMDBStoreConfiguration(url: folder.appending(path: "trips.lmdb")))
                    return container
                }
                try use {
                    let container = try ModelContainer(
                        for: Trip.self,
                        configurations: JSONArchiveConfiguration(url: folder.appending(path: "trips.json")))
                    return container
                }
                try use {
                    let container = try ModelContainer(for: Trip.self, configurations: InMemoryStoreConfiguration())
                    return container
                }
            }
        }

        private func use(_ open: () throws -> ModelContainer) throws {
            let container = try open()
            let context = ModelContext(container)
            context.insert(Trip(name: "Alps"))
            try context.save()
            #expect(try ModelContext(container).fetch(FetchDescriptor<Trip>()).map(\.name) == ["Alps"])
        }

        @Test func twoStoresInOneContainer() throws {
            try withFolder { folder in
                let trips = SQLiteStoreConfiguration(
                    "trips", schema: Schema([Trip.self]), url: folder.appending(path: "trips.sqlite"))
                let settings = JSONArchiveConfiguration(
                    "settings", schema: Schema([Setting.self]), url: folder.appending(path: "settings.json"))
                let container = try ModelContainer(
                    for: Schema([Trip.self, Setting.self]), configurations: [trips, settings])
                let context = ModelContext(container)
                context.insert(Trip(name: "Alps"))
                context.insert(Setting(key: "home", value: "Bern"))
                try context.save()

                let archive = try String(contentsOf: folder.appending(path: "settings.json"), encoding: .utf8)
                #expect(archive.contains("Bern") && !archive.contains("Alps"))
            }
        }

        @Test func askingAStoreWhatItCanDo() throws {
            try withFolder { folder in
                let printed = try printed {
                    let store = try SQLiteStore(
                        SQLiteStoreConfiguration(schema: Schema([Trip.self]), url: folder.appending(path: "a.sqlite")),
                        migrationPlan: nil)
                    print(store.capabilities.features.contains(.severalProcesses))
                }
                #expect(printed == "true")
            }
        }
    }
}
