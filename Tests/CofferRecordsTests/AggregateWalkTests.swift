import Foundation
import Testing

@testable import CofferCore
@testable import CofferRecords

/// Counts what is read through it.
private final class CountingReader: RecordReader {
    private let base: any RecordReader
    private(set) var gets = 0
    private(set) var entries = 0

    init(_ base: any RecordReader) { self.base = base }

    func openTable(_ table: RecordTable) throws -> Bool { try base.openTable(table) }

    func get(_ table: RecordTable, _ key: UnsafeRawBufferPointer) throws -> UnsafeRawBufferPointer? {
        gets += 1
        return try base.get(table, key)
    }

    func scan(
        _ table: RecordTable, _ range: KeyRange, descending: Bool,
        _ body: (UnsafeRawBufferPointer, UnsafeRawBufferPointer) throws -> Bool
    ) throws {
        try base.scan(table, range, descending: descending) { key, value in
            entries += 1
            return try body(key, value)
        }
    }

    func count(_ table: RecordTable) throws -> Int { try base.count(table) }
}

/// Aggregates that indexes answer, against those worked out of the rows.
@Suite struct AggregateWalkTests {
    /// Many trips with few names, some without days.
    static func shop(_ engine: TestEngine, names: [String]) throws -> Workshop {
        let shop = try Workshop(engine, Trip.self)
        var rows: [(Int64, Workshop.Row)] = []
        for number in 0..<400 {
            let days: StoredValue = number % 5 == 0 ? .null : .integer(Int64(number % 4) - 1)
            rows.append((Int64(-1 - number), ["name": .text(names[number % names.count]), "days": days]))
        }
        try shop.save(insert: [shop.batch("Trip", rows)])
        return shop
    }

    static func property(_ shop: Workshop, _ name: String) throws -> FilterExpression {
        let properties = try #require(shop.store.schema.entitiesByName["Trip"]?.properties)
        let slot = try #require(properties.firstIndex { $0.name == name })
        return .property(
            FilterPath(
                variable: .row(of: "Trip"), steps: [FilterStep(slot: slot, name: name)],
                type: FilterType(of: properties[slot].valueType)))
    }

    /// What the walk gives, with what it read; nil where it gives up.
    static func walk(_ shop: Workshop, _ plan: AggregatePlan) throws -> (rows: [AggregateRow]?, gets: Int, entries: Int)
    {
        let space = try shop.store.space(named: "Trip")
        return try shop.store.read("Trip") { reader in
            let reader = CountingReader(reader)
            let rows = try RecordAggregateWalk(plan, space, shop.store, reader)?.rows()
            return (rows, reader.gets, reader.entries)
        }
    }

    /// The same plan over the rows.
    static func table(_ shop: Workshop, _ plan: AggregatePlan) throws -> [AggregateRow] {
        let table = AggregateTable(plan)
        let width = shop.store.schema.entitiesByName["Trip"]?.properties.count ?? 0
        let batch = RowBatch(entityName: "Trip", width: width, storeIdentifier: shop.store.identifier)
        try shop.store.fetchRows(plan.rows, into: batch)
        try table.add(batch, in: NoRows())
        return table.rows()
    }

    @Test("Least and largest values are read from the ends of an index", arguments: TestEngine.allCases)
    func extremes(_ engine: TestEngine) throws {
        let shop = try Self.shop(engine, names: ["b", "", "a\0", "z"])
        let (name, days) = (try Self.property(shop, "name"), try Self.property(shop, "days"))
        let plan = AggregatePlan(
            rows: FetchPlan(entityName: "Trip"),
            columns: [
                AggregateColumn(.min, name), AggregateColumn(.max, name), AggregateColumn(.min, days),
                AggregateColumn(.max, days), AggregateColumn(.count),
            ])
        let found = try Self.walk(shop, plan)
        #expect(try found.rows == Self.table(shop, plan))
        #expect(found.gets == 4 && found.entries == 4)
        #expect(try shop.store.aggregate(plan) == found.rows)
    }

