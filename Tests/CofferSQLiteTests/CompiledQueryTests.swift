import Foundation
import Testing

@testable import CofferCore
@testable import CofferSQLite

@Suite("Plans of one shape")
struct CompiledQueryTests {
    private func plan(
        _ predicate: Predicate<Gadget>, limit: Int? = nil, offset: Int = 0, by sort: [SortDescriptor<Gadget>] = []
    ) throws -> FetchPlan {
        var descriptor = FetchDescriptor(predicate: predicate, sortBy: sort)
        descriptor.fetchLimit = limit
        descriptor.fetchOffset = offset
        return try descriptor._plan().plan
    }

    private func store() throws -> (Workshop, SQLiteStore) {
        let workshop = try Workshop(Gadget.self, Maker.self, Part.self, Label.self)
        let container = try ModelContainer(
            for: workshop.schema, configurations: [SQLiteStoreConfiguration("test", url: workshop.url)])
        let context = ModelContext(container)
        for number in 0..<20 {
            let gadget = Gadget(serial: number, name: ["ab", "abc", "b", "\u{10FFFF}a"][number % 4])
            gadget.note = number % 3 == 0 ? nil : "n\(number % 5)"
            gadget.price = Double(number) / 2
            context.insert(gadget)
        }
        try context.save()
        return (workshop, try workshop.open())
    }

    /// What a store finds by plans, against the rows that pass the filter in memory.
    private func check(_ store: SQLiteStore, _ plan: FetchPlan) throws {
        var all = plan
        all.filter = nil
        all.limit = nil
        all.offset = 0
        let width = Gadget._$descriptor.slotCount
        let batch = RowBatch(entityName: "Gadget", width: width, storeIdentifier: store.identifier)
        try store.fetchRows(all, into: batch)
        let filter = try #require(plan.filter)
        let rows = try RowFilter(filter).matches(in: batch, NoRows()).map { batch.key(ofRow: $0) }
        let expected = Array(rows.dropFirst(plan.offset).prefix(plan.limit ?? .max))
        #expect(try store.fetchKeys(plan) == expected, "\(plan)")
        #expect(try store.countRows(plan) == expected.count, "\(plan)")
    }

    @Test func areCompiledOnce() throws {
        let (workshop, store) = try store()
        defer { withExtendedLifetime(workshop) {} }
        func named(_ name: String, _ price: Double) throws -> FetchPlan {
            try plan(#Predicate { $0.name == name && $0.price > price })
        }
        for (name, price) in [("ab", 2.5), ("b", 0.5), ("abc", 7), ("none", -3)] {
            try check(store, named(name, price))
        }
        // One statement for keys, one for counts; the rows of `check` have no filter and are none of these.
        #expect(store.queries.compilations - 4 == 2)
    }

    @Test func haveTheirOwnValuesAndPages() throws {
        let (workshop, store) = try store()
        defer { withExtendedLifetime(workshop) {} }
        func over(_ number: Int, limit: Int?, offset: Int = 0, descending: Bool = false) throws -> FetchPlan {
            let order: SortOrder = descending ? .reverse : .forward
            return try plan(
                #Predicate { $0.serial > number }, limit: limit, offset: offset,
                by: [SortDescriptor(\.serial, order: order)])
        }
        // The same number as constant and as limit must not be taken for one another.
        for (number, limit) in [(3, 3), (5, 3), (3, 5), (7, 2)] {
            try check(store, over(number, limit: limit))
            try check(store, over(number, limit: limit, offset: 3))
            try check(store, over(number, limit: nil))
            try check(store, over(number, limit: limit, descending: true))
        }
    }

    @Test func differWhereAValueMeansMore() throws {
        let (workshop, store) = try store()
        defer { withExtendedLifetime(workshop) {} }
        func prefixed(_ prefix: String) throws -> FetchPlan { try plan(#Predicate { $0.name.hasPrefix(prefix) }) }
        func noted(_ note: String?) throws -> FetchPlan { try plan(#Predicate { $0.note != note }) }
        func priced(_ price: Double) throws -> FetchPlan { try plan(#Predicate { $0.price != price }) }
        func divided(_ number: Int) throws -> FetchPlan { try plan(#Predicate { $0.serial / number == 3 }) }
        func listed(_ names: [String]) throws -> FetchPlan { try plan(#Predicate { names.contains($0.name) }) }
        func numbers(_ a: Int, _ b: Int) throws -> FetchPlan { try plan(#Predicate { $0.serial > a && $0.serial < b }) }
        for prefix in ["ab", "\u{10FFFF}", "b", "", "abc", "\u{10FFFF}a"] { try check(store, prefixed(prefix)) }
        for note in ["n1", nil, "n2", "", "n4"] { try check(store, noted(note)) }
        for price in [2.5, .nan, 3.5, 0, -0.0] { try check(store, priced(price)) }
        for number in [2, 0, 5, -1, 1, 3] { try check(store, divided(number)) }
        for names in [["ab"], ["b", "x"], [], Array(repeating: "abc", count: 20)] { try check(store, listed(names)) }
        for (a, b) in [(5, 9), (9, 5), (7, 7), (0, 12), (4, 18)] { try check(store, numbers(a, b)) }
    }
}
