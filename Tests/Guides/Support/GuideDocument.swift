import Foundation

/// A page of the repository, with the blocks of code that it shows.
struct GuideDocument {
    struct Block {
        let language: String
        let line: Int
        let code: String
    }

    static let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..")
        .standardizedFileURL

    /// Relative to the repository.
    let path: String
    let text: String

    init(_ path: String) throws {
        self.path = path
        text = try String(contentsOf: Self.root.appending(path: path), encoding: .utf8)
    }

    /// Every page that a reader may come to.
    static func all() throws -> [GuideDocument] {
        var paths = ["README.md", "CONTRIBUTING.md", "Benchmarks/README.md"]
        paths += try files(in: "Docs").filter { $0.hasSuffix(".md") }
        for folder in ["Stores", "Docs/Examples"] { paths += try files(in: folder).map { $0 + "/README.md" } }
        return try paths.filter { FileManager.default.fileExists(atPath: root.appending(path: $0).path) }.map(Self.init)
    }

    private static func files(in folder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: root.appending(path: folder).path).sorted()
            .map { "\(folder)/\($0)" }
    }

    /// The blocks between lines of three back quotes, wherever they are indented to.
    var blocks: [Block] {
        var blocks: [Block] = []
        var open: (language: String, line: Int)?
        var code: [Substring] = []
        for (number, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            let trimmed = line.trimmingCharacters(in: .whitespaces)
            guard trimmed.hasPrefix("```") else {
                if open != nil { code.append(line) }
                continue
            }
            if let (language, line) = open {
                blocks.append(Block(language: language, line: line, code: code.joined(separator: "\n")))
                open = nil
                code = []
            } else {
                open = (String(trimmed.dropFirst(3)), number + 1)
            }
        }
        return blocks
    }
}
