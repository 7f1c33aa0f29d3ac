import CLMDB
import CofferCore
import CofferRecords
import Foundation
import Testing

@testable import CofferLMDB

/// What opening makes, takes and refuses; what is refused stays as it was.
@Suite struct OpeningTests {
    let shop: Workshop

    init() throws { shop = try Workshop() }

    func refuse(_ code: SwiftDataError.Code, allowsSave: Bool = true) throws {
        let before = try shop.contents()
        let error = expect(code) { _ = try shop.open(allowsSave: allowsSave) }
        #expect(error?.file == shop.url.path && error?.store == "test")
        #expect(try shop.contents() == before)
    }

    @Test func aStoreIsMadeAndFoundAgain() throws {
        let first = try shop.open()
        let identifier = first.identifier
        try shop.insert(3, named: "é", into: first)
        first.close()
        let second = try shop.open()
        #expect(second.identifier == identifier)
        #expect(try shop.names(shop.rows(second)) == ["é", "é", "é"])
        try second.erase()
        #expect(try shop.count(second) == 0)
        #expect(try shop.insert(1, into: second) == [4])
    }

    @Test func whatIsNoStoreIsLeftAlone() throws {
        try FileManager.default.createDirectory(at: shop.url, withIntermediateDirectories: true)
        try Data("not a database".utf8).write(to: shop.data)
        try refuse(.corruptStore)
        try Data(repeating: 0, count: 100_000).write(to: shop.data)
        try refuse(.corruptStore)
    }

    @Test func filesOfOthersAreLeftAlone() throws {
        try FileManager.default.createDirectory(at: shop.url, withIntermediateDirectories: true)
        var handle: OpaquePointer?
        mdb_env_create(&handle)
        mdb_env_set_maxdbs(handle, 4)
        #expect(mdb_env_open(handle, shop.url.path, 0, 0o644) == 0)
        var transaction: OpaquePointer?
        mdb_txn_begin(handle, nil, 0, &transaction)
        var table: MDB_dbi = 0
        mdb_dbi_open(transaction, "theirs", UInt32(MDB_CREATE), &table)
        mdb_txn_commit(transaction)
        mdb_env_close(handle)
        try refuse(.corruptStore)
        try refuse(.corruptStore, allowsSave: false)
    }

    @Test func aFileInPlaceOfTheFolder() throws {
        try Data("x".utf8).write(to: shop.url)
        expect(.corruptStore) { _ = try shop.open() }
        #expect(try Data(contentsOf: shop.url) == Data("x".utf8))
    }

    @Test func placesThatAreNotThere() throws {
        expect(.storeNotFound) { _ = try shop.open(allowsSave: false) }
        #expect(!FileManager.default.fileExists(atPath: shop.url.path))
        let configuration = LMDBStoreConfiguration(
            schema: Schema([Item.self]), url: shop.folder.appendingPathComponent("a/b/c"))
        expect(.storeNotFound) { _ = try LMDBStore(configuration, migrationPlan: nil) }
    }

    @Test(arguments: [0.3, 0.5, 0.9]) func aFileThatIsCutOff(_ part: Double) throws {
        let store = try shop.open()
        try shop.insert(2000, size: 300, into: store)
        store.close()
        let whole = try Data(contentsOf: shop.data)
        try whole.prefix(Int(Double(whole.count) * part)).write(to: shop.data)
        try refuse(.corruptStore)
    }

    @Test func damagedPagesOfASmallFile() throws {
        let store = try shop.open()
        try shop.insert(100, size: 300, into: store)
        store.close()
        let whole = try Data(contentsOf: shop.data)
        var refused = 0
        for page in 2..<whole.count / 4096 {
            var damaged = whole
            damaged.replaceSubrange(page * 4096..<page * 4096 + 32, with: Data(repeating: 0xEE, count: 32))
            try damaged.write(to: shop.data)
            // Pages that nothing uses any more may hold anything.
            do {
                try shop.open().close()
            } catch SwiftDataError.corruptStore {
                refused += 1
            }
        }
        #expect(refused > 5)
        try whole.write(to: shop.data)
        #expect(try shop.count(shop.open()) == 100)
    }

    @Test func newerFormatsAreLeftAlone() throws {
        let store = try shop.open()
        try store.core.engine.write { writer in
            try writer.put(RecordSchema.metadata, Array("format".utf8), Array("2".utf8))
        }
        store.close()
        expect(.newerStoreFormat) { _ = try shop.open() }
        var data = try Data(contentsOf: shop.data)
        for page in 0..<2 { data[page * 4096 + 20] = 2 }
        try data.write(to: shop.data)
        try refuse(.newerStoreFormat)
    }

    @Test func forReadingOnly() throws {
        let store = try shop.open()
        try shop.insert(5, into: store)
        store.close()
        let before = try Data(contentsOf: shop.data)
        let reader = try shop.open(allowsSave: false)
        #expect(try shop.count(reader) == 5)
        expect(.storeNotWritable) { try shop.insert(1, into: reader) }
        expect(.storeNotWritable) { try reader.erase() }
        // It sees what others save.
        let writer = try shop.open()
        try shop.insert(1, into: writer)
        #expect(try shop.count(reader) == 6)
        writer.close()
        reader.close()
        #expect(try Data(contentsOf: shop.data).count >= before.count)
    }
}
