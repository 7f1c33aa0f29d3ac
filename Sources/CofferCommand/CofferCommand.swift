import Foundation

/// The `coffer` command.
@main
enum CofferCommand {
    static let version = "0.1.0"

    static func main() {
        exit(run(Array(CommandLine.arguments.dropFirst()), on: .standard))
    }

    /// Runs one command line and returns its exit code: 0 for success, 1 for a failure, 2 for a command line that
    /// cannot be understood.
    static func run(_ words: [String], on console: Console) -> Int32 {
        guard let name = words.first else {
            console.writeError(help)
            return 2
        }
        switch name {
        case "--help", "-h":
            console.write(help)
            return 0
        case "--version":
            console.write(versionText)
            return 0
        default:
            if let command = commands.first(where: { $0.declaration.name == name }) {
                return command.run(Array(words.dropFirst()), on: console)
            }
            let kind = name.hasPrefix("-") ? "unrecognized option" : "no command named"
            console.writeError("coffer: \(kind) '\(name)'\nTry 'coffer --help' for more information.\n")
            return 2
        }
    }

    static let versionText = "coffer \(version)\n"

    /// All commands, in the order in which `--help` lists them.
    static var commands: [any Command.Type] {
        [
            InspectCommand.self, QueryCommand.self, CheckCommand.self, SalvageCommand.self, DumpCommand.self,
            LoadCommand.self, ConvertCommand.self, DiffCommand.self, MigrateCommand.self, BrowseCommand.self,
            NewStoreCommand.self, DemoCommand.self, CompletionCommand.self,
        ]
    }

    // A key path here would have the compiler crash.
    static var declarations: [CommandDeclaration] { commands.map { $0.declaration } }

    static var help: String {
        let width = (declarations.map(\.name.count).max() ?? 0) + 4
        let list = declarations.map { "  \($0.name)".padding(to: width) + $0.summary + "\n" }.joined()
        return """
            Usage: coffer COMMAND [OPTION]... [ARGUMENT]...
            Work with the stores of Coffer, an open and portable SwiftData.

            Commands:
            \(list)
              -h, --help      show this help and exit
                  --version   show the version and exit

            'coffer COMMAND --help' describes a command.

            """
    }
}
