import Coffer
import Foundation
import Testing

@Model final class Chore {
    #Unique<Chore>([\.code])
    var code: String
    var priority: Int
    var note: String?
    var tags: [String] = []
    var due: Date?
    var list: ChoreList?
    init(_ code: String, _ priority: Int) {
        self.code = code
        self.priority = priority
    }
}

@Model final class ChoreList {
    var name: String
    @Relationship(maximumModelCount: 3, inverse: \Chore.list) var tasks: [Chore] = []
    init(_ name: String) { self.name = name }
}

@Suite("A batch update")
struct BatchUpdateTests {
    /// Six tasks t0 … t5 with priorities 0 … 5; the first two are in the list "a", and "b" is empty.
    static func make(_ store: TestStore) throws -> (place: TestPlace, context: ModelContext) {
        let place = try TestPlace(store, ChoreList.self)
        let maker = place.context()
        let list = ChoreList("a")
        maker.insert(list)
        maker.insert(ChoreList("b"))
        for index in 0..<6 {
            let task = Chore("t\(index)", index)
            maker.insert(task)
            if index < 2 { task.list = list }
        }
        try maker.save()
        return (place, place.context())
    }

    private func notes(_ context: ModelContext) throws -> [String] {
        try context.all(Chore.self, by: SortDescriptor(\.code)).map { "\($0.code) \($0.priority) \($0.note ?? "-")" }
    }

