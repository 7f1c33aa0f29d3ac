import Coffer
import Foundation
import Testing

@Model final class Account {
    @Attribute(.unique) var handle: String
    var points: Int
    var memo: String?
    @Relationship(inverse: \Entry.account) var entries: [Entry] = []
    init(_ handle: String, _ points: Int) {
        self.handle = handle
        self.points = points
    }
}

@Model final class Entry {
    var text: String
    var account: Account?
    init(_ text: String) { self.text = text }
}

@Suite("A unique value that is taken")
struct UpsertTests {
    static func make(_ store: TestStore) throws -> (place: TestPlace, context: ModelContext) {
        try store.needs(.uniqueness)
        let place = try TestPlace(store, Account.self)
        return (place, place.context())
    }

    private func expectOne(_ place: TestPlace, points: Int, entries: Set<String> = []) throws {
        for context in try place.newContexts() {
            let account = try context.only(Account.self)
            #expect(account.points == points)
            #expect(Set(account.entries.map(\.text)) == entries)
            let all = try context.all(Entry.self)
            #expect(Set(all.map(\.text)) == entries)
            #expect(all.allSatisfy { $0.account === account })
        }
    }

    @Test("by another new model: one row is left, with the later values", arguments: TestStore.all)
    func bothNew(_ store: TestStore) throws {
        let (place, context) = try Self.make(store)
        let a1 = Account("x", 1)
        let a2 = Account("x", 2)
        context.insert(a1)
        context.insert(a2)
        try context.save()
        #expect(!context.hasChanges)
        let row = try context.only(Account.self)
        #expect(row.points == 2)
        #expect(row.persistentModelID.storeIdentifier != nil)
        #expect([a1, a2].contains(row))
        #expect([1, 2].contains(a1.points) && a1.handle == "x" && a2.handle == "x")
        try expectOne(place, points: 2)
        // The context can go on.
        row.points = 3
        try context.save()
        try expectOne(place, points: 3)
    }

    @Test("by a model of an earlier save: the row keeps its identifier", arguments: TestStore.all)
    func saveBetween(_ store: TestStore) throws {
        let (place, context) = try Self.make(store)
        let a1 = Account("x", 1)
        context.insert(a1)
        try context.save()
        let identifier = a1.persistentModelID
        context.insert(Account("x", 2))
        try context.save()
        let row = try context.only(Account.self)
        #expect(row.points == 2)
        #expect(row.persistentModelID == identifier)
        #expect(a1.points == 2)
        try expectOne(place, points: 2)
    }

    @Test("by a row that is not in memory", arguments: TestStore.all)
    func unloaded(_ store: TestStore) throws {
        let (place, context) = try Self.make(store)
        context.insert(Account("x", 1))
        try context.save()
        let identifier = try context.only(Account.self).persistentModelID
        let other = place.context()
        let newcomer = Account("x", 7)
        other.insert(newcomer)
        try other.save()
        #expect(newcomer.persistentModelID == identifier)
        #expect(newcomer.points == 7)
        #expect(try context.only(Account.self).points == 7)
        try expectOne(place, points: 7)
    }

    @Test("keeps the links of both sides", arguments: TestStore.all)
    func links(_ store: TestStore) throws {
        let (place, context) = try Self.make(store)
        let first = Account("x", 1)
        context.insert(first)
        let e1 = Entry("e1")
        first.entries.append(e1)
        try context.save()
        let identifier = first.persistentModelID
        let e2 = Entry("e2")
        let third = Account("x", 3)
        third.entries = [e2]
        context.insert(third)
        try context.save()
        let row = try context.only(Account.self)
        #expect(row.persistentModelID == identifier)
        #expect(row.points == 3)
        #expect(e1.account === row)
        #expect(e2.account === row)
        #expect(Set(row.entries.map(\.text)) == ["e1", "e2"])
        try expectOne(place, points: 3, entries: ["e1", "e2"])
    }

    @Test("by a change before the first save", arguments: TestStore.all)
    func changedBeforeSave(_ store: TestStore) throws {
        let (place, context) = try Self.make(store)
        let a4 = Account("y", 4)
        let a5 = Account("z", 5)
        context.insert(a4)
        context.insert(a5)
        a5.handle = "y"
        try context.save()
        let row = try context.only(Account.self)
        #expect(row.handle == "y")
        try expectOne(place, points: row.points)
    }

    @Test("may be taken again once its row is deleted, also in one save", arguments: TestStore.all)
    func deletedFirst(_ store: TestStore) throws {
        let (place, context) = try Self.make(store)
        let old = Account("x", 1)
        context.insert(old)
        try context.save()
        context.delete(old)
        let new = Account("x", 2)
        context.insert(new)
        try context.save()
        #expect(try context.only(Account.self) === new)
        #expect(old.modelContext == nil && old.points == 1)
        try expectOne(place, points: 2)
    }

    @Test("is no matter for two rows that swap theirs", arguments: TestStore.all)
    func swap(_ store: TestStore) throws {
        let (place, context) = try Self.make(store)
        let a = Account("a", 1)
        let b = Account("b", 2)
        context.insert(a)
        context.insert(b)
        try context.save()
        (a.handle, b.handle) = (b.handle, a.handle)
        try context.save()
        for context in try place.newContexts() {
            let read = try context.all(Account.self, by: SortDescriptor(\.points))
            #expect(read.map(\.handle) == ["b", "a"])
        }
    }
}
