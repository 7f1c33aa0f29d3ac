import Coffer
import Foundation
import Testing

@Model final class Crew {
    var name: String
    @Relationship(minimumModelCount: 1, maximumModelCount: 3, inverse: \Sailor.crew) var sailors: [Sailor] = []
    init(_ name: String) { self.name = name }
}

@Model final class Sailor {
    var name: String
    var crew: Crew?
    init(_ name: String) { self.name = name }
}

@Suite("The least and the largest number of related models")
struct RelationshipCountTests {
    static func make(_ store: TestStore) throws -> (place: TestPlace, context: ModelContext, crew: Crew) {
        let place = try TestPlace(store, Crew.self)
        let context = place.context()
        let crew = Crew("c")
        crew.sailors = [Sailor("s1"), Sailor("s2")]
        context.insert(crew)
        try context.save()
        return (place, context, crew)
    }

    private func expectRefused(_ context: ModelContext) {
        let error = #expect(throws: SwiftDataError.self) { try context.save() }
        #expect(error?.code == .relationshipCount)
        #expect(error?.entity == "Crew" && error?.property == "sailors")
        #expect(context.hasChanges)
    }

    @Test("are checked when a model is saved", arguments: TestStore.all)
    func checked(_ store: TestStore) throws {
        let (place, context, crew) = try Self.make(store)
        crew.sailors += [Sailor("s3"), Sailor("s4")]
        expectRefused(context)
        context.delete(crew.sailors[0])
        try context.save()
        for context in try place.newContexts() { #expect(try context.only(Crew.self).sailors.count == 3) }
        crew.sailors = []
        expectRefused(context)
        context.rollback()
        context.insert(Crew("empty"))
        expectRefused(context)
    }

    @Test("are checked when the other side changes, loaded or not", arguments: TestStore.all)
    func otherSide(_ store: TestStore) throws {
        let (place, _, _) = try Self.make(store)
        let context = place.context()
        for sailor in try context.all(Sailor.self) { sailor.crew = nil }
        expectRefused(context)
        context.rollback()
        for sailor in try context.all(Sailor.self) { context.delete(sailor) }
        expectRefused(context)
        // With the crew gone, too, there is nothing to be counted.
        context.delete(try context.only(Crew.self))
        try context.save()
        #expect(try place.context().count(Sailor.self) == 0)
    }
}
