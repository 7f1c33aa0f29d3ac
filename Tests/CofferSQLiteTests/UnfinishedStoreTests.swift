import CSQLite
import CofferCore
import Foundation
import Testing

@testable import CofferSQLite

/// A store whose making was stopped by the end of the process.
@Suite struct UnfinishedStoreTests {
    let shop: Workshop

    init() throws { shop = try Workshop(Trip.self) }

    /// Leaves the file as a process leaves it that ends within the transaction that makes the store: the pages are
    /// written, and the journal that takes them back is there.
    func stopHalfway() throws {
        let url = shop.folder.appendingPathComponent("other.sqlite")
        var handle: OpaquePointer?
        defer { sqlite3_close_v2(handle) }
        #expect(sqlite3_open(url.path, &handle) == SQLITE_OK)
        let making =
            "BEGIN IMMEDIATE; PRAGMA application_id = \(SQLiteFile.applicationID); PRAGMA user_version = 1; "
            + SQLiteMetadata.creation
        #expect(sqlite3_exec(handle, making, nil, nil, nil) == SQLITE_OK)
        #expect(sqlite3_db_cacheflush(handle) == SQLITE_OK)
        for ending in ["", "-journal"] {
            let data = try Data(contentsOf: URL(fileURLWithPath: url.path + ending))
            #expect(!data.isEmpty)
            try data.write(to: URL(fileURLWithPath: shop.url.path + ending))
        }
    }

    @Test func isMadeByTheNextOpening() throws {
        try stopHalfway()
        let store = try shop.open()
        try shop.save(store, insert: [shop.batch("Trip", [(-1, ["name": .text("Rome")])])])
        store.close()
        #expect(try shop.open().countRows(FetchPlan(entityName: "Trip")) == 1)
    }

    @Test func isNoneForWhoDoesNotMakeStores() throws {
        try stopHalfway()
        let configuration = SQLiteStoreConfiguration("test", url: shop.url)
        expect(.storeNotFound) { try SQLiteStore.hold(configuration).end() }
    }
}
