import Coffer
import Foundation
import Testing

@testable import CofferRecords

extension RowTests.PlanTests {
    /// Indexes hold what the rows hold, no more and no less.
    @Test(arguments: TestStore.rowStores.filter { $0.name != TestStore.sqlite.name })
    func indexesFollowTheRows(_ store: TestStore) throws {
        var random = RowTests.RandomCommitTests.Generator(state: 3)
        let shop = try RowWorkshop(store, Sample.self)
        try fill(shop, &random)
        let core = try #require(shop.store as? any RecordRowStore).core
        let space = try #require(core.layout.space(of: "Sample"))
        try core.engine.read { reader in
            for index in space.indexes {
                var expected: Set<[UInt8]> = []
                try reader.scan(space.rows, .all) { key, bytes in
                    let row = try #require(IndexKey.row(key))
                    expected.insert(IndexKey(of: index, try CofferRecords.Record(bytes), row, maximumSize: 511).bytes)
                    return true
                }
                var found: Set<[UInt8]> = []
                try reader.scan(index.table, .all) { key, _ in
                    found.insert(Array(key))
                    return true
                }
                #expect(found == expected, "\(index.properties)")
            }
            let links = try #require(space.links.first?.links)
            #expect(
                try reader.count(links)
                    == core.countRows(
                        FetchPlan(
                            entityName: "Sample",
                            filter: .compare(
                                .notEqual,
                                property(shop, "parent", FilterType(.link(entity: "Sample"), isOptional: true)),
                                .constant(.null, FilterType(.link(entity: "Sample"), isOptional: true))))))
        }
        try shop.save(delete: [("Sample", try shop.store.fetchKeys(FetchPlan(entityName: "Sample")))])
        try core.engine.read { reader throws in
            for table in core.layout.tables where table.role != .metadata && table.role != .history {
                #expect(try reader.count(table) == 0)
            }
        }
    }
}
