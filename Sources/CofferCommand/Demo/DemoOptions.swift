/// What `coffer demo` is told to do.
struct DemoOptions: Equatable {
    enum StoreKind: String, CaseIterable {
        case sqlite
        case memory
    }

    var store = StoreKind.sqlite
    /// The package list; `nil` for the machine's own.
    var file: String?
    /// Where the SQLite store is made; `nil` for a new temporary folder.
    var output: String?
    var search = "compress"
    var from: String?
    var to: String?

    static let all = [
        CommandOption(
            "store", letter: "s", value: "KIND",
            help: "keep the models in 'sqlite' (a file) or 'memory'; default: sqlite"),
        CommandOption(
            "output", letter: "o", value: "PATH",
            help: "make the SQLite file there; it must not exist yet\n(default: a new folder for temporary files)"),
        CommandOption("search", value: "WORD", help: "look for WORD in names and summaries; default: compress"),
        CommandOption("from", value: "PACKAGE", help: "where the dependency path starts; default: far from its end"),
        CommandOption(
            "to", value: "PACKAGE", help: "where the dependency path ends;\ndefault: the package most depended on"),
        .help, .version,
    ]

    static let help = """
        Usage: coffer demo [OPTION]... [FILE]
        Import a Debian package list into a store and ask questions of it.

        FILE is a list in the format of /var/lib/dpkg/status; '-' is standard input. Without FILE it is the
        machine's own list, or a small one that comes with the command where there is none.

        \(all.helpText)
        Exit status: 0 for success, 1 when a file or the store is at fault, 2 for a wrong command line.

        """

    init() {}

    init(_ arguments: CommandArguments) throws(UsageError) {
        if let name = arguments["store"] {
            guard let kind = StoreKind(rawValue: name) else {
                throw UsageError(description: "no store is called '\(name)'; the demo knows 'sqlite' and 'memory'")
            }
            store = kind
        }
        guard arguments.operands.count <= 1 else {
            throw UsageError(description: "extra operand '\(arguments.operands[1])'")
        }
        file = arguments.operands.first
        output = arguments["output"]
        if output != nil, store == .memory {
            throw UsageError(description: "option '--output' is for '--store sqlite'; memory leaves no file")
        }
        for (name, value) in [("output", output), ("search", arguments["search"]), ("FILE", file)] where value == "" {
            throw UsageError(description: "an empty \(name) names nothing")
        }
        search = arguments["search"] ?? search
        from = arguments["from"]
        to = arguments["to"]
    }
}
