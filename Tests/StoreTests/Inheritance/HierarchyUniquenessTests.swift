import Coffer
import Foundation
import Testing

/// Constraints of a base, of a subclass over its own property, and of a subclass over an inherited one.
enum Stockroom {
    @Model class Item {
        #Unique<Item>([\.code])
        #Index<Item>([\.price])
        var code: String
        var title: String
        var price: Int
        init(_ code: String, _ title: String = "", price: Int = 0) {
            self.code = code
            self.title = title
            self.price = price
        }
    }
    @Model class Book: Item {
        #Unique<Book>([\.isbn])
        #Index<Book>([\.pages])
        var isbn: String?
        var pages: Int
        init(_ code: String, _ title: String = "", isbn: String? = nil, pages: Int = 0) {
            self.isbn = isbn
            self.pages = pages
            super.init(code, title)
        }
    }
    @Model final class Comic: Book {
        var artist: String
        init(_ code: String, _ title: String = "", isbn: String? = nil, artist: String = "") {
            self.artist = artist
            super.init(code, title, isbn: isbn)
        }
    }
    @Model class Film: Item {
        #Unique<Film>([\.title])
        var minutes: Int
        init(_ code: String, _ title: String, minutes: Int) {
            self.minutes = minutes
            super.init(code, title)
        }
    }
    static let models: [any PersistentModel.Type] = [Item.self, Book.self, Comic.self, Film.self]
}

@Suite("Uniqueness in a hierarchy")
struct HierarchyUniquenessTests {
    static func place(_ store: TestStore) throws -> TestPlace {
        try store.needs(.uniqueness)
        return try TestPlace(store, models: Stockroom.models)
    }

    @Test("a new model of the same class updates the row", arguments: TestStore.all)
    func upsert(_ store: TestStore) throws {
        let place = try Self.place(store)
        let context = place.context()
        let first = Stockroom.Comic("a", "one", artist: "x")
        context.insert(first)
        try context.save()
        let second = Stockroom.Comic("a", "two", artist: "y")
        context.insert(second)
        try context.save()
        #expect(try context.only(Stockroom.Item.self) === first)
        for context in try place.newContexts() {
            let comic = try context.only(Stockroom.Comic.self)
            #expect(comic.title == "two" && comic.artist == "y")
        }
        // Two of one save, too.
        context.insert(Stockroom.Book("b", "1", pages: 1))
        context.insert(Stockroom.Book("b", "2", pages: 2))
        try context.save()
        #expect(try place.context().all(Stockroom.Book.self, where: #Predicate { $0.code == "b" }).map(\.pages) == [2])
    }

    @Test("a model of another class with the same values is refused and nothing is lost", arguments: TestStore.all)
    func otherClass(_ store: TestStore) throws {
        let place = try Self.place(store)
        let context = place.context()
        context.insert(Stockroom.Book("a", "book", pages: 7))
        try context.save()
        for make in [
            { Stockroom.Item("a", "x") }, { Stockroom.Film("a", "x", minutes: 1) }, { Stockroom.Comic("a", "x") },
        ] {
            let other = make()
            context.insert(other)
            context.insert(Stockroom.Item("fine"))
            let error = #expect(throws: SwiftDataError.self) { try context.save() }
            #expect(error?.code == .uniquenessConflict)
            #expect(error?.entity == "\(type(of: other))" && error?.property == "code")
            #expect(error?.description.contains("Book") == true)
            #expect(context.insertedModelsArray.count == 2)
            for context in try place.newContexts() {
                #expect(try context.all(Stockroom.Item.self).map(\.title) == ["book"])
                #expect(try context.only(Stockroom.Book.self).pages == 7)
            }
            context.rollback()
        }
        // Of one save.
        context.insert(Stockroom.Item("b"))
        let film = Stockroom.Film("b", "t", minutes: 1)
        context.insert(film)
        #expect(throws: SwiftDataError.uniquenessConflict) { try context.save() }
        film.code = "c"
        try context.save()
        #expect(try place.context().count(Stockroom.Item.self) == 3)
    }

    @Test("a changed model may not take a value of any class", arguments: TestStore.all)
    func changed(_ store: TestStore) throws {
        let place = try Self.place(store)
        let context = place.context()
        let (book, film) = (Stockroom.Book("a"), Stockroom.Film("b", "t", minutes: 1))
        context.insert(book)
        context.insert(film)
        try context.save()
        film.code = "a"
        #expect(throws: SwiftDataError.uniquenessConflict) { try context.save() }
        // A swap between two classes goes through.
        book.code = "b"
        try context.save()
        #expect(try place.context().only(Stockroom.Film.self).code == "a")
        #expect(try place.context().only(Stockroom.Book.self).code == "b")
    }

    @Test("a subclass' constraint over its own property holds below it", arguments: TestStore.all)
    func ownProperty(_ store: TestStore) throws {
        let place = try Self.place(store)
        let context = place.context()
        context.insert(Stockroom.Comic("a", "1", isbn: "i"))
        context.insert(Stockroom.Item("b"))
        context.insert(Stockroom.Book("c"))
        context.insert(Stockroom.Book("d"))
        try context.save()
        context.insert(Stockroom.Book("e", isbn: "i"))
        #expect(throws: SwiftDataError.uniquenessConflict) { try context.save() }
        context.rollback()
        context.insert(Stockroom.Comic("a", "2", isbn: "i"))
        try context.save()
        #expect(try place.context().only(Stockroom.Comic.self).title == "2")
        #expect(try place.context().count(Stockroom.Item.self) == 4)
    }

    @Test("a subclass' constraint over an inherited property holds for it alone", arguments: TestStore.all)
    func inheritedProperty(_ store: TestStore) throws {
        let place = try Self.place(store)
        let context = place.context()
        context.insert(Stockroom.Book("a", "same"))
        context.insert(Stockroom.Item("b", "same"))
        context.insert(Stockroom.Film("c", "same", minutes: 1))
        try context.save()
        context.insert(Stockroom.Film("d", "same", minutes: 2))
        try context.save()
        for context in try place.newContexts() {
            #expect(try context.count(Stockroom.Item.self, where: #Predicate { $0.title == "same" }) == 3)
            let film = try context.only(Stockroom.Film.self, where: #Predicate { $0.title == "same" })
            #expect(film.code == "d" && film.minutes == 2)
        }
    }

    @Test("indexes of base and subclass change no result", arguments: TestStore.all)
    func indexes(_ store: TestStore) throws {
        let place = try TestPlace(store, models: Stockroom.models)
        let context = place.context()
        for number in 0..<40 {
            let item =
                number % 2 == 0
                ? Stockroom.Item("\(number)", price: number) : Stockroom.Book("\(number)", pages: number)
            item.price = number
            context.insert(item)
        }
        try context.save()
        for context in try place.newContexts() {
            for _ in 0..<3 {
                #expect(try context.count(Stockroom.Item.self, where: #Predicate { $0.price >= 30 }) == 10)
                #expect(try context.count(Stockroom.Book.self, where: #Predicate { $0.price >= 30 }) == 5)
                #expect(try context.count(Stockroom.Book.self, where: #Predicate { $0.pages < 10 }) == 5)
                let books = try context.all(
                    Stockroom.Book.self, by: SortDescriptor(\.pages), where: #Predicate { $0.pages > 35 })
                #expect(books.map(\.pages) == [37, 39])
            }
        }
    }
}
