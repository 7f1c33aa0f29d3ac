import CofferCore
import Foundation
import Testing

@Suite("Full text in a schema")
struct FullTextSchemaTests {
    enum Declared {
        @Model class Page {
            #FullText<Page>([\.title])
            #FullText<Page>([\.text, \.title])
            var title: String
            var text: String?
            var number: Int
            init() {
                title = ""
                number = 0
            }
        }

        @Model final class Cover: Page {
            #FullText<Cover>([\.artist])
            var artist: String = ""
            override init() { super.init() }
        }
    }

    enum Wrong {
        @Model final class Page {
            #FullText<Page>([\.number, \.coded, \.kept, \.mood, \.fine])
            var number: Int = 0
            @Attribute(.codable) var coded: String = ""
            @Transient var kept: String = ""
            var mood: Mood = Mood.calm
            var fine: String?
            init() {}
        }

        enum Mood: String, Codable { case calm }
    }

    @Test("is kept by class, each property once")
    func declarations() throws {
        let schema = Schema([Declared.Cover.self])
        let page = try #require(schema.entity(for: Declared.Page.self))
        let cover = try #require(schema.entity(for: Declared.Cover.self))
        #expect(page.fullText == ["title", "text"] && cover.fullText == ["artist"])
        #expect(cover.allFullText == ["title", "text", "artist"])
        #expect(schema.problems.isEmpty)
        #expect(page.debugDescription.contains("full text [title, text]"))
    }

    @Test("goes through the encoded form")
    func coding() throws {
        let schema = Schema([Declared.Cover.self])
        let decoded = try JSONDecoder().decode(Schema.self, from: JSONEncoder().encode(schema))
        #expect(decoded == schema && decoded.problems.isEmpty)
        #expect(decoded.entitiesByName["Page"]?.fullText == ["title", "text"])
        decoded.entitiesByName["Page"]?.fullText = ["title"]
        #expect(decoded != schema)
        let declaration = Schema.FullText<Declared.Page>([\.title, \.text])
        let copy = try JSONDecoder().decode(
            Schema.FullText<Declared.Page>.self, from: JSONEncoder().encode(declaration))
        #expect(copy == declaration && copy.debugDescription == "FullText<Page>([title, text])")
    }

    @Test("takes properties of the type String only")
    func problems() {
        let problems = Schema([Wrong.Page.self]).problems
        #expect(problems.map(\.property) == ["number", "coded", "\\Page.kept", "mood"])
        #expect(problems.allSatisfy { $0.code == .invalidIndex && $0.entity == "Page" })
    }

    @Test("is searched over plain objects, through the class that the code speaks of")
    func plainObjects() {
        let cover = Declared.Cover()
        (cover.title, cover.text, cover.artist) = ("Sea", "waves", "Hokusai")
        let page: Declared.Page = cover
        #expect(cover.matchesFullText("sea hokusai") && !page.matchesFullText("hokusai"))
        #expect(page.matchesFullText("sea wave*") && !page.matchesFullText("-waves"))
        #expect("Great Wave".matchesFullText("wave") && !"Great Wave".matchesFullText("waves"))
    }
}
