import CLMDB
import Foundation
import Testing

@testable import CofferLMDB

/// A folder in which the making of a store was stopped by the end of the process.
@Suite struct UnfinishedStoreTests {
    @Test func aFileWithHalfOfItsFirstPagesIsMadeAnew() throws {
        let shop = try Workshop()
        try FileManager.default.createDirectory(at: shop.url, withIntermediateDirectories: true)
        var handle: OpaquePointer?
        #expect(mdb_env_create(&handle) == MDB_SUCCESS)
        #expect(mdb_env_open(handle, shop.url.path, 0, 0o600) == MDB_SUCCESS)
        mdb_env_close(handle)
        let whole = try Data(contentsOf: shop.data)
        for size in [whole.count / 2, 4096] {
            try whole.prefix(size).write(to: shop.data)
            let store = try shop.open()
            try shop.insert(2, into: store)
            #expect(try shop.count(store) == 2)
            store.close()
            try FileManager.default.removeItem(at: shop.data)
        }
    }
}
