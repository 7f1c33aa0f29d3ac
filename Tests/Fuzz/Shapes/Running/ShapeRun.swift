import Coffer
import CofferFuzz
import Foundation

/// Predicates and orders at random, over rows at random, on a store and in plain Swift.
///
/// ```swift
/// let run = ShapeRun(store: .sqlite, seed: 1)
/// if let failure = try run.failure(cases: 0..<500) { print(failure) }
/// ```
public struct ShapeRun {
    public let store: FuzzStore
    public let seed: UInt64
    /// How many rows the predicates run over.
    public var things = 40
    /// How many cases run on a world before there is a new one.
    public var casesPerWorld = 150
    public var shapes = PredicateShape.all

    public init(store: FuzzStore, seed: UInt64) {
        self.store = store
        self.seed = seed
    }

    /// A difference, cut down.
    public struct Failure: Error, CustomStringConvertible {
        /// The number of the case.
        public let number: Int
        public let description: String
    }

    /// What is to be run again of a case.
    public struct Excerpt {
        /// Which part of the condition; the whole where it is empty.
        public var part: [Int] = []
        /// The numbers of the things that there are; nil for all.
        public var rows: Set<Int>?
        /// Whether there is neither order nor page.
        public var isBare = false

        public init(part: [Int] = [], rows: Set<Int>? = nil, isBare: Bool = false) {
            self.part = part
            self.rows = rows
            self.isBare = isBare
        }
    }

    /// Runs cases; nil where the store and plain Swift agree in all.
    ///
    /// - Parameters:
    ///   - cases: the numbers of the cases.
    ///   - compared: is told how many rows were compared with a predicate, now and then.
    /// - Throws: what opening the store throws.
    public func failure(cases: Range<Int>, compared: (Int) -> Void = { _ in }) throws -> Failure? {
        var bench: (world: Int, bench: ShapeBench)?
        var count = 0
        for number in cases {
            let world = number / casesPerWorld
            let current: ShapeBench
            if let bench, bench.world == world {
                current = bench.bench
            } else {
                compared(count)
                count = 0
                current = try makeBench(world, nil)
                bench = (world, current)
            }
            let shape = ShapeCase(seed: seed, number: number, shapes: shapes)
            do {
                try current.run(shape)
                count += current.rows
            } catch is ShapeBench.Difference {
                return try shrunk(number, Excerpt(rows: Set(current.numbers)))
            }
        }
        compared(count)
        return nil
    }

    /// Runs an excerpt of a case.
    public func failure(case number: Int, _ excerpt: Excerpt) throws -> Failure? {
        guard let (difference, bench, shape) = try difference(number, excerpt) else { return nil }
        return report(number, excerpt, difference, bench, shape)
    }

    private func makeBench(_ world: Int, _ rows: Set<Int>?) throws -> ShapeBench {
        try ShapeBench(store, world: seed &* 31 &+ UInt64(world), things: things, keeping: rows)
    }

    private func difference(
        _ number: Int, _ excerpt: Excerpt
    ) throws -> (ShapeBench.Difference, ShapeBench, ShapeCase)? {
        var shape = ShapeCase(seed: seed, number: number, shapes: shapes)
        guard let part = shape.tree.part(at: excerpt.part) else { return nil }
        shape.tree = part
        if excerpt.isBare { shape.stripPage() }
        let bench = try makeBench(number / casesPerWorld, excerpt.rows)
        do {
            try bench.run(shape)
            return nil
        } catch let difference as ShapeBench.Difference {
            return (difference, bench, shape)
        }
    }

    /// The smallest part of the condition, and then as few rows as can be found, that still show a difference.
    private func shrunk(_ number: Int, _ excerpt: Excerpt) throws -> Failure? {
        var best = excerpt
        best.isBare = true
        func fails(_ excerpt: Excerpt) throws -> Bool { try difference(number, excerpt) != nil }
        if try !fails(best) { best.isBare = false }
        let tree = ShapeCase(seed: seed, number: number, shapes: shapes).tree
        var isSmaller = true
        while isSmaller {
            isSmaller = false
            for index in (tree.part(at: best.part)?.parts ?? []).indices {
                var smaller = best
                smaller.part.append(index)
                if try fails(smaller) {
                    best = smaller
                    isSmaller = true
                    break
                }
            }
        }
        var rows = Array(best.rows ?? []).sorted()
        var size = max(rows.count / 2, 1)
        while size >= 1 {
            var start = 0
            while start < rows.count {
                let fewer = Array(rows[..<start] + rows[min(start + size, rows.count)...])
                best.rows = Set(fewer)
                if try fails(best) { rows = fewer } else { start += size }
            }
            size /= 2
        }
        best.rows = Set(rows)
        // The same difference may need what was around it, the order of a store's pages for instance.
        return try failure(case: number, best) ?? failure(case: number, excerpt)
            ?? Failure(
                number: number,
                description: "\(store.name): case \(number) of seed \(seed) differs, but not when it is run by itself")
    }

    private func report(
        _ number: Int, _ excerpt: Excerpt, _ difference: ShapeBench.Difference, _ bench: ShapeBench, _ shape: ShapeCase
    ) -> Failure {
        let part = excerpt.part.map(String.init).joined(separator: ".")
        let rows = excerpt.rows.map { $0.sorted().map(String.init).joined(separator: ",") }
        var lines = [
            "\(store.name): \(difference.what): \(shape)", "  expected \(difference.expected)",
            "  found    \(difference.found)",
        ]
        for number in bench.numbers.prefix(2) { lines += bench.values(of: number).map { "  \(number) " + $0 } }
        lines.append(
            "replay: coffer-fuzz predicates --store \(store.name) --seed \(seed) --case \(number)"
                + (part.isEmpty ? "" : " --part \(part)") + (rows.map { " --rows \($0)" } ?? "")
                + (excerpt.isBare ? " --bare" : ""))
        return Failure(number: number, description: lines.joined(separator: "\n"))
    }
}
