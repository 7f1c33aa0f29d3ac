import Foundation
import Testing

@testable import CofferCore
@testable import CofferSQLite

/// Orders, pages and scopes in SQL, and which indexes serve statements.
@Suite struct SQLQueryTests {
    let world: SQLFilterWorld

    init() throws {
        let makers = (0..<3).map { Maker(name: "m\(2 - $0)", country: $0 == 1 ? nil : "c", founded: .distantPast) }
        let names = ["B", "a", "á", "b", "A", "z", "a10", "a9", ""]
        let gadgets = names.enumerated().map { index, name in
            let gadget = Gadget(serial: index % 4, name: name)
            gadget.note = index % 3 == 0 ? nil : name
            gadget.price = [1, .nan, -.infinity, 0][index % 4]
            gadget.rating = [nil, 2, .nan][index % 3]
            gadget.big = [.max, 3, UInt64(Int64.max)][index % 3]
            gadget.mass = [Decimal(-7), 0.5, 1000, 999][index % 4]
            gadget.maker = index % 4 == 3 ? nil : makers[index % 4]
            return gadget
        }
        let parts = (0..<6).map { Part(name: "p\($0)", weight: -$0) }
        for (index, part) in parts.enumerated() { part.gadget = gadgets[index % 2] }
        let labels = [Label(text: "x"), Label(text: "y")]
        gadgets[0].labels = [labels[1], labels[0]]
        gadgets[2].labels = [labels[1]]
        world = try SQLFilterWorld(gadgets: gadgets, makers: makers, parts: parts, labels: labels)
    }

    private func keys(_ plan: FetchPlan) throws -> [Int64] {
        let query = try SQLQuery.compile(plan, world, storeIdentifier: "S")
        return try world.rows(query.select([query.key]), query.bindings).compactMap { Int64($0) }
    }

