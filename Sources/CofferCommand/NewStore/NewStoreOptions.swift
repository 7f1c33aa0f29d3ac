import Foundation

/// What `coffer new-store` is told to do.
struct NewStoreOptions: Equatable {
    /// The module of the store.
    var name: String
    /// The folder in which the package's folder is made.
    var parent: String
    /// Where the package finds Coffer; nil for the clone that the command was built in.
    var coffer: String?

    static let declaration = CommandDeclaration(
        name: "new-store",
        summary: "write a package with a small store of your own, which passes the conformance kit",
        operands: [.init(name: "NAME", isPath: false)],
        options: [
            CommandOption(
                "path", value: "DIR", isPath: true, help: "make the folder NAME in DIR; default: the current folder"),
            CommandOption(
                "coffer", value: "PATH", isPath: true,
                help: "where the package finds Coffer: a folder or an address\n"
                    + "(default: the folder in which this command was built)"),
        ],
        details: """
            NAME becomes the folder, the module and the store's type; it is a Swift identifier. 'swift test' in the
            folder runs the kit and says what the store lacks.
            """,
        examples: [.init("coffer new-store TapeStore --path Packages", "begin a store")])

    init(_ arguments: CommandArguments) throws(UsageError) {
        let name = arguments.operands[0]
        if let problem = Self.problem(of: name) { throw UsageError(description: problem) }
        self.name = name
        parent = arguments["path"] ?? "."
        coffer = arguments["coffer"]
        for (option, value) in [("--path", parent), ("--coffer", coffer)] where value == "" {
            throw UsageError(description: "an empty \(option) names nothing")
        }
    }

    /// Names of modules and types that the package itself uses, or that everybody does.
    private static let taken: Set = [
        "Coffer", "CofferCore", "CofferConformance", "CofferRecords", "CofferInMemory", "CofferSQLite", "CofferLMDB",
        "CofferJSON", "SwiftData", "Swift", "Foundation", "Synchronization", "Testing", "XCTest", "PackageDescription",
        "DataStore", "RowStore", "DefaultStore", "Schema", "Store", "Snapshot", "Configuration", "Contents", "Model",
        "ModelContext", "ModelContainer", "PersistentIdentifier", "DefaultSnapshot", "Array", "Bool", "Codable", "Data",
        "Date", "Dictionary", "Double", "FileManager", "Int", "JSONDecoder", "JSONEncoder", "Mutex", "Optional", "Set",
        "String", "URL", "UUID", "Void",
    ]
    private static let keywords: Set = [
        "Any", "Protocol", "Self", "Type", "as", "associatedtype", "break", "case", "catch", "class", "continue",
        "default", "defer", "deinit", "do", "else", "enum", "extension", "fallthrough", "false", "fileprivate", "for",
        "func", "guard", "if", "import", "in", "init", "inout", "internal", "is", "let", "nil", "operator",
        "precedencegroup", "private", "protocol", "public", "repeat", "rethrows", "return", "self", "static", "struct",
        "subscript", "super", "switch", "throw", "throws", "true", "try", "typealias", "var", "where", "while",
    ]

    /// Why a name cannot be that of a module and a type; nil where it can. Names of folders and modules had better be
    /// plain, so letters are those of ASCII.
    private static func problem(of name: String) -> String? {
        let characters = Array(name.utf8)
        func isLetter(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "_") || isalpha(Int32(byte)) != 0 && byte < 0x80 }
        guard let first = characters.first, isLetter(first),
            characters.allSatisfy({ isLetter($0) || (0x30...0x39).contains($0) })
        else { return "'\(name)' is no Swift identifier of letters, digits and '_'" }
        if keywords.contains(name) || name.allSatisfy({ $0 == "_" }) { return "'\(name)' is a word of the language" }
        if taken.contains(name) { return "the name '\(name)' is taken" }
        return nil
    }
}
