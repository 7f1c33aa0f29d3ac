import Foundation
import Testing

@testable import CofferCommand

@Suite struct NewStoreCommandTests {
    private struct Run {
        var code: Int32
        var output = ""
        var errors = ""
    }

    private let clone = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().standardizedFileURL

    private func newStore(_ words: [String], executable: String? = "/usr/bin/coffer") -> Run {
        final class Recorder {
            var run = Run(code: 0)
        }
        let recorder = Recorder()
        let console = Console(
            write: { recorder.run.output += $0 }, writeError: { recorder.run.errors += $0 }, showsProgress: false)
        recorder.run.code = NewStoreCommand.run(words, on: console) {
            try NewStoreCommand.run($0, on: $1, executable: executable)
        }
        return recorder.run
    }

    private func withFolder<R>(_ body: (URL) throws -> R) throws -> R {
        let folder = FileManager.default.temporaryDirectory.appending(path: "coffer-tests-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        return try body(folder)
    }

    private func text(_ folder: URL, _ path: String) throws -> String {
        try String(contentsOf: folder.appending(path: path), encoding: .utf8)
    }

    @Test func aPackageIsWritten() throws {
        try withFolder { folder in
            let run = newStore(["TapeStore", "--path", folder.path, "--coffer", clone.path])
            #expect(run.code == 0 && run.errors.isEmpty)
            #expect(run.output.contains("  TapeStore/Sources/TapeStore/TapeStore.swift\n"))
            #expect(run.output.contains("Run 'swift test' in \(folder.path)/TapeStore"))
            let package = folder.appending(path: "TapeStore")
            let manifest = try text(package, "Package.swift")
            #expect(manifest.contains("dependencies: [.package(name: \"coffer\", path: \"\(clone.path)\")],"))
            #expect(manifest.contains("name: \"TapeStoreTests\""))
            #expect(try text(package, "README.md").hasPrefix("# TapeStore\n"))
            #expect(try text(package, "Tests/TapeStoreTests/TapeStoreTests.swift").contains("import TapeStore\n"))
        }
    }

    @Test func theStoreIsTheOneOfTheExamples() throws {
        let example = clone.appending(path: "Docs/Examples/ArchiveStore")
        let files = StorePackage(name: "SmallStore", coffer: .folder("/coffer")).files
        func written(_ path: String) throws -> String { try #require(files.first { $0.path == path }).text }
        #expect(
            try written("Sources/SmallStore/SmallStore.swift")
                == text(example, "Sources/ArchiveStore/SmallStore.swift"))
        #expect(
            try written("Tests/SmallStoreTests/SmallStoreTests.swift").replacing("import SmallStore\n", with: "")
                == text(example, "Tests/ArchiveStoreTests/SmallStoreTests.swift")
                .replacing("import ArchiveStore\n", with: ""))
    }

    @Test func noNameOfTheExampleIsLeft() {
        for file in StorePackage(name: "Tape", coffer: .folder("/coffer")).files {
            #expect(!file.text.contains("SmallStore") && !file.path.contains("SmallStore"), "\(file.path)")
        }
    }

    @Test func cofferIsFoundAboveTheCommand() throws {
        try withFolder { folder in
            let command = clone.appending(path: ".build/debug/coffer").path
            #expect(newStore(["Tape", "--path", folder.path], executable: command).code == 0)
            let manifest = try text(folder, "Tape/Package.swift")
            #expect(manifest.contains("path: \"\(clone.path)\""))
            let run = newStore(["Reel", "--path", folder.path])
            #expect(run.code == 2)
            #expect(run.errors.hasPrefix("coffer new-store: option '--coffer' is needed: this command does not lie"))
        }
    }

    @Test func cofferMayBeAnAddress() throws {
        try withFolder { folder in
            let address = "https://example.org/stores/Strongbox.git"
            #expect(newStore(["Tape", "--path", folder.path, "--coffer", address]).code == 0)
            let manifest = try text(folder, "Tape/Package.swift")
            #expect(manifest.contains(".package(url: \"\(address)\", branch: \"main\")"))
            #expect(manifest.contains(".product(name: \"CofferCore\", package: \"Strongbox\")"))
            #expect(
                newStore(["Reel", "--path", folder.path, "--coffer", "git@example.org:stores/coffer.git"]).code == 0)
            let other = try text(folder, "Reel/Package.swift")
            #expect(other.contains(".product(name: \"CofferCore\", package: \"coffer\")"))
        }
    }

    @Test func whatIsThereStaysAsItIs() throws {
        try withFolder { folder in
            let place = folder.appending(path: "Tape")
            try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
            let run = newStore(["Tape", "--path", folder.path, "--coffer", clone.path])
            #expect(run.code == 1 && run.output.isEmpty)
            #expect(run.errors == "coffer new-store: \(place.path): there is something already\n")
            #expect(try FileManager.default.contentsOfDirectory(atPath: place.path).isEmpty)
        }
    }

    @Test func aPlaceThatIsNoneIsNamed() throws {
        try withFolder { folder in
            let missing = newStore(["Tape", "--path", "\(folder.path)/none", "--coffer", clone.path])
            #expect(missing.code == 1)
            #expect(missing.errors == "coffer new-store: \(folder.path)/none: there is no such folder\n")
            let other = newStore(["Tape", "--path", folder.path, "--coffer", folder.path])
            #expect(other.code == 1)
            #expect(other.errors == "coffer new-store: \(folder.path): Coffer's package is not there\n")
            let left = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            #expect(left.isEmpty)
        }
    }

    @Test(arguments: [
        ([], "missing operand NAME"),
        (["A", "B"], "extra operand 'B'"),
        (["2Tapes"], "'2Tapes' is no Swift identifier of letters, digits and '_'"),
        (["Tape-Store"], "'Tape-Store' is no Swift identifier of letters, digits and '_'"),
        (["../Tape"], "'../Tape' is no Swift identifier of letters, digits and '_'"),
        ([""], "an empty NAME names nothing"),
        (["Bänder"], "'Bänder' is no Swift identifier of letters, digits and '_'"),
        (["class"], "'class' is a word of the language"),
        (["_"], "'_' is a word of the language"),
        (["Coffer"], "the name 'Coffer' is taken"),
        (["String"], "the name 'String' is taken"),
        (["Tape", "--path="], "an empty --path names nothing"),
        (["Tape", "--bath", "x"], "unrecognized option '--bath'"),
    ])
    func wrongCommandLinesAreRefused(_ words: [String], _ message: String) {
        let run = newStore(words)
        #expect(run.code == 2 && run.output.isEmpty)
        #expect(
            run.errors == "coffer new-store: \(message)\nTry 'coffer new-store --help' for more information.\n")
    }

    @Test func helpDescribesTheCommand() {
        let run = newStore(["--help"])
        #expect(run.code == 0 && run.output.hasPrefix("Usage: coffer new-store [OPTION]... NAME"))
        #expect(run.output.split(separator: "\n").allSatisfy { $0.count <= 110 })
    }
}
