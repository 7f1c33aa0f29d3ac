import Foundation
import Testing

@testable import ReadmeExample

@Suite struct ReadmeTests {
    private let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    @Test func theExampleIsTheOneThatIsCompiled() throws {
        let readme = try String(contentsOf: root.appending(path: "README.md"), encoding: .utf8)
        let source = try String(
            contentsOf: root.appending(path: "Tests/ReadmeExample/ReadmeExample.swift"), encoding: .utf8)
        let blocks = readme.components(separatedBy: "```swift\n").dropFirst().map {
            $0.components(separatedBy: "```")[0]
        }
        #expect(blocks == [source], "copy the example between README.md and ReadmeExample.swift")
        #expect(source.split(separator: "\n").count <= 32)
    }

    @MainActor @Test func theExampleRunsOnceAndAgain() throws {
        let file = URL.temporaryDirectory.appending(path: "trips.sqlite").path
        func remove() {
            for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: file + suffix) }
        }
        remove()
        defer { remove() }
        try ReadmeExample.main()
        try ReadmeExample.main()
        #expect(FileManager.default.fileExists(atPath: file))
    }
}
