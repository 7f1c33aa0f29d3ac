import Coffer
import Foundation
import Testing

@testable import StoreNeighbour

/// What the system refuses is thrown by name; the store goes on once it can.
@Suite("A system that refuses")
struct SystemFaultTests {
    @Test("descriptors is an error by name, and everything works once there are some", arguments: TestStore.migrating)
    func descriptors(_ store: TestStore) throws {
        let site = try MigrationSite(store)
        let neighbour = try Neighbour(site)
        // Opening with ever more descriptors, until there are enough.
        var refused = 0
        for count in 0..<40 {
            try neighbour.ask("files \(count)")
            let answer = try neighbour.ask("open")
            if answer == "done" { break }
            #expect(answer.hasPrefix("threw") && !answer.contains("corruptStore"), "\(answer)")
            #expect(!answer.contains("without a file"), "\(answer)")
            refused += 1
        }
        #expect(refused > 0)
        try neighbour.ask("files -1")
        #expect(try neighbour.ask("insert first 20000") == "done")
        // Then saves in an open store.
        try neighbour.ask("files 0")
        var stored = 1
        for number in 0..<3 {
            let answer = try neighbour.ask("insert n\(number) 20000")
            if answer == "done" { stored += 1 } else { #expect(answer.hasPrefix("threw"), "\(answer)") }
            #expect(!answer.contains("missingModelContext"), "\(answer)")
        }
        try neighbour.ask("files -1")
        #expect(try neighbour.ask("insert last 20000") == "done")
        #expect(try neighbour.ask("count") == "\(stored + 1)")
        try neighbour.ask("close")
        try site.open(Barrel.self) { context in
            let count = try context.count(Barrel.self)
            #expect(count == stored + 1)
        }
    }

    @Test("to write a folder is storeNotWritable, and nothing is left beside it", arguments: TestStore.migrating)
    func readOnlyFolder(_ store: TestStore) throws {
        let site = try MigrationSite(store)
        try site.open(Barrel.self) { context in
            context.insert(Barrel("a", 1))
            try context.save()
        }
        let before = try site.files()
        let neighbour = try Neighbour(site)
        chmod(site.folder.path, 0o555)
        if store.name == "lmdb" { chmod(site.path, 0o555) }
        defer { for path in [site.path, site.folder.path] { chmod(path, 0o755) } }
        if try neighbour.ask("nobody") != "done" { try Test.cancel("giving up the superuser's rights is not allowed") }
        let answer = try neighbour.ask("open")
        // Nobody may not even read what is the owner's alone.
        #expect(answer.hasPrefix("threw storeNotWritable") || answer.hasPrefix("threw ioFailure"), "\(answer)")
        #expect(try site.files() == before)
    }

    @Test(
        "to know the store's folder any more is thrown, and nothing is made in its place",
        arguments: TestStore.migrating)
    func removedFolder(_ store: TestStore) throws {
        let site = try MigrationSite(store)
        try site.open(Barrel.self) { context in
            context.insert(Barrel("a", 1))
            try context.save()
            try FileManager.default.removeItem(at: site.folder)
            let new = Barrel("b", 2)
            context.insert(new)
            let error = #expect(throws: SwiftDataError.self) { try context.save() }
            let codes: [SwiftDataError.Code] = [.storeReplaced, .storeNotFound]
            #expect(error.map { codes.contains($0.code) } == true, "\(String(describing: error))")
            #expect(context.hasChanges && new.modelContext === context)
        }
        #expect(!FileManager.default.fileExists(atPath: site.folder.path))
    }

    @Test("to keep the time leaves the order of the history as it is", arguments: TestStore.migrating)
    func clockGoesBack(_ store: TestStore) throws {
        let site = try MigrationSite(store)
        let schema = Schema([Barrel.self])
        let rows = try #require(try Self.rows(site, schema))
        // Saves while the clock was put back, forward, and back again.
        let times = [4_000_000_000, 1_000, 2_000_000_000, 500.25, 3_000_000_000]
        let keys = KeyRanges(1...1)
        try rows.importHistory(
            times.enumerated().map { index, time in
                StoredTransaction(
                    number: Int64(index + 1), timestamp: Date(timeIntervalSince1970: time), author: "\(index)",
                    bundleIdentifier: "b", processIdentifier: "1",
                    changes: [StoredChange(.insert, of: "Barrel", keys: keys)])
            }, start: 0)
        let container = try ModelContainer(for: schema, configurations: [site.configuration])
        let context = ModelContext(container)
        context.insert(Barrel("a", 1))
        try context.save()
        func authors() throws -> [String?] {
            try context.fetchHistory(HistoryDescriptor<DefaultHistoryTransaction>()).map(\.author)
        }
        #expect(try authors() == ["0", "1", "2", "3", "4", nil])
        // By age alone the second and the fourth would go, and leave holes behind tokens.
        container.historyRetention = HistoryRetention(maximumAge: 1_000_000_000)
        try container.trimHistory()
        #expect(try authors() == ["0", "1", "2", "3", "4", nil])
        container.historyRetention = HistoryRetention(maximumCount: 2)
        try container.trimHistory()
        #expect(try authors() == ["4", nil])
        context.insert(Barrel("b", 1))
        try context.save()
        let numbers = try context.fetchHistory(HistoryDescriptor<DefaultHistoryTransaction>())
            .map(\.transactionIdentifier)
        // What is kept is looked at before a save.
        #expect(numbers == [5, 6, 7])
    }

    private static func rows(_ site: MigrationSite, _ schema: Schema) throws -> (any ImportingRowStore)? {
        func open<C: DataStoreConfiguration>(_ configuration: C) throws -> any DataStore {
            var configuration = configuration
            configuration.schema = schema
            return try C.Store(configuration, migrationPlan: nil)
        }
        return try open(site.configuration) as? any ImportingRowStore
    }
}
