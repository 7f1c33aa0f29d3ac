import Foundation

/// The command `coffer-crash`.
public enum CrashCommand {
    static let usage = """
        usage: coffer-crash [kills|power|faults|random] [options]

        Kills processes at each of their calls of the system, has the power fail, has calls fail, and kills at random;
        without a word all of it. After each the store must be in the state before a save or after it, with its indexes,
        words and files, and it must open. What is found is printed with the options that show it again.

          --store KIND      only this store: sqlite, lmdb, json, journal (an archive large enough for one), relaxed
                            (SQLite that does not wait for the disk); by default the first four
          --scenario NAME   only this scenario; --list shows them
          --seed N          where random begins; 1 by default
          --kills N         how many processes random kills for each store; 2000 by default
          --states N        how many states of the disk are looked at for each moment; 24 by default
          --every N         only every so manieth call; 1 by default
          --quick           a few seconds' worth of everything
          --verbose         tell of each fault
          --at N            only this call, or this moment
          --error NAME      only this error: ENOSPC, EIO, EMFILE, EACCES, EROFS
          --once, --lasting one call fails, or all from it on
          --retry, --leave  what the program does about it
        """

    private struct UsageError: Error {}

    private struct Options {
        var words: Set<String> = []
        var stores = CrashStore.usual
        var scenarios = Scenarios.all
        var seed: UInt64 = 1
        var kills = 2000
        var states = 24
        var faults = Bench.FaultChoice()
        var lists = false
        var isQuick = false
        var isVerbose = false

        private static let quick = ["insert a graph", "replace a file", "migrate on a copy", "make a store"]

        init(_ arguments: [String]) throws {
            var rest = arguments[...]
            func value<T>(_ parse: (String) -> T?) throws -> T {
                guard let word = rest.popFirst(), let value = parse(word) else { throw UsageError() }
                return value
            }
            while let word = rest.popFirst() {
                switch word {
                case "kills", "power", "faults", "random": words.insert(word)
                case "--store": stores = [try value { CrashStore(rawValue: $0) }]
                case "--scenario": scenarios = [try value { Scenarios.named($0) }]
                case "--seed": seed = try value { UInt64($0) }
                case "--kills": kills = try value { Int($0) }
                case "--states": states = try value { Int($0) }
                case "--every": faults.calls.stride = try value { Int($0).flatMap { $0 > 0 ? $0 : nil } }
                case "--at": faults.calls.at = try value { Int($0) }
                case "--error": faults.fault = try value { name in Fault.all.contains { $0.name == name } ? name : nil }
                case "--once": faults.lasts = false
                case "--lasting": faults.lasts = true
                case "--retry": faults.reaction = .retry
                case "--leave": faults.reaction = .leave
                case "--quick": isQuick = true
                case "--verbose": isVerbose = true
                case "--list": lists = true
                default: throw UsageError()
                }
            }
            if words.isEmpty { words = ["kills", "power", "faults", "random"] }
            if isQuick {
                (kills, states) = (min(kills, 6), min(states, 3))
                faults.calls.limit = 6
                faults.reaction = .retry
                faults.lasts = false
                if scenarios.count > 1 { scenarios = Self.quick.compactMap { Scenarios.named($0) } }
            }
        }
    }

    /// Runs the command.
    ///
    /// - Returns: 0 where nothing was found, 1 where something was, 2 for options that are none.
    public static func main(_ arguments: [String]) throws -> Int32 {
        let options: Options
        do {
            options = try Options(arguments)
        } catch is UsageError {
            say(usage)
            return 2
        }
        if options.lists {
            for scenario in Scenarios.all { say(scenario.name) }
            return 0
        }
        let bench = try Bench()
        bench.isVerbose = options.isVerbose
        var total = Report()
        for store in options.stores { try run(options, bench, store, &total) }
        say("all: \(total.summary)")
        return total.findings.isEmpty ? 0 : 1
    }

    private static func run(_ options: Options, _ bench: Bench, _ store: CrashStore, _ total: inout Report) throws {
        for word in ["kills", "power", "faults", "random"] where options.words.contains(word) {
            let start = Date()
            var report = Report()
            var shown = 0
            func show() {
                for finding in report.findings[shown...] { say("\(finding)") }
                shown = report.findings.count
            }
            if word == "random" {
                try bench.killAtRandom(store, seed: options.seed, kills: options.kills, into: &report) {
                    say("\(store.rawValue) random: \($0) kills")
                }
                show()
            } else {
                let scenarios = options.scenarios.filter { $0.stores.contains(store) }
                for (number, scenario) in scenarios.enumerated() {
                    if number > 0, number % 10 == 0 {
                        say("\(store.rawValue) \(word): \(number) of \(scenarios.count) scenarios")
                    }
                    try sweep(word, scenario, store, options, bench, &report)
                    show()
                }
            }
            let time = Int(Date().timeIntervalSince(start).rounded())
            say("\(store.rawValue) \(word): \(report.summary), \(time) s")
            total.add(report)
        }
    }

    private static func sweep(
        _ word: String, _ scenario: Scenario, _ store: CrashStore, _ options: Options, _ bench: Bench,
        _ report: inout Report
    ) throws {
        switch word {
        case "kills":
            try bench.sweepKills(scenario, store, options.faults.calls, into: &report)
        case "power":
            try bench.sweepPower(
                scenario, store, seed: options.seed, limit: options.states, options.faults.calls, into: &report)
        default: try bench.sweepFaults(scenario, store, options.faults, into: &report)
        }
    }

    /// Writes a line at once, so that a long run can be watched.
    private static func say(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }
}
