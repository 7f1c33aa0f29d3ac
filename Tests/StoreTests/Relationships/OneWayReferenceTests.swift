import Coffer
import Foundation
import Testing

@Model final class Label {
    var name: String
    init(_ name: String) { self.name = name }
}

@Model final class Memo {
    var no: Int
    var label: Label?
    var extra: [Label] = []
    init(_ no: Int, _ label: Label?) {
        self.no = no
        self.label = label
    }
}

@Suite("One-way references to a model that is deleted")
struct OneWayReferenceTests {
    struct Graph {
        let place: TestPlace
        let context: ModelContext
        let l1 = Label("L1")
        let l2 = Label("L2")
        let memos: [Memo]

        /// Memos 1 to 3 with L1 and 4, 5 with L2; the first has both as extras.
        init(_ store: TestStore) throws {
            place = try TestPlace(store, Memo.self)
            context = place.context()
            memos = [Memo(1, l1), Memo(2, l1), Memo(3, l1), Memo(4, l2), Memo(5, l2)]
            memos[0].extra = [l1, l2]
            for memo in memos { context.insert(memo) }
            try context.save()
        }

        /// What has to be seen once L1 is gone.
        func expectGone(_ context: ModelContext, _ comment: Comment) throws {
            let memos = try context.all(Memo.self, by: SortDescriptor(\.no))
            #expect(memos.map(\.no) == [1, 2, 3, 4, 5], comment)
            #expect(memos.map { $0.label?.name } == [nil, nil, nil, "L2", "L2"], comment)
            #expect(memos.map { $0.label == nil } == [true, true, true, false, false], comment)
            #expect(memos[0].extra.map(\.name) == ["L2"], comment)
            let without = try context.all(Memo.self, by: SortDescriptor(\.no), where: #Predicate { $0.label == nil })
            #expect(without.map(\.no) == [1, 2, 3], comment)
            #expect(try context.count(Memo.self, where: #Predicate { $0.label != nil }) == 2, comment)
            #expect(try context.count(Memo.self, where: #Predicate { !$0.extra.isEmpty }) == 1, comment)
            #expect(try context.all(Label.self).map(\.name) == ["L2"], comment)
        }
    }

    @Test("are reached and saved through their owners", arguments: TestStore.all)
    func reached(_ store: TestStore) throws {
        let graph = try Graph(store)
        for context in try graph.place.newContexts() {
            #expect(try context.count(Memo.self) == 5)
            #expect(try context.count(Label.self) == 2)
            #expect(
                try context.all(Memo.self, by: SortDescriptor(\.no)).map { $0.label?.name } == [
                    "L1", "L1", "L1", "L2", "L2",
                ])
        }
    }

    @Test("read as nil or absent everywhere", arguments: TestStore.all)
    func deleted(_ store: TestStore) throws {
        let graph = try Graph(store)
        let other = graph.place.context()
        let held = try other.all(Memo.self, by: SortDescriptor(\.no))
        #expect(held.map { $0.label?.name } == ["L1", "L1", "L1", "L2", "L2"])
        #expect(held[0].extra.count == 2)
        graph.context.delete(graph.l1)
        try graph.context.save()
        try graph.expectGone(graph.context, "the context that deleted")
        #expect(graph.memos.map { $0.label?.name } == [nil, nil, nil, "L2", "L2"])
        for context in try graph.place.newContexts() { try graph.expectGone(context, "a new context") }
        // The other one has everything in memory.
        _ = held.map { $0.label?.name }
        try graph.expectGone(other, "a context that had loaded it")
        #expect(held.map { $0.label?.name } == [nil, nil, nil, "L2", "L2"])
    }

    @Test("read as nil when the owners were never loaded", arguments: TestStore.all)
    func deletedUnloaded(_ store: TestStore) throws {
        let graph = try Graph(store)
        let context = graph.place.context()
        context.delete(try context.only(Label.self, where: #Predicate { $0.name == "L1" }))
        try context.save()
        try graph.expectGone(context, "the context that deleted")
        for context in try graph.place.newContexts() { try graph.expectGone(context, "a new context") }
        try graph.expectGone(graph.context, "the context that inserted")
    }

    @Test("may be set to another model in the same save", arguments: TestStore.all)
    func replaced(_ store: TestStore) throws {
        let graph = try Graph(store)
        graph.context.delete(graph.l1)
        for memo in graph.memos { memo.label = graph.l2 }
        try graph.context.save()
        for context in try graph.place.newContexts() {
            #expect(try context.all(Memo.self).allSatisfy { $0.label?.name == "L2" })
        }
    }

    @Test("to a model deleted in the same save are not stored", arguments: TestStore.all)
    func setToDeleted(_ store: TestStore) throws {
        let graph = try Graph(store)
        graph.context.delete(graph.l1)
        graph.memos[4].label = graph.l1
        graph.context.insert(Memo(6, graph.l1))
        try graph.context.save()
        for context in try [graph.context] + graph.place.newContexts() {
            let memos = try context.all(Memo.self, by: SortDescriptor(\.no))
            #expect(memos.map { $0.label?.name } == [nil, nil, nil, "L2", nil, nil])
        }
    }
}
