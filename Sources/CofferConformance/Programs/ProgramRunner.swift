import CofferCore
import Foundation

/// Runs programs on a store beside their model, and makes one that fails as short as it can.
struct ProgramRunner: Sendable {
    let trial: @Sendable () throws -> ConformanceTrial
    let driver: @Sendable (ConformanceTrial) throws -> any ProgramDriver

    /// Runs a program at a place of its own.
    ///
    /// - Returns: what was found wrong; nil where nothing was.
    func failure(of program: Program) -> ConformanceFailure? {
        do {
            let trial = try trial()
            defer {
                trial.close()
                try? trial.subject.remove(trial.place)
            }
            let driver = try driver(trial)
            var model = ProgramModel()
            for (index, step) in program.steps.enumerated() {
                do {
                    try run(step, driver, &model, trial)
                } catch var failure as ConformanceFailure {
                    failure.subject += ", in step \(index + 1)"
                    return failure
                } catch {
                    return ConformanceFailure(
                        subject: "step \(index + 1)", expected: "no error", came: "\(error)",
                        place: "\(#fileID):\(#line)")
                }
            }
            return nil
        } catch {
            return ConformanceFailure(
                subject: "opening the store", expected: "no error", came: "\(error)", place: "\(#fileID):\(#line)")
        }
    }

    private func run(
        _ step: Program.Step, _ driver: any ProgramDriver, _ model: inout ProgramModel, _ trial: ConformanceTrial
    ) throws {
        switch step {
        case .save(let changes):
            let sound = model.sound(changes)
            try driver.save(sound)
            for change in sound { model.apply(change) }
        case .fail(let changes): try driver.fail(model.sound(changes))
        case .query(let query):
            try trial.equal(try driver.answer(query), model.answer(query), "the answer to “\(step.text)”")
            return
        case .reopen: try driver.reopen()
        }
        let (came, expected) = (try driver.picture(), model.picture)
        if came == expected { return }
        // Of two long lists only the difference is of use.
        let missing = expected.filter { !came.contains($0) }
        let extra = came.filter { !expected.contains($0) }
        throw trial.failure(
            "what is stored", expected: missing.isEmpty ? "no other rows" : missing.joined(separator: "; "),
            came: extra.isEmpty ? "nothing instead" : extra.joined(separator: "; "), #fileID, #line)
    }

    /// Runs the program of a seed.
    ///
    /// - Throws: ``ConformanceFailure`` with the seed and the shortest program that still fails.
    func check(seed: UInt64, steps: Int) throws {
        var generator = ProgramGenerator(seed: seed)
        let program = generator.program(steps: steps)
        guard var found = failure(of: program) else { return }
        let shortest = shrink(program)
        if let again = failure(of: shortest) {
            found = again
        } else {
            // A store that is wrong now and then is wrong.
            found.came += " (not each time: what follows did not fail when it ran last)"
        }
        found.seed = seed
        found.program = shortest.lines
        throw found
    }

    /// Leaves out steps, then changes, and makes numbers small, as long as the program still fails.
    func shrink(_ program: Program) -> Program {
        var best = program
        var size = max(best.steps.count / 2, 1)
        while true {
            var start = 0
            while start < best.steps.count {
                var shorter = best
                shorter.steps.removeSubrange(start..<min(start + size, best.steps.count))
                if failure(of: shorter) != nil { best = shorter } else { start += size }
            }
            if size == 1 { break }
            size = max(size / 2, 1)
        }
        for index in best.steps.indices {
            func with(_ changes: [Program.Change]) -> Program {
                var copy = best
                if case .save = copy.steps[index] { copy.steps[index] = .save(changes) }
                if case .fail = copy.steps[index] { copy.steps[index] = .fail(changes) }
                return copy
            }
            var changes: [Program.Change]
            switch best.steps[index] {
            case .save(let list), .fail(let list): changes = list
            default: continue
            }
            var place = 0
            while place < changes.count {
                var fewer = changes
                fewer.remove(at: place)
                if failure(of: with(fewer)) != nil {
                    changes = fewer
                    best = with(fewer)
                } else {
                    place += 1
                }
            }
        }
        return simplify(best)
    }

    /// Tries a plainer form of each change and each question: no link, no nickname, no page.
    private func simplify(_ program: Program) -> Program {
        var best = program
        func accept(_ step: Program.Step, at index: Int) -> Bool {
            var copy = best
            copy.steps[index] = step
            guard copy != best, failure(of: copy) != nil else { return false }
            best = copy
            return true
        }
        for index in best.steps.indices {
            switch best.steps[index] {
            case .reopen: break
            case .query(let query):
                var query = query
                for plainer in [{ $0.limit = -1 }, { $0.offset = 0 }, { $0.isDescending = false }, { $0.above = -1 }]
                    as [(inout Program.Query) -> Void]
                {
                    var copy = query
                    plainer(&copy)
                    if accept(.query(copy), at: index) { query = copy }
                }
            case .save(var changes), .fail(var changes):
                for place in changes.indices {
                    for plainer in changes[place].plainer {
                        var copy = changes
                        copy[place] = plainer
                        var step = Program.Step.save(copy)
                        if case .fail = best.steps[index] { step = .fail(copy) }
                        if accept(step, at: index) {
                            changes = copy
                            break
                        }
                    }
                }
            }
        }
        return best
    }
}

extension Program.Change {
    /// Simpler changes of the same row, the simplest first.
    fileprivate var plainer: [Program.Change] {
        switch self {
        case .newShip(let id, let tonnage, _):
            [.newShip(id, tonnage: 0, nickname: 0), .newShip(id, tonnage: tonnage, nickname: 0)]
        case .setShip(let id, let tonnage, _):
            [.setShip(id, tonnage: 0, nickname: 0), .setShip(id, tonnage: tonnage, nickname: 0)]
        case .newSailor(let id, let age, let ship):
            [.newSailor(id, age: 0, ship: 0), .newSailor(id, age: 0, ship: ship), .newSailor(id, age: age, ship: 0)]
        case .setSailor(let id, let age, let ship):
            [.setSailor(id, age: 0, ship: 0), .setSailor(id, age: 0, ship: ship), .setSailor(id, age: age, ship: 0)]
        case .deleteShip, .deleteSailor: []
        }
    }
}

extension Conformance {
    /// How a program talks to the store.
    public enum ProgramDoor: String, CaseIterable, Sendable {
        /// Through contexts.
        case contexts
        /// Through ``RowStore``.
        case rows
    }

