import CLMDB
import CofferCore
import CofferRecords
import Foundation
import Testing

@testable import CofferLMDB

/// Several stores, threads and processes on one folder.
@Suite struct SharingTests {
    let shop: Workshop

    init() throws { shop = try Workshop() }

    @Test func storesOfOneProcessShareTheEnvironment() throws {
        let one = try shop.open()
        try FileManager.default.createSymbolicLink(
            at: shop.folder.appendingPathComponent("link"), withDestinationURL: shop.url)
        var configuration = LMDBStoreConfiguration(
            "other", schema: Schema([Item.self]), url: shop.folder.appendingPathComponent("link"))
        configuration.busyTimeout = .seconds(1)
        let other = try LMDBStore(configuration, migrationPlan: nil)
        #expect(one.environment != nil && one.environment === other.environment)
        #expect(one.identifier == other.identifier)
        let keys = try shop.insert(3, into: one) + shop.insert(3, into: other)
        #expect(Set(keys).count == 6)
        one.close()
        #expect(try shop.count(other) == 6)
        expect(.storeClosed) { _ = try shop.count(one) }
        expect(.storeClosed) { try shop.insert(1, into: one) }
        other.close()
        #expect(one.environment == nil && other.environment == nil)
        #expect(try shop.count(shop.open()) == 6)
    }

    @Test func aStoreThatGetsFieldsFromSomebodyElseIsRefused() throws {
        let name = Schema.Attribute(name: "name", valueType: String.self)
        let note = Schema.Attribute(name: "note", valueType: String?.self)
        func open(_ schema: Schema) throws -> LMDBStore {
            try LMDBStore(LMDBStoreConfiguration("test", schema: schema, url: shop.url), migrationPlan: nil)
        }
        func changes() -> RowChanges {
            let batch = RowBatch(entityName: "Thing", width: 1, storeIdentifier: nil)
            batch.appendRow(key: -1)
            batch.set(.text("x"), row: 0, slot: 0)
            var changes = RowChanges(editingState: EditingState())
            changes.inserted = [batch]
            return changes
        }
        let things = FetchPlan(entityName: "Thing")
        let old = try open(Schema(Schema.Entity("Thing", properties: name)))
        _ = try old.commit(changes())
        #expect(try old.countRows(things) == 1)
        let new = try open(Schema(Schema.Entity("Thing", properties: name, note)))
        // Rows that it wrote would have a field too few.
        let error = expect(.unknownSchema) { _ = try old.commit(changes()) }
        #expect(error?.entity == "Thing" && error?.file == shop.url.path)
        expect(.unknownSchema) { _ = try old.countRows(things) }
        #expect(try new.countRows(things) == 1)
        let more = Schema(
            Schema.Entity("Thing", properties: name, note), Schema.Entity("Other", properties: name))
        _ = try open(more)
        #expect(try new.countRows(things) == 1)
    }

    @Test func closingInTheMiddleOfAFetchEndsIt() throws {
        let store = try shop.open()
        try shop.insert(100, into: store)
        let batch = RowBatch(entityName: "Item", width: 2, storeIdentifier: store.identifier)
        expect(.storeClosed) {
            try store.fetchBlocks(FetchPlan(entityName: "Item"), into: batch, of: 10) { _ in store.close() }
        }
        #expect(try shop.count(shop.open()) == 100)
    }

    @Test func aSecondWriterWaitsAndThenGivesUp() throws {
        let store = try shop.open(timeout: .milliseconds(50))
        try shop.insert(1, into: store)
        let (process, input) = try shop.neighbour("hold")
        expect(.storeBusy) { try shop.insert(1, into: store) }
        // Reading goes on.
        #expect(try shop.count(store) == 1)
        try input.close()
        process.waitUntilExit()
        try shop.insert(1, into: store)
        #expect(try shop.count(store) == 2)
    }

    @Test func aWriterThatDiesLeavesTheTurn() throws {
        let store = try shop.open(timeout: .seconds(5))
        try shop.insert(1, into: store)
        let (process, _) = try shop.neighbour("hold")
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
        try shop.insert(1, into: store)
        #expect(try shop.count(store) == 2)
    }

    @Test func readersThatDiedAreCleared() throws {
        let store = try shop.open()
        try shop.insert(1, into: store)
        for _ in 0..<3 {
            let (process, _) = try shop.neighbour("die")
            process.waitUntilExit()
        }
        for _ in 0..<130 { try shop.insert(1, into: store) }
        var dead: Int32 = -1
        mdb_reader_check(try #require(store.environment).handle, &dead)
        #expect(dead == 0)
    }
}
