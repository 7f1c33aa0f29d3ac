/// What a command says of itself. Parsing, `--help` and shell completion all come from it.
struct CommandDeclaration: Sendable {
    /// What a command line has beside options.
    struct Operand: Sendable {
        /// What `--help` calls it.
        var name: String
        var isOptional = false
        /// What it may be; empty where it may be anything.
        var choices: [String] = []
        /// Whether it is a path.
        var isPath = true
    }

    /// A command line, and what it does.
    struct Example: Sendable {
        var line: String
        var text: String

        init(_ line: String, _ text: String) {
            self.line = line
            self.text = text
        }
    }

    var name: String
    /// One line, as the list of commands has it.
    var summary: String
    var operands: [Operand] = []
    var options: [CommandOption] = []
    /// Paragraphs between the summary and the options.
    var details = ""
    var examples: [Example] = []
    var exitStatus = "0 for success, 1 for a failure, 2 for a wrong command line"

    /// The options, with those that every command has.
    var allOptions: [CommandOption] { options + [.help, .version] }

    /// The text of `--help`.
    var help: String {
        let usage = operands.map { $0.isOptional ? " [\($0.name)]" : " \($0.name)" }.joined()
        var text = "Usage: coffer \(name) [OPTION]...\(usage)\n\(summary.capitalisedFirst).\n\n"
        if !details.isEmpty { text += details + "\n\n" }
        text += allOptions.helpText
        if !examples.isEmpty {
            text += "\nExamples:\n"
            for example in examples { text += "  \(example.line)\n      \(example.text)\n" }
        }
        return text + "\nExit status: \(exitStatus).\n"
    }

    /// Checks the number of operands and what they may be.
    func check(_ arguments: CommandArguments) throws(UsageError) {
        let given = arguments.operands
        if given.count > operands.count {
            throw UsageError(description: "extra operand '\(given[operands.count])'")
        }
        if let missing = operands.dropFirst(given.count).first(where: { !$0.isOptional }) {
            throw UsageError(description: "missing operand \(missing.name)")
        }
        for (operand, value) in zip(operands, given) {
            if value.isEmpty { throw UsageError(description: "an empty \(operand.name) names nothing") }
            guard operand.choices.isEmpty || operand.choices.contains(value) else {
                let list = operand.choices.joined(separator: ", ")
                throw UsageError(description: "\(operand.name) is one of \(list), not '\(value)'")
            }
        }
    }
}

extension String {
    /// The text with its first letter large.
    var capitalisedFirst: String { prefix(1).uppercased() + dropFirst() }
}
