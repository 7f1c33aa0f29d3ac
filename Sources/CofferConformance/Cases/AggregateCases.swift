import CofferCore
import Foundation

/// Values of many rows and pages by token, each held to what plain Swift gives for the models.
enum AggregateCases {
    static func add(_ cases: inout CaseList) {
        cases.add("functions", "Counts, sums, averages and extremes, with a filter and without, are those of a loop") {
            trial in
            try check(trial) { context, descriptor, sailors in
                let (count, ranks, sum, mean) = try context.aggregate(
                    descriptor, .count, .count(of: \.rank), .sum(\.age), .average(\.age))
                try trial.equal(count, sailors.count, "the number of rows")
                try trial.equal(ranks, sailors.filter { $0.rank != nil }.count, "the number of values")
                let ages = sailors.reduce(0) { $0 + $1.age }
                try trial.equal(sum, ages, "the sum")
                try trial.equal(mean, sailors.isEmpty ? nil : Double(ages) / Double(sailors.count), "the average")
                let (least, last) = try context.aggregate(descriptor, .min(\.age), .max(\.rank))
                try trial.equal(least, sailors.map(\.age).min(), "the least age")
                try trial.equal(last, sailors.compactMap(\.rank).max(), "the last rank")
            }
        }
        cases.add("groups", "Groups have the sizes and sums of those of a loop, in the order of their keys") { trial in
            try check(trial) { context, descriptor, sailors in
                let expected = Dictionary(grouping: sailors, by: \.rank).sorted { ($0.key ?? "") < ($1.key ?? "") }
                let groups = try context.groups(descriptor, by: \.rank, giving: .count, .sum(\.age))
                try trial.equal(groups.map(\.key), expected.map(\.key), "the keys")
                try trial.equal(groups.map(\.values.0), expected.map(\.value.count), "the sizes")
                try trial.equal(
                    groups.map(\.values.1), expected.map { $0.value.reduce(0) { $0 + $1.age } }, "the sums")
            }
        }
        cases.add("distinct", "Distinct values come once, in order") { trial in
            try check(trial) { context, descriptor, sailors in
                let ages = Set(sailors.map(\.age)).sorted()
                try trial.equal(try context.distinctValues(descriptor, of: \.age), ages, "the ages")
                try trial.equal(
                    try context.distinctValues(descriptor, of: \.age, order: .reverse, limit: 2),
                    Array(ages.reversed().prefix(2)), "the largest ages")
            }
        }
        cases.add("overflow", "A sum that fits is given however large its parts are, and one that does not throws") {
            trial in
            trial.use(Sailor.self, Ship.self)
            try trial.write { context in
                for age in [Int.max, 5, -7, Int.max, -Int.max] { context.insert(Sailor("\(age)", age: age)) }
            }
            let context = try trial.context()
            try trial.equal(try context.sum(of: \Sailor.age), Int.max - 2, "the sum")
            do {
                _ = try context.sum(of: \Sailor.age, where: #Predicate { $0.age > 0 })
                try trial.expect(false, "a sum that is no integer throws")
            } catch SwiftDataError.arithmeticOverflow {}
        }
        cases.add("pages", "Pages by token join to the whole, in both directions, with nil and with equal rows") {
            trial in
            try trial.tell()
            let context = try trial.context()
            for order in [SortOrder.forward, .reverse] {
                var descriptor = FetchDescriptor<Sailor>(sortBy: [
                    SortDescriptor(\.rank, order: order), SortDescriptor(\.age),
                ])
                let all = try context.fetch(descriptor).map(\.name)
                descriptor.fetchLimit = 2
                var found: [String] = []
                var token: PageToken?
                repeat {
                    let page = try context.fetchPage(descriptor, after: token)
                    found += page.models.map(\.name)
                    token = page.next
                } while token != nil && found.count <= all.count
                try trial.equal(found, all, "the pages")
            }
        }
    }

    /// Compares what the store gives for all rows, for some and for none with what the models give.
    private static func check(
        _ trial: ConformanceTrial, _ body: (ModelContext, FetchDescriptor<Sailor>, [Sailor]) throws -> Void
    ) throws {
        try trial.tell()
        try trial.read { context in
            let all = try context.all(Sailor.self)
            for predicate in [nil, #Predicate<Sailor> { $0.age > 25 }, #Predicate<Sailor> { $0.age > 1000 }] {
                let expected = try all.filter { try predicate?.evaluate($0) ?? true }
                try body(ModelContext(context.container), FetchDescriptor(predicate: predicate), expected)
            }
        }
    }
}
