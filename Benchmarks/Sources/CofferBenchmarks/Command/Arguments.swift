/// The words of a command line by the GNU rules: `--name=value` or `--name value`, long names may be cut as long as they
/// stay unambiguous, options and operands mix, `--` ends the options, the last of several values counts.
struct Arguments {
    /// One option.
    struct Option {
        var name: String
        /// What the help calls the values; empty for an option without one.
        var values: [String] = []
        var help: String
    }

    private(set) var operands: [String] = []
    private var found: [String: [String]] = [:]

    init(_ words: [String], options: [Option]) throws(UsageError) {
        var words = words[...]
        while let word = words.popFirst() {
            if word == "--" {
                operands += words
                return
            }
            guard word.hasPrefix("-"), word != "-" else {
                operands.append(word)
                continue
            }
            let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            let option = try Self.option(parts[0], of: options)
            var values = Array(parts.dropFirst())
            if option.values.isEmpty, !values.isEmpty {
                throw UsageError(description: "option '--\(option.name)' doesn't allow an argument")
            }
            while values.count < option.values.count {
                guard let value = words.popFirst() else {
                    let wanted = option.values.count == 1 ? "an argument" : "\(option.values.count) arguments"
                    throw UsageError(description: "option '--\(option.name)' requires \(wanted)")
                }
                values.append(value)
            }
            found[option.name] = values
        }
    }

    private static func option(_ word: String, of options: [Option]) throws(UsageError) -> Option {
        if word == "-h", let help = options.first(where: { $0.name == "help" }) { return help }
        guard word.hasPrefix("--") else { throw UsageError(description: "invalid option '\(word)'") }
        let name = String(word.dropFirst(2))
        let exact = options.filter { $0.name == name }
        let matching = exact.isEmpty ? options.filter { $0.name.hasPrefix(name) } : exact
        guard let option = matching.first else { throw UsageError(description: "unrecognized option '\(word)'") }
        guard matching.count == 1 else {
            let names = matching.map { "'--\($0.name)'" }.joined(separator: " ")
            throw UsageError(description: "option '\(word)' is ambiguous; possibilities: \(names)")
        }
        return option
    }

    func has(_ name: String) -> Bool { found[name] != nil }

    /// The value of an option.
    subscript(_ name: String) -> String? { found[name]?.first }

    /// The values of an option that takes several.
    func values(_ name: String) -> [String]? { found[name] }

    /// The parts of a value between commas.
    func list(_ name: String) -> [String]? {
        self[name]?.split(separator: ",").map { $0.trimmingPrefix(" ") }.map(String.init)
    }

    /// A whole number of at least 1.
    func number(_ name: String) throws(UsageError) -> Int? {
        guard let text = self[name] else { return nil }
        guard let number = Int(text.filter { $0 != "_" && $0 != "," }), number > 0 else {
            throw UsageError(description: "option '--\(name)' takes a number of at least 1, not '\(text)'")
        }
        return number
    }

    /// The lines of the help that describe options.
    static func help(_ options: [Option]) -> String {
        let heads = options.map { option in
            "  --\(option.name)" + option.values.enumerated().map { ($0 == 0 ? "=" : " ") + $1 }.joined()
        }
        let width = (heads.map(\.count).max() ?? 0) + 2
        return zip(heads, options).map { head, option in
            let indent = String(repeating: " ", count: width)
            let lines = option.help.split(separator: "\n").joined(separator: "\n" + indent)
            return head + String(repeating: " ", count: width - head.count) + lines + "\n"
        }.joined()
    }
}
