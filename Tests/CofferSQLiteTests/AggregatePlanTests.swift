import Foundation
import Testing

@testable import CofferCore
@testable import CofferSQLite

/// How SQLite goes about aggregates and pages.
@Suite struct AggregatePlanTests {
    let shop: Workshop
    let store: SQLiteStore

    init() throws {
        shop = try Workshop(Person.self, Animal.self)
        store = try shop.open()
        var rows: [(Int64, [String: StoredValue])] = []
        for number in 1...200 {
            let last: StoredValue = number % 3 == 0 ? .null : .text("\(number % 10)")
            let age = StoredValue.integer(Int64(number % 20))
            rows.append((Int64(-number), ["first": .text("\(number)"), "age": age, "last": last]))
        }
        try shop.save(store, insert: [shop.batch("Person", rows)])
    }

    func property(_ name: String) -> FilterPath {
        let property = shop.schema.entitiesByName["Person"]?.properties[shop.slot("Person", name)]
        let type = FilterType(of: property?.valueType ?? Int.self)
        return FilterPath(
            variable: .row(of: "Person"), steps: [FilterStep(slot: shop.slot("Person", name), name: name)], type: type)
    }

    func steps(_ plan: AggregatePlan) throws -> String {
        let compiled = try SQLAggregate.compile(plan, store.layout, storeIdentifier: store.identifier)
        return try explain(compiled.text)
    }

    func explain(_ sql: String) throws -> String {
        try store.read(.fetch) { connection in
            try connection.installFunctions()
            try connection.installSumFunctions()
            let statement = try connection.statement("EXPLAIN QUERY PLAN " + sql)
            defer { statement.finish() }
            var steps: [String] = []
            while try statement.step() { steps.append(statement.text(3) ?? "") }
            return steps.joined(separator: "; ")
        }
    }

    @Test func extremesComeFromTheEndsOfAnIndex() throws {
        let age = FilterExpression.property(property("age"))
        let plan = AggregatePlan(
            rows: FetchPlan(entityName: "Person"), columns: [AggregateColumn(.min, age), AggregateColumn(.max, age)])
        let steps = try steps(plan)
        #expect(steps.contains("SEARCH t0 USING COVERING INDEX"), "\(steps)")
        #expect(!steps.contains("SCAN t0"), "\(steps)")
        #expect(
            try store.aggregate(plan) == [AggregateRow(keys: [], values: [.value(.integer(0)), .value(.integer(19))])])
    }

    @Test func groupsGoAlongAnIndex() throws {
        let plan = AggregatePlan(
            rows: FetchPlan(entityName: "Person"), keys: [.property(property("age"))],
            columns: [AggregateColumn(.count)],
            limit: 3)
        let steps = try steps(plan)
        #expect(steps.contains("USING COVERING INDEX"), "\(steps)")
        #expect(!steps.contains("TEMP B-TREE"), "\(steps)")
        #expect(try store.aggregate(plan).map(\.keys) == [[.integer(0)], [.integer(1)], [.integer(2)]])
    }

    /// The steps of the requests for a page behind a row.
    func page(_ sort: [(String, Bool)], _ values: [StoredValue], key: Int64) throws -> [String] {
        let keys = zip(sort, values).map { sort, value in
            PageStart.Key(
                path: property(sort.0), sort: SortKey(path: [shop.slot("Person", sort.0)], isDescending: sort.1),
                value: value)
        }
        let row = FilterPath(variable: .row(of: "Person"), steps: [], type: FilterType(.link(entity: "Person")))
        let space = _IdentifierSpace.shared(entityName: "Person", storeIdentifier: store.identifier)
        let start = PageStart(keys, row: row, identifier: PersistentIdentifier(_space: space, key: key))
        return try start.filters.map { filter in
            let plan = FetchPlan(entityName: "Person", filter: filter, sort: keys.map(\.sort), limit: 5)
            let query = try SQLQuery.compile(plan, store.layout, storeIdentifier: store.identifier)
            return try explain(query.select([query.key]))
        }
    }

    @Test func pagesBeginInTheMiddleOfAnIndex() throws {
        for isDescending in [false, true] {
            let steps = try page([("age", isDescending)], [.integer(7)], key: 30)
            #expect(steps.count == 1)
            #expect(steps[0].contains("SEARCH t0 USING") && steps[0].contains(isDescending ? "<?" : ">?"), "\(steps)")
            if !isDescending { #expect(!steps[0].contains("TEMP B-TREE"), "\(steps)") }
        }
        let ascending = try page([("last", false), ("first", false)], [.text("3"), .text("13")], key: 13)
        #expect(ascending.count == 1)
        #expect(ascending[0].contains("SEARCH t0 USING"), "\(ascending)")
        #expect(!ascending[0].contains("TEMP B-TREE FOR ORDER BY"), "\(ascending)")
        let fromNil = try page([("last", false), ("first", false)], [.null, .text("9")], key: 9)
        #expect(fromNil.count == 2)
        #expect(fromNil.allSatisfy { $0.contains("SEARCH t0 USING") }, "\(fromNil)")
        let toNil = try page([("last", true), ("first", true)], [.text("3"), .text("13")], key: 13)
        #expect(toNil.count == 2)
        #expect(toNil.allSatisfy { $0.contains("SEARCH t0 USING") }, "\(toNil)")
    }

    @Test func pagesWithoutAnOrderGoOnAtTheKey() throws {
        let steps = try page([], [], key: 100)
        #expect(steps == ["SEARCH t0 USING INTEGER PRIMARY KEY (rowid>?)"])
    }
}
