import Coffer
import Foundation
import Testing

@Model final class Publisher {
    @Attribute(.unique) var code: String
    @Relationship(deleteRule: .cascade, inverse: \Volume.publisher) var volumes: [Volume] = []
    init(_ code: String) { self.code = code }
}

/// Unique by a number, by two values together, and by a link and a value together.
@Model final class Volume {
    #Unique<Volume>([\.isbn], [\.series, \.part], [\.publisher, \.shelf])
    var isbn: Int?
    var series: String?
    var part: Int
    var shelf: Int?
    var note: String?
    var publisher: Publisher?
    var tags: [Keyword] = []
    init(isbn: Int? = nil, series: String? = nil, part: Int = 0, shelf: Int? = nil, note: String? = nil) {
        self.isbn = isbn
        self.series = series
        self.part = part
        self.shelf = shelf
        self.note = note
    }
}

@Model final class Keyword {
    @Attribute(.unique) var word: String
    @Relationship(inverse: \Volume.tags) var volumes: [Volume] = []
    init(_ word: String) { self.word = word }
}

/// One of these for each publisher.
@Model final class Contract {
    @Relationship(.unique) var publisher: Publisher?
    var years: Int
    init(_ publisher: Publisher?, _ years: Int) {
        self.publisher = publisher
        self.years = years
    }
}

@Suite("Uniqueness constraints")
struct ConstraintTests {
    static func make(_ store: TestStore) throws -> (place: TestPlace, context: ModelContext) {
        try store.needs(.uniqueness)
        let place = try TestPlace(store, Publisher.self, Volume.self, Keyword.self, Contract.self)
        return (place, place.context())
    }

    private func notes(_ place: TestPlace) throws -> [[String]] {
        try place.newContexts().map { try $0.all(Volume.self).map { $0.note ?? "–" }.sorted() }
    }

