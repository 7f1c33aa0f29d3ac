import Foundation
import SwiftData
import Testing

@Model private final class Grain {
    var number: Int
    init(number: Int) { self.number = number }
}

@Suite("The default store")
struct DefaultStoreTests {
    @Test("hands a large result out in blocks, as the store behind it does", arguments: [false, true])
    func fetchesInBlocks(inMemory: Bool) throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let schema = Schema([Grain.self])
        let configuration =
            inMemory
            ? ModelConfiguration("grains", schema: schema, isStoredInMemoryOnly: true)
            : ModelConfiguration("grains", schema: schema, url: folder.appendingPathComponent("grains.store"))
        let store = try DefaultStore(configuration)

        let rows = RowBatch(entityName: "Grain", width: 1, storeIdentifier: store.identifier)
        for number in 0..<600 {
            let row = rows.appendRow(key: -1 - Int64(number))
            rows.set(RowCell(.integer, bits: UInt64(number)), row: row, slot: 0)
        }
        var changes = RowChanges(editingState: EditingState())
        changes.inserted = [rows]
        _ = try store.commit(changes)

        let batch = RowBatch(entityName: "Grain", width: 1, storeIdentifier: store.identifier)
        var sizes: [Int] = []
        try store.fetchBlocks(FetchPlan(entityName: "Grain"), into: batch, of: 256) { sizes.append($0.count) }
        #expect(sizes == [256, 256, 88])
    }
}
