import Foundation

/// Makes articles of the guides. The guides stay what they are, pages that can be read in the repository; their links lead
/// to articles and headings of the site here, or name the file where the site does not have it.
struct Articles {
    fileprivate struct Guide {
        /// Relative to the repository.
        let path: String
        let name: String
        let text: String
    }

    private let root: URL
    private let guides: [Guide]

    init(root: URL) throws {
        self.root = root
        var paths = try FileManager.default.contentsOfDirectory(atPath: root.appending(path: "Docs").path).sorted()
            .filter { $0.hasSuffix(".md") }.map { "Docs/\($0)" }
        paths += try FileManager.default.contentsOfDirectory(atPath: root.appending(path: "Stores").path).sorted()
            .map { "Stores/\($0)/README.md" }
        paths += try FileManager.default.contentsOfDirectory(atPath: root.appending(path: "Docs/Examples").path)
            .sorted()
            .map { "Docs/Examples/\($0)/README.md" }
        guides = try paths.filter { FileManager.default.fileExists(atPath: root.appending(path: $0).path) }.map {
            let text = try String(contentsOf: root.appending(path: $0), encoding: .utf8)
            return Guide(path: $0, name: Self.name(of: $0), text: text)
        }
    }

    /// `Docs/Queries.md` is `Queries`; `Stores/SQLite/README.md` is `Store-SQLite`.
    private static func name(of path: String) -> String {
        let parts = path.split(separator: "/")
        switch (parts.first, parts.count) {
        case ("Docs", 2): return String(parts[1].dropLast(3))
        case ("Stores", _): return "Store-\(parts[1])"
        default: return "Example-\(parts[2])"
        }
    }

    /// Writes the articles into a catalogue, and lists those on its first page that nothing else does.
    func write(into catalogue: URL) throws {
        for guide in guides {
            let text = try linked(guide)
            try text.write(to: catalogue.appending(path: "\(guide.name).md"), atomically: true, encoding: .utf8)
        }
        let home = catalogue.appending(path: "Home.md")
        var text = try String(contentsOf: home, encoding: .utf8)
        let others = guides.map(\.name).filter { !text.contains("<doc:\($0)>") }
        if !others.isEmpty {
            text += "\n### More\n\n" + others.map { "- <doc:\($0)>\n" }.joined()
            try text.write(to: home, atomically: true, encoding: .utf8)
        }
    }

    // MARK: Links

    private func linked(_ guide: Guide) throws -> String {
        var isCode = false
        var lines: [String] = []
        // A link may go over the end of a line; no code block does.
        var pending = ""
        func flush() throws {
            lines.append(
                try pending.replacing(#/\[([^\]\[]+)\]\(([^)\s]+)\)/#) { try link($0.1, to: $0.2, from: guide) })
            pending = ""
        }
        for line in guide.text.components(separatedBy: "\n") {
            if line.trimmingCharacters(in: .whitespaces).hasPrefix("```") {
                if !isCode { try flush() }
                isCode.toggle()
                lines.append(line)
            } else if isCode {
                lines.append(line)
            } else {
                pending += pending.isEmpty ? line : "\n" + line
            }
        }
        try flush()
        return lines.joined(separator: "\n")
    }

    private func link(_ text: Substring, to target: Substring, from guide: Guide) throws -> String {
        if target.contains("://") { return "[\(text)](\(target))" }
        let parts = target.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
        let path = parts[0].isEmpty ? guide.path : resolved(parts[0], from: guide)
        let page = guides.first { $0.path == path || $0.path == path + "/README.md" }
        guard let page else {
            guard FileManager.default.fileExists(atPath: root.appending(path: path).path) else {
                throw SiteProblem("\(guide.path): there is no \(path)")
            }
            return text.contains(path.split(separator: "/").last ?? "") ? String(text) : "\(text) (`\(path)`)"
        }
        guard parts.count == 2 else { return "[\(text)](doc:\(page.name))" }
        guard let heading = page.headings.first(where: { Guide.slug($0) == parts[1] }) else {
            throw SiteProblem("\(guide.path): \(page.path) has no heading #\(parts[1])")
        }
        return "[\(text)](doc:\(page.name)#\(heading.replacing("`", with: "").replacing(" ", with: "-")))"
    }

    /// A path relative to the repository.
    private func resolved(_ target: Substring, from guide: Guide) -> String {
        let folder = root.appending(path: guide.path).deletingLastPathComponent()
        let path = folder.appending(path: String(target)).standardizedFileURL.path
        let base = root.standardizedFileURL.path
        let relative = path.hasPrefix(base) ? String(path.dropFirst(base.count).drop { $0 == "/" }) : path
        return relative.hasSuffix("/") ? String(relative.dropLast()) : relative
    }
}

extension Articles.Guide {
    /// The headings, without their marks.
    var headings: [String] {
        text.matches(of: #/^#{2,6} (.+)$/#.anchorsMatchLineEndings()).map { String($0.1) }
    }

    /// The name that repositories' pages give a heading: `What a case needs` is `what-a-case-needs`.
    static func slug(_ heading: String) -> String {
        String(heading.lowercased().filter { $0.isLetter || $0.isNumber || $0 == " " || $0 == "-" })
            .replacing(" ", with: "-")
    }
}
