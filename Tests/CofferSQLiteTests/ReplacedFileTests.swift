import CofferCore
import Foundation
import Testing

@testable import CofferSQLite

/// A file that goes away, or gives way to another, while it is open.
@Suite struct ReplacedFileTests {
    let shop: Workshop
    let store: SQLiteStore

    init() throws {
        shop = try Workshop(Trip.self)
        store = try shop.open()
        try insert(store)
    }

    private func insert(_ store: SQLiteStore) throws {
        try shop.save(store, insert: [shop.batch("Trip", [(-1, ["name": .text("Rome")])])])
    }

    @Test func aRemovedFileIsNotWrittenTo() throws {
        try FileManager.default.removeItem(at: shop.url)
        let error = expect(.storeReplaced) { try insert(store) }
        #expect(error?.detail == "the file was removed while it was open")
        #expect(error?.file == shop.url.path && error?.operation == .save)
        expect(.storeReplaced) { try store.erase() }
        #expect(!FileManager.default.fileExists(atPath: shop.url.path))
        // Fetches show the state that was there.
        #expect(try shop.rows(store, "Trip").count == 1)
    }

    @Test func aReplacedFileIsNotWrittenTo() throws {
        let other = try Workshop(Trip.self)
        try other.open().close()
        #expect(rename(other.url.path, shop.url.path) == 0)
        let before = try Data(contentsOf: shop.url)
        let error = expect(.storeReplaced) { try insert(store) }
        #expect(error?.detail == "the file was replaced while it was open")
        // A second connection would read from the other file.
        #expect(try shop.rows(store, "Trip").count == 1)
        _ = try store.pool.read { _ in
            expect(.storeReplaced) { try shop.rows(store, "Trip") }
        }
        #expect(try Data(contentsOf: shop.url) == before)
    }

    @Test func aLinkThatLeadsNowhereIsNamed() throws {
        let other = try Workshop(Trip.self)
        try FileManager.default.createSymbolicLink(
            atPath: other.url.path, withDestinationPath: other.folder.path + "/nowhere/store")
        let error = expect(.storeNotFound) { try other.open() }
        #expect(error?.detail?.contains("link that leads nowhere") == true)
    }
}
