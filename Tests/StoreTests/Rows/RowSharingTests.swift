import Coffer
import Foundation
import Synchronization
import Testing

extension RowTests {
    /// Several stores that one process has open at one place.
    @Suite("Rows: several openings") struct SharingTests {
        func open(_ store: TestStore) throws -> (shop: RowWorkshop, stores: [any RowStore]) {
            try store.needsPlace()
            let shop = try RowWorkshop(store, Animal.self)
            return (shop, try shop.openings())
        }

        func insert(_ count: Int, _ shop: RowWorkshop, into store: any RowStore) throws -> [Int64] {
            var changes = RowChanges(editingState: EditingState())
            changes.inserted = [shop.batch("Animal", (1...count).map { (Int64(-$0), ["name": .text("\($0)")]) })]
            return try store.commit(changes).keys[0]
        }

        @Test(arguments: TestStore.rowStores) func keysAreGivenOutOnce(_ store: TestStore) throws {
            let (shop, stores) = try open(store)
            #expect(Set(stores.map(\.identifier)).count == 1)
            var keys: Set<Int64> = []
            for round in 0..<20 {
                for store in stores {
                    for key in try insert(round % 7 + 1, shop, into: store) { #expect(keys.insert(key).inserted) }
                }
            }
            for store in stores { #expect(try store.fetchKeys(FetchPlan(entityName: "Animal")) == keys.sorted()) }
        }

        @Test(arguments: TestStore.rowStores) func savesAreSeenWholeFromOtherThreads(_ store: TestStore) throws {
            let (shop, stores) = try open(store)
            // Stores may be used from any thread, though their protocol does not say so.
            nonisolated(unsafe) let opened = stores
            let failures = Mutex<[String]>([])
            let plan = FetchPlan(entityName: "Animal")
            DispatchQueue.concurrentPerform(iterations: 6) { index in
                let store = opened[index % 2]
                do {
                    for _ in 0..<15 {
                        if index < 3 { _ = try insert(10, shop, into: store) }
                        let count = try store.countRows(plan)
                        let keys = try store.fetchKeys(plan).count
                        if count % 10 != 0 || keys % 10 != 0 { failures.withLock { $0.append("\(count) \(keys)") } }
                    }
                } catch {
                    failures.withLock { $0.append("\(error)") }
                }
            }
            #expect(failures.withLock { $0 } == [])
            for store in stores { #expect(try store.countRows(plan) == 450) }
        }

        @Test(arguments: TestStore.rowStores) func whatOneErasesIsGoneForTheOther(_ store: TestStore) throws {
            let (shop, stores) = try open(store)
            #expect(try insert(3, shop, into: stores[0]) == [1, 2, 3])
            try stores[1].erase()
            #expect(try stores[0].countRows(FetchPlan(entityName: "Animal")) == 0)
            #expect(try insert(1, shop, into: stores[0]) == [4])
        }
    }
}
