import CofferCore
import Foundation
import Testing

@testable import CofferSQLite

/// Files that others change between two looks of an opening.
@Suite struct OpeningRaceTests {
    let shop: Workshop

    init() throws { shop = try Workshop(Trip.self) }

    private func insert(_ store: SQLiteStore) throws {
        try shop.save(store, insert: [shop.batch("Trip", [(-1, ["name": .text("Rome")])])])
    }

    private func connection() throws -> SQLiteConnection {
        try SQLiteConnection(path: shop.url.path, mode: .readWrite, busyTimeout: .zero)
    }

    /// Who has waited for a migration has the old file open, and the log beside it is the new one's.
    @Test func aFileThatWasReplacedIsNotRead() throws {
        try shop.open().close()
        let old = try connection()
        let copy = shop.folder.appendingPathComponent("copy.sqlite")
        try FileManager.default.copyItem(at: shop.url, to: copy)
        #expect(rename(copy.path, shop.url.path) == 0)
        #expect(try !old.keepPlace())
        #expect(try connection().keepPlace())
    }

    @Test func aFileStaysInItsPlaceForAnOpening() throws {
        try shop.open().close()
        let opening = try connection()
        #expect(try opening.keepPlace())
        let other = try connection()
        #expect(try other.keepPlace())
        #expect(throws: SQLiteFailure.self) { try other.takeAlone() }
    }

    /// Somebody else has migrated the file and keeps it open: there is nothing to wait for.
    @Test func aFileThatIsNoLongerMeantIsNotWaitedFor() throws {
        try shop.open().close()
        let meant = try #require(FileIdentity(shop.url.path))
        let copy = shop.folder.appendingPathComponent("copy.sqlite")
        try FileManager.default.copyItem(at: shop.url, to: copy)
        #expect(rename(copy.path, shop.url.path) == 0)
        let other = try shop.open()
        let configuration = SQLiteStoreConfiguration("test", url: shop.url)
        #expect(throws: SQLiteMigrationPlace.Replaced.self) {
            try SQLiteMigrationPlace(configuration, closesOthers: true, meant)
        }
        // It is the new file's, and stays open.
        try insert(other)
    }

    @Test func whatWasReadWithoutLocksIsReadAgain() throws {
        let store = try shop.open()
        try insert(store)
        store.close()
        var counts: [Int64?] = []
        let reading = SQLiteReading(SQLiteStoreConfiguration("test", url: shop.url))
        let found = try reading.run { connection in
            if counts.isEmpty {
                let other = try shop.open()
                try insert(other)
                other.close()
            }
            counts.append(try connection.integer("SELECT count(*) FROM Trip"))
            return counts.last
        }
        #expect(counts.count == 2 && found.result == 2)
    }

    /// An empty file is what somebody is making a store of.
    @Test func anEmptyFileIsNoStoreToRead() throws {
        #expect(FileManager.default.createFile(atPath: shop.url.path, contents: nil))
        expect(.storeNotFound) { try shop.open(allowsSave: false) }
        expect(.storeNotFound) { try SQLiteStore.checkFiles(SQLiteStoreConfiguration("test", url: shop.url)) }
        #expect(try Data(contentsOf: shop.url).isEmpty)
    }
}
