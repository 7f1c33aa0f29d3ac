import Foundation
import Testing

/// The command `coffer-bench` in a process of its own, which other tests do not allocate in.
struct BenchmarkRun {
    let status: Int32
    let output: String

    /// Runs the command that was built beside the tests, and waits.
    init(_ words: String...) throws {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
            .deletingLastPathComponent().appendingPathComponent("coffer-bench")
        process.arguments = words
        process.standardOutput = output
        process.standardError = output
        try process.run()
        self.output = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        status = process.terminationStatus
    }

    /// The limits that are checked in.
    static let limits = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appendingPathComponent("Benchmarks/limits.json").path
}

/// A folder that goes when the test ends.
final class BenchmarkFolder: Sendable {
    private let url = FileManager.default.temporaryDirectory.appendingPathComponent("bench-tests-\(UUID())")

    init() throws { try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true) }

    deinit { try? FileManager.default.removeItem(at: url) }

    func path(_ name: String) -> String { url.appendingPathComponent(name).path }

    func text(_ name: String) throws -> String {
        try String(contentsOf: url.appendingPathComponent(name), encoding: .utf8)
    }

    /// The parts of a JSON file.
    func json(_ name: String) throws -> [String: Any] {
        let data = try Data(contentsOf: url.appendingPathComponent(name))
        return try #require(JSONSerialization.jsonObject(with: data) as? [String: Any])
    }
}
