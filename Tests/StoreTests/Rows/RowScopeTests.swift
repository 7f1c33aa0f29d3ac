import Coffer
import Foundation
import Testing

extension RowTests {
    /// Orders, pages and lists: twenty trips of which each has as many stops as its number, in descending order.
    @Suite("Rows: scopes") struct ScopeTests {
        func open(_ store: TestStore) throws -> RowWorkshop {
            let shop = try RowWorkshop(store, Trip.self)
            var stops: [(Int64, RowWorkshop.Row)] = []
            var trips: [(Int64, RowWorkshop.Row)] = []
            for trip in 1...20 {
                let keys = (0..<trip).map { Int64(-1000 - trip * 20 - $0) }
                for (order, key) in keys.enumerated() {
                    stops.append((key, ["title": .text("\(trip)/\(order)"), "trip": shop.link(Int64(-trip), "Trip")]))
                }
                trips.append(
                    (
                        Int64(-trip),
                        [
                            "name": .text("\(trip)"), "days": .integer(Int64(trip % 6)),
                            "stops": shop.list(keys.reversed(), "Stop"),
                        ]
                    ))
            }
            try shop.save(insert: [shop.batch("Trip", trips), shop.batch("Stop", stops)])
            return shop
        }

        func keys(_ shop: RowWorkshop, _ plan: FetchPlan) throws -> [Int64] { try shop.fetch(plan).map(\.key) }

        @Test(arguments: TestStore.rowStores) func everythingIsInTheOrderOfTheKeys(_ store: TestStore) throws {
            let shop = try open(store)
            func keys(limit: Int? = nil, offset: Int = 0) throws -> [Int64] {
                try self.keys(shop, FetchPlan(entityName: "Trip", limit: limit, offset: offset))
            }
            #expect(try keys() == Array(1...20))
            #expect(try keys(limit: 3, offset: 5) == [6, 7, 8])
            #expect(try keys(limit: 3, offset: 19) == [20])
            #expect(try keys(offset: 18) == [19, 20])
            #expect(try keys(limit: 0) == [])
        }

        @Test(arguments: TestStore.rowStores) func rowsAreSortedAlsoByWhatALinkLeadsTo(_ store: TestStore) throws {
            let shop = try open(store)
            let days = SortKey(path: [shop.slot("Trip", "days")], isDescending: true)
            #expect(try keys(shop, FetchPlan(entityName: "Trip", sort: [days], limit: 4)) == [5, 11, 17, 4])
            let path = SortKey(path: [shop.slot("Stop", "trip"), shop.slot("Trip", "name")])
            let first = try shop.fetch(FetchPlan(entityName: "Stop", sort: [path], limit: 2))
            #expect(first.map(\.values["title"]) == [.text("1/0"), .text("10/0")])
        }

        @Test(arguments: TestStore.rowStores) func keysAreFoundInAnyOrderAndOnce(_ store: TestStore) throws {
            let shop = try open(store)
            for wanted in [[3, 1, 2, 3], [20, 21, 1, -4, 0], Array(1...20), [], [7, 7]] as [[Int64]] {
                let found = try keys(shop, FetchPlan(entityName: "Trip", scope: .keys(wanted)))
                #expect(found == Set(wanted.filter { (1...20).contains($0) }).sorted())
            }
            let sort = SortKey(path: [shop.slot("Trip", "name")], isDescending: true)
            #expect(try keys(shop, FetchPlan(entityName: "Trip", scope: .keys([9, 3, 7]), sort: [sort])) == [9, 7, 3])
        }

        @Test(arguments: TestStore.rowStores) func listsComeOwnerByOwner(_ store: TestStore) throws {
            let shop = try open(store)
            let stops = try shop.rows("Stop")
            for owners in [[5], [3, 7], Array(1...20), [20, 1, 19, 2, 18, 3, 17, 4, 16, 5], [1, 99, 20]] as [[Int64]] {
                let lists = try shop.related("Trip", "stops", owners)
                #expect(Set(lists.keys) == Set(owners.filter { $0 <= 20 }))
                for (owner, list) in lists {
                    let titles = list.map { stops[$0]?["title"] }
                    #expect(titles == (0..<Int(owner)).reversed().map { .text("\(owner)/\($0)") })
                }
            }
        }

        @Test(arguments: TestStore.rowStores) func listsAreSortedAndPaged(_ store: TestStore) throws {
            let shop = try open(store)
            let scope = FetchScope.related(ownerEntity: "Trip", slot: shop.slot("Trip", "stops"), owners: [4])
            let all = try keys(shop, FetchPlan(entityName: "Stop", scope: scope))
            #expect(all.count == 4)
            #expect(
                try keys(shop, FetchPlan(entityName: "Stop", scope: scope, limit: 2, offset: 1)) == Array(all[1...2]))
            let sort = SortKey(path: [shop.slot("Stop", "title")])
            #expect(try keys(shop, FetchPlan(entityName: "Stop", scope: scope, sort: [sort])) == all.reversed())
        }

        @Test(arguments: TestStore.rowStores) func onlyWantedSlotsAreRead(_ store: TestStore) throws {
            let shop = try open(store)
            let (name, stops) = (shop.slot("Trip", "name"), shop.slot("Trip", "stops"))
            for scope in [FetchScope.all, .keys([1])] {
                let rows = try shop.fetch(FetchPlan(entityName: "Trip", scope: scope, slots: [name]))
                #expect(rows[0].values == ["name": .text("1")])
                #expect(try shop.fetch(FetchPlan(entityName: "Trip", scope: scope, slots: []))[0].values == [:])
            }
            // A list is read where it is asked for by its slot.
            let batch = shop.batch("Trip", [])
            let sort = SortKey(path: [name])
            try shop.store.fetchRows(FetchPlan(entityName: "Trip", sort: [sort], limit: 2, slots: [stops]), into: batch)
            #expect((0..<2).map { batch.keys(of: batch.cell(row: $0, slot: stops)).count } == [1, 10])
            #expect(batch.cell(row: 0, slot: name).kind == .absent)
        }
    }
}
