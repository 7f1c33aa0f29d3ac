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
        case "demo":
            return DemoCommand.run(Array(words.dropFirst()), on: console)
        case "new-store":
            return NewStoreCommand.run(Array(words.dropFirst()), on: console)
        case "--help", "-h":
            console.write(help)
            return 0
        case "--version":
            console.write(versionText)
            return 0
        default:
            let kind = name.hasPrefix("-") ? "unrecognized option" : "no command named"
            console.writeError("coffer: \(kind) '\(name)'\nTry 'coffer --help' for more information.\n")
            return 2
        }
    }

    static let versionText = "coffer \(version)\n"

    static let help = """
        Usage: coffer COMMAND [OPTION]... [ARGUMENT]...
        Work with the stores of Coffer, an open and portable SwiftData.

        Commands:
          demo        import a Debian package list into a store and ask questions of it
          new-store   write a package with a small store of your own, which passes the conformance kit

          -h, --help      show this help and exit
              --version   show the version and exit

        'coffer COMMAND --help' describes a command.

        """
}
