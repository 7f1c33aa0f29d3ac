import Foundation
import Testing

@testable import CofferCommand

@Suite struct BrowseCommandTests {
    @Test(arguments: SampleStore.allCases)
    func thePageHasAllRowsAndAsksNobodyForAnything(_ kind: SampleStore) throws {
        try withTemporaryFolder { folder in
            let path = try kind.make(in: folder)
            let page = folder + "/page.html"
            #expect(coffer("browse", path, "-o", page).code == 0)
            let text = try String(contentsOfFile: page, encoding: .utf8)
            #expect(text == coffer("browse", path).output)
            // The only addresses are the name of SVG's elements and the one in the data.
            let addresses = text.matches(of: /https?:\/\/[^"\s]+/).map { String($0.0) }
            #expect(Set(addresses) == ["http://www.w3.org/2000/svg", "https://example.org/alps?x=1"])
            #expect(text.contains("default-src 'none'"))
            #expect(!text.contains("\u{1b}"))
            let start = try #require(text.range(of: "<script id=\"data\" type=\"application/json\">"))
            let end = try #require(text.range(of: "</script>", range: start.upperBound..<text.endIndex))
            guard case .array(let entities) = try JSONValue(text[start.upperBound..<end.lowerBound].utf8) else {
                throw MissingJSON("no array")
            }
            #expect(entities.map { $0["name"]?.text } == ["Guide", "Halt", "Sailer", "Vessel", "Voyage"])
            #expect(
                entities[1]["rows"]
                    == .array([
                        .array([.number("1"), .string("Zermatt"), .string("3"), .number("1")]),
                        .array([.number("2"), .string("Chamonix"), .string("1"), .number("3")]),
                        .array([.number("3"), .string("Aosta"), .string("2"), .number("1")]),
                    ]))
            guard case .array(let voyages)? = entities[4]["rows"], case .array(let coast) = voyages[1] else {
                throw MissingJSON("no rows")
            }
            #expect(coast[1] == .string("Coast <script>\u{1b}[31m"))
        }
    }

    @Test func rowsBeyondTheLimitAreLeftOutAndCounted() throws {
        try withTemporaryFolder { folder in
            let run = coffer("browse", try SampleStore.sqlite.make(in: folder), "--rows", "2")
            #expect(run.output.contains("Chamonix"))
            #expect(!run.output.contains("Aosta"))
            #expect(run.output.contains("\"name\": \"Halt\", \"parent\": null, \"count\": 3"))
        }
    }

    @Test func theDrawingHasABoxForEachEntityAndALineForEachRelationship() throws {
        try withTemporaryFolder { folder in
            let store = try StorePlace(SampleStore.sqlite.make(in: folder)).open()
            let svg = SchemaDrawing(store.schema).svg
            #expect(svg.matches(of: /<rect\b/).count == 5)
            // Halts, guides and the vessel of a voyage; both sides of each are one line.
            #expect(svg.matches(of: /class="relationship"/).count == 3)
            #expect(svg.matches(of: /class="parent"/).count == 1)
            #expect(svg.contains("halts: [Halt]"))
        }
    }

    @Test func aPageThatIsThereIsNotOverwritten() throws {
        try withTemporaryFolder { folder in
            let path = try SampleStore.json.make(in: folder)
            #expect(coffer("browse", path, "-o", folder + "/page.html").code == 0)
            expectFailure(coffer("browse", path, "-o", folder + "/page.html"), "page.html: File exists")
        }
    }
}
