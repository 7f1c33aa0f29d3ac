import Coffer
import Foundation
import Testing

@Model final class Shelf {
    var label: String
    @Relationship(deleteRule: .cascade, inverse: \Book.shelf) var books: [Book] = []
    init(_ label: String, pages: [Int]) {
        self.label = label
        books = pages.map(Book.init)
    }
}

@Model final class Book {
    var pages: Int
    var shelf: Shelf?
    init(_ pages: Int) { self.pages = pages }
}

@Suite("A to-many relationship that is empty, or not")
struct EmptyToManyTests {
    static func make(_ store: TestStore) throws -> (place: TestPlace, context: ModelContext) {
        let place = try TestPlace(store, Shelf.self)
        let context = place.context()
        context.insert(Shelf("S1", pages: []))
        context.insert(Shelf("S2", pages: [120]))
        context.insert(Shelf("S3", pages: [50, 310, 400]))
        try context.save()
        return (place, context)
    }

    static var cases: [(String, Predicate<Shelf>, Set<String>)] {
        [
            ("isEmpty", #Predicate { $0.books.isEmpty }, ["S1"]),
            ("isEmpty == true", #Predicate { $0.books.isEmpty == true }, ["S1"]),
            ("count == 0", #Predicate { $0.books.count == 0 }, ["S1"]),
            ("count < 1", #Predicate { $0.books.count < 1 }, ["S1"]),
            ("!(count > 0)", #Predicate { !($0.books.count > 0) }, ["S1"]),
            ("!contains true", #Predicate { !$0.books.contains { _ in true } }, ["S1"]),
            ("filter count == 0", #Predicate { $0.books.filter { $0.pages > 0 }.count == 0 }, ["S1"]),
            ("!isEmpty", #Predicate { !$0.books.isEmpty }, ["S2", "S3"]),
            ("isEmpty == false", #Predicate { $0.books.isEmpty == false }, ["S2", "S3"]),
            ("count > 0", #Predicate { $0.books.count > 0 }, ["S2", "S3"]),
            ("count != 0", #Predicate { $0.books.count != 0 }, ["S2", "S3"]),
            ("0 < count", #Predicate { 0 < $0.books.count }, ["S2", "S3"]),
            ("count > 1", #Predicate { $0.books.count > 1 }, ["S3"]),
            ("count == 1", #Predicate { $0.books.count == 1 }, ["S2"]),
            ("contains", #Predicate { $0.books.contains { $0.pages > 300 } }, ["S3"]),
            ("!contains", #Predicate { !$0.books.contains { $0.pages > 300 } }, ["S1", "S2"]),
            ("allSatisfy", #Predicate { $0.books.allSatisfy { $0.pages > 100 } }, ["S1", "S2"]),
            ("filter count", #Predicate { $0.books.filter { $0.pages > 300 }.count == 2 }, ["S3"]),
            ("filter isEmpty", #Predicate { $0.books.filter { $0.pages > 300 }.isEmpty }, ["S1", "S2"]),
            (
                "isEmpty || contains", #Predicate { $0.books.isEmpty || $0.books.contains { $0.pages == 50 } },
                ["S1", "S3"]
            ),
        ]
    }

    @Test("is found in every spelling", arguments: TestStore.all)
    func spellings(_ store: TestStore) throws {
        let (place, context) = try Self.make(store)
        for (name, predicate, labels) in Self.cases {
            #expect(try Set(context.all(Shelf.self, where: predicate).map(\.label)) == labels, "\(name)")
            #expect(try Set(place.context().all(Shelf.self, where: predicate).map(\.label)) == labels, "\(name), fresh")
            #expect(try place.context().count(Shelf.self, where: predicate) == labels.count, "\(name), counted")
        }
    }

    @Test("is found as unsaved changes have it", arguments: TestStore.all)
    func pendingChanges(_ store: TestStore) throws {
        let (place, context) = try Self.make(store)
        let second = try context.only(Shelf.self, where: #Predicate { $0.label == "S2" })
        let first = try context.only(Shelf.self, where: #Predicate { $0.label == "S1" })
        first.books = second.books
        #expect(try context.all(Shelf.self, where: #Predicate { $0.books.isEmpty }).map(\.label) == ["S2"])
        #expect(try context.count(Shelf.self, where: #Predicate { $0.books.count == 1 }) == 1)
        try context.save()
        for context in try place.newContexts() {
            #expect(try context.all(Shelf.self, where: #Predicate { $0.books.isEmpty }).map(\.label) == ["S2"])
        }
    }

    @Test("is deleted alone where the predicate is that of a batch delete", arguments: TestStore.all)
    func batchDelete(_ store: TestStore) throws {
        for (name, predicate, labels) in Self.cases {
            let (place, context) = try Self.make(store)
            let books = try context.all(Shelf.self, where: predicate).reduce(0) { $0 + $1.books.count }
            try context.delete(model: Shelf.self, where: predicate)
            try context.save()
            for context in try place.newContexts() {
                let left = try Set(context.all(Shelf.self).map(\.label))
                #expect(left == Set(["S1", "S2", "S3"]).subtracting(labels), "\(name)")
                #expect(try context.count(Book.self) == 4 - books, "\(name)")
            }
        }
    }
}
