import Coffer
import Foundation
import Synchronization
import Testing

@Model final class City {
    var key: Int
    var name: String
    var state: String
    var mayor: Mayor?
    init(_ key: Int, _ name: String, _ state: String) {
        self.key = key
        self.name = name
        self.state = state
    }
}

@Model final class Mayor {
    var name: String
    @Relationship(inverse: \City.mayor) var cities: [City] = []
    init(_ name: String) { self.name = name }
}

@Suite("What another context saves")
struct SavesElsewhereTests {
    static func make(_ store: TestStore) throws -> (place: TestPlace, a: ModelContext, b: ModelContext) {
        let place = try TestPlace(store, City.self)
        let context = place.context()
        context.insert(City(1, "n0", "s0"))
        try context.save()
        return (place, place.context(), place.context())
    }

    @Test("is seen by the models in memory", arguments: TestStore.all)
    func seen(_ store: TestStore) throws {
        let (_, a, b) = try Self.make(store)
        let mine = try a.only(City.self)
        #expect(mine.name == "n0")
        try b.only(City.self).name = "n1"
        #expect(try a.only(City.self).name == "n0", "unsaved changes are nobody else's")
        try b.save()
        #expect(try a.only(City.self) === mine)
        #expect(mine.name == "n1")
        #expect(!a.hasChanges)
        b.insert(City(2, "n", "s"))
        try b.save()
        #expect(try a.count(City.self) == 2)
        b.delete(try b.only(City.self, where: #Predicate { $0.key == 1 }))
        try b.save()
        #expect(try a.all(City.self).map(\.key) == [2])
        #expect(mine.modelContext == nil && mine.name == "n1")
    }

    @Test("is merged property by property with unsaved changes", arguments: TestStore.all)
    func merged(_ store: TestStore) throws {
        let (place, a, b) = try Self.make(store)
        let mine = try a.only(City.self)
        mine.state = "mine"
        let theirs = try b.only(City.self)
        theirs.name = "n2"
        try b.save()
        #expect(try a.only(City.self) === mine)
        #expect(mine.name == "n2")
        #expect(mine.state == "mine")
        #expect(a.hasChanges)
        try a.save()
        for context in try place.newContexts() {
            let read = try context.only(City.self)
            #expect(read.name == "n2" && read.state == "mine")
        }
        _ = try b.all(City.self)
        #expect(theirs.state == "mine")
    }

    @Test("wins where only it changed a property, and loses to a later save of the same one", arguments: TestStore.all)
    func lastSaveWins(_ store: TestStore) throws {
        let (place, a, b) = try Self.make(store)
        try a.only(City.self).name = "a"
        try b.only(City.self).name = "b"
        try b.save()
        try a.save()
        for context in try place.newContexts() { #expect(try context.only(City.self).name == "a") }
        #expect(try b.only(City.self).name == "a")
    }

    @Test("is seen in relationships, from either side", arguments: TestStore.all)
    func relationships(_ store: TestStore) throws {
        let (_, a, b) = try Self.make(store)
        a.insert(Mayor("m"))
        try a.save()
        let mine = try a.only(Mayor.self)
        #expect(mine.cities.isEmpty)
        let theirs = try b.only(City.self)
        #expect(theirs.mayor == nil)
        theirs.mayor = try b.only(Mayor.self)
        b.insert(City(2, "x", "y"))
        try b.only(City.self, where: #Predicate { $0.key == 2 }).mayor = try b.only(Mayor.self)
        try b.save()
        _ = try a.all(Mayor.self)
        #expect(mine.cities.map(\.key).sorted() == [1, 2])
        #expect(try a.all(City.self).allSatisfy { $0.mayor === mine })
        let city = try a.only(City.self, where: #Predicate { $0.key == 1 })
        city.mayor = nil
        try a.save()
        _ = try b.all(City.self)
        #expect(theirs.mayor == nil)
        #expect(try b.only(Mayor.self).cities.map(\.key) == [2])
    }

    @Test("is what a deleted row's unsaved changes give way to", arguments: TestStore.all)
    func deletedElsewhere(_ store: TestStore) throws {
        let (place, a, b) = try Self.make(store)
        let mine = try a.only(City.self)
        mine.name = "too late"
        b.delete(try b.only(City.self))
        try b.save()
        #expect(try a.all(City.self).isEmpty)
        try a.save()
        #expect(mine.name == "too late")
        #expect(mine.modelContext == nil)
        for context in try place.newContexts() { #expect(try context.count(City.self) == 0) }
    }

    @Test("is deleted twice without harm", arguments: TestStore.all)
    func deletedTwice(_ store: TestStore) throws {
        let (place, a, b) = try Self.make(store)
        a.delete(try a.only(City.self))
        b.delete(try b.only(City.self))
        try a.save()
        try b.save()
        for context in try [a, b] + place.newContexts() { #expect(try context.count(City.self) == 0) }
    }

    @Test("and deleted is what unsaved links to it give way to, from whichever side", arguments: TestStore.all)
    func linkedHere(_ store: TestStore) throws {
        let (place, a, b) = try Self.make(store)
        b.insert(City(2, "x", "y"))
        b.insert(Mayor("m"))
        b.insert(Mayor("n"))
        try b.save()
        let cities = try a.all(City.self, by: SortDescriptor(\.key))
        let mayors = try a.all(Mayor.self, by: SortDescriptor(\.name))
        // A list with unsaved changes, a new model's link and list, and a link to a list that was never read.
        mayors[0].cities = cities
        let new = City(3, "new", "z")
        new.mayor = mayors[1]
        let newMayor = Mayor("o")
        a.insert(newMayor)
        newMayor.cities = [cities[0]]
        b.delete(try b.only(City.self, where: #Predicate { $0.key == 1 }))
        b.delete(try b.only(Mayor.self, where: #Predicate { $0.name == "n" }))
        try b.save()
        #expect(try a.count(City.self) == 2)
        #expect(mayors[0].cities == [cities[1]])
        #expect(newMayor.cities.isEmpty && new.mayor == nil)
        try a.save()
        for context in try place.newContexts() {
            #expect(try context.all(City.self, by: SortDescriptor(\.key)).map { $0.mayor?.name } == ["m", nil])
            #expect(try context.all(Mayor.self, by: SortDescriptor(\.name)).map(\.cities.count) == [1, 0])
        }
    }

    @Test("leaves nothing to save where it deleted what was to be deleted here", arguments: TestStore.all)
    func deletedHereToo(_ store: TestStore) throws {
        let (_, a, b) = try Self.make(store)
        a.delete(try a.only(City.self))
        b.delete(try b.only(City.self))
        try b.save()
        #expect(try a.count(City.self) == 0)
        #expect(!a.hasChanges)
        #expect(a.deletedModelsArray.isEmpty)
    }

    @Test("is posted once, with the identifiers of what changed", arguments: TestStore.all)
    func notifications(_ store: TestStore) throws {
        let (_, _, b) = try Self.make(store)
        typealias Key = ModelContext.NotificationKey
        final class Posts: Sendable {
            let will = Mutex(0)
            let did = Mutex<[[Key: [PersistentIdentifier]]]>([])
        }
        let posts = Posts()
        let center = NotificationCenter.default
        let observers = [
            center.addObserver(forName: ModelContext.willSave, object: b, queue: nil) { note in
                #expect(note.userInfo?.isEmpty ?? true)
                posts.will.withLock { $0 += 1 }
            },
            center.addObserver(forName: ModelContext.didSave, object: b, queue: nil) { note in
                var post: [Key: [PersistentIdentifier]] = [:]
                for key in [Key.insertedIdentifiers, .updatedIdentifiers, .deletedIdentifiers] {
                    post[key] = note.userInfo?[key.rawValue] as? [PersistentIdentifier]
                }
                posts.did.withLock { $0.append(post) }
            },
        ]
        defer { observers.forEach(center.removeObserver) }
        let first = try b.only(City.self)
        first.name = "changed"
        try b.save()
        let second = City(2, "", "")
        b.insert(second)
        try b.save()
        let gone = first.persistentModelID
        b.delete(first)
        try b.save()
        let did = posts.did.withLock { $0 }
        #expect(did.count == 3)
        #expect(posts.will.withLock { $0 } == 3)
        #expect(
            did[0] == [
                .updatedIdentifiers: [first.persistentModelID], .insertedIdentifiers: [], .deletedIdentifiers: [],
            ])
        #expect(
            did[1] == [
                .updatedIdentifiers: [], .insertedIdentifiers: [second.persistentModelID], .deletedIdentifiers: [],
            ])
        #expect(did[2] == [.updatedIdentifiers: [], .insertedIdentifiers: [], .deletedIdentifiers: [gone]])
    }

    @Test("is compared with, and not the value that was in memory before", arguments: TestStore.all)
    func comparedWith(_ store: TestStore) throws {
        let (place, a, b) = try Self.make(store)
        let mine = try a.only(City.self)
        let (first, second) = (Mayor("1"), Mayor("2"))
        a.insert(second)
        mine.mayor = first
        try a.save()
        let theirs = try b.only(City.self)
        theirs.name = "n1"
        theirs.mayor = try b.only(Mayor.self, where: #Predicate { $0.name == "2" })
        try b.save()
        _ = try a.count(City.self)
        mine.state = "s0"
        #expect(!a.hasChanges, "the row says the same")
        mine.name = "n0"
        mine.mayor = first
        #expect(a.hasChanges)
        #expect(first.cities == [mine] && second.cities.isEmpty)
        try a.save()
        for context in try place.newContexts() {
            let city = try context.only(City.self)
            #expect(city.name == "n0" && city.state == "s0" && city.mayor?.name == "1")
        }
    }
}
