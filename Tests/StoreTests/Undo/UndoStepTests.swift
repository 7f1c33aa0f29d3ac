import Coffer
import Foundation
import Testing

@Suite("An undo step")
struct UndoStepTests {
    @Test("is a group that the program opened", arguments: TestStore.all, [true, false])
    func explicitGroups(_ store: TestStore, _ groupsByEvent: Bool) throws {
        let it = try GardenPlace(store)
        it.manager.groupsByEvent = groupsByEvent
        for name in ["1", "2", "3"] {
            it.manager.beginUndoGrouping()
            it.context.insert(Helper(name))
            it.context.processPendingChanges()
            try it.garden("south").notes.append(name)
            it.manager.endUndoGrouping()
        }
        #expect(it.manager.undoCount == 3)
        it.manager.undo()
        #expect(try it.context.all(Helper.self, by: SortDescriptor(\.name)).map(\.name) == ["1", "2", "h"])
        #expect(try it.garden("south").notes == ["1", "2"])
        try it.context.save()
        it.manager.undo()
        it.manager.undo()
        #expect(try it.state() == GardenPlace.start)
    }

    @Test("ends with every checkpoint and save", arguments: TestStore.all)
    func checkpoints(_ store: TestStore) throws {
        let it = try GardenPlace(store)
        let north = try it.garden("north")
        north.name = "1"
        north.size = 1
        it.context.processPendingChanges()
        north.name = "2"
        try it.context.save()
        north.name = "3"
        it.manager.undo()
        #expect(north.name == "2" && north.size == 1)
        it.manager.undo()
        #expect(north.name == "1" && north.size == 1)
        it.manager.undo()
        #expect(north.name == "north" && north.size == nil)
        #expect(!it.manager.canUndo)
        it.manager.redo()
        it.manager.redo()
        it.manager.redo()
        #expect(north.name == "3" && north.size == 1)
    }

    @Test("ends with an event of the main queue", arguments: TestStore.all)
    @MainActor func events(_ store: TestStore) async throws {
        let it = try GardenPlace(store)
        let north = try it.garden("north")
        for name in ["1", "2"] {
            north.name = name
            north.notes.append(name)
            await withCheckedContinuation { continuation in DispatchQueue.main.async { continuation.resume() } }
        }
        #expect(it.manager.undoCount == 2)
        it.manager.undo()
        #expect(north.name == "1" && north.notes == ["1"])
    }

    @Test("has the name the program gave it", arguments: TestStore.all)
    func names(_ store: TestStore) throws {
        let it = try GardenPlace(store)
        try it.garden("north").name = "1"
        it.manager.setActionName("Rename")
        it.context.processPendingChanges()
        #expect(it.manager.undoMenuItemTitle == "Undo Rename")
        it.manager.undo()
        #expect(it.manager.redoMenuItemTitle == "Redo Rename")
    }

    @Test("is not made of equal values, of reads or of a save", arguments: TestStore.all)
    func nothing(_ store: TestStore) throws {
        let it = try GardenPlace(store)
        let north = try it.garden("north")
        north.name = "north"
        north.size = nil
        north.beds = north.beds
        let bed = try it.bed("a")
        bed.garden = north
        _ = try it.state()
        try it.context.save()
        it.context.processPendingChanges()
        #expect(!it.manager.canUndo)
        #expect(!it.context.hasChanges)
    }

    @Test("is not made while registration is disabled or there is no manager", arguments: TestStore.all)
    func disabled(_ store: TestStore) throws {
        let it = try GardenPlace(store)
        let north = try it.garden("north")
        north.name = "1"
        it.context.processPendingChanges()
        it.manager.disableUndoRegistration()
        north.size = 1
        it.manager.enableUndoRegistration()
        it.manager.undo()
        #expect(north.name == "north" && north.size == 1)
        it.manager.redo()
        it.context.undoManager = nil
        #expect(it.context.undoManager == nil)
        #expect(!it.manager.canUndo && !it.manager.canRedo)
        north.name = "2"
        it.context.delete(north)
        #expect(!it.manager.canUndo)
        it.context.undoManager = it.manager
        #expect(it.context.undoManager === it.manager)
        it.context.insert(north)
        it.context.processPendingChanges()
        north.name = "3"
        it.manager.undo()
        #expect(north.name == "2")
    }

    @Test("records models that had unsaved changes before", arguments: TestStore.all)
    func changedBefore(_ store: TestStore) throws {
        let it = try GardenPlace(store)
        it.context.undoManager = nil
        let north = try it.garden("north")
        let new = Helper("n")
        it.context.insert(new)
        north.name = "1"
        it.context.undoManager = it.manager
        north.name = "2"
        new.name = "m"
        it.manager.undo()
        #expect(north.name == "1" && new.name == "n")
        #expect(north.hasChanges && it.context.hasChanges)
    }

