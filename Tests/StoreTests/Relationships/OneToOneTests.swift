import Coffer
import Foundation
import Testing

@Model final class Person {
    var name: String
    @Relationship(inverse: \Passport.holder) var passport: Passport?
    @Relationship(inverse: \Person.spouseOf) var spouse: Person?
    var spouseOf: Person?
    @Relationship(inverse: \Person.friendOf) var friends: [Person] = []
    var friendOf: [Person] = []
    init(_ name: String) { self.name = name }
}

@Model final class Passport {
    var number: Int
    var holder: Person?
    init(_ number: Int, _ holder: Person? = nil) {
        self.number = number
        self.holder = holder
    }
}

@Suite("Both sides of a one-to-one and of a many-to-many")
struct OneToOneTests {
    static func make(_ store: TestStore, _ names: String...) throws -> (TestPlace, ModelContext, [Person]) {
        let place = try TestPlace(store, Person.self)
        let context = place.context()
        let people = names.map(Person.init)
        for person in people { context.insert(person) }
        return (place, context, people)
    }

    /// Each person's passport and each passport's holder.
    private func links(_ context: ModelContext) throws -> [String] {
        let held = try context.all(Person.self, by: SortDescriptor(\.name)).map {
            "\($0.name):\($0.passport?.number ?? 0)"
        }
        let holders = try context.all(Passport.self, by: SortDescriptor(\.number)).map {
            "\($0.number):\($0.holder?.name ?? "-")"
        }
        return held + holders
    }

    @Test("one takes the other over", arguments: TestStore.all)
    func takeOver(_ store: TestStore) throws {
        let (place, context, people) = try Self.make(store, "a", "b")
        let (one, two) = (Passport(1), Passport(2))
        people[0].passport = one
        people[1].passport = two
        try context.save()
        for context in try place.newContexts() { #expect(try links(context) == ["a:1", "b:2", "1:a", "2:b"]) }
        people[0].passport = two
        #expect(one.holder == nil && people[1].passport == nil && two.holder === people[0])
        try context.save()
        for context in try place.newContexts() { #expect(try links(context) == ["a:2", "b:0", "1:-", "2:a"]) }
        // The same from the other side, where nothing else was read.
        let fresh = place.context()
        try fresh.only(Passport.self, where: #Predicate { $0.number == 1 }).holder =
            try fresh.only(Person.self, where: #Predicate { $0.name == "a" })
        try fresh.save()
        for context in try [context, fresh] + place.newContexts() {
            #expect(try links(context) == ["a:1", "b:0", "1:a", "2:-"])
        }
    }

    @Test("set in an initialiser is known to the other", arguments: TestStore.all)
    func initialised(_ store: TestStore) throws {
        let (place, context, people) = try Self.make(store, "a")
        let first = Passport(1, people[0])
        context.insert(first)
        #expect(people[0].passport === first)
        let second = Passport(2, people[0])
        context.insert(second)
        #expect(people[0].passport === second && first.holder == nil)
        try context.save()
        for context in try place.newContexts() { #expect(try links(context) == ["a:2", "1:-", "2:a"]) }
    }

    @Test("is cut when one is deleted", arguments: TestStore.all)
    func deleted(_ store: TestStore) throws {
        let (place, context, people) = try Self.make(store, "a", "b")
        people[0].passport = Passport(1)
        people[0].spouse = people[1]
        people[1].spouse = people[0]
        #expect(people[0].spouseOf === people[1] && people[1].spouseOf === people[0])
        try context.save()
        let fresh = place.context()
        fresh.delete(try fresh.only(Person.self, where: #Predicate { $0.name == "a" }))
        try fresh.save()
        for context in try [context, fresh] + place.newContexts() {
            #expect(try links(context) == ["b:0", "1:-"])
            let left = try context.only(Person.self)
            #expect(left.spouse == nil && left.spouseOf == nil)
        }
        #expect(people[1].spouse == nil)
    }

    @Test("many-to-many links are the same from both sides", arguments: TestStore.all)
    func manyToMany(_ store: TestStore) throws {
        let (place, context, people) = try Self.make(store, "a", "b", "c")
        let (a, b, c) = (people[0], people[1], people[2])
        func friends(_ context: ModelContext) throws -> [[String]] {
            let all = try context.all(Person.self, by: SortDescriptor(\.name))
            return all.map { $0.friends.map(\.name).sorted() } + all.map { $0.friendOf.map(\.name).sorted() }
        }
        a.friends = [b, c, a]
        b.friendOf.append(c)
        #expect(a.friendOf == [a] && c.friends == [b])
        try context.save()
        let linked = [["a", "b", "c"], [], ["b"], ["a"], ["a", "c"], ["a"]]
        for context in try [context] + place.newContexts() { #expect(try friends(context) == linked) }
        // Nothing is linked twice, from whichever side.
        b.friendOf.append(a)
        a.friends.append(b)
        #expect(a.friends == [b, c, a])
        try context.save()
        for context in try [context] + place.newContexts() { #expect(try friends(context) == linked) }
        // Unloaded on one side, changed on the other, then read.
        let fresh = place.context()
        let freshB = try fresh.only(Person.self, where: #Predicate { $0.name == "b" })
        let freshA = try fresh.only(Person.self, where: #Predicate { $0.name == "a" })
        freshB.friendOf.removeAll { $0 === freshA }
        #expect(freshA.friends.map(\.name).sorted() == ["a", "c"])
        try fresh.save()
        for (name, context) in try zip(["first", "second", "new", "reopened"], [context, fresh] + place.newContexts()) {
            #expect(try friends(context) == [["a", "c"], [], ["b"], ["a"], ["c"], ["a"]], "\(name)")
        }
        fresh.delete(freshA)
        try fresh.save()
        for (name, context) in try zip(["first", "second", "new", "reopened"], [context, fresh] + place.newContexts()) {
            #expect(try friends(context) == [[], ["b"], ["c"], []], "\(name)")
        }
    }

    @Test(
        "a link to a model whose deletion was saved is refused or dropped, and the context goes on",
        arguments: TestStore.all)
    func linkedToDeleted(_ store: TestStore) throws {
        let (place, context, people) = try Self.make(store, "a", "b")
        people[0].passport = Passport(1)
        try context.save()
        let passport = people[0].passport
        context.delete(try #require(passport))
        try context.save()
        people[1].passport = passport
        people[1].friends = [people[0]]
        do {
            try context.save()
        } catch SwiftDataError.invalidRelationship {
            people[1].passport = nil
            try context.save()
        }
        for context in try place.newContexts() {
            #expect(try links(context) == ["a:0", "b:0"])
            #expect(try context.only(Person.self, where: #Predicate { $0.name == "b" }).friends.count == 1)
        }
    }

    @Test("a new model that is dropped leaves no link behind", arguments: TestStore.all)
    func dropped(_ store: TestStore) throws {
        let place = try TestPlace(store, Memo.self)
        let context = place.context()
        let memo = Memo(1, nil)
        context.insert(memo)
        try context.save()
        let label = Label("new")
        memo.label = label
        memo.extra = [label]
        context.insert(Memo(2, label))
        #expect(label.modelContext === context)
        context.delete(label)
        try context.save()
        for context in try [context] + place.newContexts() {
            let memos = try context.all(Memo.self, by: SortDescriptor(\.no))
            #expect(memos.map { $0.label == nil } == [true, true])
            #expect(memos.allSatisfy { $0.extra.isEmpty })
            #expect(try context.count(Label.self) == 0)
        }
    }
}
