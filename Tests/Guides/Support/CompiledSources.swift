import Foundation

/// The sources that the guides' blocks are taken from: all of it is compiled, and most of it run.
struct CompiledSources {
    private var code: [String] = []
    private var lines: [String] = []

    init() throws {
        for folder in ["Tests/Guides", "Tests/ReadmeExample", "Docs/Examples"] {
            let place = GuideDocument.root.appending(path: folder)
            for path in try FileManager.default.subpathsOfDirectory(atPath: place.path)
            where path.hasSuffix(".swift") && !path.contains(".build/") {
                var text = try String(contentsOf: place.appending(path: path), encoding: .utf8)
                // The examples lie within Coffer; their readers' packages will not.
                if path.hasSuffix("Package.swift") { text.replace("path: \"../../..\"", with: "path: \"../coffer\"") }
                code.append(Self.closed(text))
                lines.append(Self.plain(text))
            }
        }
    }

    /// Whether some source has the code of a block, whatever the white space: at another depth the formatter breaks other
    /// lines.
    func contain(code block: String) -> Bool {
        let block = Self.closed(block)
        return code.contains { $0.contains(block) }
    }

    /// Whether some source has an output as it stands, at any depth: as a literal of a test.
    func contain(output block: String) -> Bool {
        let block = Self.plain(block)
        return lines.contains { $0.contains(block) }
    }

    private static func closed(_ text: String) -> String { text.filter { !$0.isWhitespace } }

    private static func plain(_ text: String) -> String {
        let lines = text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
        return "\n" + lines.joined(separator: "\n") + "\n"
    }
}
