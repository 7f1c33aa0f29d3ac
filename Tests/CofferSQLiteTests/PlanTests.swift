import CofferCore
import Foundation
import Testing

@testable import CofferSQLite

/// Plans with filters, orders and pages, over rows of all scopes.
@Suite struct PlanTests {
    let shop: Workshop
    let store: SQLiteStore

    /// Twenty trips of which each has as many stops as its number, in descending order.
    init() throws {
        shop = try Workshop(Trip.self)
        store = try shop.open()
        var stops: [(Int64, [String: StoredValue])] = []
        var trips: [(Int64, [String: StoredValue])] = []
        for trip in 1...20 {
            let space = _IdentifierSpace.shared(entityName: "Trip", storeIdentifier: nil)
            let keys = (0..<trip).map { Int64(-1000 - trip * 20 - $0) }
            for (order, key) in keys.enumerated() {
                stops.append(
                    (
                        key,
                        [
                            "title": .text("\(trip)/\(order)"), "order": .integer(Int64(order)),
                            "trip": .reference(PersistentIdentifier(_space: space, key: Int64(-trip))),
                        ]
                    ))
            }
            let list = keys.reversed().map { PersistentIdentifier(_space: space, key: $0) }
            trips.append((Int64(-trip), ["name": .text("\(trip)"), "stops": .references(list)]))
        }
        try shop.save(store, insert: [shop.batch("Trip", trips), shop.batch("Stop", stops)])
    }

    func keys(_ plan: FetchPlan) throws -> [Int64] {
        let batch = shop.batch(plan.entityName, [], store: store)
        try store.fetchRows(plan, into: batch)
        let keys = (0..<batch.count).map { batch.key(ofRow: $0) }
        #expect(try store.fetchKeys(plan) == keys)
        #expect(try store.countRows(plan) == keys.count)
        return keys
    }

    var order: Int { shop.slot("Stop", "order") }

    @Test func everythingIsInTheOrderOfTheKeys() throws {
        #expect(try keys(FetchPlan(entityName: "Trip")) == Array(1...20))
        #expect(try keys(FetchPlan(entityName: "Trip", limit: 3, offset: 5)) == [6, 7, 8])
        #expect(try keys(FetchPlan(entityName: "Trip", limit: 3, offset: 19)) == [20])
        #expect(try keys(FetchPlan(entityName: "Trip", offset: 18)) == [19, 20])
        #expect(try keys(FetchPlan(entityName: "Trip", limit: 0)) == [])
    }

    @Test func rowsAreSorted() throws {
        let sort = [SortKey(path: [order], isDescending: true)]
        let batch = shop.batch("Stop", [], store: store)
        try store.fetchRows(FetchPlan(entityName: "Stop", sort: sort, limit: 4, slots: [order]), into: batch)
        #expect((0..<4).map { batch.cell(row: $0, slot: order).integer } == [19, 18, 18, 17])
        #expect(batch.key(ofRow: 1) < batch.key(ofRow: 2))
        let path = [SortKey(path: [shop.slot("Stop", "trip"), shop.slot("Trip", "name")])]
        let first = try keys(FetchPlan(entityName: "Stop", sort: path, limit: 1))
        #expect(try shop.rows(store, "Stop", scope: .keys(first))[first[0]]?["title"] == .text("1/0"))
    }

    @Test func keysAreFoundInAnyOrderAndOnce() throws {
        for wanted in [[3, 1, 2, 3], [20, 21, 1, -4, 0], Array(1...20), [], [7, 7]] as [[Int64]] {
            let found = try shop.rows(store, "Trip", scope: .keys(wanted))
            #expect(Set(found.keys) == Set(wanted.filter { (1...20).contains($0) }))
        }
        let sort = [SortKey(path: [shop.slot("Trip", "name")], isDescending: true)]
        let plan = FetchPlan(entityName: "Trip", scope: .keys([9, 3, 7]), sort: sort)
        #expect(try keys(plan) == [9, 7, 3])
    }

    @Test func listsComeOwnerByOwner() throws {
        for owners in [[5], [3, 7], Array(1...20), [20, 1, 19, 2, 18, 3, 17, 4, 16, 5], [1, 99, 20]] as [[Int64]] {
            let lists = try shop.related(store, "Trip", "stops", "Stop", owners)
            #expect(Set(lists.keys) == Set(owners.filter { $0 <= 20 }))
            for (owner, list) in lists {
                let titles = try list.map { try shop.rows(store, "Stop", scope: .keys([$0]))[$0]?["title"] }
                #expect(titles == (0..<Int(owner)).reversed().map { .text("\(owner)/\($0)") })
            }
        }
    }

    @Test func listsAreFilteredAndPaged() throws {
        let scope = FetchScope.related(ownerEntity: "Trip", slot: shop.slot("Trip", "stops"), owners: [4])
        let all = try keys(FetchPlan(entityName: "Stop", scope: scope))
        #expect(all.count == 4)
        #expect(try keys(FetchPlan(entityName: "Stop", scope: scope, limit: 2, offset: 1)) == Array(all[1...2]))
        #expect(try keys(FetchPlan(entityName: "Stop", scope: scope, sort: [SortKey(path: [order])])) == all.reversed())
    }

    @Test func listSlotsCanBeAskedFor() throws {
        let slot = shop.slot("Trip", "stops")
        let batch = shop.batch("Trip", [], store: store)
        let sort = [SortKey(path: [shop.slot("Trip", "name")])]
        try store.fetchRows(FetchPlan(entityName: "Trip", sort: sort, limit: 2, slots: [slot]), into: batch)
        #expect((0..<2).map { batch.keys(of: batch.cell(row: $0, slot: slot)).count } == [1, 10])
        #expect(batch.cell(row: 0, slot: shop.slot("Trip", "name")).kind == .absent)
    }

    @Test func unknownEntitiesAreNamed() throws {
        let batch = RowBatch(entityName: "Nobody", width: 1, storeIdentifier: nil)
        let error = expect(.unknownModelType) { try store.fetchRows(FetchPlan(entityName: "Nobody"), into: batch) }
        #expect(error?.entity == "Nobody")
        expect(.unknownModelType) { try shop.save(store, insert: [batch]) }
        expect(.unknownModelType) { try shop.save(store, delete: [("Nobody", [1])]) }
    }
}
