import Coffer
import Foundation
import Testing

@Model final class Owner {
    var name: String
    @Relationship(deleteRule: .nullify, inverse: \Thing.owner) var things: [Thing] = []
    init(_ name: String) { self.name = name }
}

@Model final class Thing {
    var tag: String
    var owner: Owner
    init(_ tag: String, _ owner: Owner) {
        self.tag = tag
        self.owner = owner
    }
}

@Suite("A save that fails")
struct FailedSaveTests {
    struct Graph {
        let place: TestPlace
        let context: ModelContext
        let owner = Owner("o")
        let t1: Thing
        let t2: Thing

        init(_ store: TestStore) throws {
            place = try TestPlace(store, Owner.self)
            context = place.context()
            t1 = Thing("t1", owner)
            t2 = Thing("t2", owner)
            context.insert(t1)
            context.insert(t2)
            try context.save()
        }

        func expectStored(tags: [String], owners: [String] = ["o"]) throws {
            for context in try place.newContexts() {
                #expect(try context.all(Owner.self, by: SortDescriptor(\.name)).map(\.name) == owners)
                #expect(try context.all(Thing.self, by: SortDescriptor(\.tag)).map(\.tag) == tags)
                #expect(try context.all(Thing.self).allSatisfy { $0.owner.name == "o" })
            }
        }
    }

    @Test("names what is wrong and changes nothing; the context can be rolled back", arguments: TestStore.all)
    func rollback(_ store: TestStore) throws {
        let graph = try Graph(store)
        let context = graph.context
        graph.t1.tag = "new"
        let p = Owner("p")
        context.insert(p)
        context.delete(graph.owner)
        let error = #expect(throws: SwiftDataError.self) { try context.save() }
        #expect(error?.entity == "Thing" && error?.property == "owner")
        #expect(error?.description.contains("Thing.owner") == true)
        try graph.expectStored(tags: ["t1", "t2"])
        #expect(context.hasChanges)
        #expect(graph.t1.tag == "new" && graph.owner.isDeleted && p.modelContext === context)
        context.rollback()
        #expect(!context.hasChanges)
        #expect(graph.t1.tag == "t1")
        #expect(!graph.owner.isDeleted)
        #expect(p.modelContext == nil)
        #expect(try context.all(Owner.self).map(\.name) == ["o"])
        #expect(Set(graph.owner.things) == [graph.t1, graph.t2])
        graph.t2.tag = "ok"
        try context.save()
        try graph.expectStored(tags: ["ok", "t1"])
    }

    @Test("can be mended and tried again", arguments: TestStore.all)
    func mended(_ store: TestStore) throws {
        let graph = try Graph(store)
        let context = graph.context
        graph.t1.tag = "new"
        context.delete(graph.owner)
        #expect(throws: SwiftDataError.self) { try context.save() }
        context.delete(graph.t1)
        context.delete(graph.t2)
        try context.save()
        try graph.expectStored(tags: [], owners: [])
        #expect(graph.t1.tag == "new")
    }

    @Test("leaves a transaction's changes unsaved, as does a block that throws", arguments: TestStore.all)
    func transaction(_ store: TestStore) throws {
        struct Stop: Error {}
        let graph = try Graph(store)
        let context = graph.context
        #expect(throws: Stop.self) {
            try context.transaction {
                graph.t1.tag = "half"
                throw Stop()
            }
        }
        #expect(context.hasChanges)
        try graph.expectStored(tags: ["t1", "t2"])
        context.rollback()
        try context.transaction { graph.t1.tag = "whole" }
        #expect(!context.hasChanges)
        try graph.expectStored(tags: ["t2", "whole"])
    }

    @Test("is not caused by links between new models in a circle", arguments: TestStore.all)
    func circle(_ store: TestStore) throws {
        let place = try TestPlace(store, Worker.self)
        let context = place.context()
        let workers = (0..<3).map { Worker("w\($0)") }
        for (index, worker) in workers.enumerated() { worker.boss = workers[(index + 1) % 3] }
        context.insert(workers[0])
        try context.save()
        for context in try place.newContexts() {
            let read = try context.all(Worker.self, by: SortDescriptor(\.name))
            #expect(read.map { $0.boss?.name } == ["w1", "w2", "w0"])
            #expect(read.map { $0.staff.map(\.name) } == [["w2"], ["w0"], ["w1"]])
        }
    }
}

