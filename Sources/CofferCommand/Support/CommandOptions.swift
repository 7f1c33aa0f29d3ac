/// One option of a command, as GNU programs spell it: `--store KIND`, `-h`.
struct CommandOption: Sendable {
    /// The long name, without the dashes.
    var name: String
    var letter: Character?
    /// What `--help` calls the value; `nil` for an option without one.
    var value: String?
    /// What the value may be; empty where it may be anything.
    var choices: [String]
    /// Whether the value is a path.
    var isPath: Bool
    /// Whether several values count, rather than the last.
    var repeats: Bool
    var help: String

    init(
        _ name: String, letter: Character? = nil, value: String? = nil, choices: [String] = [], isPath: Bool = false,
        repeats: Bool = false, help: String
    ) {
        self.name = name
        self.letter = letter
        self.value = value
        self.choices = choices
        self.isPath = isPath
        self.repeats = repeats
        self.help = help
    }

    static let help = CommandOption("help", letter: "h", help: "show this help and exit")
    static let version = CommandOption("version", help: "show the version and exit")
}

/// A command line that cannot be understood. The command ends with exit code 2.
struct UsageError: Error, Equatable, CustomStringConvertible {
    var description: String
}

/// The words of a command line, sorted into options and operands.
///
/// GNU rules: `--name=value` or `--name value`; a long name may be cut as long as it stays unambiguous; one-letter
/// options may be joined; options and operands mix; `--` ends the options; the last of several values counts, unless the
/// option is one that repeats.
struct CommandArguments: Equatable {
    private(set) var operands: [String] = []
    private var values: [String: [String]] = [:]

    init(_ words: some Sequence<String>, options: [CommandOption]) throws(UsageError) {
        var words = Array(words)[...]
        while let word = words.popFirst() {
            if word == "--" {
                operands += words
                return
            } else if word.hasPrefix("--") {
                try takeLong(word.dropFirst(2), &words, options)
            } else if word.hasPrefix("-"), word != "-" {
                try takeLetters(word.dropFirst(), &words, options)
            } else {
                operands.append(word)
            }
        }
    }

    func has(_ name: String) -> Bool { values[name] != nil }

    subscript(_ name: String) -> String? { values[name]?.last }

    /// All values of an option that repeats, in order.
    func all(_ name: String) -> [String] { values[name] ?? [] }

    /// The value of an option as a number that is not negative.
    func number(_ name: String) throws(UsageError) -> Int? {
        guard let text = self[name] else { return nil }
        guard let number = Int(text), number >= 0 else {
            throw UsageError(description: "option '--\(name)' takes a number, not '\(text)'")
        }
        return number
    }

    private mutating func take(_ option: CommandOption, _ value: String) throws(UsageError) {
        guard option.choices.isEmpty || option.choices.contains(value) else {
            let list = option.choices.joined(separator: ", ")
            throw UsageError(description: "option '--\(option.name)' takes one of \(list), not '\(value)'")
        }
        values[option.name, default: []].append(value)
    }

    private mutating func takeLong(
        _ text: Substring, _ words: inout ArraySlice<String>, _ options: [CommandOption]
    ) throws(UsageError) {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let name = parts.first.map(String.init) ?? ""
        let exact = options.filter { $0.name == name }
        let found = exact.isEmpty ? options.filter { $0.name.hasPrefix(name) } : exact
        guard let option = found.first else { throw UsageError(description: "unrecognized option '--\(name)'") }
        guard found.count == 1 else {
            let names = found.map { "'--\($0.name)'" }.joined(separator: " ")
            throw UsageError(description: "option '--\(name)' is ambiguous; possibilities: \(names)")
        }
        guard option.value != nil else {
            guard parts.count == 1 else {
                throw UsageError(description: "option '--\(option.name)' doesn't allow an argument")
            }
            values[option.name] = [""]
            return
        }
        if parts.count == 2 {
            try take(option, String(parts[1]))
        } else if let next = words.popFirst() {
            try take(option, next)
        } else {
            throw UsageError(description: "option '--\(option.name)' requires an argument")
        }
    }

    private mutating func takeLetters(
        _ letters: Substring, _ words: inout ArraySlice<String>, _ options: [CommandOption]
    ) throws(UsageError) {
        var letters = letters
        while let letter = letters.popFirst() {
            guard let option = options.first(where: { $0.letter == letter }) else {
                throw UsageError(description: "invalid option -- '\(letter)'")
            }
            guard option.value != nil else {
                values[option.name] = [""]
                continue
            }
            if !letters.isEmpty {
                try take(option, String(letters))
            } else if let next = words.popFirst() {
                try take(option, next)
            } else {
                throw UsageError(description: "option requires an argument -- '\(letter)'")
            }
            return
        }
    }
}

extension [CommandOption] {
    /// The lines of `--help` that describe the options, aligned.
    var helpText: String {
        let heads = map { option in
            let letter = option.letter.map { "-\($0), " } ?? "    "
            return "  \(letter)--\(option.name)" + (option.value.map { "=\($0)" } ?? "")
        }
        let width = (heads.map(\.count).max() ?? 0) + 2
        return zip(heads, self).map { head, option in
            let indent = String(repeating: " ", count: width)
            let lines = option.help.split(separator: "\n").joined(separator: "\n\(indent)")
            return head.padding(to: width) + lines + "\n"
        }.joined()
    }
}
