import Coffer
import CofferJSON
import CofferLMDB
import Foundation
import Testing

@Suite("The backup of a migration")
struct MigrationBackupTests {
    private func configuration(_ store: TestStore, _ url: URL, _ backup: MigrationBackup) -> any DataStoreConfiguration
    {
        switch store.name {
        case "sqlite":
            var configuration = SQLiteStoreConfiguration(url: url)
            configuration.migrationBackup = backup
            return configuration
        case "lmdb":
            var configuration = LMDBStoreConfiguration(url: url)
            configuration.migrationBackup = backup
            return configuration
        default:
            var configuration = JSONArchiveConfiguration(url: url)
            configuration.migrationBackup = backup
            return configuration
        }
    }

    private func url(_ site: MigrationSite) -> URL {
        switch site.configuration {
        case let known as SQLiteStoreConfiguration: known.url
        case let known as LMDBStoreConfiguration: known.url
        case let known as JSONArchiveConfiguration: known.url
        default: site.folder
        }
    }

    private static let newer = Schema([ValuesV2.Item.self])

    @Test("is a store that opens, with large values, and is not written over", arguments: TestStore.migrating)
    func opens(_ store: TestStore) throws {
        let site = try ValueMappingTests.make(store)
        var backups: [URL] = []
        for _ in 0..<2 {
            let report = try #require(try site.reports(Self.newer).first)
            backups.append(try #require(report.backup))
            // The old store comes back.
            let back = try ValueMappingTests.make(store)
            try FileManager.default.removeItem(at: url(site))
            try? FileManager.default.removeItem(atPath: url(site).path + ".journal")
            try FileManager.default.copyItem(at: url(back), to: url(site))
            let support = back.folder.appendingPathComponent(".\(url(back).lastPathComponent)_SUPPORT")
            let own = site.folder.appendingPathComponent(".\(url(site).lastPathComponent)_SUPPORT")
            if FileManager.default.fileExists(atPath: support.path) {
                try? FileManager.default.removeItem(at: own)
                try FileManager.default.copyItem(at: support, to: own)
            }
        }
        #expect(Set(backups).count == 2)
        for backup in backups {
            #expect(backup.deletingLastPathComponent().path == site.folder.path)
            let container = try ModelContainer(
                for: Schema([ValuesV1.Item.self]), configurations: [configuration(store, backup, .never)])
            let items = try ModelContext(container).all(ValuesV1.Item.self, by: SortDescriptor(\.number))
            #expect(items.map(\.junk) == [nil, "junk", "junk"])
            #expect(items.map(\.data.count) == [40_000, 40_000, 40_000])
        }
    }

    @Test("is made before something is lost, always or never", arguments: TestStore.migrating)
    func policies(_ store: TestStore) throws {
        for (backup, isMade) in [(MigrationBackup.never, false), (.beforeLoss, true), (.always, true)] {
            let site = try ValueMappingTests.make(store)
            let container = try ModelContainer(
                for: Self.newer, configurations: [configuration(store, url(site), backup)])
            #expect((container.migrationReports.first?.backup != nil) == isMade)
        }
        for (backup, isMade) in [(MigrationBackup.never, false), (.beforeLoss, false), (.always, true)] {
            let site = try MigrationSite.trips(store)
            try site.open(TripsV1.Trip.self) { context in
                for trip in try context.all(TripsV1.Trip.self) { context.delete(trip) }
                try context.save()
            }
            let container = try ModelContainer(
                for: Schema([TripsV2.Trip.self, TripsV2.Stop.self]),
                configurations: [configuration(store, url(site), backup)])
            #expect(container.migrationReports.count == 1)
            #expect((container.migrationReports.first?.backup != nil) == isMade)
        }
    }

    @Test("is not made of a store of other models: that is refused", arguments: TestStore.migrating)
    func strangers(_ store: TestStore) throws {
        let site = try MigrationSite.trips(store)
        let before = try site.files()
        let error = try #require(
            #expect(throws: SwiftDataError.self) { try site.open(Schema([ValuesV1.Item.self])) { _ in } })
        #expect(error.code == .unknownSchema && error.entity == "Trip")
        #expect(try site.files() == before)
    }
}
