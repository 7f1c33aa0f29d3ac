import Foundation

/// A random program of graph operations, run beside a model of the graph in plain Swift.
///
/// ```swift
/// let run = FuzzRun(store: .sqlite, seed: 1, operations: 2000)
/// if let failure = try run.failure() { print(failure) }
/// ```
public struct FuzzRun {
    public let store: FuzzStore
    public let seed: UInt64
    /// How many steps the program has.
    public let operations: Int
    public let contexts: Int

    public init(store: FuzzStore, seed: UInt64, operations: Int, contexts: Int = 3) {
        self.store = store
        self.seed = seed
        self.operations = operations
        self.contexts = contexts
    }

    /// The first difference, with a program that shows it.
    public struct Failure: Error, CustomStringConvertible {
        /// The steps, one a line.
        public var program: [String]
        public let what: String
        public let expected: String
        public let found: String

        public var description: String {
            "\(what)\n  expected \(expected)\n  found    \(found)\nafter\n" + program.joined(separator: "\n")
        }
    }

    /// What is told while the program runs.
    public enum Progress {
        case steps(Int)
        /// A difference after that many steps of an episode; it is being cut down.
        case difference(String, steps: Int)
    }

    /// Runs the program; nil where both agree.
    ///
    /// It goes by episodes, each on an empty store: most of a few hundred steps, so that what shows a difference stays
    /// short, and some of a few thousand.
    ///
    /// - Parameters:
    ///   - shrinks: whether the program of a failure is cut down to what is needed for one.
    ///   - progress: is told every thousand steps or so.
    /// - Throws: what opening the store throws.
    /// - Complexity: O(*operations*); shrinking runs the episode again, a few hundred times at most.
    public func failure(shrinks: Bool = true, progress: (Progress) -> Void = { _ in }) throws -> Failure? {
        let lengths = [300, 300, 1000, 300, 300, 300, 3000]
        var done = 0
        var told = 0
        var episode = 0
        while done < operations {
            let machine = try Machine(store, contexts: contexts)
            var generator = Generator(seed: seed &+ UInt64(episode) &* 1_000_003)
            var program: [Operation] = []
            let length = min(lengths[episode % lengths.count], operations - done)
            while program.count < length {
                for step in generator.steps(machine.oracle, failedSaves: machine.failedSaves) {
                    program.append(step)
                    do {
                        try machine.run(step)
                    } catch let difference as Difference {
                        progress(.difference("\(difference)", steps: program.count))
                        return try report(program, difference, shrinks: shrinks)
                    }
                }
            }
            episode += 1
            done += program.count
            if done / 1000 > told {
                told = done / 1000
                progress(.steps(done))
            }
        }
        return nil
    }

    /// Runs a program that was printed; empty lines and those that begin with `#` are passed over.
    public func failure(replaying lines: [String], shrinks: Bool = false) throws -> Failure? {
        let program = try lines.filter { !$0.isEmpty && !$0.hasPrefix("#") }.map { line in
            guard let step = Operation(line) else { throw UnknownStep(line: line) }
            return step
        }
        guard let (difference, count) = try Self.difference(program, store, contexts) else { return nil }
        return try report(Array(program.prefix(count)), difference, shrinks: shrinks)
    }

    /// A line of a program that says nothing.
    public struct UnknownStep: Error, CustomStringConvertible {
        public let line: String
        public var description: String { "“\(line)” is no step of a program" }
    }

    private func report(_ program: [Operation], _ difference: Difference, shrinks: Bool) throws -> Failure {
        var (program, difference) = (program, difference)
        if shrinks {
            var shrinker = Shrinker(store, contexts)
            (program, difference) = try shrinker.shrink(program, difference)
        }
        return Failure(
            program: program.map(\.description), what: difference.what, expected: difference.expected,
            found: difference.found)
    }

    /// The first difference of a program, and after how many steps.
    static func difference(
        _ program: [Operation], _ store: FuzzStore, _ contexts: Int
    ) throws -> (difference: Difference, count: Int)? {
        let machine = try Machine(store, contexts: contexts)
        for (index, step) in program.enumerated() {
            do {
                try machine.run(step)
            } catch let difference as Difference {
                return (difference, index + 1)
            }
        }
        return nil
    }
}
