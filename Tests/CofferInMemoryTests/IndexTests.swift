import CofferCore
import Foundation
import Testing

@testable import CofferInMemory

@Suite("In memory: indexes") struct IndexTests {
    /// The positions of an index in order, where it is made.
    func order(_ shop: Workshop, _ number: Int) throws -> [Int]? {
        let table = try #require(shop.store.data.table(named: "Trip"))
        guard table.indexes[number].isMade, let order = table.indexes[number].order(of: table) else { return nil }
        var positions: [Int] = []
        order.forEachBlock(order.start, order.end) {
            positions += $0.map { Int($0) }
            return true
        }
        #expect(order.count == positions.count)
        #expect(order.distance(order.start, order.end) == positions.count)
        return positions
    }

    func expectOrdered(_ shop: Workshop, sourceLocation: SourceLocation = #_sourceLocation) throws {
        let table = try #require(shop.store.data.table(named: "Trip"))
        for number in table.indexes.indices {
            guard let order = try order(shop, number) else { continue }
            var live: [Int] = []
            table.directory.forEachRun {
                live += Array($0)
                return true
            }
            let keys = table.indexes[number].slots.map { (slot: $0, isDescending: false) }
            #expect(order == CellOrder.sorted(live, keys, table.rows), sourceLocation: sourceLocation)
        }
    }

    func use(_ shop: Workshop) throws {
        for sort in [[SortKey(path: [1]), SortKey(path: [0])], [SortKey(path: [0])]] {
            for _ in 0..<2 { _ = try shop.fetch(FetchPlan(entityName: "Trip", sort: sort)) }
        }
    }

    @Test func madeAtTheSecondUseAndForgottenAtLargeSaves() throws {
        let shop = try Workshop(Trip.self)
        func add(_ count: Int) throws {
            try shop.save(insert: [
                shop.batch(
                    "Trip",
                    (1...Int64(count)).map {
                        (-$0, ["name": .text("\($0 % 7)"), "days": .integer($0 % 5)])
                    })
            ])
        }
        try add(2000)
        #expect(try order(shop, 0) == nil)
        let plan = FetchPlan(entityName: "Trip", sort: [SortKey(path: [0])])
        let first = try shop.fetch(plan).map(\.key)
        try use(shop)
        #expect(try order(shop, 0)?.count == 2000)
        #expect(try shop.fetch(plan).map(\.key) == first)
        try add(10)
        #expect(try order(shop, 0)?.count == 2010)
        try expectOrdered(shop)
        try add(1000)
        #expect(try order(shop, 0) == nil)
        try use(shop)
        try shop.store.erase()
        #expect(try order(shop, 0) == nil)
        #expect(try shop.fetch(plan).isEmpty)
    }

    @Test(arguments: 1...3 as ClosedRange<UInt64>)
    func keptUpBySmallSaves(_ seed: UInt64) throws {
        var random = RandomCommitTests.Generator(state: seed &* 77)
        let shop = try Workshop(Trip.self)
        func values() -> Workshop.Row {
            let days = Int64.random(in: -2...9, using: &random)
            return [
                "name": .text("name \(Int.random(in: 0..<60, using: &random))"),
                "days": days < 0 ? .null : .integer(days),
            ]
        }
        var keys = try shop.save(insert: [shop.batch("Trip", (1...1500).map { (Int64(-$0), values()) })])[0]
        try use(shop)
        for _ in 0..<60 {
            keys.shuffle(using: &random)
            let dead = Array(keys.prefix(Int.random(in: 0..<20, using: &random)))
            let changed = keys.suffix(Int.random(in: 0..<20, using: &random))
            let new = (0..<Int.random(in: 0..<15, using: &random)).map { (Int64(-1 - $0), values()) }
            let update = shop.batch(
                "Trip",
                changed.map { key in
                    let some = Bool.random(using: &random) ? "name" : "days"
                    return (key, values().filter { $0.key == some })
                })
            let broken = shop.batch("Trip", [(-99, ["name": .null])])
            expect(.missingRequiredValue) {
                try shop.save(insert: [shop.batch("Trip", new), broken], update: [update], delete: [("Trip", dead)])
            }
            try expectOrdered(shop)
            keys.removeFirst(dead.count)
            keys += try shop.save(
                insert: [shop.batch("Trip", new)], update: [update], delete: [("Trip", dead)])[0]
            try expectOrdered(shop)
            #expect(try order(shop, 0)?.count == keys.count)
            #expect(try order(shop, 1)?.count == keys.count)
        }
    }
}