    @Test("Distinct values are found by a search for each", arguments: TestEngine.allCases)
    func distinct(_ engine: TestEngine) throws {
        let shop = try Self.shop(engine, names: ["b", "", "a\0", "a", "z"])
        var plan = AggregatePlan(rows: FetchPlan(entityName: "Trip"), keys: [try Self.property(shop, "name")])
        let found = try Self.walk(shop, plan)
        #expect(try found.rows == Self.table(shop, plan))
        #expect(found.rows?.count == 5)
        #expect(found.gets == 5 && found.entries <= 5 * 10)
        plan.limit = 2
        plan.offset = 1
        let page = try Self.walk(shop, plan)
        #expect(try page.rows == Self.table(shop, plan))
        #expect(page.entries < found.entries)
        plan.order = [AggregateOrder(.key(0), isDescending: true)]
        #expect(try Self.walk(shop, plan).rows == Self.table(shop, plan))
    }

    @Test("The sizes of groups are counted in an index on their keys", arguments: TestEngine.allCases)
    func groups(_ engine: TestEngine) throws {
        let shop = try Self.shop(engine, names: ["b", "a"])
        let keys = [try Self.property(shop, "days"), try Self.property(shop, "name")]
        var plan = AggregatePlan(
            rows: FetchPlan(entityName: "Trip"), keys: keys, columns: [AggregateColumn(.count)])
        let found = try Self.walk(shop, plan)
        #expect(try found.rows == Self.table(shop, plan))
        #expect(found.entries == 400 && found.gets == found.rows?.count)
        plan.order = [AggregateOrder(.column(0), isDescending: true)]
        plan.limit = 3
        #expect(try Self.walk(shop, plan).rows == Self.table(shop, plan))
        plan.keys = keys.reversed()
        #expect(try Self.walk(shop, plan).rows == nil)
        #expect(try shop.store.aggregate(plan) == Self.table(shop, plan))
    }

    @Test("Values that were cut to fit an index are left to the rows", arguments: TestEngine.allCases)
    func cut(_ engine: TestEngine) throws {
        let long = String(repeating: "x", count: 600)
        let shop = try Self.shop(engine, names: [long + "b", long + "a", "y", long])
        let name = try Self.property(shop, "name")
        let distinct = AggregatePlan(rows: FetchPlan(entityName: "Trip"), keys: [name])
        #expect(try Self.walk(shop, distinct).rows == nil)
        #expect(try shop.store.aggregate(distinct) == Self.table(shop, distinct))
        let least = AggregatePlan(rows: FetchPlan(entityName: "Trip"), columns: [AggregateColumn(.min, name)])
        #expect(try Self.walk(shop, least).rows == nil)
        #expect(try shop.store.aggregate(least) == [AggregateRow(keys: [], values: [.value(.text(long))])])
        let largest = AggregatePlan(rows: FetchPlan(entityName: "Trip"), columns: [AggregateColumn(.max, name)])
        #expect(try Self.walk(shop, largest).rows == [AggregateRow(keys: [], values: [.value(.text("y"))])])
    }

    @Test("Plans with a filter are left to the rows", arguments: TestEngine.allCases)
    func filtered(_ engine: TestEngine) throws {
        let shop = try Self.shop(engine, names: ["b", "a"])
        let (name, days) = (try Self.property(shop, "name"), try Self.property(shop, "days"))
        let filter = FilterExpression.compare(.greater, days, .constant(.integer(0), .integer))
        let plan = AggregatePlan(
            rows: FetchPlan(entityName: "Trip", filter: filter), keys: [name], columns: [AggregateColumn(.max, days)])
        #expect(try Self.walk(shop, plan).rows == nil)
        #expect(try shop.store.aggregate(plan) == Self.table(shop, plan))
    }
}
