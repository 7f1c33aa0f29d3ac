import Coffer
import Foundation
import Testing

@Suite("An undo takes back, and a redo makes again,")
struct UndoChangesTests {
    @Test("values of every kind", arguments: TestStore.all)
    func values(_ store: TestStore) throws {
        let it = try GardenPlace(store)
        let north = try it.garden("north")
        north.place = .init(street: "Lane", number: 1)
        north.notes = ["one"]
        try it.context.save()
        it.manager.removeAllActions()
        try it.expectReversible {
            north.name = "nord"
            north.name = "norr"
            north.size = 4.5
            north.notes.append("two")
            north.notes.swapAt(0, 1)
            north.place?.number = 2
            #expect(north.size == 4.5 && north.place?.number == 2)
        }
        #expect(north.name == "north" && north.size == nil && north.notes == ["one"])
        #expect(north.place == .init(street: "Lane", number: 1))
    }

    @Test("a value that is changed in place first", arguments: TestStore.all)
    func inPlace(_ store: TestStore) throws {
        let it = try GardenPlace(store)
        let north = try it.garden("north")
        try it.expectReversible { north.notes.append("first") }
        #expect(north.notes == [])
    }

    @Test("a model that was fetched in part", arguments: TestStore.all)
    func partial(_ store: TestStore) throws {
        let it = try GardenPlace(store)
        var descriptor = FetchDescriptor<Garden>(predicate: #Predicate { $0.name == "north" })
        descriptor.propertiesToFetch = [\.size]
        let north = try #require(it.context.fetch(descriptor).first)
        try it.expectReversible { north.name = "other" }
    }

    @Test("an insertion", arguments: TestStore.all)
    func insertion(_ store: TestStore) throws {
        let it = try GardenPlace(store)
        try it.expectReversible { it.context.insert(Helper("new")) }
    }

    @Test("an insertion with links to new and to old models", arguments: TestStore.all)
    func insertedGraph(_ store: TestStore) throws {
        let it = try GardenPlace(store)
        let helper = try it.context.only(Helper.self)
        let moved = try it.bed("b")
        try it.expectReversible {
            let east = Garden("east")
            it.context.insert(east)
            east.helpers = [helper]
            east.beds.append(Bed("d", east))
            east.beds.append(moved)
            east.beds[0].plants = [Plant("z")]
        }
    }

    @Test("an insertion below a model whose list is not in memory", arguments: TestStore.all)
    func insertedBelow(_ store: TestStore) throws {
        let it = try GardenPlace(store)
        let bed = try it.bed("c")
        try it.expectReversible { it.context.insert(Plant("z", bed)) }
    }

    @Test("a deletion", arguments: TestStore.all)
    func deletion(_ store: TestStore) throws {
        let it = try GardenPlace(store)
        let plant = try it.context.only(Plant.self, where: #Predicate { $0.kind == "x" })
        try it.expectReversible { it.context.delete(plant) }
        #expect(plant.modelContext === it.context)
    }

    @Test("a deletion of models that were not read", arguments: TestStore.all)
    func unreadDeletion(_ store: TestStore) throws {
        let it = try GardenPlace(store)
        try it.context.delete(model: Plant.self)
        try it.context.save()
        it.manager.undo()
        try it.expect(GardenPlace.start)
        try it.context.save()
        try it.expectStored(GardenPlace.start)
    }

    @Test("a deletion with what it cascades to", arguments: TestStore.all)
    func cascade(_ store: TestStore) throws {
        let it = try GardenPlace(store)
        let north = try it.garden("north")
        try it.expectReversible { it.context.delete(north) }
    }

    @Test("a deletion of the middle of a list", arguments: TestStore.all)
    func middle(_ store: TestStore) throws {
        let it = try GardenPlace(store)
        let bed = try it.bed("b")
        try it.expectReversible { it.context.delete(bed) }
    }

    @Test("a deletion of a model that others refer to in one direction", arguments: TestStore.all)
    func oneWay(_ store: TestStore) throws {
        let it = try GardenPlace(store)
        let south = try it.garden("south")
        let sign = Sign("s", south)
        it.context.insert(sign)
        try it.context.save()
        it.manager.removeAllActions()
        it.context.delete(south)
        try it.context.save()
        #expect(sign.garden == nil)
        it.manager.undo()
        #expect(sign.garden === south)
        try it.context.save()
        try it.expectStored(GardenPlace.start + "; s south")
    }

    @Test("a deletion and changes of what it leaves", arguments: TestStore.all)
    func mixed(_ store: TestStore) throws {
        let it = try GardenPlace(store)
        let (north, south) = (try it.garden("north"), try it.garden("south"))
        let bed = try it.bed("a")
        try it.expectReversible {
            north.name = "gone"
            bed.garden = south
            bed.label = "A"
            it.context.delete(north)
            it.context.insert(Bed("z", south))
        }
    }

    @Test("a to-one link and its other side", arguments: TestStore.all)
    func toOne(_ store: TestStore) throws {
        let it = try GardenPlace(store)
        let south = try it.garden("south")
        let bed = try it.bed("b")
        try it.expectReversible { bed.garden = south }
        #expect(try it.garden("north").beds.map(\.label) == ["a", "b", "c"])
    }

    @Test("moves between lists that are not in memory", arguments: TestStore.all)
    func unloadedLists(_ store: TestStore) throws {
        let it = try GardenPlace(store)
        let south = try it.garden("south")
        let beds = try it.context.all(Bed.self, by: SortDescriptor(\.label))
        let north = beds[0].garden
        beds[0].garden = south
        beds[1].garden = south
        beds[0].garden = north
        it.context.processPendingChanges()
        try it.context.save()
        try it.expectStored(#"north [c a] ["h"] []; south [b(x y)] ["h"] []; h: ["north", "south"]"#)
        it.manager.undo()
        try it.expect(GardenPlace.start)
        try it.context.save()
        try it.expectStored(GardenPlace.start)
    }

    @Test("the order of a list", arguments: TestStore.all)
    func order(_ store: TestStore) throws {
        let it = try GardenPlace(store)
        let north = try it.garden("north")
        try it.expectReversible { north.beds.swapAt(0, 2) }
        try it.expectReversible { north.beds.insert(north.beds.remove(at: 2), at: 0) }
    }

    @Test("many-to-many links", arguments: TestStore.all)
    func manyToMany(_ store: TestStore) throws {
        let it = try GardenPlace(store)
        let (north, helper) = (try it.garden("north"), try it.context.only(Helper.self))
        try it.expectReversible {
            helper.gardens.removeAll { $0 === north }
            let other = Helper("i")
            it.context.insert(other)
            north.helpers.append(other)
        }
    }

    @Test("an insertion that was deleted in a later step", arguments: TestStore.all)
    func insertedThenDeleted(_ store: TestStore) throws {
        let it = try GardenPlace(store)
        let bed = try it.bed("c")
        let plant = Plant("z", bed)
        it.context.insert(plant)
        it.context.processPendingChanges()
        let between = try it.state()
        it.context.delete(plant)
        it.context.processPendingChanges()
        try it.expect(GardenPlace.start)
        it.manager.undo()
        try it.expect(between)
        #expect(plant.modelContext === it.context)
        it.manager.undo()
        try it.expect(GardenPlace.start)
        #expect(!it.context.hasChanges)
        it.manager.redo()
        try it.context.save()
        try it.expectStored(between)
    }

    @Test("several deletions of one save one by one, each with its own cascade", arguments: TestStore.all)
    func severalDeletions(_ store: TestStore) throws {
        let it = try GardenPlace(store)
        let (a, b, north) = (try it.bed("a"), try it.bed("b"), try it.garden("north"))
        a.plants = [Plant("w")]
        try it.context.save()
        it.manager.removeAllActions()
        let all = try it.state()
        it.context.delete(b)
        it.context.processPendingChanges()
        it.context.delete(a)
        it.context.processPendingChanges()
        it.context.delete(north)
        try it.context.save()
        try it.expectStored(#"south [] ["h"] []; h: ["south"]"#)
        it.manager.undo()
        try it.expect(#"north [c] ["h"] []; south [] ["h"] []; h: ["north", "south"]"#)
        it.manager.undo()
        try it.expect(#"north [a(w) c] ["h"] []; south [] ["h"] []; h: ["north", "south"]"#)
        it.manager.undo()
        try it.expect(all)
        try it.context.save()
        try it.expectStored(all)
    }
}
