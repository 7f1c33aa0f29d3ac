import Coffer
import Foundation
import Synchronization
import Testing

extension RowTests {
    @Suite("Rows: several threads") struct ConcurrencyTests {
        /// Each save gives all rows one number and keeps the number of rows even; no reader may see anything else.
        @Test(arguments: TestStore.rowStores) func readersSeeWholeSaves(_ store: TestStore) async throws {
            let shop = try RowWorkshop(store, Guide.self)
            func row(_ key: Int64, _ age: Int64) -> (Int64, [String: StoredValue]) {
                let last = String(repeating: "l", count: Int(age % 50))
                return (key, ["first": .text("f\(key)"), "last": .text(last), "age": .integer(age)])
            }
            var keys = try shop.save(insert: [shop.batch("Guide", (1...200).map { row(Int64(-$0), 0) })])[0]
            let ending = Ending()
            try await withThrowingTaskGroup(of: Int.self) { group in
                for reader in 0..<4 {
                    group.addTask {
                        var reads = 0
                        while !ending.isReached {
                            let batch = RowBatch(
                                entityName: "Guide", width: 4, storeIdentifier: shop.store.identifier, capacity: 200)
                            var plan = FetchPlan(entityName: "Guide")
                            if reader == 3 { plan.sort = [SortKey(path: [0])] }
                            var ages: Set<Int64> = []
                            var lengths: Set<Int> = []
                            var count = 0
                            func take(_ block: RowBatch) {
                                count += block.count
                                for row in 0..<block.count {
                                    ages.insert(block.cell(row: row, slot: 2).integer)
                                    lengths.insert(block.cell(row: row, slot: 1).length)
                                }
                            }
                            // LMDB gives a reader's state up between blocks when too many saves lie behind it.
                            if reader == 1, store.name != TestStore.lmdb.name {
                                try shop.store.fetchBlocks(plan, into: batch, of: 30, take)
                            } else {
                                try shop.store.fetchRows(plan, into: batch)
                                take(batch)
                            }
                            #expect(ages.count == 1 && lengths.count == 1)
                            #expect(count.isMultiple(of: 2))
                            #expect(try shop.store.countRows(plan).isMultiple(of: 2))
                            reads += 1
                            await Task.yield()
                        }
                        return reads
                    }
                }
                defer { ending.reach() }
                for age in 1...150 as ClosedRange<Int64> {
                    let dead = Array(keys.prefix(20))
                    keys.removeFirst(20)
                    let live = keys
                    let new = (1...20).map { row(-Int64($0) - age * 1000, age) }
                    keys += try shop.save(
                        insert: [shop.batch("Guide", new)],
                        update: [shop.batch("Guide", live.map { ($0, row($0, age).1.filter { $0.key != "first" }) })],
                        delete: [("Guide", dead)])[0]
                    await Task.yield()
                }
                ending.reach()
                for try await reads in group { #expect(reads > 0) }
            }
        }

        @Test func blocksShowTheStoreAsItWas() throws {
            let shop = try RowWorkshop(.memory, Trip.self)
            let text = String(repeating: "·", count: 50)
            try shop.save(insert: [
                shop.batch("Trip", (1...40).map { (Int64(-$0), ["name": .text(text), "days": .integer(1)]) }),
                shop.batch(
                    "Stop",
                    (1...60).map {
                        (Int64(-$0), ["title": .text("\($0)"), "trip": shop.link(-1 - $0 / 12, "Trip")])
                    }),
            ])
            // The body saves to the very entity whose rows it takes in, and to its links.
            var round: Int64 = 1
            let blocks = try shop.blocks(FetchPlan(entityName: "Trip"), of: 16) { block in
                for row in 0..<block.count {
                    #expect(block.value(of: block.cell(row: row, slot: 0)) == .text(text))
                    #expect(block.cell(row: row, slot: 1).integer == 1)
                }
                round += 1
                try shop.save(
                    insert: [shop.batch("Trip", [(-1, ["name": .text("new")])])],
                    update: [
                        shop.batch(
                            "Trip", (30...40).map { ($0, ["name": .text("\(round)"), "days": .integer(round)]) })
                    ],
                    delete: [("Trip", [round, round + 20])])
            }
            #expect(blocks.map { $0.map(\.key) } == [Array(1...16), Array(17...32), Array(33...40)])
            #expect(try shop.rows("Trip").count == 40 - 6 + 3)
            #expect(try shop.rows("Trip")[35]?["days"] == .integer(4))
            #expect(try shop.rows("Stop").values.filter { $0["trip"] == .null }.count == 36)

            let owners: [Int64] = [1, 5, 6]
            let plan = FetchPlan(entityName: "Stop", scope: .related(ownerEntity: "Trip", slot: 2, owners: owners))
            let related = try shop.blocks(plan, of: 4)
            #expect(related.map { Set($0.map(\.owner)) } == [[1], [5], [6]])
            #expect(related.map(\.count) == [11, 12, 1])
            #expect(try shop.blocks(plan, of: 100).map(\.count) == [24])
        }

        @Test(arguments: TestStore.rowStores) func savesOfSeveralThreadsFollowEachOther(_ store: TestStore) async throws
        {
            let shop = try RowWorkshop(store, Animal.self)
            let keys = try await withThrowingTaskGroup(of: [Int64].self) { group in
                for _ in 0..<8 {
                    group.addTask {
                        try (0..<50).flatMap { number in
                            try shop.save(insert: [
                                shop.batch("Animal", [(-1, ["name": .text("\(number)")]), (-2, ["name": .text("b")])])
                            ])[0]
                        }
                    }
                }
                return try await group.reduce(into: []) { $0 += $1 }
            }
            #expect(keys.sorted() == Array(1...800))
            #expect(try shop.rows("Animal").count == 800)
        }
    }

    /// Tells readers that the writer is done.
    private final class Ending: Sendable {
        private let state = Mutex(false)
        var isReached: Bool { state.withLock { $0 } }
        func reach() { state.withLock { $0 = true } }
    }
}