    /// Sorts by descriptors in three ways.
    private func check(_ sort: [SortDescriptor<Gadget>], sourceLocation: SourceLocation = #_sourceLocation) throws {
        let expected = world.gadgets.sorted { left, right in
            for key in sort {
                switch key.compare(left, right) {
                case .orderedAscending: return true
                case .orderedDescending: return false
                case .orderedSame: continue
                }
            }
            return left._$key < right._$key
        }.map(\._$key)
        var plan = FetchPlan(entityName: "Gadget", sort: try sort.map { try SortLowering.key($0) })
        let batch = world.batch("Gadget")
        let memory = try RowQuery(plan).rows(of: batch, in: world).map { batch.key(ofRow: $0) }
        #expect(memory == expected, sourceLocation: sourceLocation)
        #expect(try keys(plan) == expected, sourceLocation: sourceLocation)
        plan.limit = 4
        plan.offset = 3
        let page = Array(expected[3..<7])
        #expect(
            try RowQuery(plan).rows(of: batch, in: world).map { batch.key(ofRow: $0) } == page,
            sourceLocation: sourceLocation)
        #expect(try keys(plan) == page, sourceLocation: sourceLocation)
    }

    @Test func orders() throws {
        try check([])
        try check([SortDescriptor(\.serial)])
        try check([SortDescriptor(\.serial, order: .reverse), SortDescriptor(\.name)])
        try check([SortDescriptor(\.name)])
        try check([SortDescriptor(\.name, comparator: .localizedStandard)])
        try check([SortDescriptor(\.name, comparator: .localized, order: .reverse)])
        try check([SortDescriptor(\.note)])
        try check([SortDescriptor(\.note, order: .reverse)])
        try check([SortDescriptor(\.note, comparator: .localizedStandard)])
        try check([SortDescriptor(\.maker?.name, comparator: .localizedStandard), SortDescriptor(\.name)])
        try check([SortDescriptor(\.big)])
        try check([SortDescriptor(\.mass)])
        try check([SortDescriptor(\.maker?.name)])
        try check([SortDescriptor(\.maker?.name, order: .reverse), SortDescriptor(\.serial)])
        try check([SortDescriptor(\.maker?.country), SortDescriptor(\.maker?.name, order: .reverse)])
        try check([SortDescriptor(\.maker?.parent?.name)])
    }

    @Test func notANumberComesLast() throws {
        let batch = world.batch("Gadget")
        for (sort, isLast) in [
            (SortDescriptor<Gadget>(\.price), true), (SortDescriptor(\.rating, order: .reverse), false),
        ] {
            let plan = FetchPlan(entityName: "Gadget", sort: [try SortLowering.key(sort)])
            let memory = try RowQuery(plan).rows(of: batch, in: world).map { batch.key(ofRow: $0) }
            #expect(try keys(plan) == memory)
            let edge = world.gadgets[Int((isLast ? memory.last : memory.first) ?? 1) - 1]
            #expect(isLast ? edge.price.isNaN : edge.rating?.isNaN == true)
        }
    }

    @Test func unsupportedOrdersAreNamed() {
        #expect(throws: SwiftDataError.unsupportedSortDescriptor) {
            try SortLowering.key(SortDescriptor(\Gadget.level))
        }
        #expect(throws: SwiftDataError.unsupportedSortDescriptor) {
            try SortLowering.key(SortDescriptor(\Gadget.name.count))
        }
    }

    @Test func scopes() throws {
        #expect(try keys(FetchPlan(entityName: "Gadget", scope: .keys([5, 2, 77]))) == [2, 5])
        #expect(try keys(FetchPlan(entityName: "Gadget", scope: .keys([3]))) == [3])
        #expect(try keys(FetchPlan(entityName: "Gadget", scope: .keys([]))) == [])
        #expect(try keys(FetchPlan(entityName: "Gadget", scope: .keys(Array(1...50_000)))).count == 9)
        let parts = try #require(Gadget._$descriptor.slotsByName["parts"])
        let related = FetchPlan(
            entityName: "Part", scope: .related(ownerEntity: "Gadget", slot: parts, owners: [2, 1]))
        #expect(try keys(related) == [1, 3, 5, 2, 4, 6])
        let query = try SQLQuery.compile(related, world, storeIdentifier: "S")
        #expect(try world.rows(query.select([query.owner ?? ""]), query.bindings) == ["1", "1", "1", "2", "2", "2"])
        let labels = try #require(Gadget._$descriptor.slotsByName["labels"])
        let joined = FetchPlan(
            entityName: "Label", scope: .related(ownerEntity: "Gadget", slot: labels, owners: [1, 3]))
        #expect(try keys(joined) == [1, 2, 2])
    }

    @Test func pagesAreCounted() throws {
        for (limit, offset, count) in [(7, 7, 2), (4, 0, 4), (nil, 5, 4), (3, 9, 0), (0, 0, 0)] as [(Int?, Int, Int)] {
            let plan = FetchPlan(entityName: "Gadget", limit: limit, offset: offset)
            let query = try SQLQuery.compile(plan, world, storeIdentifier: "S", isOrdered: false)
            #expect(try world.rows(query.count(), query.bindings) == ["\(count)"])
            #expect(try RowQuery(plan).count(of: world.batch("Gadget"), in: world) == count)
            #expect(try keys(plan).count == count)
        }
    }

    /// SQLite's own account of how it runs a statement.
    private func account(_ predicate: Predicate<Gadget>) throws -> String {
        let plan = FetchPlan(entityName: "Gadget", filter: try PredicateLowering.filter(predicate))
        let query = try SQLQuery.compile(plan, world, storeIdentifier: "S")
        let sql = "EXPLAIN QUERY PLAN " + query.select([SQLQuery.column("serial")])
        return try world.rows(sql, query.bindings, column: 3).joined(separator: "\n")
    }

    @Test func indexesServeSimpleFilters() throws {
        let name = "a"
        let code = UUID()
        let few = ["a", "b"]
        let many = (0..<100).map { "n\($0)" }
        #expect(try account(#Predicate { $0.name == name }).contains("SEARCH t0 USING INDEX gadget_name (name=?)"))
        #expect(try account(#Predicate { $0.note == name }).contains("USING INDEX gadget_note (note=?)"))
        #expect(try account(#Predicate { $0.note == nil }).contains("USING INDEX gadget_note (note=?)"))
        #expect(try account(#Predicate { $0.code == code }).contains("USING INDEX gadget_code (code=?)"))
        #expect(try account(#Predicate { few.contains($0.name) }).contains("USING INDEX gadget_name (name=?)"))
        #expect(try account(#Predicate { many.contains($0.name) }).contains("USING INDEX gadget_name (name=?)"))
        #expect(try account(#Predicate { $0.serial > 5 }).contains("gadget_serial (serial>?)"))
        #expect(try account(#Predicate { $0.price > 5 }).contains("gadget_price (price>? AND price<?)"))
        #expect(try account(#Predicate { $0.name.starts(with: "ab") }).contains("gadget_name (name>? AND name<?)"))
        #expect(try account(#Predicate { $0.parts.isEmpty }).contains("part_gadget (gadget=?)"))
        #expect(try account(#Predicate { $0.serial == 3 && $0.name != name }).contains("gadget_serial (serial=?)"))
    }

    /// SQLite walks an index to the first upper end that it reads, and the guard against not-a-number is one.
    @Test func aRangeOfAnIndexEndsAtTheUpperBoundOfTheFilter() throws {
        let (low, high) = (-1.0, 0.5)
        for filter in [
            try PredicateLowering.filter(#Predicate<Gadget> { $0.price >= low && $0.price < high }),
            try PredicateLowering.filter(#Predicate<Gadget> { low < $0.price && high >= $0.price }),
        ] {
            let plan = FetchPlan(entityName: "Gadget", filter: filter)
            let text = try SQLQuery.compile(plan, world, storeIdentifier: "S").select([])
            let upper = try #require(["<= ?", "< ?", ">= t0", "?1 >"].compactMap { text.range(of: $0) }.first)
            let guarding = try #require(text.range(of: "< x''"))
            #expect(upper.lowerBound < guarding.lowerBound, Comment(rawValue: text))
            #expect(try keys(plan).count == world.gadgets.count { $0.price >= low && $0.price < high })
        }
    }

    @Test func statementsOfOneShapeHaveOneText() throws {
        func text(_ number: Int, _ list: [String]) throws -> String {
            let filter = try PredicateLowering.filter(
                #Predicate<Gadget> { $0.serial > number && list.contains($0.name) })
            return try SQLQuery.compile(FetchPlan(entityName: "Gadget", filter: filter), world, storeIdentifier: "S")
                .select([])
        }
        let long = (0..<20).map(String.init)
        #expect(try text(1, long) == text(2, long.reversed() + ["x"]))
    }

    @Test func largeFiltersKeepWithinLimits() throws {
        func found(_ filter: FilterExpression) throws -> Int? {
            do {
                return try keys(FetchPlan(entityName: "Gadget", filter: filter)).count
            } catch DataStoreError.preferInMemoryFilter {
                return nil
            }
        }
        let one = try PredicateLowering.filter(#Predicate<Gadget> { $0.serial == 1 })
        let notes = try PredicateLowering.filter(#Predicate<Gadget> { $0.note == "x" })
        #expect(try found(.any(Array(repeating: notes, count: 5000) + [one])) == 2)
        #expect(try found(.all(Array(repeating: one, count: 5000))) == 2)
        #expect(try found(.any(Array(repeating: one, count: 200_000))) == nil)
        var deep = one
        for depth in 0..<200 {
            deep =
                depth % 2 == 0
                ? .any([.not(deep), notes])
                : .all([
                    .not(deep), .not(notes),
                    .compare(.equal, deep.type == .boolean ? .boolean(true) : deep, .boolean(true)),
                ])
            if let count = try found(deep) { #expect(count <= 9) }
        }
        #expect(try found(deep) == nil)
        var joins = FilterExpression.all([])
        let parents = try PredicateLowering.filter(#Predicate<Gadget> { $0.maker?.parent?.parent?.parent?.name == nil })
        for _ in 0..<60 { joins = .all([joins, parents]) }
        _ = try found(joins)
    }
}
