import Coffer
import Foundation
import Testing

extension RowTests {
    /// A store that says its next key is the largest number there is.
    @Suite("Rows: the last keys") struct LastKeyTests {
        @Test(arguments: TestStore.rowStores) func usedUpKeysAreAnError(_ store: TestStore) throws {
            let shop = try RowWorkshop(store, Guide.self)
            func row(_ key: Int64) -> (Int64, RowWorkshop.Row) {
                (key, ["first": .text("a\(key)"), "last": .text("b"), "age": .integer(1)])
            }
            try shop.save(insert: [shop.batch("Guide", [row(-9)])])
            let rows = try #require(shop.store as? any ImportingRowStore)
            for last in [Int64.max, Int64.max - 1] as [Int64] {
                try rows.reserveKeys(["Guide": last] as [String: Int64])
                // A store may have taken some keys in advance.
                let shop = store.withoutPlace == nil ? try shop.reopened(as: Schema([Guide.self])) : shop
                let many = [row(-1), row(-2), row(-3)]
                for _ in 0..<2 {
                    let error = #expect(throws: SwiftDataError.self) {
                        try shop.save(insert: [shop.batch("Guide", many)])
                    }
                    let codes: [SwiftDataError.Code] = [.storeFull, .corruptStore]
                    #expect(error.map { codes.contains($0.code) } == true, "\(String(describing: error))")
                }
            }
            #expect(try shop.rows("Guide").count == 1)
        }

    }
}
