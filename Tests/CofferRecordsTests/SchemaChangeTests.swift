import CofferCore
import Foundation
import Testing

@testable import CofferRecords

/// Opening a store that was made with another schema.
@Suite("Records: other schemas") struct SchemaChangeTests {
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
        enum Gone { @Model final class Book { var title: String?; init() {} } }
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
        enum Optional {
            @Model final class Book {
                var title: String?
                var pages: Int
                init() { pages = 0 }
            }
        }
        enum Unique {
            @Model final class Book {
                @Attribute(.unique) var title: String
                var pages: Int
                init() {
                    title = ""
                    pages = 0
                }
            }
        }
        enum Other { @Model final class Paper { var title: String; init() { title = "" } } }
    }

    /// An engine that is opened again and again: closing does not end it.
    final class Lasting: RecordEngine, @unchecked Sendable {
        let base: any RecordEngine
        var isReadOnly = false
        var maximumKeySize: Int { base.maximumKeySize }
        var path: String? { base.path }
        init(_ base: any RecordEngine) { self.base = base }
        func read<T>(_ body: (any RecordReader) throws -> T) throws -> T { try base.read(body) }
        func write<T>(_ body: (any RecordWriter) throws -> T) throws -> T { try base.write(body) }
        func close() {}
    }

    func make(_ engine: TestEngine, _ folder: URL) throws -> Lasting {
        let lasting = Lasting(try engine.open(folder))
        let store = try RecordStoreCore(name: "test", schema: Schema([First.Book.self]), engine: lasting)
        let batch = RowBatch(entityName: "Book", width: 2, storeIdentifier: nil)
        for row in 0..<50 {
            batch.appendRow(key: Int64(-1 - row))
            batch.set(.text("title \(row % 7)"), row: row, slot: 0)
            batch.set(.integer(Int64(row)), row: row, slot: 1)
        }
        var changes = RowChanges(editingState: EditingState())
        changes.inserted = [batch]
        _ = try store.commit(changes)
        return lasting
    }

    @Test(arguments: TestEngine.allCases) func lightChangesAreMadeAtOnce(_ kind: TestEngine) throws {
        let folder = try Workshop.makeFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let engine = try make(kind, folder)
        defer { engine.base.close() }
        let schema = Schema([Second.Book.self])
        engine.isReadOnly = true
        expect(.unknownSchema) { _ = try RecordStoreCore(name: "test", schema: schema, engine: engine) }
        engine.isReadOnly = false
        let identifier = try RecordStoreCore(name: "test", schema: Schema([First.Book.self]), engine: engine).identifier
        for _ in 0..<2 {
            let store = try RecordStoreCore(name: "test", schema: schema, engine: engine)
            #expect(store.identifier == identifier)
            let properties = try #require(schema.entitiesByName["Book"]).properties.map(\.name)
            let batch = RowBatch(entityName: "Book", width: properties.count, storeIdentifier: store.identifier)
            try store.fetchRows(FetchPlan(entityName: "Book"), into: batch)
            #expect(batch.count == 50)
            func value(_ name: String, _ row: Int) -> StoredValue {
                batch.value(of: batch.cell(row: row, slot: properties.firstIndex(of: name) ?? 0))
            }
            for row in 0..<50 {
                #expect(value("title", row) == .text("title \(row % 7)") && value("pages", row) == .integer(Int64(row)))
                #expect(value("rating", row) == .real(2.5) && value("kind", row) == .text("novel"))
                #expect(value("subtitle", row) == .null && value("author", row) == .null)
            }
            // The new index is there, and has all rows.
            let index = try #require(store.layout.space(of: "Book")?.indexes.first { $0.properties == "rating, title" })
            #expect(try engine.read { try $0.count(index.table) } == 50)
        }
        expect(.unknownSchema) {
            _ = try RecordStoreCore(name: "test", schema: Schema([First.Book.self]), engine: engine)
        }
    }

    @Test(arguments: TestEngine.allCases) func otherChangesAreRefused(_ kind: TestEngine) throws {
        let folder = try Workshop.makeFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let engine = try make(kind, folder)
        defer { engine.base.close() }
        let schemas: [(Schema, String?)] = [
            (Schema([Refused.Gone.Book.self]), "pages"), (Schema([Refused.Retyped.Book.self]), "title"),
            (Schema([Refused.Required.Book.self]), "isbn"), (Schema([Refused.Optional.Book.self]), "title"),
            (Schema([Refused.Unique.Book.self]), "title"), (Schema([Refused.Other.Paper.self]), nil),
        ]
        for (schema, property) in schemas {
            let error = expect(.unknownSchema) {
                _ = try RecordStoreCore(name: "test", schema: schema, engine: engine)
            }
            #expect(error?.entity == "Book" && error?.property == property)
        }
        let store = try RecordStoreCore(name: "test", schema: Schema([First.Book.self]), engine: engine)
        #expect(try store.countRows(FetchPlan(entityName: "Book")) == 50)
    }

    // MARK: Hierarchies

    enum Few {
        @Model class Trip {
            var name: String
            init(name: String) { self.name = name }
        }
        @Model final class PersonalTrip: Trip {
            var reason: String?
            override init(name: String) { super.init(name: name) }
        }
    }

    enum More {
        @Model class Trip {
            var name: String
            init(name: String) { self.name = name }
        }
        /// Its name comes before that of the other, and it has a property of the same name.
        @Model final class BusinessTrip: Trip {
            var reason: Int
            init(name: String, reason: Int) {
                self.reason = reason
                super.init(name: name)
            }
        }
        @Model final class PersonalTrip: Trip {
            var reason: String?
            var days: Int = 3
            override init(name: String) { super.init(name: name) }
        }
    }

    /// Names and entities of all trips, and their values of one slot.
    func trips(_ store: RecordStoreCore, _ subentities: [String], slot: Int) throws -> [String] {
        let plan = FetchPlan(entityName: "Trip", subentityNames: subentities)
        func space(_ name: String) -> _IdentifierSpace {
            .shared(entityName: name, storeIdentifier: store.identifier)
        }
        let batch = RowBatch(space: space("Trip"), width: 3, subspaces: subentities.map(space))
        try store.fetchRows(plan, into: batch)
        return (0..<batch.count).map {
            "\(batch.entityName(ofRow: $0)) \(batch.value(of: batch.cell(row: $0, slot: slot)))"
        }
    }

    @Test(arguments: TestEngine.allCases) func rowsKeepTheirClassWhenOthersCome(_ kind: TestEngine) throws {
        let folder = try Workshop.makeFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let engine = Lasting(try kind.open(folder))
        defer { engine.base.close() }
        let few = Schema([Few.Trip.self, Few.PersonalTrip.self])
        let more = Schema([More.Trip.self, More.BusinessTrip.self, More.PersonalTrip.self])
        let before = try RecordStoreCore(name: "test", schema: few, engine: engine)
        let plain = RowBatch(entityName: "Trip", width: 1, storeIdentifier: nil)
        plain.set(.text("a"), row: plain.appendRow(key: -1), slot: 0)
        let personal = RowBatch(entityName: "PersonalTrip", width: 2, storeIdentifier: nil)
        personal.set(.text("b"), row: personal.appendRow(key: -2), slot: 0)
        personal.set(.text("rest"), row: 0, slot: 1)
        var changes = RowChanges(editingState: EditingState())
        changes.inserted = [plain, personal]
        _ = try before.commit(changes)
        #expect(try trips(before, ["PersonalTrip"], slot: 0) == ["Trip text(\"a\")", "PersonalTrip text(\"b\")"])

        let after = try RecordStoreCore(name: "test", schema: more, engine: engine)
        let business = RowBatch(entityName: "BusinessTrip", width: 2, storeIdentifier: nil)
        business.set(.text("c"), row: business.appendRow(key: -1), slot: 0)
        business.set(.integer(7), row: 0, slot: 1)
        changes.inserted = [business]
        _ = try after.commit(changes)
        let names = ["BusinessTrip", "PersonalTrip"]
        #expect(
            try trips(after, names, slot: 1)
                == ["Trip null", "PersonalTrip text(\"rest\")", "BusinessTrip integer(7)"])
        #expect(try trips(after, names, slot: 2) == ["Trip null", "PersonalTrip integer(3)", "BusinessTrip null"])
        #expect(try after.countRows(FetchPlan(entityName: "PersonalTrip")) == 1)
        #expect(
            expect(.unknownSchema) { _ = try RecordStoreCore(name: "test", schema: few, engine: engine) }?.entity
                == "BusinessTrip")
    }
}