    @Test("is forgotten by a rollback, with the context's other steps only", arguments: TestStore.all)
    func rollback(_ store: TestStore) throws {
        final class Counter { var value = 0 }
        let it = try GardenPlace(store)
        let counter = Counter()
        counter.value = 1
        it.manager.registerUndo(withTarget: counter) { $0.value = 0 }
        it.context.processPendingChanges()
        let north = try it.garden("north")
        north.name = "1"
        try it.context.save()
        north.name = "2"
        it.context.rollback()
        #expect(north.name == "1")
        #expect(it.manager.undoCount == 1 && it.manager.canUndo)
        it.manager.undo()
        #expect(counter.value == 0 && north.name == "1")
        north.name = "3"
        it.manager.undo()
        #expect(north.name == "1")
    }

    @Test("is forgotten when the container is erased, or the context ends", arguments: TestStore.all)
    func ends(_ store: TestStore) throws {
        let it = try GardenPlace(store)
        try it.garden("north").name = "1"
        try it.context.save()
        try it.place.container.erase()
        #expect(try it.state() == "")
        #expect(!it.manager.canUndo)
        var context: ModelContext? = it.place.context()
        let manager = UndoManager()
        context?.undoManager = manager
        let helper = Helper("n")
        context?.insert(helper)
        #expect(manager.canUndo)
        context = nil
        #expect(!manager.canUndo)
        #expect(helper.name == "n")
    }

    @Test("of two contexts with one manager is undone in its own", arguments: TestStore.all)
    func shared(_ store: TestStore) throws {
        let it = try GardenPlace(store)
        let other = it.place.context()
        other.undoManager = it.manager
        let (here, there) = (try it.garden("north"), try it.garden("south", in: other))
        here.name = "1"
        it.context.processPendingChanges()
        there.name = "2"
        other.processPendingChanges()
        it.manager.undo()
        #expect(here.name == "1" && there.name == "south")
        it.manager.undo()
        #expect(here.name == "north")
    }

    @Test("leaves what other contexts saved", arguments: TestStore.all)
    func merges(_ store: TestStore) throws {
        let it = try GardenPlace(store)
        let (north, bed) = (try it.garden("north"), try it.bed("a"))
        north.name = "mine"
        north.beds.swapAt(0, 1)
        bed.label = "A"
        it.context.processPendingChanges()
        let other = it.place.context()
        let theirs = try it.garden("north", in: other)
        theirs.size = 7
        theirs.notes = ["theirs"]
        try it.bed("b", in: other).label = "B"
        try other.save()
        _ = try it.context.all(Garden.self)
        #expect(north.size == 7 && north.name == "mine")
        it.manager.undo()
        #expect(north.name == "north" && north.size == 7 && north.notes == ["theirs"])
        #expect(north.beds.map(\.label) == ["a", "B", "c"])
        #expect(!it.context.hasChanges)
        it.manager.redo()
        try it.context.save()
        try it.expectStored(#"mine [B(x y) A c] ["h"] ["theirs"]; south [] ["h"] []; h: ["mine", "south"]"#)
        let again = it.place.context()
        let changed = try again.only(Garden.self, where: #Predicate { $0.name == "mine" })
        changed.notes = ["again"]
        again.insert(Bed("d", changed))
        try again.save()
        it.manager.undo()
        try it.context.save()
        try it.expectStored(#"north [a B(x y) c d] ["h"] ["again"]; south [] ["h"] []; h: ["north", "south"]"#)
    }

    @Test("of a model that another context deleted is passed over", arguments: TestStore.all)
    func deletedElsewhere(_ store: TestStore) throws {
        let it = try GardenPlace(store)
        let (bed, south) = (try it.bed("a"), try it.garden("south"))
        bed.label = "A"
        south.name = "S"
        try it.context.save()
        let other = it.place.context()
        other.delete(try it.bed("A", in: other))
        try other.save()
        it.manager.undo()
        #expect(south.name == "south" && bed.modelContext == nil)
        try it.context.save()
        try it.expectStored(#"north [b(x y) c] ["h"] []; south [] ["h"] []; h: ["north", "south"]"#)
    }

    @Test("outlives a save that fails", arguments: TestStore.all)
    func failedSave(_ store: TestStore) throws {
        let it = try GardenPlace(store)
        let north = try it.garden("north")
        let bed = Bed("z", north)
        it.context.insert(bed)
        it.context.processPendingChanges()
        north.name = "1"
        let elsewhere = it.place.context()
        it.context.insert(try it.garden("south", in: elsewhere))
        #expect(throws: SwiftDataError.self) { try it.context.save() }
        it.manager.undo()
        #expect(north.name == "north")
        it.manager.undo()
        #expect(bed.modelContext == nil)
        #expect(north.beds.map(\.label) == ["a", "b", "c"])
    }

    @Test("tells observers", arguments: TestStore.all)
    func observers(_ store: TestStore) throws {
        let it = try GardenPlace(store)
        let (north, bed) = (try it.garden("north"), try it.bed("a"))
        let south = try it.garden("south")
        north.name = "1"
        bed.garden = south
        it.context.processPendingChanges()
        let seen = Seen()
        withObservationTracking {
            _ = north.name
        } onChange: {
            seen.add("name")
        }
        withObservationTracking {
            _ = south.beds.count
        } onChange: {
            seen.add("beds")
        }
        it.manager.undo()
        #expect(seen.names.sorted() == ["beds", "name"])
    }

    private final class Seen: @unchecked Sendable {
        var names: [String] = []
        func add(_ name: String) { names.append(name) }
    }
}
