import CofferFuzz
import Foundation

let usage = """
    usage: coffer-fuzz [--seed N] [--operations N] [--contexts N] [--store KIND] [--no-shrink] [--replay FILE]

    Runs a random program of graph operations on a store and on a model of the graph in plain Swift, and compares them
    step by step. At a difference the program is cut down to what is needed and printed.

      --seed N          which program; by default a different one each time
      --operations N    how many steps it has; 100000 by default
      --contexts N      how many contexts work at a time; 3 by default
      --store KIND      only this store, memory, sqlite, lmdb or json; by default each in turn
      --no-shrink       print the whole program
      --replay FILE     run a printed program instead

    coffer-fuzz predicates --help tells of the other thing that is run at random.
    """

struct UsageError: Error {}

/// Writes a line at once, so that a long run can be watched.
func say(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }

var seed = UInt64.random(in: 1...999_999)
var operations = 100_000
var contexts = 3
var stores = FuzzStore.all
var shrinks = true
var replay: String?
var words = CommandLine.arguments.dropFirst()
@MainActor func value<T>(_ parse: (String) -> T?) throws -> T {
    guard let word = words.popFirst(), let value = parse(word) else { throw UsageError() }
    return value
}

if words.first == "predicates" {
    if words.contains("--help") || words.contains("-h") {
        say(PredicateCommand.usage)
        exit(0)
    }
    do {
        exit(try PredicateCommand(Array(words.dropFirst())).run() ? 0 : 1)
    } catch is UsageError {
        FileHandle.standardError.write(Data((PredicateCommand.usage + "\n").utf8))
        exit(2)
    } catch {
        FileHandle.standardError.write(Data("\(error)\n".utf8))
        exit(1)
    }
}

do {
    while let word = words.popFirst() {
        switch word {
        case "--seed": seed = try value { UInt64($0) }
        case "--operations": operations = try value { Int($0) }
        case "--contexts": contexts = try value { Int($0).flatMap { $0 > 0 ? $0 : nil } }
        case "--store": stores = [try value { name in FuzzStore.all.first { $0.name == name } }]
        case "--no-shrink": shrinks = false
        case "--replay": replay = try value { $0 }
        case "--help", "-h":
            say(usage)
            exit(0)
        default: throw UsageError()
        }
    }
    var failed = false
    for store in stores {
        let run = FuzzRun(store: store, seed: seed, operations: operations, contexts: contexts)
        let failure: FuzzRun.Failure?
        if let replay {
            let lines = try String(contentsOfFile: replay, encoding: .utf8).split(separator: "\n").map(String.init)
            failure = try run.failure(replaying: lines)
        } else {
            say("\(store.name): \(operations) steps, seed \(seed)")
            failure = try run.failure(shrinks: shrinks) { progress in
                switch progress {
                case .steps(let count): say("\(store.name): \(count)")
                case .difference(let difference, let steps):
                    say("\(store.name): \(difference) after \(steps) steps; shrinking")
                }
            }
        }
        guard let failure else {
            say("\(store.name): no difference")
            continue
        }
        failed = true
        say("# \(store.name): \(failure.what)\n#   expected \(failure.expected)\n#   found    \(failure.found)")
        for line in failure.program { say(line) }
    }
    exit(failed ? 1 : 0)
} catch is UsageError {
    FileHandle.standardError.write(Data((usage + "\n").utf8))
    exit(2)
} catch {
    FileHandle.standardError.write(Data("\(error)\n".utf8))
    exit(1)
}
