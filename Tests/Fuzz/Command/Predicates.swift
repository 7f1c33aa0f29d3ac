import CofferFuzz
import CofferShapes
import Foundation

/// `coffer-fuzz predicates`: predicates and orders at random.
struct PredicateCommand {
    static let usage = """
        usage: coffer-fuzz predicates [--seed N] [--comparisons N] [--store KIND] [--keep-going]
                                      [--case N [--part P] [--rows LIST] [--bare]]

        Runs predicates and orders, put together at random from \(PredicateShape.all.count) shapes, over random rows on
        every store and in plain Swift, with unsaved changes and without. At a difference condition and rows are cut
        down to what is needed and printed, with the options that show it again.

          --seed N          which rows and predicates; by default different ones each time
          --comparisons N   how many rows are compared with a predicate, over all stores; 1000000 by default. A row counts
                            once for each store and predicate, saved or unsaved, however many requests look at it
          --store KIND      only this store, memory, sqlite, lmdb, json or plain
          --keep-going      go on after a difference, to see all there are
          --case N          only this case
          --part P          only this part of its condition
          --rows LIST       over these rows only
          --bare            without its order and page
        """

    private var seed = UInt64.random(in: 1...999_999)
    private var comparisons = 1_000_000
    private var stores = FuzzStore.allForPredicates
    private var keepsGoing = false
    private var number: Int?
    private var excerpt = ShapeRun.Excerpt()

    init(_ words: [String]) throws {
        var words = words[...]
        func value<T>(_ words: inout ArraySlice<String>, _ parse: (String) -> T?) throws -> T {
            guard let word = words.popFirst(), let value = parse(word) else { throw UsageError() }
            return value
        }
        while let word = words.popFirst() {
            switch word {
            case "--seed": seed = try value(&words) { UInt64($0) }
            case "--comparisons": comparisons = try value(&words) { Int($0) }
            case "--store":
                stores = [try value(&words) { name in FuzzStore.allForPredicates.first { $0.name == name } }]
            case "--case": number = try value(&words) { Int($0) }
            case "--part": excerpt.part = try value(&words) { $0.split(separator: ".").compactMap { Int($0) } }
            case "--rows": excerpt.rows = try value(&words) { Set($0.split(separator: ",").compactMap { Int($0) }) }
            case "--keep-going": keepsGoing = true
            case "--bare": excerpt.isBare = true
            default: throw UsageError()
            }
        }
    }

    /// Runs until something differs on each store.
    ///
    /// - Returns: whether all agree.
    func run() throws -> Bool {
        var agrees = true
        for store in stores {
            let run = ShapeRun(store: store, seed: seed)
            let failure: ShapeRun.Failure?
            if let number {
                failure = try run.failure(case: number, excerpt)
            } else {
                say("\(store.name): seed \(seed)")
                failure = try differences(of: run)
            }
            if let failure { if !keepsGoing { say(failure.description) } } else { say("\(store.name): no difference") }
            if failure != nil { agrees = false }
        }
        return agrees
    }

    private func differences(of run: ShapeRun) throws -> ShapeRun.Failure? {
        let wanted = comparisons / stores.count
        var done = 0
        var world = 0
        var found: ShapeRun.Failure?
        while done < wanted {
            let cases = world * run.casesPerWorld..<(world + 1) * run.casesPerWorld
            var next = cases.lowerBound
            while let failure = try run.failure(cases: next..<cases.upperBound, compared: { done += $0 }) {
                guard keepsGoing else { return failure }
                say(failure.description)
                found = failure
                next = failure.number + 1
            }
            world += 1
            if world % 10 == 0 { say("\(run.store.name): \(done) comparisons") }
        }
        say("\(run.store.name): \(done) comparisons, \(world * run.casesPerWorld) predicates")
        return found
    }
}
