import Foundation
import Testing

/// Pages show code that is compiled and run, and nothing else.
@Suite struct BlockTests {
    @Test func everyBlockStandsInASourceThatIsCompiled() throws {
        let sources = try CompiledSources()
        var count = 0
        for document in try GuideDocument.all() {
            for block in document.blocks where ["swift", "text"].contains(block.language) {
                count += 1
                let isThere =
                    block.language == "swift"
                    ? sources.contain(code: block.code) : sources.contain(output: block.code)
                #expect(
                    isThere,
                    "\(document.path):\(block.line) is in no example; write it there, and copy it here")
            }
        }
        #expect(count > 60)
    }

    /// Swift and its output are checked here; what the command answers by its own tests; data by those of its format.
    @Test func everyBlockSaysWhatItIs() throws {
        let known: Set = ["swift", "text", "json", "console", "mermaid", "sh", "sql"]
        for document in try GuideDocument.all() {
            for block in document.blocks {
                #expect(known.contains(block.language), "\(document.path):\(block.line)")
            }
        }
    }

    @Test func noSwiftHidesInIndentedBlocks() throws {
        let swift = #/^(    |\t)(import [A-Z]|@Model|@ModelActor|let \w+ =|var \w+|func \w+|try |struct |final class )/#
        for document in try GuideDocument.all() {
            var isFenced = false
            for (number, line) in document.text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
                if line.trimmingCharacters(in: .whitespaces).hasPrefix("```") { isFenced.toggle() }
                if isFenced { continue }
                #expect(line.prefixMatch(of: swift) == nil, "\(document.path):\(number + 1) needs ```swift")
            }
        }
    }
}
