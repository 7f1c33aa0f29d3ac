import CSQLite
import CofferCore
import Foundation
import Testing

@testable import CofferSQLite

/// A store whose making was stopped by the end of the process.
@Suite struct UnfinishedStoreTests {
    let shop: Workshop

    init() throws { shop = try Workshop(Trip.self) }

    /// Leaves the file as a process leaves it that ends within the transaction that makes the store: pages are written,
    /// and the journal that takes them back is there.
    ///
    /// - Parameter hasFirstPage: whether the first page is among them.
    func stopHalfway(hasFirstPage: Bool) throws {
        let url = shop.folder.appendingPathComponent("other.sqlite")
        var handle: OpaquePointer?
        defer { sqlite3_close_v2(handle) }
        #expect(sqlite3_open(url.path, &handle) == SQLITE_OK)
        let making =
            "BEGIN IMMEDIATE; PRAGMA application_id = \(SQLiteFile.applicationID); PRAGMA user_version = 1; "
            + SQLiteMetadata.creation
        #expect(sqlite3_exec(handle, making, nil, nil, nil) == SQLITE_OK)
        #expect(sqlite3_db_cacheflush(handle) == SQLITE_OK)
        let journal = try Data(contentsOf: URL(fileURLWithPath: url.path + "-journal"))
        if hasFirstPage { #expect(sqlite3_exec(handle, "COMMIT", nil, nil, nil) == SQLITE_OK) }
        let pages = try Data(contentsOf: url)
        #expect(!journal.isEmpty && !pages.isEmpty)
        try journal.write(to: URL(fileURLWithPath: shop.url.path + "-journal"))
        try pages.write(to: shop.url)
    }

    @Test(arguments: [true, false]) func isMadeByTheNextOpening(_ hasFirstPage: Bool) throws {
        try stopHalfway(hasFirstPage: hasFirstPage)
        let store = try shop.open()
        try shop.save(store, insert: [shop.batch("Trip", [(-1, ["name": .text("Rome")])])])
        store.close()
        #expect(try shop.open().countRows(FetchPlan(entityName: "Trip")) == 1)
    }

    @Test(arguments: [true, false]) func isNoneForWhoDoesNotMakeStores(_ hasFirstPage: Bool) throws {
        try stopHalfway(hasFirstPage: hasFirstPage)
        let configuration = SQLiteStoreConfiguration("test", url: shop.url)
        expect(.storeNotFound) { try SQLiteStore.hold(configuration).end() }
    }
}
