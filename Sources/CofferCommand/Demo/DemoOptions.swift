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

    static let declaration = CommandDeclaration(
        name: "demo", summary: "import a Debian package list into a store and ask questions of it",
        operands: [.init(name: "FILE", isOptional: true)],
        options: [
            CommandOption(
                "store", letter: "s", value: "KIND", choices: StoreKind.allCases.map(\.rawValue),
                help: "keep the models in 'sqlite' (a file) or 'memory'; default: sqlite"),
            CommandOption(
                "output", letter: "o", value: "PATH", isPath: true,
                help: "make the SQLite file there; it must not exist yet\n(default: a new folder for temporary files)"),
            CommandOption("search", value: "WORD", help: "look for WORD in names and summaries; default: compress"),
            CommandOption(
                "from", value: "PACKAGE", help: "where the dependency path starts; default: far from its end"),
            CommandOption(
                "to", value: "PACKAGE", help: "where the dependency path ends;\ndefault: the package most depended on"),
        ],
        details: """
            FILE is a list in the format of /var/lib/dpkg/status; '-' is standard input. Without FILE it is the
            machine's own list, or a small one that comes with the command where there is none.
            """,
        examples: [
            CommandDeclaration.Example("coffer demo", "import this machine's packages"),
            CommandDeclaration.Example("coffer demo -o packages.sqlite", "and keep the store"),
        ])

    init() {}

    init(_ arguments: CommandArguments) throws(UsageError) {
        if let kind = arguments["store"].flatMap(StoreKind.init) { store = kind }
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
