import Coffer
import Foundation
import Testing

@Model final class Rack {
    var name: String
    @Relationship(deleteRule: .cascade, inverse: \Printed.rack) var items: [Printed] = []
    init(_ name: String) { self.name = name }
}

@Model class Printed {
    var title: String
    var rack: Rack?
    init(_ title: String) { self.title = title }
}

@Model final class Weekly: Printed {
    var issue: Int
    init(_ title: String, _ issue: Int) {
        self.issue = issue
        super.init(title)
    }
}

@Model final class Negative {
    var name: String
    @Attribute(.externalStorage) var data: Data
    @Attribute(.externalStorage) var copy: Data?
    @Attribute(.ephemeral) var isMarked = false
    init(_ name: String, _ data: Data) {
        self.name = name
        self.data = data
    }
}

@Suite("An undo of special models and values")
struct UndoOptionsTests {
    static func rack(_ store: TestStore) throws -> (place: TestPlace, context: ModelContext, manager: UndoManager) {
        let place = try TestPlace(store, Rack.self, Printed.self, Weekly.self)
        let maker = place.context()
        let rack = Rack("r")
        maker.insert(rack)
        rack.items = [Printed("a"), Weekly("b", 1), Printed("c")]
        maker.insert(Rack("s"))
        try maker.save()
        let context = place.context()
        let manager = UndoManager()
        context.undoManager = manager
        return (place, context, manager)
    }

    private func state(_ context: ModelContext) throws -> [String] {
        try context.all(Rack.self, by: SortDescriptor(\.name)).map { rack in
            rack.name + rack.items.map { " " + $0.title + (($0 as? Weekly).map { "\($0.issue)" } ?? "") }.joined()
        }
    }

    @Test("brings models of subclasses back as what they were", arguments: TestStore.all)
    func subclasses(_ store: TestStore) throws {
        let (place, context, manager) = try Self.rack(store)
        let weekly = try context.only(Weekly.self)
        weekly.issue = 2
        weekly.title = "B"
        try context.save()
        context.delete(try context.only(Rack.self, where: #Predicate { $0.name == "r" }))
        try context.save()
        #expect(try state(context) == ["s"])
        manager.undo()
        #expect(try state(context) == ["r a B2 c", "s"])
        try context.save()
        manager.undo()
        try context.save()
        for context in try place.newContexts() { #expect(try state(context) == ["r a b1 c", "s"]) }
        manager.redo()
        manager.redo()
        try context.save()
        for context in try place.newContexts() {
            #expect(try state(context) == ["s"])
            #expect(try context.count(Printed.self) == 0)
        }
    }

    @Test("takes back a batch update of a class and its subclasses", arguments: TestStore.all, [true, false])
    func batchUpdate(_ store: TestStore, _ isRecorded: Bool) throws {
        let (place, context, manager) = try Self.rack(store)
        if !isRecorded { context.undoManager = nil }
        try context.update(model: Printed.self, where: #Predicate { $0.title != "c" }) { $0.title = "x" }
        try context.update(model: Printed.self, where: #Predicate { $0.title == "c" }, includeSubclasses: false) {
            $0.title = "d"
        }
        try context.update(model: Weekly.self) { $0.issue = 9 }
        try context.save()
        for context in try place.newContexts() { #expect(try state(context) == ["r x x9 d", "s"]) }
        if !isRecorded { return }
        manager.undo()
        try context.save()
        for context in try place.newContexts() { #expect(try state(context) == ["r a b1 c", "s"]) }
    }

    @Test("keeps values that lie outside of their rows", arguments: TestStore.all)
    func external(_ store: TestStore) throws {
        let place = try TestPlace(store, Negative.self)
        let maker = place.context()
        let (old, new) = (Data(repeating: 1, count: 100_000), Data(repeating: 2, count: 100_000))
        maker.insert(Negative("n", old))
        try maker.save()
        let context = place.context()
        let manager = UndoManager()
        context.undoManager = manager
        let negative = try context.only(Negative.self)
        negative.data = new
        negative.copy = new
        try context.save()
        manager.undo()
        #expect(negative.data == old && negative.copy == nil)
        manager.redo()
        #expect(negative.data == new && negative.copy == new)
        manager.undo()
        try context.save()
        for context in try place.newContexts() { #expect(try context.only(Negative.self).data == old) }
        let fresh = place.context()
        fresh.undoManager = manager
        fresh.delete(try fresh.only(Negative.self))
        try fresh.save()
        #expect(try place.context().count(Negative.self) == 0)
        manager.undo()
        try fresh.save()
        for context in try place.newContexts() { #expect(try context.only(Negative.self).data == old) }
    }

    @Test("leaves values alone that no store keeps", arguments: TestStore.all)
    func ephemeral(_ store: TestStore) throws {
        let place = try TestPlace(store, Negative.self)
        let context = place.context()
        let manager = UndoManager()
        let negative = Negative("n", Data([1]))
        context.insert(negative)
        try context.save()
        context.undoManager = manager
        negative.isMarked = true
        context.processPendingChanges()
        #expect(!manager.canUndo)
        negative.name = "m"
        manager.undo()
        #expect(negative.name == "n" && negative.isMarked)
        context.undoManager = nil
        let other = place.context()
        try other.update(model: Negative.self) { $0.isMarked = true }
        #expect(try other.only(Negative.self).isMarked)
    }
}
