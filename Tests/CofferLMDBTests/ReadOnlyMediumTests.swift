import CLMDB
import CofferCore
import CofferRecords
import Foundation
import Testing

@testable import CofferLMDB

/// A folder in which nothing may be written, not even a list of readers.
@Suite struct ReadOnlyMediumTests {
    /// Rights mean nothing to the superuser, so the environment is opened as it is on such a medium.
    @Test func withoutAListOfReaders() throws {
        let shop = try Workshop()
        let store = try shop.open()
        try shop.insert(5, into: store)
        store.close()
        try FileManager.default.removeItem(at: shop.url.appendingPathComponent("lock.mdb"))
        let before = try shop.contents()
        let hold = try LMDBRegistry.hold(shop.url.path) {
            try LMDBEnvironment(shop.url.path, isReadOnly: true, mapSize: 1 << 16, writesReaderList: false)
        }
        let engine = LMDBEngine(shop.url.path, hold: hold, isReadOnly: true, timeout: .seconds(1))
        let core = try RecordStoreCore(name: "test", schema: Schema([Item.self]), engine: engine)
        #expect(try core.countRows(FetchPlan(entityName: "Item")) == 5)
        core.close()
        #expect(try shop.contents() == before)
    }

    /// Another process, which may write neither folder nor files.
    @Test func withoutAnyRightToWrite() throws {
        let shop = try Workshop()
        let store = try shop.open()
        try shop.insert(7, into: store)
        store.close()
        let before = try shop.contents()
        let names = before.keys.map { shop.url.appendingPathComponent($0).path } + [shop.url.path]
        for name in names { chmod(name, name == shop.url.path ? 0o555 : 0o444) }
        defer { for name in names { chmod(name, 0o755) } }
        let visitor = try shop.start("visit")
        let count = try #require(try visitor.output.readToEnd())
        #expect(String(decoding: count, as: UTF8.self) == "7\n")
        visitor.process.waitUntilExit()
        #expect(try shop.contents() == before)
        // Where even the list of readers is missing, nobody else can be there.
        chmod(shop.url.path, 0o755)
        try FileManager.default.removeItem(at: shop.url.appendingPathComponent("lock.mdb"))
        chmod(shop.url.path, 0o555)
        let second = try shop.start("visit")
        let again = try #require(try second.output.readToEnd())
        #expect(String(decoding: again, as: UTF8.self) == "7\n")
        second.process.waitUntilExit()
        #expect(try shop.contents().keys.sorted() == before.keys.filter { $0 != "lock.mdb" }.sorted())
    }
}
