import Coffer

/// One of the things that `coffer` does.
protocol Command {
    static var declaration: CommandDeclaration { get }

    /// Does it.
    ///
    /// - Returns: the exit code.
    /// - Throws: `UsageError` for a command line that cannot be understood, which ends with exit code 2; anything else
    ///   ends with 1.
    static func run(_ arguments: CommandArguments, on console: Console) throws -> Int32
}

extension Command {
    /// Runs one command line and returns its exit code.
    ///
    /// - Parameter body: what to do with it.
    static func run(
        _ words: [String], on console: Console,
        _ body: (CommandArguments, Console) throws -> Int32 = { try Self.run($0, on: $1) }
    ) -> Int32 {
        let name = declaration.name
        do {
            let arguments = try CommandArguments(words, options: declaration.allOptions)
            if arguments.has("help") {
                console.write(declaration.help)
            } else if arguments.has("version") {
                console.write(CofferCommand.versionText)
            } else {
                try declaration.check(arguments)
                return try body(arguments, console)
            }
            return 0
        } catch let error as UsageError {
            console.writeError("coffer \(name): \(error)\nTry 'coffer \(name) --help' for more information.\n")
            return 2
        } catch {
            console.writeError("coffer \(name): \(Self.message(of: error))\n")
            return 1
        }
    }

    /// An error on one line.
    private static func message(of error: any Error) -> String {
        var error = error
        if var known = error as? SwiftDataError {
            // The command opens one store at a place; the path says more than the name of a configuration.
            if known.file != nil { known.store = nil }
            error = known
        }
        return String(describing: error).split(whereSeparator: \.isNewline).joined(separator: " ").shownSafely
    }
}

/// A failure that is neither the command line's nor the store's: one line that says what and where.
struct CommandFailure: Error, Equatable, CustomStringConvertible {
    var description: String

    init(_ description: String) { self.description = description }
}
