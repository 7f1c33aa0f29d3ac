import Coffer
import Foundation
import Testing

extension RowTests {
    /// Opening a store that was made with another schema.
    @Suite("Rows: other schemas") struct SchemaChangeTests {
        enum First {
            @Model final class Book {
                #Index<Book>([\.pages])
                var title: String
                var pages: Int
                init(title: String) {
                    self.title = title
                    pages = 0
                }
            }
        }

        enum Second {
            @Model final class Book {
                #Index<Book>([\.title], [\.rating, \.title])
                var rating: Double = 2.5
                var title: String
                var subtitle: String?
                var pages: Int
                var kind: Kind = Kind.novel
                var mark: String = "it's"
                @Relationship(inverse: \Author.books) var author: Author?
                var topics: [Topic] = []
                init(title: String) {
                    self.title = title
                    pages = 0
                }
            }
            @Model final class Author {
                var name: String
                var books: [Book] = []
                init(name: String) { self.name = name }
            }
            @Model final class Topic {
                var name: String
                init(name: String) { self.name = name }
            }
            enum Kind: String, Codable { case novel, poem }
        }

        enum Refused {
            enum Retyped {
                @Model final class Book {
                    var title: Int
                    var pages: Int
                    init() {
                        title = 0
                        pages = 0
                    }
                }
            }
            enum Required {
                @Model final class Book {
                    var title: String
                    var pages: Int
                    var isbn: String
                    init() {
                        title = ""
                        pages = 0
                        isbn = ""
                    }
                }
            }
            enum Other { @Model final class Paper { var title: String; init() { title = "" } } }
        }

        func make(_ store: TestStore) throws -> RowWorkshop {
            try store.needsPlace()
            let shop = try RowWorkshop(store, First.Book.self)
            try shop.save(insert: [
                shop.batch(
                    "Book", (0..<50).map { (-1 - $0, ["title": .text("title \($0 % 7)"), "pages": .integer($0)]) })
            ])
            return shop
        }

        @Test(arguments: TestStore.rowStores) func lightChangesAreMadeAtOnce(_ store: TestStore) throws {
            let first = try make(store)
            let expected = (0..<50).map { number -> RowWorkshop.Row in
                [
                    "title": .text("title \(number % 7)"), "pages": .integer(Int64(number)), "rating": .real(2.5),
                    "kind": .text("novel"), "mark": .text("it's"), "subtitle": .null, "author": .null,
                ]
            }
            for _ in 0..<2 {
                let shop = try first.reopened(as: Schema([Second.Book.self]))
                #expect(shop.store.identifier == first.store.identifier)
                #expect(try shop.fetch(FetchPlan(entityName: "Book")).map(\.values) == expected)
                #expect(try shop.rows("Author").isEmpty)
                #expect(try shop.related("Book", "topics", [1, 2]).isEmpty)
                // The new indexes have all rows: this order goes by one.
                let sort = [SortKey(path: [shop.slot("Book", "rating")]), SortKey(path: [shop.slot("Book", "title")])]
                #expect(
                    try shop.fetch(FetchPlan(entityName: "Book", sort: sort, limit: 9)).map(\.key)
                        == [1, 8, 15, 22, 29, 36, 43, 50, 2])
            }
        }

        @Test(arguments: TestStore.rowStores) func otherChangesAreRefused(_ store: TestStore) throws {
            let shop = try make(store)
            let before = try shop.dump()
            for (schema, property) in [
                (Schema([Refused.Retyped.Book.self]), "title"), (Schema([Refused.Required.Book.self]), "isbn"),
                (Schema([Refused.Other.Paper.self]), nil),
            ] {
                let error = expect(.unknownSchema) { _ = try shop.reopened(as: schema) }
                #expect(error?.entity == "Book" && error?.property == property)
            }
            #expect(try shop.reopened(as: shop.store.schema).dump() == before)
        }
    }
}
