import CofferCore
import Foundation
import Testing

@testable import CofferSQLite

/// Opening a store that was made with another schema.
@Suite struct SchemaChangeTests {
    enum First {
        @Model final class Book {
            var title: String
            init(title: String) { self.title = title }
        }
    }

    enum Second {
        @Model final class Book {
            #Index<Book>([\.title])
            var title: String
            var pages: Int = 7
            var subtitle: String?
            var rating: Double = 2.5
            var kind: Kind = Kind.novel
            var mark: String = "it's"
            @Relationship(inverse: \Author.books) var author: Author?
            var topics: [Topic] = []
            init(title: String) { self.title = title }
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

    func make() throws -> Workshop {
        let shop = try Workshop(First.Book.self)
        let store = try shop.open()
        try shop.save(store, insert: [shop.batch("Book", [(-1, ["title": .text("Emma")])])])
        store.close()
        return shop
    }

    @Test func lightChangesAreMadeAtOnce() throws {
        let shop = try make()
        let schema = Schema([Second.Book.self])
        let identifier = try shop.open(schema: schema).identifier
        #expect(
            try shop.sql("SELECT title, pages, subtitle, rating, kind, mark, author FROM Book")
                == ["Emma|7|NULL|2.5|novel|it's|NULL"])
        #expect(try shop.sql("SELECT count(*) FROM sqlite_master WHERE name = 'Book_title_index'") == ["1"])
        #expect(try shop.sql("SELECT count(*) FROM Author") == ["0"])
        #expect(try shop.sql("SELECT count(*) FROM Book_topics") == ["0"])
        #expect(try shop.sql("SELECT _author_position FROM Book") == ["NULL"])
        // The second time there is nothing to do, and the layout is that of a new file.
        let again = try shop.open(schema: schema)
        #expect(again.identifier == identifier)
        let batch = RowBatch(
            entityName: "Book", width: try #require(again.layout.table(of: "Book")).slotCount, storeIdentifier: nil)
        try again.fetchRows(FetchPlan(entityName: "Book"), into: batch)
        #expect(batch.count == 1)
        try shop.expectSound()
    }

    @Test func lightChangesNeedTheRightToWrite() throws {
        let shop = try make()
        let before = try shop.contents()
        expect(.unknownSchema) { try shop.open(allowsSave: false, schema: Schema([Second.Book.self])) }
        #expect(try shop.contents() == before)
    }

    @Test func changesOfNoConsequenceToTheLayoutAreNoted() throws {
        let shop = try make()
        let newer = Schema([First.Book.self], version: Schema.Version(2, 0, 0))
        _ = try shop.open(schema: newer)
        let stored = try shop.sql("SELECT value FROM _coffer WHERE name = 'schema'")[0]
        #expect(try JSONDecoder().decode(Schema.self, from: Data(stored.utf8)).version == Schema.Version(2, 0, 0))
        #expect(try shop.rows(shop.open(), "Book").count == 1)
    }

    @Test func aStoredSchemaHasTheLayoutOfItsModels() throws {
        for type in [Everything.self, Trip.self, Second.Book.self, Member.self] as [any PersistentModel.Type] {
            let schema = Schema([type])
            let layout = try SQLiteSchema(schema)
            let metadata = try SQLiteMetadata(schema, layout: layout)
            #expect(try SQLiteSchema(metadata.decodedSchema()).creation == layout.creation)
        }
    }

    @Test func namesThatSQLiteConfusesAreToldApart() throws {
        let entities = ["Trip", "TRIP", "sqlite_master", "_coffer", "a\"b'c", "É"].map { name in
            Schema.Entity(
                name, properties: Schema.Attribute(name: "x", valueType: Int.self),
                Schema.Attribute(name: "X", valueType: String?.self),
                Schema.Attribute(name: "_pk", valueType: Int?.self),
                Schema.Attribute(name: "select \"", valueType: Int?.self))
        }
        let layout = try SQLiteSchema(
            Schema(entities[0], entities[1], entities[2], entities[3], entities[4], entities[5]))
        #expect(layout.tables.map(\.name) == ["TRIP", "Trip_2", "_coffer_2", "a\"b'c", "_sqlite_master", "É"])
        let connection = try SQLiteConnection(path: ":memory:", mode: .readWrite, busyTimeout: .zero)
        for statement in layout.creation { try connection.execute(statement) }
    }

    @Test func aHierarchyIsOneTable() throws {
        func schema(_ names: String...) -> Schema {
            let base = Schema.Entity("Base", properties: Schema.Attribute(name: "x", valueType: Int.self))
            let below = names.map { name in
                let entity = Schema.Entity(name, properties: Schema.Attribute(name: "y", valueType: Int.self))
                entity.superentity = base
                return entity
            }
            return below.count == 1 ? Schema(base, below[0]) : Schema(base, below[0], below[1])
        }
        let layout = try SQLiteSchema(schema("Sub"))
        #expect(
            layout.creation == [
                "CREATE TABLE \"Base\" (\n    \"_pk\" INTEGER PRIMARY KEY,\n    _entity TEXT NOT NULL,\n    "
                    + "\"x\" INTEGER NOT NULL,\n    \"Sub_y\" INTEGER\n)",
                "CREATE INDEX \"Base_entity_index\" ON \"Base\" (_entity)",
            ])
        // A sibling with a property of the same name moves nothing.
        let difference = SchemaDifference(from: layout, to: try SQLiteSchema(schema("Sub", "Also")), of: schema("Sub"))
        #expect(difference.obstacles.isEmpty)
        #expect(difference.statements == ["ALTER TABLE \"Base\" ADD COLUMN \"Also_y\" INTEGER"])
        let back = SchemaDifference(from: try SQLiteSchema(schema("Sub", "Also")), to: layout, of: schema("Sub"))
        #expect(back.obstacles.map(\.entity) == ["Also"])
    }
}
