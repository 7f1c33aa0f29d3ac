import Foundation
import Testing

@testable import CofferCommand

@Suite struct CommandDeclarationTests {
    private static let names = CofferCommand.declarations.map(\.name)

    @Test(arguments: names)
    func helpHasUsageOptionsExamplesAndExitCodes(_ name: String) throws {
        let declaration = try #require(CofferCommand.declarations.first { $0.name == name })
        let run = coffer(name, "--help")
        #expect(run.code == 0)
        #expect(run.errors.isEmpty)
        #expect(run.output == declaration.help)
        #expect(run.output.hasPrefix("Usage: coffer \(name) [OPTION]..."))
        #expect(run.output.split(separator: "\n").allSatisfy { $0.count <= 116 })
        #expect(!declaration.examples.isEmpty)
        for option in declaration.allOptions { #expect(run.output.contains("--\(option.name)")) }
        for example in declaration.examples { #expect(run.output.contains("  \(example.line)\n")) }
        #expect(run.output.contains("\nExit status: "))
        #expect(coffer("--help").output.contains("  \(name) "))
    }

    /// What stands in the examples must at least be understood.
    @Test(arguments: names)
    func examplesAreCommandLinesThatAreUnderstood(_ name: String) throws {
        let declaration = try #require(CofferCommand.declarations.first { $0.name == name })
        for example in declaration.examples where example.line.hasPrefix("coffer \(name)") {
            let words = ShellWords.split(example.line).dropFirst(2).prefix { !["|", ">"].contains($0) }
            let arguments = try CommandArguments(words, options: declaration.allOptions)
            try declaration.check(arguments)
        }
    }

    @Test(arguments: names)
    func lettersAndNamesOfOptionsAreTheirOwn(_ name: String) throws {
        let declaration = try #require(CofferCommand.declarations.first { $0.name == name })
        let letters = declaration.allOptions.compactMap(\.letter)
        #expect(Set(letters).count == letters.count)
        let long = declaration.allOptions.map(\.name)
        #expect(Set(long).count == long.count)
    }

    @Test func operandsAreCountedAndChecked() {
        expectFailure(coffer("inspect"), "coffer inspect: missing operand STORE\nTry 'coffer inspect --help'", code: 2)
        expectFailure(coffer("inspect", "a", "b"), "extra operand 'b'", code: 2)
        expectFailure(coffer("inspect", ""), "an empty STORE names nothing", code: 2)
        expectFailure(coffer("diff", "a"), "missing operand B", code: 2)
        expectFailure(coffer("completion", "csh"), "SHELL is one of bash, zsh, fish, not 'csh'", code: 2)
    }

    @Test func optionsThatRepeatKeepAllValues() throws {
        let options = [CommandOption("sort", letter: "s", value: "P", repeats: true, help: "")]
        let arguments = try CommandArguments(["-sa", "--sort", "b", "--sort=c"], options: options)
        #expect(arguments.all("sort") == ["a", "b", "c"])
        #expect(arguments["sort"] == "c")
    }
}

@Suite struct CompletionCommandTests {
    @Test(arguments: CompletionCommand.Shell.allCases)
    func scriptsHaveEveryCommandAndOption(_ shell: CompletionCommand.Shell) {
        let script = coffer("completion", shell.rawValue).output
        for command in CofferCommand.declarations {
            #expect(script.contains(command.name))
            for option in command.allOptions {
                #expect(script.contains(shell == .fish ? "-l \(option.name)" : "--\(option.name)"))
            }
        }
    }

    /// What bash completes, with the cursor behind the last word.
    private func complete(_ words: String...) throws -> [String] {
        try withTemporaryFolder { folder in
            let script = folder + "/coffer.bash"
            try coffer("completion", "bash").output.write(toFile: script, atomically: false, encoding: .utf8)
            let list = words.map { "'\($0)'" }.joined(separator: " ")
            let text = try output(
                of: "bash", "-c",
                "source '\(script)'; COMP_WORDS=(\(list)); COMP_CWORD=\(words.count - 1); _coffer; "
                    + "printf '%s\\n' \"${COMPREPLY[@]}\"")
            return text.split(separator: "\n").map(String.init)
        }
    }

    @Test func bashCompletesCommandsOptionsAndValues() throws {
        #expect(try complete("coffer", "co") == ["convert", "completion"])
        #expect(try complete("coffer", "query", "--wh") == ["--where"])
        #expect(try complete("coffer", "load", "--kind", "l") == ["lmdb"])
        #expect(try complete("coffer", "load", "--kind", "=", "j") == ["json"])
        #expect(try complete("coffer", "convert", "-k", "").sorted() == ["json", "lmdb", "sqlite"])
        #expect(try complete("coffer", "completion", "z") == ["zsh"])
    }
}

@Suite struct JSONValueTests {
    @Test(arguments: [
        ("null", JSONValue.null), (" [1, -2.5e+3, true]\n", .array([.number("1"), .number("-2.5e+3"), .bool(true)])),
        (
            #"{"a": {"b": []}, "c": "\u00e9\n\ud83d\udc0b"}"#,
            .object(["a": .object(["b": .array([])]), "c": .string("\u{e9}\n\u{1F40B}")])
        ),
        ("18446744073709551615", .number("18446744073709551615")),
    ])
    func valuesAreRead(_ text: String, _ value: JSONValue) throws {
        #expect(try JSONValue(text.utf8) == value)
    }

    @Test(arguments: [
        ("", 1), ("[1,]", 4), ("{\"a\" 1}", 6), ("01", 3), ("1.", 3), ("\"a", 3), ("\"\u{1}\"", 3), ("[1] 2", 5),
        ("{\"a\": 1, \"a\": 2}", 16), ("nul", 1), ("\"\\ud800\"", 8), ("-", 2), ("\"\\x\"", 4),
    ])
    func faultsAreNamedWithTheirColumn(_ text: String, _ column: Int) {
        let fault = #expect(throws: JSONFault.self) { try JSONValue(text.utf8) }
        #expect(fault?.offset == column)
    }

    @Test func depthIsLimited() {
        #expect(throws: JSONFault.self) { try JSONValue(String(repeating: "[", count: 100_000).utf8) }
    }

    @Test(arguments: [
        0.0, -0.0, 1.5, .infinity, -.infinity, .nan, Double(bitPattern: 0x7FF8_0000_0000_0001), .leastNonzeroMagnitude,
    ])
    func realsComeBackBitByBit(_ number: Double) throws {
        switch try JSONValue(JSONText.real(number).utf8) {
        case .number(let digits): #expect(Double(digits)?.bitPattern == number.bitPattern)
        case .string(let name): #expect(JSONText.real(named: name)?.bitPattern == number.bitPattern)
        default: Issue.record("neither a number nor a text")
        }
    }
}

/// Words as a shell cuts them: quotation marks keep words together.
enum ShellWords {
    static func split(_ line: String) -> [String] {
        var words: [String] = []
        var word: String?
        var mark: Character?
        for character in line {
            if let open = mark {
                if character == open { mark = nil } else { word = (word ?? "") + String(character) }
            } else if character == "'" || character == "\"" {
                mark = character
                word = word ?? ""
            } else if character == " " {
                if let done = word { words.append(done) }
                word = nil
            } else {
                word = (word ?? "") + String(character)
            }
        }
        if let word { words.append(word) }
        return words
    }
}
