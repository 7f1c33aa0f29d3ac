import Coffer
import Foundation
import Testing

@Model final class Island {
    var name: String
    var bridge: Island?
    @Relationship(inverse: \Island.bridge) var bridges: [Island] = []
    /// One-way.
    var view: Island?
    init(_ name: String, view: Island? = nil) {
        self.name = name
        self.view = view
    }
}

@Suite("A link to a model of another context")
struct OtherContextLinkTests {
    static func make(_ store: TestStore) throws -> (place: TestPlace, a: Island, b: Island, contexts: [ModelContext]) {
        let place = try TestPlace(store, Island.self)
        let contexts = [place.context(), place.context()]
        let (a, b) = (Island("a"), Island("b"))
        contexts[0].insert(a)
        contexts[1].insert(b)
        for context in contexts { try context.save() }
        return (place, a, b, contexts)
    }

    @Test("is refused by the save, which names it, and is nothing to the other context", arguments: TestStore.all)
    func refused(_ store: TestStore) throws {
        let (place, a, b, contexts) = try Self.make(store)
        let changes: [(property: String, change: () -> Void, back: () -> Void)] = [
            ("bridges", { a.bridges.append(b) }, { a.bridges = [] }), ("bridge", { a.bridge = b }, { a.bridge = nil }),
            ("view", { a.view = b }, { a.view = nil }),
        ]
        for (property, change, back) in changes {
            change()
            let error = #expect(throws: SwiftDataError.self) { try contexts[0].save() }
            #expect(error?.code == SwiftDataError.invalidRelationship.code)
            #expect(error?.entity == "Island" && error?.property == property)
            #expect(!contexts[1].hasChanges && b.bridges.isEmpty && b.bridge == nil)
            // The context can go on, with the link taken back by hand or by a rollback.
            back()
            a.name += property
            try contexts[0].save()
            change()
            contexts[0].rollback()
            try contexts[0].save()
            #expect(a.bridges.isEmpty && a.bridge == nil && a.view == nil)
        }
        #expect(try place.reopen().count(Island.self) == 2)
    }

    @Test("is refused for new models, on either side", arguments: TestStore.all)
    func new(_ store: TestStore) throws {
        let (place, a, _, contexts) = try Self.make(store)
        let new = Island("new")
        contexts[1].insert(new)
        new.bridge = a
        #expect(throws: SwiftDataError.invalidRelationship) { try contexts[1].save() }
        #expect(!contexts[0].hasChanges && a.bridges.isEmpty)
        contexts[1].delete(new)
        try contexts[1].save()
        contexts[1].insert(Island("made with it", view: a))
        #expect(throws: SwiftDataError.invalidRelationship) { try contexts[1].save() }
        contexts[1].rollback()
        try contexts[1].save()
        #expect(try place.reopen().count(Island.self) == 2)
    }

    @Test("is refused where that is one of another container, which may have ended", arguments: TestStore.all)
    func elsewhere(_ store: TestStore) throws {
        let (place, a, _, contexts) = try Self.make(store)
        let other = try TestPlace(store, Island.self)
        let left = Island("left")
        var context: ModelContext? = other.context()
        context?.insert(left)
        try context?.save()
        context = nil
        #expect(left.modelContext == nil)
        a.view = left
        #expect(throws: SwiftDataError.invalidRelationship) { try contexts[0].save() }
        a.view = nil
        try contexts[0].save()
        #expect(try place.reopen().count(Island.self) == 2)
    }
}
