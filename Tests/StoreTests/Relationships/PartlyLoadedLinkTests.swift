import Coffer
import Foundation
import Testing

@Model final class Boat {
    var name: String
    @Relationship(deleteRule: .cascade) var anchor: Anchor?
    @Relationship(deleteRule: .deny) var licence: Licence?
    @Relationship(inverse: \Skipper.boat) var skipper: Skipper?
    var yard: Yard?
    init(_ name: String) { self.name = name }
}

@Model final class Yard {
    var name: String
    @Relationship(inverse: \Boat.yard) var boats: [Boat] = []
    init(_ name: String) { self.name = name }
}

@Model final class Skipper {
    var name: String
    var boat: Boat?
    init(_ name: String) { self.name = name }
}

@Model final class Anchor {
    var weight: Int
    init(_ weight: Int) { self.weight = weight }
}

@Model final class Licence {
    var number: Int
    init(_ number: Int) { self.number = number }
}

@Suite("A model that was fetched in part")
struct PartlyLoadedLinkTests {
    /// One boat with everything, and a second one with nothing.
    static func make(_ store: TestStore) throws -> (place: TestPlace, context: ModelContext, partly: Boat) {
        let place = try TestPlace(store, Boat.self)
        let maker = place.context()
        let boat = Boat("a")
        maker.insert(boat)
        maker.insert(Boat("b"))
        boat.anchor = Anchor(1)
        boat.licence = Licence(1)
        boat.skipper = Skipper("s")
        boat.yard = Yard("y")
        try maker.save()
        let context = try place.reopen()
        var descriptor = FetchDescriptor<Boat>(predicate: #Predicate { $0.name == "a" })
        descriptor.propertiesToFetch = [\.name]
        return (place, context, try context.fetch(descriptor)[0])
    }

    @Test("keeps to the delete rules of links it was fetched without", arguments: TestStore.all)
    func deleteRules(_ store: TestStore) throws {
        let (place, context, boat) = try Self.make(store)
        context.delete(boat)
        #expect(throws: SwiftDataError.deleteDenied) { try context.save() }
        boat.licence = nil
        try context.save()
        for context in try place.newContexts() {
            #expect(try context.count(Boat.self) == 1)
            #expect(try context.count(Anchor.self) == 0, "the cascade")
            #expect(try context.count(Licence.self) == 1)
            #expect(try context.only(Skipper.self).boat == nil)
            #expect(try context.only(Yard.self).boats.isEmpty)
        }
    }

    @Test("gives a link up that it was fetched without", arguments: TestStore.all)
    func otherSide(_ store: TestStore) throws {
        let (place, context, boat) = try Self.make(store)
        let second = try context.only(Boat.self, where: #Predicate { $0.name == "b" })
        let skipper = try context.only(Skipper.self)
        skipper.boat = second
        try context.save()
        #expect(boat.skipper == nil && second.skipper === skipper)
        for context in try place.newContexts() {
            let boats = try context.all(Boat.self, by: SortDescriptor(\.name))
            #expect(boats[0].skipper == nil)
            #expect(boats[1].skipper?.boat === boats[1])
        }
    }

    @Test("is cut off where its owner is deleted", arguments: TestStore.all)
    func ownerDeleted(_ store: TestStore) throws {
        let (place, context, boat) = try Self.make(store)
        context.delete(try context.only(Yard.self))
        context.delete(try context.only(Skipper.self))
        try context.save()
        #expect(boat.yard == nil && boat.skipper == nil)
        for context in try place.newContexts() {
            let boat = try context.only(Boat.self, where: #Predicate { $0.name == "a" })
            #expect(boat.yard == nil && boat.skipper == nil && boat.anchor != nil)
        }
    }
}
