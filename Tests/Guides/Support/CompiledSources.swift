import Foundation

/// The sources that the guides' blocks are taken from: all of it is compiled, and most of it run.
struct CompiledSources {
    private var texts: [String] = []

    init() throws {
        for folder in ["Tests/Guides", "Tests/ReadmeExample", "Docs/Examples"] {
            let place = GuideDocument.root.appending(path: folder)
            for path in try FileManager.default.subpathsOfDirectory(atPath: place.path)
            where path.hasSuffix(".swift") && !path.contains(".build/") {
                var text = try String(contentsOf: place.appending(path: path), encoding: .utf8)
                // The examples lie within Coffer; their readers' packages will not.
                if path.hasSuffix("Package.swift") { text.replace("path: \"../../..\"", with: "path: \"../coffer\"") }
                texts.append(Self.plain(text))
            }
        }
    }

    /// Whether some source has the lines one behind the other; white space does not count.
    func contain(_ code: String) -> Bool {
        let code = Self.plain(code)
        return texts.contains { $0.contains(code) }
    }

    private static func plain(_ code: String) -> String {
        let lines = code.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
        return "\n" + lines.joined(separator: "\n") + "\n"
    }
}
