import Foundation
import Testing

@testable import CofferCore
@testable import CofferSQLite

/// The FTS5 table beside a table with declared texts.
@Suite struct FullTextIndexTests {
    enum Plain {
        @Model final class Post {
            var title: String
            var body: String?
            var rank: String = ""
            init(_ title: String, _ body: String? = nil) {
                self.title = title
                self.body = body
            }
        }
    }

    enum Declared {
        @Model final class Post {
            #FullText<Post>([\.title, \.body])
            var title: String
            var body: String?
            var rank: String = ""
            init(_ title: String, _ body: String? = nil) {
                self.title = title
                self.body = body
            }
        }
    }

    enum Wider {
        @Model final class Post {
            #FullText<Post>([\.title])
            #FullText<Post>([\.rank, \.added])
            var title: String
            var body: String?
            var rank: String = ""
            var added: String = "new words"
            init(_ title: String) { self.title = title }
        }
    }

    enum Wrong {
        @Model final class Post {
            #FullText<Post>([\.size])
            var size: Int = 0
            init() {}
        }
    }

    let shop: Workshop

    init() throws {
        shop = try Workshop(Declared.Post.self)
    }

    @discardableResult
    func fill(_ store: SQLiteStore) throws -> [Int64] {
        try shop.save(
            store,
            insert: [
                shop.batch(
                    "Post",
                    [
                        (-1, ["title": .text("Zürich im Regen"), "body": .null, "rank": .text("")]),
                        (-2, ["title": .text("Swift"), "body": .text("It's all about DATA"), "rank": .text("swift")]),
                        (-3, ["title": .text("東京"), "body": .text("a\0b"), "rank": .text("")]),
                    ])
            ])[0]
    }

    func keys(_ match: String) throws -> [String] {
        try shop.sql("SELECT rowid FROM Post_words WHERE Post_words MATCH '\(match)' ORDER BY rowid")
    }