    @Test("sets zero, nil and an empty list like any other value", arguments: TestStore.all)
    func empty(_ store: TestStore) throws {
        let (place, context) = try Self.make(store)
        try context.update(model: Chore.self) {
            $0.note = "x"
            $0.tags = ["x"]
        }
        try context.save()
        try context.update(model: Chore.self, where: #Predicate { $0.priority > 2 }) {
            $0.priority = 0
            $0.note = nil
            $0.tags = []
        }
        try context.save()
        for context in try [context] + place.newContexts() {
            #expect(try notes(context) == ["t0 0 x", "t1 1 x", "t2 2 x", "t3 0 -", "t4 0 -", "t5 0 -"])
            #expect(try context.all(Chore.self, by: SortDescriptor(\.code)).map(\.tags.count) == [1, 1, 1, 0, 0, 0])
        }
        // By the context, which has no row of the models in memory.
        let other = place.context()
        try other.update(model: Chore.self, where: #Predicate { $0.priority == 1 }) { $0.priority = 0 }
        #expect(try other.count(Chore.self, where: #Predicate { $0.priority == 0 }) == 5)
        try other.save()
        #expect(try place.context().count(Chore.self, where: #Predicate { $0.priority == 0 }) == 5)
    }

    @Test("is seen at once, and stored by the next save", arguments: TestStore.all)
    func seen(_ store: TestStore) throws {
        let (place, context) = try Self.make(store)
        let held = try context.only(Chore.self, where: #Predicate { $0.code == "t1" })
        try context.update(model: Chore.self, where: #Predicate { $0.priority < 3 }) {
            $0.priority = 9
            $0.note = "late"
            $0.tags = ["x", "y"]
            $0.due = Date(timeIntervalSinceReferenceDate: 5)
        }
        let expected = ["t0 9 late", "t1 9 late", "t2 9 late", "t3 3 -", "t4 4 -", "t5 5 -"]
        #expect(context.hasChanges && held.hasChanges)
        #expect(held.priority == 9 && held.note == "late" && held.tags == ["x", "y"])
        #expect(try notes(context) == expected)
        #expect(try context.count(Chore.self, where: #Predicate { $0.priority == 9 && $0.code != "t0" }) == 2)
        #expect(try place.context().count(Chore.self, where: #Predicate { $0.priority == 9 }) == 0)
        try context.save()
        #expect(!context.hasChanges)
        for context in try [context] + place.newContexts() {
            #expect(try notes(context) == expected)
            let task = try context.only(Chore.self, where: #Predicate { $0.code == "t2" })
            #expect(task.tags == ["x", "y"] && task.due == Date(timeIntervalSinceReferenceDate: 5))
        }
    }

    @Test("is taken with its label, of all models, and of none", arguments: TestStore.all)
    func everything(_ store: TestStore) throws {
        let (place, context) = try Self.make(store)
        context.insert(Chore("t6", 6))
        try context.update(model: Chore.self, where: #Predicate { $0.priority > 100 }, set: { $0.note = "no" })
        try context.update(model: Chore.self, set: { $0.priority = 1 })
        try context.update(model: Chore.self) { _ in }
        try context.save()
        for context in try place.newContexts() {
            #expect(try notes(context) == (0...6).map { "t\($0) 1 -" })
        }
    }

    @Test("sees unsaved changes", arguments: TestStore.all)
    func pending(_ store: TestStore) throws {
        let (place, context) = try Self.make(store)
        let tasks = try context.all(Chore.self, by: SortDescriptor(\.code))
        tasks[0].priority = 7
        tasks[5].priority = 0
        context.insert(Chore("t6", 0))
        context.delete(tasks[1])
        try context.update(model: Chore.self, where: #Predicate { $0.priority < 2 }) { $0.note = "low" }
        try context.save()
        for context in try place.newContexts() {
            #expect(try notes(context) == ["t0 7 -", "t2 2 -", "t3 3 -", "t4 4 -", "t5 0 low", "t6 0 low"])
        }
    }

    @Test("of what has these values already changes nothing", arguments: TestStore.all)
    func equal(_ store: TestStore) throws {
        let (_, context) = try Self.make(store)
        let all = try context.all(Chore.self)
        try context.update(model: Chore.self, where: #Predicate { $0.priority == 4 }) { $0.priority = 4 }
        #expect(!context.hasChanges && all.count == 6)
    }

    @Test("keeps both sides of a relationship in step", arguments: TestStore.all)
    func links(_ store: TestStore) throws {
        let (place, context) = try Self.make(store)
        let (a, b) = try (
            context.only(ChoreList.self, where: #Predicate { $0.name == "a" }),
            context.only(ChoreList.self, where: #Predicate { $0.name == "b" })
        )
        #expect(a.tasks.count == 2)
        try context.update(model: Chore.self, where: #Predicate { $0.priority < 3 }) { $0.list = b }
        #expect(a.tasks.isEmpty && b.tasks.count == 3)
        try context.save()
        for context in try place.newContexts() {
            let b = try context.only(ChoreList.self, where: #Predicate { $0.name == "b" })
            #expect(b.tasks.map(\.code).sorted() == ["t0", "t1", "t2"])
            try context.update(model: Chore.self, where: #Predicate { $0.code == "t0" }) { $0.list = nil }
            #expect(b.tasks.map(\.code).sorted() == ["t1", "t2"])
        }
    }

    @Test("is checked by the save", arguments: TestStore.all)
    func validation(_ store: TestStore) throws {
        let (place, context) = try Self.make(store)
        let b = try context.only(ChoreList.self, where: #Predicate { $0.name == "b" })
        try context.update(model: Chore.self) { $0.list = b }
        #expect(throws: SwiftDataError.relationshipCount) { try context.save() }
        #expect(context.hasChanges)
        context.rollback()
        #expect(!context.hasChanges)
        try context.save()
        #expect(try place.context().count(Chore.self, where: #Predicate { $0.list == nil }) == 4)
    }

    @Test("is checked for uniqueness as single changes are", arguments: TestStore.all)
    func uniqueness(_ store: TestStore) throws {
        try store.needs(.uniqueness)
        let (place, context) = try Self.make(store)
        let single = place.context()
        for task in try single.all(Chore.self, by: SortDescriptor(\.priority)) where task.priority > 3 {
            task.code = "x"
        }
        try context.update(model: Chore.self, where: #Predicate { $0.priority > 3 }) { $0.code = "x" }
        let one = Result { try context.save() }
        let other = Result { try single.save() }
        if case .success = one { Issue.record("two rows have one code") }
        if case .success = other { Issue.record("two rows have one code") }
        context.rollback()
        #expect(try context.count(Chore.self) == 6)
    }

    @Test("is taken back by a rollback", arguments: TestStore.all)
    func rollback(_ store: TestStore) throws {
        let (place, context) = try Self.make(store)
        let held = try context.only(Chore.self, where: #Predicate { $0.code == "t1" })
        try context.update(model: Chore.self) { $0.priority = 9 }
        context.rollback()
        #expect(!context.hasChanges && held.priority == 1)
        #expect(try context.all(Chore.self, by: SortDescriptor(\.code)).map(\.priority) == [0, 1, 2, 3, 4, 5])
        try context.save()
        #expect(try place.context().count(Chore.self, where: #Predicate { $0.priority == 9 }) == 0)
    }

    @Test("is taken back by an undo", arguments: TestStore.all)
    func undo(_ store: TestStore) throws {
        let (place, context) = try Self.make(store)
        let manager = UndoManager()
        context.undoManager = manager
        try context.update(model: Chore.self, where: #Predicate { $0.priority > 2 }) { $0.priority = 9 }
        try context.save()
        manager.undo()
        try context.save()
        #expect(try place.context().all(Chore.self, by: SortDescriptor(\.code)).map(\.priority) == [0, 1, 2, 3, 4, 5])
    }

    @Test("of a property inside a value sets that", arguments: TestStore.all)
    func composite(_ store: TestStore) throws {
        let place = try TestPlace(store, Garden.self)
        let context = place.context()
        let garden = Garden("g")
        garden.place = .init(street: "Lane", number: 1)
        context.insert(garden)
        try context.save()
        let fresh = place.context()
        try fresh.update(model: Garden.self) { $0.place = .init(street: "Road", number: 2) }
        try fresh.save()
        #expect(try place.context().only(Garden.self).place == .init(street: "Road", number: 2))
    }

    @Test("whose values cannot be found or encoded throws and changes nothing", arguments: TestStore.all)
    func failure(_ store: TestStore) throws {
        struct Stopped: Error {}
        let (_, context) = try Self.make(store)
        #expect(throws: Stopped.self) {
            try context.update(model: Chore.self) {
                $0.priority = 3
                throw Stopped()
            }
        }
        #expect(throws: SwiftDataError.unknownModelType) {
            try context.update(model: PlainRow.self) { $0.number = 3 }
        }
        #expect(!context.hasChanges)
    }

    @Test("merges with what another context saves", arguments: TestStore.all)
    func merges(_ store: TestStore) throws {
        let (place, context) = try Self.make(store)
        try context.update(model: Chore.self, where: #Predicate { $0.priority < 2 }) { $0.note = "mine" }
        let other = place.context()
        try other.only(Chore.self, where: #Predicate { $0.code == "t0" }).tags = ["theirs"]
        other.delete(try other.only(Chore.self, where: #Predicate { $0.code == "t1" }))
        try other.save()
        try context.save()
        for context in try place.newContexts() {
            #expect(try notes(context) == ["t0 0 mine", "t2 2 -", "t3 3 -", "t4 4 -", "t5 5 -"])
            #expect(try context.only(Chore.self, where: #Predicate { $0.code == "t0" }).tags == ["theirs"])
        }
    }

    @Test("finds the rows that match when it is stored", arguments: TestStore.all)
    func late(_ store: TestStore) throws {
        try store.needs(.requestsOfItsOwn)
        let (place, context) = try Self.make(store)
        try context.update(model: Chore.self, where: #Predicate { $0.priority < 2 }) { $0.note = "mine" }
        try context.delete(model: ChoreList.self, where: #Predicate { $0.name == "b" })
        let other = place.context()
        try other.only(Chore.self, where: #Predicate { $0.code == "t0" }).priority = 7
        other.insert(Chore("t6", 1))
        try other.save()
        try context.save()
        for context in try place.newContexts() {
            #expect(
                try notes(context)
                    == ["t0 7 -", "t1 1 mine", "t2 2 -", "t3 3 -", "t4 4 -", "t5 5 -", "t6 1 mine"])
            #expect(try context.all(ChoreList.self).map(\.name) == ["a"])
        }
    }

    @Test("of many rows reads none of them", arguments: TestStore.all)
    func volume(_ store: TestStore) throws {
        try store.needs(.requestsOfItsOwn)
        let place = try TestPlace(store, PlainRow.self)
        let writer = place.context()
        for number in 0..<20_000 { writer.insert(PlainRow(number)) }
        try writer.save()
        let context = place.context()
        let asked = try place.record.during {
            try context.update(model: PlainRow.self, where: #Predicate { $0.number < 10_000 }) { $0.text = "same" }
            try context.save()
        }
        #expect(asked.updated == 10_000 && asked.commits == 1)
        for context in try place.newContexts() {
            #expect(try context.count(PlainRow.self, where: #Predicate { $0.text == "same" }) == 10_000)
            #expect(try context.count(PlainRow.self, where: #Predicate { $0.number < 10_000 }) == 10_000)
        }
        try store.needs(.filters)
        #expect(asked.rows == 0, "no row is handed out")
        #expect(asked.requests == 1)
    }
}
