import Foundation
import Testing

@testable import CofferCommand

/// One run of the command within the test: exit code, answers, errors.
struct CommandRun {
    let code: Int32
    let output: String
    let errors: String

    /// The lines of the answer.
    var lines: [String] { output.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init) }

    /// The answer as JSON.
    func json() throws -> JSONValue { try JSONValue(output.utf8) }
}

func coffer(_ words: String..., progress: Bool = false) -> CommandRun {
    final class Recorder {
        var output = ""
        var errors = ""
    }
    let recorder = Recorder()
    let console = Console(
        write: { recorder.output += $0 }, writeError: { recorder.errors += $0 }, showsProgress: progress)
    let code = CofferCommand.run(words, on: console)
    return CommandRun(code: code, output: recorder.output, errors: recorder.errors)
}

/// Runs a body with a folder of its own.
@discardableResult
func withTemporaryFolder<R>(_ body: (String) throws -> R) throws -> R {
    let folder = FileManager.default.temporaryDirectory.appending(path: "coffer-tests-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    return try body(folder.path)
}

/// Expects a failure that is one line about a place.
func expectFailure(
    _ run: CommandRun, _ message: String, code: Int32 = 1, _ location: SourceLocation = #_sourceLocation
) {
    #expect(run.code == code, sourceLocation: location)
    #expect(run.output.isEmpty, sourceLocation: location)
    #expect(run.errors.contains(message), "\(run.errors)", sourceLocation: location)
    #expect(run.errors.hasSuffix("\n"), sourceLocation: location)
    #expect(run.errors.count { $0 == "\n" } == (code == 2 ? 2 : 1), "\(run.errors)", sourceLocation: location)
}

/// All files below a folder with their contents, but for the list of readers that LMDB keeps beside its data.
func contents(of folder: String) throws -> [String: Data] {
    var result: [String: Data] = [:]
    for name in try FileManager.default.subpathsOfDirectory(atPath: folder) {
        var isFolder: ObjCBool = false
        let path = folder + "/" + name
        _ = FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
        if !isFolder.boolValue, !name.hasSuffix("lock.mdb") {
            result[name] = FileManager.default.contents(atPath: path)
        }
    }
    return result
}

/// What a JSON answer does not have.
struct MissingJSON: Error {
    let what: String

    init(_ what: String) { self.what = what }
}
