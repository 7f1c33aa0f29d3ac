import CofferConformance
import Foundation
import Testing

/// `Docs/WritingAStore.md` shows code of this package and of its neighbour, and nothing else.
@Suite struct GuideTests {
    private static let examples = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../..").standardizedFileURL
    private let guide: String

    init() throws {
        let file = Self.examples.appendingPathComponent("../WritingAStore.md").standardizedFileURL
        guide = try String(contentsOf: file, encoding: .utf8)
    }

    @Test func eachBlockIsCodeThatIsCompiled() throws {
        var sources: [String] = []
        for package in ["ArchiveStore", "LogStore"] {
            for folder in ["Sources", "Tests"] {
                let place = Self.examples.appendingPathComponent("\(package)/\(folder)")
                for path in try FileManager.default.subpathsOfDirectory(atPath: place.path)
                where path.hasSuffix(".swift") {
                    sources.append(
                        trimmed(try String(contentsOf: place.appendingPathComponent(path), encoding: .utf8)))
                }
            }
        }
        let blocks = guide.components(separatedBy: "```swift\n").dropFirst().map {
            $0.components(separatedBy: "```")[0]
        }
        #expect(blocks.count > 15)
        for block in blocks {
            let code = trimmed(block)
            #expect(sources.contains { $0.contains(code) }, "copy it between the guide and the example")
        }
    }

    @Test func theCasesThatAreNamedExist() {
        let known = Set(Conformance.cases.map(\.id))
        let areas = Set(Conformance.cases.map(\.area))
        let named = guide.matches(of: #/\b([a-z]+)\.[a-z0-9-]+(?=[:,])/#).filter { areas.contains(String($0.1)) }
        #expect(named.count >= 3)
        for match in named { #expect(known.contains(String(match.0))) }
    }

    @Test func everyNeedIsListed() {
        let needs = Set(Conformance.cases.flatMap { $0.needs + [$0.refuses].compactMap(\.self) })
        #expect(needs.count > 15)
        let table =
            guide.components(separatedBy: "| `ConformanceNeed` |").last?.components(separatedBy: "\n\n")[0] ?? ""
        for need in needs { #expect(table.contains("`\(need.name)`"), "\(need)") }
    }

    @Test func linksLeadSomewhere() {
        let links = guide.matches(of: #/\]\(([A-Za-z/.]+)[)#]/#).map { String($0.1) }
        #expect(links.count >= 3)
        for link in links {
            let place = Self.examples.appendingPathComponent("../\(link)").standardizedFileURL
            #expect(FileManager.default.fileExists(atPath: place.path), "\(link)")
        }
    }

    private func trimmed(_ code: String) -> String {
        code.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
            .joined(separator: "\n")
    }
}