    @Test("of several properties match when all of their values do", arguments: TestStore.all)
    func compound(_ store: TestStore) throws {
        let (place, context) = try Self.make(store)
        context.insert(Volume(series: "a", part: 1, note: "a1"))
        context.insert(Volume(series: "a", part: 2, note: "a2"))
        context.insert(Volume(series: "b", part: 1, note: "b1"))
        try context.save()
        context.insert(Volume(series: "a", part: 2, note: "a2 again"))
        context.insert(Volume(series: "b", part: 2, note: "b2"))
        context.insert(Volume(series: "b", part: 2, note: "b2 again"))
        try context.save()
        for notes in try notes(place) { #expect(notes == ["a1", "a2 again", "b1", "b2 again"]) }
    }

    @Test("match nothing where a value is nil", arguments: TestStore.all)
    func nilNeverCollides(_ store: TestStore) throws {
        let (place, context) = try Self.make(store)
        for _ in 1...2 {
            context.insert(Volume(series: nil, part: 1))
            context.insert(Volume(isbn: nil, series: nil, part: 1))
            try context.save()
        }
        #expect(try context.count(Volume.self) == 4)
        let numbered = Volume(isbn: 5, series: nil, part: 1, note: "five")
        context.insert(numbered)
        context.insert(Volume(isbn: 5, series: nil, part: 9, note: "five again"))
        try context.save()
        for context in try place.newContexts() {
            #expect(try context.count(Volume.self) == 5)
            #expect(try context.only(Volume.self, where: #Predicate { $0.isbn == 5 }).note == "five again")
        }
        // Nil frees the value for another row.
        try context.only(Volume.self, where: #Predicate { $0.isbn == 5 }).isbn = nil
        context.insert(Volume(isbn: 5, note: "new five"))
        try context.save()
        for context in try place.newContexts() { #expect(try context.count(Volume.self) == 6) }
    }

    @Test("each by itself make a new model the row's, which takes all of its values, nil too", arguments: TestStore.all)
    func severalConstraints(_ store: TestStore) throws {
        let (place, context) = try Self.make(store)
        let row = Volume(isbn: 1, series: "a", part: 1, shelf: 4, note: "first")
        context.insert(row)
        try context.save()
        let identifier = row.persistentModelID
        context.insert(Volume(isbn: 2, series: "a", part: 1, note: "second"))
        try context.save()
        #expect(row.isbn == 2 && row.note == "second" && row.shelf == nil)
        context.insert(Volume(isbn: 2, series: "z", part: 9))
        try context.save()
        #expect(row.series == "z" && row.part == 9 && row.note == nil)
        #expect(row.persistentModelID == identifier)
        for context in try place.newContexts() {
            let read = try context.only(Volume.self)
            #expect(read.isbn == 2 && read.series == "z" && read.note == nil && read.shelf == nil)
            #expect(read.persistentModelID.id == identifier.id || store.withoutPlace == nil)
        }
    }

    @Test("that match two rows refuse the save; the one after it is mended succeeds", arguments: TestStore.all)
    func twoRows(_ store: TestStore) throws {
        let (place, context) = try Self.make(store)
        context.insert(Volume(isbn: 1, series: "a", part: 1, note: "one"))
        context.insert(Volume(isbn: 2, series: "b", part: 2, note: "two"))
        try context.save()
        let both = Volume(isbn: 1, series: "b", part: 2, note: "both")
        context.insert(both)
        for _ in 1...2 {
            let error = try #require(#expect(throws: SwiftDataError.self) { try context.save() })
            #expect(error.code == .uniquenessConflict && error.entity == "Volume")
            #expect(context.hasChanges && both.persistentModelID.storeIdentifier == nil)
        }
        for notes in try notes(place) { #expect(notes == ["one", "two"]) }
        both.isbn = 3
        try context.save()
        for notes in try notes(place) { #expect(notes == ["both", "one"]) }
    }

    @Test("refuse a change that takes another row's values, and the context goes on", arguments: TestStore.all)
    func changes(_ store: TestStore) throws {
        let (place, context) = try Self.make(store)
        let (one, two) = (Volume(isbn: 1, note: "one"), Volume(isbn: 2, note: "two"))
        context.insert(one)
        context.insert(two)
        try context.save()
        two.isbn = 1
        two.note = "changed"
        context.insert(Volume(isbn: 3, note: "three"))
        for _ in 1...2 {
            let error = try #require(#expect(throws: SwiftDataError.self) { try context.save() })
            #expect(error.code == .uniquenessConflict && error.entity == "Volume")
            #expect(error.property?.contains("isbn") == true)
        }
        for notes in try notes(place) { #expect(notes == ["one", "two"]) }
        one.isbn = 9
        try context.save()
        for notes in try notes(place) { #expect(notes == ["changed", "one", "three"]) }
        two.isbn = 9
        #expect(throws: SwiftDataError.uniquenessConflict) { try context.save() }
        context.rollback()
        #expect(two.isbn == 1 && !context.hasChanges)
        two.note = "after"
        try context.save()
        for notes in try notes(place) { #expect(notes == ["after", "one", "three"]) }
    }

    @Test("may hold a to-one link, to stored and to new models", arguments: TestStore.all)
    func links(_ store: TestStore) throws {
        let (place, context) = try Self.make(store)
        let (p, q) = (Publisher("p"), Publisher("q"))
        func add(_ publisher: Publisher?, _ shelf: Int, _ note: String) {
            let volume = Volume(shelf: shelf, note: note)
            volume.publisher = publisher
            context.insert(volume)
        }
        add(p, 1, "p1")
        add(p, 1, "p1 again")
        add(q, 1, "q1")
        add(nil, 1, "none")
        add(nil, 1, "none either")
        try context.save()
        add(p, 1, "p1 later")
        add(p, 2, "p2")
        try context.save()
        for notes in try notes(place) { #expect(notes == ["none", "none either", "p1 later", "p2", "q1"]) }
        for context in try place.newContexts() {
            let read = try context.only(Publisher.self, where: #Predicate { $0.code == "p" })
            #expect(Set(read.volumes.map(\.note)) == ["p1 later", "p2"])
        }
    }

    @Test("may be a to-one link alone", arguments: TestStore.all)
    func uniqueLink(_ store: TestStore) throws {
        let (place, context) = try Self.make(store)
        let publisher = Publisher("p")
        context.insert(Contract(publisher, 1))
        context.insert(Contract(Publisher("q"), 5))
        context.insert(Contract(nil, 7))
        context.insert(Contract(nil, 8))
        try context.save()
        context.insert(Contract(publisher, 2))
        try context.save()
        for context in try place.newContexts() {
            #expect(try context.all(Contract.self).map(\.years).sorted() == [2, 5, 7, 8])
            #expect(try context.count(Publisher.self) == 2)
        }
    }

    @Test("join the to-many links of both, on either side", arguments: TestStore.all)
    func manyToMany(_ store: TestStore) throws {
        let (place, context) = try Self.make(store)
        let first = Volume(isbn: 1, note: "first")
        first.tags = [Keyword("sea"), Keyword("ship")]
        first.publisher = Publisher("p")
        context.insert(first)
        try context.save()
        let second = Volume(isbn: 1, note: "second")
        // A word that is there already, by its value, and a new one.
        second.tags = [Keyword("ship"), Keyword("storm")]
        context.insert(second)
        try context.save()
        #expect(Set(first.tags.map(\.word)) == ["sea", "ship", "storm"])
        for context in try place.newContexts() {
            let read = try context.only(Volume.self)
            #expect(Set(read.tags.map(\.word)) == ["sea", "ship", "storm"])
            #expect(try context.count(Keyword.self) == 3)
            // The newcomer says nothing of a publisher, so the row keeps its own.
            #expect(read.publisher?.code == "p")
            #expect(try context.only(Publisher.self).volumes.map(\.note) == ["second"])
        }
    }

    @Test("find rows that no context has in memory, whatever else is saved", arguments: TestStore.all)
    func unloadedRows(_ store: TestStore) throws {
        let (place, context) = try Self.make(store)
        for number in 0..<50 { context.insert(Volume(isbn: number, note: "old")) }
        try context.save()
        let other = place.context()
        for number in stride(from: 0, to: 100, by: 2) { other.insert(Volume(isbn: number, note: "new")) }
        try other.save()
        #expect(try other.count(Volume.self) == 75)
        for context in try place.newContexts() {
            #expect(try context.count(Volume.self, where: #Predicate { $0.note == "new" }) == 50)
            #expect(try context.count(Volume.self) == 75)
        }
    }
}
