import Foundation
import Testing

@Suite struct LinkTests {
    @Test func linksLeadToFilesAndHeadings() throws {
        let root = GuideDocument.root
        var count = 0
        for document in try GuideDocument.all() {
            let folder = root.appending(path: document.path).deletingLastPathComponent()
            for match in document.text.matches(of: #/\]\(([^)\s#]*)(?:#([^)\s]+))?\)/#) where !match.1.contains("://") {
                count += 1
                let target =
                    match.1.isEmpty
                    ? root.appending(path: document.path) : folder.appending(path: String(match.1)).standardizedFileURL
                let place: Comment = "\(document.path): \(match.0)"
                #expect(FileManager.default.fileExists(atPath: target.path), place)
                if let heading = match.2 {
                    let text = try String(contentsOf: target, encoding: .utf8)
                    #expect(headings(of: text).contains(String(heading)), place)
                }
            }
        }
        #expect(count > 50)
    }

    @Test func theReadmeLeadsToEveryGuide() throws {
        let readme = try GuideDocument("README.md").text
        for document in try GuideDocument.all() where document.path.hasPrefix("Docs/") {
            let path = document.path.hasSuffix("/README.md") ? String(document.path.dropLast(10)) : document.path
            let isThere = readme.contains("](\(path))") || readme.contains("](\(path)#")
            #expect(isThere, "README.md does not link \(path)")
        }
    }

    @Test func theArchitectureNamesFilesThatAreThere() throws {
        let text = try GuideDocument("Docs/Architecture.md").text
        let parts = try #require(text.components(separatedBy: "## Decisions").first)
        var files: Set<String> = []
        for folder in ["Sources", "Stores"] {
            let place = GuideDocument.root.appending(path: folder)
            for path in try FileManager.default.subpathsOfDirectory(atPath: place.path) {
                let names = "\(folder)/\(path)".split(separator: "/")
                for first in names.indices { files.insert(names[first...].joined(separator: "/")) }
            }
        }
        var count = 0
        for match in parts.matches(of: #/`([A-Za-z+]+(?:\/[A-Za-z+-]+)*(?:\.swift|\.md)?)`/#) {
            let name = String(match.1)
            let isPath = name.contains("/") || name.hasSuffix(".swift") || name.hasSuffix(".md")
            if !isPath { continue }
            count += 1
            let isThere =
                files.contains(name)
                || FileManager.default.fileExists(atPath: GuideDocument.root.appending(path: name).path)
            #expect(isThere, "there is no \(name)")
        }
        #expect(count > 40)
    }

    /// The names that repositories' pages give headings.
    private func headings(of text: String) -> Set<String> {
        var names: Set<String> = []
        for match in text.matches(of: #/^#{1,6} (.+)$/#.anchorsMatchLineEndings()) {
            let kept = match.1.lowercased().filter { $0.isLetter || $0.isNumber || $0 == " " || $0 == "-" }
            names.insert(kept.replacing(" ", with: "-"))
        }
        return names
    }
}
