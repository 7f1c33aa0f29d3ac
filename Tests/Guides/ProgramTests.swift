import Foundation
import Testing

/// The programs of README and the first guide, run as what they are: other processes, in a folder of their own.
@Suite struct ProgramTests {
    @Test func theReadmesProgramRunsOnceAndAgain() throws {
        let readme = try GuideDocument("README.md")
        let program = try GuideDocument("Tests/ReadmeExample/ReadmeExample.swift").text
        #expect(readme.blocks.first { $0.language == "swift" }.map { $0.code + "\n" } == program)
        #expect(program.split(separator: "\n").count <= 32)
        try withFolder { folder in
            for _ in 1...2 {
                let answer = try output(of: "ReadmeExample", in: folder)
                #expect(
                    answer == """
                        Alps Zermatt
                        """)
            }
            #expect(FileManager.default.fileExists(atPath: folder.appending(path: "trips.sqlite").path))
        }
    }

    @Test func theFirstProgramKeepsItsTripsInTheStoreThatIsAskedFor() throws {
        try withFolder { folder in
            for words in [[], [], ["json"], ["json"]] {
                #expect(try output(of: "StartHere", words, in: folder) == "Alps Zermatt")
            }
            let archive = try String(contentsOf: folder.appending(path: "trips.json"), encoding: .utf8)
            #expect(archive.contains(#"{"$id": 1, "city": "Zermatt", "nights": 3, "trip": 1},"#))
        }
    }

    /// Where programs lie beside the tests.
    private static var products: URL {
        #if os(Linux)
        URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
        #else
        (Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") } ?? .main).bundleURL.deletingLastPathComponent()
        #endif
    }

    private func output(of program: String, _ words: [String] = [], in folder: URL) throws -> String {
        let process = Process()
        process.executableURL = Self.products.appending(path: program)
        process.arguments = words
        process.currentDirectoryURL = folder
        let pipe = Pipe()
        process.standardOutput = pipe
        try process.run()
        let data = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        return String(decoding: data, as: UTF8.self).trimmingCharacters(in: .newlines)
    }
}