    @Test func anySQLiteCanSearchIt() throws {
        let store = try shop.open()
        try fill(store)
        #expect(store.capabilities.features.contains(.fullText))
        #expect(try keys("zurich") == ["1"] && keys("swift") == ["2"] && keys("\"about data\"") == ["2"])
        #expect(
            try keys("\"東 京\"") == ["3"] && keys("b") == ["3"] && keys("title: data") == [] && keys("reg*") == ["1"])
        #expect(
            try shop.sql(
                "SELECT p.title FROM Post p JOIN Post_words w ON w.rowid = p._pk WHERE w.Post_words MATCH 'regen'")
                == ["Zürich im Regen"])
        let rows = try shop.sql("SELECT title, body FROM Post_words")
        #expect(rows == ["zurich im regen|NULL", "swift|it s all about data", "東 京|a b"])
        // The file has no triggers that a shell would stumble over.
        #expect(try shop.sql("SELECT count(*) FROM sqlite_master WHERE type = 'trigger'") == ["0"])
        try shop.expectSound()
    }

    @Test func itFollowsEveryChange() throws {
        let store = try shop.open()
        try fill(store)
        try shop.save(store, update: [shop.batch("Post", [(1, ["body": .text("umbrella")])])])
        #expect(try keys("umbrella AND zurich") == ["1"])
        try shop.save(store, update: [shop.batch("Post", [(1, ["title": .text("Bern")]), (2, ["rank": .text("x")])])])
        #expect(try keys("zurich") == [] && keys("bern") == ["1"] && keys("swift") == ["2"])
        try shop.save(store, delete: [("Post", [1])])
        #expect(try keys("bern") == [] && shop.sql("SELECT count(*) FROM Post_words") == ["2"])
        // A save that fails changes nothing.
        let broken = shop.batch("Post", [(-1, ["title": .text("ghost"), "rank": .text("")]), (-2, ["title": .null])])
        #expect(throws: SwiftDataError.self) { try shop.save(store, insert: [broken]) }
        #expect(try keys("ghost") == [])
        try shop.expectSound()
        try store.erase()
        #expect(try shop.sql("SELECT count(*) FROM Post_words") == ["0"])
        try shop.expectSound()
    }

    private func filter(_ predicate: Predicate<Declared.Post>) throws -> FetchPlan {
        FetchPlan(entityName: "Post", filter: try PredicateLowering.filter(predicate))
    }

    @Test func searchesUseIt() throws {
        let store = try shop.open()
        try fill(store)
        func statement(_ predicate: Predicate<Declared.Post>) throws -> String {
            let query = try SQLQuery.compile(try filter(predicate), store.layout, storeIdentifier: store.identifier)
            return query.select([query.key])
        }
        for predicate in [
            #Predicate<Declared.Post> { $0.matchesFullText("swift data") },
            #Predicate<Declared.Post> { $0.title.matchesFullText("swift OR zurich") && $0.rank == "" },
            #Predicate<Declared.Post> { $0.body?.matchesFullText("data") == true },
            #Predicate<Declared.Post> { $0.matchesFullText("reg*") && $0.matchesFullText("zurich") },
        ] {
            let steps = try shop.sql("EXPLAIN QUERY PLAN " + statement(predicate)).joined(separator: "\n")
            #expect(steps.contains("SCAN Post_words VIRTUAL TABLE INDEX"), "\(steps)")
            #expect(steps.contains("SEARCH t0 USING INTEGER PRIMARY KEY (rowid=?)"), "\(steps)")
        }
        // What the index does not have is read.
        #expect(try !statement(#Predicate { $0.rank.matchesFullText("swift") }).contains("Post_words"))
        #expect(try store.fetchKeys(filter(#Predicate { $0.rank.matchesFullText("swift") })) == [2])
        #expect(try store.fetchKeys(filter(#Predicate { $0.title.matchesFullText("-swift") })) == [1, 3])
        let many = (0..<300).map { "w\($0)" }.joined(separator: " OR ") + " OR swift"
        #expect(try store.fetchKeys(filter(#Predicate { $0.matchesFullText(many) })) == [2])
    }

    @Test func itIsMadeForAFileThatLacksIt() throws {
        let plain = try shop.open(schema: Schema([Plain.Post.self]))
        try fill(plain)
        plain.close()
        #expect(try shop.sql("SELECT count(*) FROM sqlite_master WHERE name LIKE 'Post_words%'") == ["0"])
        try shop.open().close()
        #expect(try keys("zurich") == ["1"] && keys("swift") == ["2"])
        // More texts, one of them in a column that is new: another index of the same name.
        let wider = try shop.open(schema: Schema([Wider.Post.self]))
        #expect(try keys("swift") == ["2"] && keys("data") == [] && keys("words") == ["1", "2", "3"])
        wider.close()
        try shop.expectSound()
    }

    @Test func itGoesWithItsDeclaration() throws {
        let store = try shop.open()
        try fill(store)
        store.close()
        let plain = try shop.open(schema: Schema([Plain.Post.self]))
        #expect(try shop.sql("SELECT count(*) FROM sqlite_master WHERE name LIKE 'Post_words%'") == ["0"])
        try shop.save(plain, update: [shop.batch("Post", [(1, ["title": .text("Basel")])])])
        plain.close()
        try shop.open().close()
        #expect(try keys("basel") == ["1"] && keys("zurich") == [])
        try shop.expectSound()
    }

    @Test func itIsMadeAnewWhenSomebodyDropsIt() throws {
        let store = try shop.open()
        try fill(store)
        store.close()
        _ = try shop.sql("DROP TABLE Post_words")
        _ = try shop.sql("UPDATE Post SET title = 'Uri' WHERE _pk = 1")
        let again = try shop.open()
        #expect(try keys("uri") == ["1"])
        try shop.save(again, update: [shop.batch("Post", [(1, ["title": .text("Glarus")])])])
        #expect(try keys("uri") == [] && keys("glarus") == ["1"])
    }

    @Test func aSecondProcessFollowsToo() throws {
        let store = try shop.open()
        try fill(store)
        let other = try shop.open()
        try shop.save(other, update: [shop.batch("Post", [(1, ["title": .text("Chur")])])])
        #expect(try store.fetchKeys(filter(#Predicate { $0.matchesFullText("chur") })) == [1])
    }

    @Test func onlyReadingItWorks() throws {
        let store = try shop.open()
        try fill(store)
        store.close()
        let reader = try shop.open(allowsSave: false)
        #expect(try reader.fetchKeys(filter(#Predicate { $0.matchesFullText("zurich") })) == [1])
    }

    @Test func namesThatAreTakenAreLeftAlone() throws {
        let words = Schema.Entity("Post_words_data", properties: Schema.Attribute(name: "x", valueType: Int.self))
        let post = Schema.Entity(
            "Post", properties: Schema.Attribute(name: "rank", valueType: String.self),
            Schema.Attribute(name: "rowid", valueType: String.self))
        post.fullText = ["rank", "rowid"]
        let layout = try SQLiteSchema(Schema(post, words))
        let index = try #require(layout.fullTexts["Post"])
        #expect(index.name == "Post_words_2")
        #expect(index.columns.map(\.indexed) == ["rank_2", "rowid_2"])
    }

    @Test func onlyTextCanBeDeclared() throws {
        let problems = Schema([Wrong.Post.self]).problems
        #expect(problems.map(\.code) == [.invalidIndex])
        #expect(problems.first?.property == "size")
    }
}
