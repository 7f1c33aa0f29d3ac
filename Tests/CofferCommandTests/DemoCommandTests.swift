import Foundation
import Testing

@testable import CofferCommand

@Suite struct DemoCommandTests {
    private let list = DemoAnswerTests.packagedList

    // MARK: - Help and wrong uses

    @Test func helpAndVersionGoToStandardOutput() {
        for run in [coffer("--help"), coffer("-h"), coffer("demo", "--help"), coffer("demo", "x", "-h")] {
            #expect(run.code == 0)
            #expect(run.output.hasPrefix("Usage: coffer"))
            #expect(run.output.split(separator: "\n").allSatisfy { $0.count <= 110 })
            #expect(run.errors.isEmpty)
        }
        for run in [coffer("--version"), coffer("demo", "--version")] {
            #expect(run.code == 0)
            #expect(run.output == "coffer \(CofferCommand.version)\n")
        }
    }

    @Test(arguments: [
        ([], "Usage: coffer"),
        (["nothing"], "coffer: no command named 'nothing'\n"),
        (["--nothing"], "coffer: unrecognized option '--nothing'\n"),
        (["demo", "--nothing"], "coffer demo: unrecognized option '--nothing'\n"),
        (
            ["demo", "--store", "tape"],
            "coffer demo: option '--store' takes one of sqlite, memory, not 'tape'\n"
        ),
        (["demo", "a", "b"], "coffer demo: extra operand 'b'\n"),
        (["demo", "-s", "memory", "-o", "x"], "coffer demo: option '--output' is for '--store sqlite'"),
        (["demo", "--search="], "coffer demo: an empty search names nothing\n"),
    ])
    func wrongUsesEndWithTwo(_ words: [String], _ message: String) {
        let recorded = Box()
        let console = Console(
            write: { recorded.text += "OUT " + $0 }, writeError: { recorded.text += $0 }, showsProgress: false)
        #expect(CofferCommand.run(words, on: console) == 2)
        #expect(recorded.text.hasPrefix(message))
    }

    private final class Box {
        var text = ""
    }

    // MARK: - Bad input

    private func expectFailure(_ run: CommandRun, _ message: String, _ location: SourceLocation = #_sourceLocation) {
        #expect(run.code == 1, sourceLocation: location)
        #expect(run.output.isEmpty, sourceLocation: location)
        #expect(run.errors.hasPrefix("coffer demo: "), sourceLocation: location)
        #expect(run.errors.contains(message), sourceLocation: location)
        #expect(run.errors.hasSuffix("\n") && run.errors.count { $0 == "\n" } == 1, sourceLocation: location)
    }

    @Test func listsThatCannotBeReadAreNamedAndNothingIsMade() throws {
        try withTemporaryFolder { folder in
            let store = folder + "/packages.sqlite"
            expectFailure(
                coffer("demo", "--output", store, folder + "/none"),
                "\(folder)/none: cannot be opened: No such file or directory")
            expectFailure(coffer("demo", "--output", store, folder), "\(folder): is a folder")
            try withTemporaryFile("Package: a\nVersion: 1\nDepends: b (>= \n") { path in
                expectFailure(coffer("demo", "--output", store, path), "\(path):3: package 'a': Depends: 'b'")
            }
            try withTemporaryFile("") { path in
                expectFailure(coffer("demo", "--output", store, path), "\(path): there is no package in it")
            }
            expectFailure(
                coffer("demo", "--output", store, "--from", "no-such", list), "there is no package 'no-such' in it")
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder).isEmpty)
        }
    }

    @Test func aFileThatIsNoStoreIsLeftAlone() throws {
        let text = "not a store, however long it may be, and it should stay as it is\n"
        try withTemporaryFile(text) { path in
            expectFailure(coffer("demo", "--output", path, list), path)
            let left = try String(contentsOfFile: path, encoding: .utf8)
            #expect(left == text)
            #expect(!FileManager.default.fileExists(atPath: path + "-wal"))
        }
    }

    @Test func aStoreIsNotOverwritten() throws {
        try withTemporaryFolder { folder in
            let path = folder + "/packages.sqlite"
            #expect(coffer("demo", "-o", path, list).code == 0)
            let before = FileManager.default.contents(atPath: path)
            expectFailure(coffer("demo", "-o", path, list), "\(path): is a store already")
            #expect(FileManager.default.contents(atPath: path) == before)
        }
    }

    @Test func aPlaceWhereNoFileCanBeMadeIsNamed() throws {
        try withTemporaryFolder { folder in
            expectFailure(coffer("demo", "-o", folder + "/none/packages.sqlite", list), folder + "/none")
            let left = try FileManager.default.contentsOfDirectory(atPath: folder)
            #expect(left.isEmpty)
            expectFailure(coffer("demo", "-o", folder, list), folder)
        }
        #if os(Linux)
        // Not even an administrator makes a file here.
        expectFailure(coffer("demo", "-o", "/proc/packages.sqlite", list), "/proc/packages.sqlite")
        #endif
    }

    // MARK: - The run

    @Test func theStoreOpensInThePlainShell() throws {
        try withTemporaryFolder { folder in
            let path = folder + "/packages.sqlite"
            let run = coffer("demo", "--output", path, list)
            #expect(run.code == 0)
            #expect(run.errors.isEmpty)
            #expect(run.output.contains("SQLite, \(path)"))
            #expect(try output(of: "sqlite3", path, "pragma integrity_check; pragma foreign_key_check") == "ok\n")
            let tables = try output(of: "sqlite3", path, ".tables")
            for name in ["Package", "Section", "Maintainer", "Dependency", "VirtualPackage", "Provision"] {
                #expect(tables.contains(name))
            }
            #expect(try output(of: "sqlite3", path, "select count(*) from Package") == "159\n")
            #expect(
                try output(of: "sqlite3", path, "select installedSize from Package where name = 'libc6'") == "13001\n")
        }
    }

    @Test func bothStoresGiveTheSameAnswers() {
        func answers(_ run: CommandRun) -> [Substring] {
            #expect(run.code == 0, "\(run.errors)")
            let lines = run.output.split(separator: "\n")
            return lines.prefix { $0 != "Steps" }.filter { !$0.hasPrefix("Store ") }
        }
        let sqlite = answers(coffer("demo", list))
        #expect(sqlite.count > 40)
        #expect(sqlite == answers(coffer("demo", "--store=memory", list)))
    }

    @Test func optionsChooseSearchAndPath() {
        let run = coffer("demo", "-s", "memory", "--search", "zlib", "--from", "git", "--to", "libc6", list)
        #expect(run.output.contains("Packages with 'zlib' in name or summary: "))
        #expect(run.output.contains("Shortest dependency path from git to libc6: 1 step\n"))
    }

    @Test func progressIsForTerminalsOnly() {
        #expect(coffer("demo", "-s", "memory", list).errors.isEmpty)
        let shown = coffer("demo", "-s", "memory", list, progress: true)
        #expect(shown.errors.contains("\rBuild the graph"))
        #expect(shown.errors.hasSuffix(" \r"))
        #expect(shown.output.contains("\nSteps\n"))
    }

    @Test func theListOfTheCommandIsTheOneInItsFolder() throws {
        #expect(FileManager.default.contents(atPath: list) == Data(PackageResources.packages_status))
    }
}
