import Coffer
import Foundation
import Testing

@testable import CofferCommand

@Model final class Trip {
    @Attribute(.unique) var name: String
    var start: Date?
    @Relationship(deleteRule: .cascade, inverse: \Stop.trip) var stops: [Stop] = []

    init(_ name: String, start: Date? = nil) {
        self.name = name
        self.start = start
    }
}

@Model final class Stop {
    #Index<Stop>([\.city])
    var city: String
    var nights: Int
    var trip: Trip?

    init(_ city: String, nights: Int) {
        self.city = city
        self.nights = nights
    }
}

/// Runs every example of `Docs/CommandLine.md` with the built command, one after the other, and compares what it says.
///
/// With `COFFER_LEDGERS=write` the answers are written into the guide.
@Suite struct CommandLineGuideTests {
    private static let guide = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Docs/CommandLine.md")

    /// The command beside the tests.
    private static func command() throws -> URL {
        var folder = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
        if !folder.path.hasPrefix("/") { folder = URL(fileURLWithPath: FileManager.default.currentDirectoryPath) }
        while folder.path != "/" {
            folder.deleteLastPathComponent()
            let file = folder.appending(path: "coffer")
            if FileManager.default.isExecutableFile(atPath: file.path) { return file }
        }
        // The tests are in a bundle whose program is the toolchain's.
        let built = guide.deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: ".build/debug/coffer")
        try #require(FileManager.default.isExecutableFile(atPath: built.path), "the command is not built")
        return built
    }

    /// Runs a command line in a folder, and gives what it writes.
    private static func run(_ line: String, in folder: String) throws -> String {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = ["-c", line]
        process.currentDirectoryURL = URL(fileURLWithPath: folder)
        var environment = ProcessInfo.processInfo.environment
        environment["PATH"] = try command().deletingLastPathComponent().path + ":" + (environment["PATH"] ?? "")
        process.environment = environment
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = pipe
        try process.run()
        let data = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return String(decoding: data, as: UTF8.self)
    }

    /// Identifiers and sizes are others each time, and on each machine.
    private static func comparable(_ text: String) -> String {
        text.replacing(/[0-9A-F]{8}-[0-9A-F]{4}-[0-9A-F]{4}-[0-9A-F]{4}-[0-9A-F]{12}/, with: "IDENTIFIER")
            .replacing(/[0-9,]+ bytes/, with: "SIZE bytes").replacing(/"digest": "[0-9a-f]{32}"/, with: "DIGEST")
    }

    /// Makes the store of the examples.
    private static func makeStore(in folder: String) throws {
        let url = URL(fileURLWithPath: folder + "/trips.sqlite")
        let container = try ModelContainer(for: Trip.self, configurations: SQLiteStoreConfiguration(url: url))
        let context = ModelContext(container)
        let alps = Trip("Alps", start: Date(timeIntervalSinceReferenceDate: 738_000_000))
        context.insert(alps)
        try context.save()
        context.insert(Trip("Coast"))
        for (city, nights) in [("Zermatt", 3), ("Chamonix", 1), ("Bern", 2)] {
            let stop = Stop(city, nights: nights)
            context.insert(stop)
            if city != "Bern" { stop.trip = alps }
            try context.save()
        }
    }

    @Test func everyExampleSaysWhatTheGuideHas() throws {
        try withTemporaryFolder { folder in
            try Self.makeStore(in: folder)
            var lines = try String(contentsOf: Self.guide, encoding: .utf8)
                .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
            var index = 0
            var count = 0
            while index < lines.count {
                guard lines[index] == "```console" else {
                    index += 1
                    continue
                }
                index += 1
                while lines[index].hasPrefix("$ ") {
                    let line = String(lines[index].dropFirst(2))
                    let end = try #require(
                        lines[(index + 1)...].firstIndex { $0 == "```" || $0.hasPrefix("$ ") })
                    let written = lines[(index + 1)..<end].map { $0 + "\n" }.joined()
                    let said = try Self.run(line, in: folder)
                    if ProcessInfo.processInfo.environment["COFFER_LEDGERS"] == "write" {
                        let answer = said.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
                        lines.replaceSubrange((index + 1)..<end, with: answer.map(String.init))
                        index += answer.count + 1
                    } else {
                        #expect(Self.comparable(said) == Self.comparable(written), "\(line)")
                        index = end
                    }
                    count += 1
                }
            }
            #expect(count >= CofferCommand.declarations.count - 1)
            if ProcessInfo.processInfo.environment["COFFER_LEDGERS"] == "write" {
                try lines.joined(separator: "\n").write(to: Self.guide, atomically: true, encoding: .utf8)
            }
        }
    }

    @Test func everyCommandHasItsPartOfTheGuide() throws {
        let text = try String(contentsOf: Self.guide, encoding: .utf8)
        for command in CofferCommand.declarations { #expect(text.contains("\n## `\(command.name)`")) }
    }

    @Test func theBuiltCommandEndsWithTheExitCodes() throws {
        try withTemporaryFolder { folder in
            try Self.makeStore(in: folder)
            for (line, code) in [
                ("coffer inspect trips.sqlite", 0), ("coffer inspect none", 1), ("coffer inspect", 2),
                ("coffer diff trips.sqlite trips.sqlite", 0), ("coffer nothing", 2), ("coffer --version", 0),
                ("coffer dump trips.sqlite | coffer load - copy.json", 0), ("coffer check copy.json", 0),
            ] {
                let text = try Self.run(line + " >/dev/null 2>&1; echo $?", in: folder)
                #expect(text == "\(code)\n", "\(line)")
            }
        }
    }
}