    /// Runs a program again, as a failure of the kit printed it.
    ///
    /// - Parameters:
    ///   - lines: the program, a step a line.
    ///   - door: how it talks to the store; the case's identifier says which.
    ///   - run: a run of the store.
    /// - Throws: ``ConformanceFailure`` where it still fails, or where a line cannot be read.
    public static func replay(_ lines: [String], through door: ProgramDoor, on run: ConformanceRun) throws {
        guard let program = Program(lines: lines) else {
            throw ConformanceFailure(
                subject: "the program", expected: "steps", came: "a line that is none", place: "\(#fileID):\(#line)")
        }
        if var failure = try runner(door, run).failure(of: program) {
            failure.caseID = "programs.\(door.rawValue)"
            failure.program = lines
            throw failure
        }
    }

    /// Runs random programs, one for each seed, for as long as nothing is found.
    ///
    /// The kit's own cases run a few short ones. A store that is meant for use deserves a night of them:
    ///
    /// ```swift
    /// try Conformance.explore(seeds: 1...10_000, steps: 200, through: .contexts, on: ConformanceRun(LogStoreSubject()))
    /// ```
    ///
    /// - Parameters:
    ///   - seeds: the programs.
    ///   - steps: how many steps each has.
    ///   - door: how they talk to the store; a store that is no ``RowStore`` has one door only.
    ///   - run: a run of the store.
    /// - Throws: ``ConformanceFailure`` with the seed of the first program that fails, and the shortest one like it.
    public static func explore(
        seeds: ClosedRange<UInt64>, steps: Int, through door: ProgramDoor, on run: ConformanceRun
    ) throws {
        let runner = try runner(door, run)
        for seed in seeds {
            do {
                try runner.check(seed: seed, steps: steps)
            } catch var failure as ConformanceFailure {
                failure.caseID = "programs.\(door.rawValue)"
                failure.claim = "A random program leaves what it should"
                throw failure
            }
        }
    }

    private static func runner(_ door: ProgramDoor, _ run: ConformanceRun) throws -> ProgramRunner {
        let facilities = try run.facilities()
        let subject = run.subject
        return ProgramRunner(
            trial: { try ConformanceTrial(subject, facilities: facilities) }, driver: ProgramCases.driver(door))
    }
}
