import Coffer

/// `coffer diff`: compares two stores row by row.
enum DiffCommand: Command {
    static let declaration = CommandDeclaration(
        name: "diff", summary: "compare two stores by the ids of their rows",
        operands: [.init(name: "A"), .init(name: "B")],
        options: [
            CommandOption("brief", letter: "q", help: "say only whether they differ"),
            CommandOption("values", letter: "v", help: "show the values that differ"),
            CommandOption("json", letter: "j", help: "print the differences as lines of JSON"),
        ],
        details: """
            Each difference is a line: '-' is what only A has, '+' what only B has, '~' what both have with other
            values. The stores may be of different kinds, and either of them a dump.
            """,
        examples: [
            .init("coffer diff trips.sqlite trips.lmdb", "look whether a copy is still like the original"),
            .init("coffer diff -v old.jsonl trips.sqlite", "show what changed since a dump"),
        ],
        exitStatus: "0 when the stores are alike, 1 when they differ or cannot be read,\n2 for a wrong command line")

    static func run(_ arguments: CommandArguments, on console: Console) throws -> Int32 {
        let (a, b) = (arguments.operands[0], arguments.operands[1])
        let (left, right) = (try StorePlace(a).open(), try StorePlace(b).open())
        let isBrief = arguments.has("brief")
        var differs = false
        var progress = Progress(on: console)
        defer { progress.end() }
        let comparison = StoreComparison(left, right, showsValues: arguments.has("values"))
        // Programs may save to either meanwhile.
        try left.withOneState {
            try right.withOneState {
                try comparison.run { difference in
                    progress.end()
                    differs = true
                    if isBrief { throw Differs() }
                    console.write((arguments.has("json") ? difference.json : difference.text) + "\n")
                } progress: {
                    progress.update("Compare \($0.shownSafely)", $1)
                }
            }
        }
        progress.end()
        if differs, isBrief { console.write("\(a.shownSafely) and \(b.shownSafely) differ\n") }
        return differs ? 1 : 0
    }

    /// Ends a comparison that need not go on.
    struct Differs: Error {}
}