@Suite("Changes")
struct ChangeTests {
    @Test("are none where a value is set to what it is", arguments: TestStore.all)
    func equalAssignment(_ store: TestStore) throws {
        let graph = try FailedSaveTests.Graph(store)
        let context = graph.context
        graph.owner.name = graph.owner.name
        graph.t1.owner = graph.owner
        graph.owner.things = graph.owner.things
        #expect(!context.hasChanges)
        let fresh = graph.place.context()
        let owner = try fresh.only(Owner.self)
        owner.name = "o"
        for thing in try fresh.all(Thing.self) { thing.owner = owner }
        owner.things = owner.things
        #expect(!fresh.hasChanges)
        #expect(try graph.place.record.during { try fresh.save() }.commits == 0)
    }

    @Test("are listed by kind", arguments: TestStore.all)
    func lists(_ store: TestStore) throws {
        let graph = try FailedSaveTests.Graph(store)
        let context = graph.context
        graph.t1.tag = "changed"
        let new = Owner("new")
        context.insert(new)
        context.delete(graph.t2)
        #expect(context.insertedModelsArray.map(\.persistentModelID) == [new.persistentModelID])
        #expect(context.changedModelsArray.contains { $0 === graph.t1 })
        #expect(context.deletedModelsArray.map(\.persistentModelID) == [graph.t2.persistentModelID])
        #expect(graph.t1.hasChanges && new.hasChanges)
        try context.save()
        #expect(!context.hasChanges && !graph.t1.hasChanges && !new.hasChanges)
        #expect(context.insertedModelsArray.isEmpty && context.changedModelsArray.isEmpty)
        #expect(context.deletedModelsArray.isEmpty)
    }

    @Test("of one property are all that is written", arguments: TestStore.all)
    func saves(_ store: TestStore) throws {
        let graph = try FailedSaveTests.Graph(store)
        graph.t1.tag = "x"
        let counts = try graph.place.record.during { try graph.context.save() }
        #expect(counts.commits == 1 && counts.updated == 1 && counts.inserted == 0 && counts.deleted == 0)
    }

    @Test("made after a deletion are taken back along with it", arguments: TestStore.all)
    func rollbackOfDeleted(_ store: TestStore) throws {
        let graph = try FailedSaveTests.Graph(store)
        graph.context.delete(graph.owner)
        graph.owner.name = "late"
        graph.t1.owner = Owner("new")
        graph.context.rollback()
        #expect(!graph.owner.hasChanges && !graph.owner.isDeleted && !graph.context.hasChanges)
        #expect(graph.owner.name == "o")
        #expect(Set(graph.owner.things) == [graph.t1, graph.t2])
        try graph.context.save()
        try graph.expectStored(tags: ["t1", "t2"])
    }

    @Test("are taken back by a rollback, links included", arguments: TestStore.all)
    func rollback(_ store: TestStore) throws {
        let graph = try FailedSaveTests.Graph(store)
        let context = graph.context
        let other = Owner("other")
        context.insert(other)
        try context.save()
        graph.t1.owner = other
        graph.owner.name = "renamed"
        context.insert(Thing("t3", other))
        #expect(other.things.count == 2 && graph.owner.things == [graph.t2])
        context.rollback()
        #expect(!context.hasChanges)
        #expect(graph.t1.owner === graph.owner)
        #expect(Set(graph.owner.things) == [graph.t1, graph.t2])
        #expect(other.things.isEmpty)
        #expect(graph.owner.name == "o")
        #expect(try context.count(Thing.self) == 2)
        try context.save()
        try graph.expectStored(tags: ["t1", "t2"], owners: ["o", "other"])
    }
}
