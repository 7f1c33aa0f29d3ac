import Testing

@testable import CofferCommand

@Suite struct CommandArgumentsTests {
    private let options = [
        CommandOption("store", letter: "s", value: "KIND", help: "which"),
        CommandOption("step", value: "N", help: "how far"),
        CommandOption("all", letter: "a", help: "everything"),
        CommandOption.help,
    ]

    private func parse(_ words: String...) throws -> CommandArguments {
        try CommandArguments(words, options: options)
    }

    @Test func valuesFollowASpaceAnEqualsSignOrTheLetter() throws {
        #expect(try parse("--store", "memory")["store"] == "memory")
        #expect(try parse("--store=memory")["store"] == "memory")
        #expect(try parse("--store=a=b")["store"] == "a=b")
        #expect(try parse("--store=")["store"] == "")
        #expect(try parse("-s", "memory")["store"] == "memory")
        #expect(try parse("-smemory")["store"] == "memory")
        #expect(try parse("-as", "memory")["store"] == "memory")
    }

    @Test func theLastValueCounts() throws {
        #expect(try parse("--store=a", "-sb")["store"] == "b")
    }

    @Test func optionsAndOperandsMixAndTwoDashesEndTheOptions() throws {
        let arguments = try parse("one", "--all", "two", "-", "--", "--store", "-x")
        #expect(arguments.operands == ["one", "two", "-", "--store", "-x"])
        #expect(arguments.has("all"))
        #expect(!arguments.has("store"))
    }

    @Test func longNamesMayBeCutWhileUnambiguous() throws {
        #expect(try parse("--sto", "x")["store"] == "x")
        let error = #expect(throws: UsageError.self) { try parse("--st", "x") }
        #expect(error?.description == "option '--st' is ambiguous; possibilities: '--store' '--step'")
    }

    @Test(arguments: [
        (["--nothing"], "unrecognized option '--nothing'"),
        (["--nothing=1"], "unrecognized option '--nothing'"),
        (["-x"], "invalid option -- 'x'"),
        (["--store"], "option '--store' requires an argument"),
        (["-s"], "option requires an argument -- 's'"),
        (["--all=yes"], "option '--all' doesn't allow an argument"),
    ])
    func wrongUsesAreNamed(_ words: [String], _ message: String) {
        let error = #expect(throws: UsageError.self) { try CommandArguments(words, options: options) }
        #expect(error?.description == message)
    }

    @Test func helpIsAligned() {
        #expect(
            options.helpText == """
                  -s, --store=KIND  which
                      --step=N      how far
                  -a, --all         everything
                  -h, --help        show this help and exit

                """)
    }
}

@Suite struct TextTableTests {
    @Test func columnsAreAligned() {
        var table = TextTable(.init("Name"), .init("Size", .right), .init("Note"))
        table.add("a", "1", "first")
        table.add("longer", "1,000")
        #expect(
            table.text() == """
                  Name     Size  Note
                  a           1  first
                  longer  1,000

                """)
    }

    @Test func theLastColumnIsCutToTheWidth() {
        var table = TextTable(.init("Name"), .init("Note"))
        table.add("a", String(repeating: "é", count: 80))
        #expect(table.text(width: 40).split(separator: "\n").map(\.count) == [12, 40])
    }

    @Test func numbersAreGrouped() {
        #expect(
            [0, 12, 123, 1234, 1_234_567, -1234].map(\.grouped) == ["0", "12", "123", "1,234", "1,234,567", "-1,234"])
    }
}

@Suite struct ProgressTests {
    private final class Recorder {
        var text = ""
    }

    private func record(_ showsProgress: Bool) -> String {
        let recorder = Recorder()
        var progress = Progress(
            on: Console(
                write: { _ in Issue.record("progress is no answer") }, writeError: { recorder.text += $0 },
                showsProgress: showsProgress))
        progress.begin("Reading")
        progress.update("Reading", 1, of: 1000)
        progress.begin("Saving")
        progress.end()
        return recorder.text
    }

    @Test func oneLineIsRewrittenAndThenCleared() {
        #expect(record(true) == "\rReading\rSaving \r      \r")
    }

    @Test func nothingIsShownWhereThereIsNoTerminal() {
        #expect(record(false).isEmpty)
    }
}
