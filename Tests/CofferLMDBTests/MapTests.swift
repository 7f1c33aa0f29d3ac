import CofferCore
import CofferRecords
import Foundation
import Testing

@testable import CofferLMDB

/// The map grows by itself, whoever reads and whoever made it too small.
@Suite struct MapTests {
    let shop: Workshop

    init() throws { shop = try Workshop() }

    @Test func theMapGrowsInTheMiddleOfASave() throws {
        let store = try shop.open(mapSize: 1 << 16)
        let before = try #require(store.environment).mapSize
        try shop.insert(96, size: 1 << 20, into: store)
        #expect(try #require(store.environment).mapSize > max(before, 96 << 20))
        let rows = try shop.rows(store)
        #expect(rows.count == 96)
        for row in 0..<96 {
            let bytes = rows.bytes(of: rows.cell(row: row, slot: 1))
            #expect(bytes.count == 1 << 20 && bytes.first == UInt8(row) && bytes.last == UInt8(row))
        }
    }

    /// LMDB gives its map up before it has another one, and then ends the process.
    @Test func noAddressSpaceIsAnErrorAndTheStoreGoesOn() throws {
        #expect(try shop.answer("narrow") == "storeFailure\nsame\nstored\n")
    }

    /// A fetch in blocks is going on, on this very thread, when the map has to grow.
    @Test func theMapGrowsWhileAReaderIsOpen() throws {
        let store = try shop.open(mapSize: 1 << 17)
        try shop.insert(100, into: store)
        let before = try #require(store.environment).mapSize
        var seen = 0
        let batch = RowBatch(entityName: "Item", width: 2, storeIdentifier: store.identifier)
        try store.fetchBlocks(FetchPlan(entityName: "Item"), into: batch, of: 10) { block in
            seen += block.count
            try shop.insert(1, size: 1 << 20, into: store)
        }
        // The fetch shows the state it began with, saves and another map notwithstanding.
        #expect(seen == 100)
        #expect(try shop.count(store) == 110)
        #expect(try #require(store.environment).mapSize > before)
    }

    @Test func growingAndReadingFromManyThreads() throws {
        let store = try shop.open(mapSize: 1 << 16)
        try shop.insert(10, size: 100, into: store)
        let failures = FailureList()
        DispatchQueue.concurrentPerform(iterations: 6) { index in
            failures.catching {
                for _ in 0..<30 {
                    if index < 2 {
                        try shop.insert(10, size: 10_000, into: store)
                    } else {
                        let rows = try shop.rows(store)
                        #expect(rows.count % 10 == 0)
                        for row in 0..<rows.count {
                            let bytes = rows.bytes(of: rows.cell(row: row, slot: 1))
                            #expect(bytes.count >= 100 && bytes.allSatisfy { $0 == bytes[0] })
                        }
                    }
                }
            }
        }
        #expect(failures.all == [])
        #expect(try shop.count(store) == 610)
    }

    @Test func anotherProcessMakesTheMapLarger() throws {
        let store = try shop.open(mapSize: 1 << 16)
        try shop.insert(1, into: store)
        #expect(try shop.count(store) == 1)
        for round in 1...3 {
            let (process, _) = try shop.neighbour("grow")
            process.waitUntilExit()
            // The first reads, the second writes at once.
            if round > 1 { try shop.insert(1, into: store) }
            #expect(try shop.names(shop.rows(store)).count { $0 == "neighbour" } == round * 40)
        }
        #expect(try shop.count(store) == 123)
    }

    /// What is deleted is used again, though somebody takes his time with a fetch.
    @Test func aLongReaderDoesNotMakeTheFileGrowWithoutBound() throws {
        let store = try shop.open()
        let keys = try shop.insert(40, size: 20_000, into: store)
        let batch = RowBatch(entityName: "Item", width: 2, storeIdentifier: store.identifier)
        var sizes: [Int] = []
        try store.fetchBlocks(FetchPlan(entityName: "Item"), into: batch, of: 20) { _ in
            if !sizes.isEmpty { return }
            for round in 0..<200 {
                try shop.rename(keys, to: "\(round)", in: store)
                if round == 99 { sizes.append(shop.fileSize) }
            }
            sizes.append(shop.fileSize)
        }
        try #require(sizes.count == 2)
        #expect(sizes[1] == sizes[0])
        #expect(Set(try shop.names(shop.rows(store))) == ["199"])
    }
}

/// Errors of other threads.
final class FailureList: @unchecked Sendable {
    private let lock = NSLock()
    private var list: [String] = []

    var all: [String] { lock.withLock { list } }

    func catching(_ body: () throws -> Void) {
        do { try body() } catch { lock.withLock { list.append("\(error)") } }
    }
}
