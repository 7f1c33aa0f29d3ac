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
}
