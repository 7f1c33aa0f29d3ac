import Coffer
import Foundation
import Testing

@Model final class Airport {
    var code: String
    var arrivals: [Flight] = []
    var departures: [Flight] = []
    init(_ code: String) { self.code = code }
}

@Model final class Flight {
    var number: Int
    var airport: Airport?
    init(_ number: Int) { self.number = number }
}

@Model final class Choir {
    var name: String
    @Relationship(minimumModelCount: 2, inverse: \Singer.choirs) var singers: [Singer] = []
    @Relationship(maximumModelCount: 2) var pieces: [SheetMusic] = []
    @Relationship(minimumModelCount: 1) var guests: [Singer]?
    init(_ name: String) { self.name = name }
}

@Model final class Singer {
    var name: String
    @Relationship(maximumModelCount: 2) var choirs: [Choir] = []
    init(_ name: String) { self.name = name }
}

/// Nothing leads back to a choir.
@Model final class SheetMusic {
    var title: String
    init(_ title: String) { self.title = title }
}

@Model final class Impossible {
    @Relationship(minimumModelCount: 3, maximumModelCount: 2) var scores: [SheetMusic] = []
    init() {}
}

@Suite("Relationships that contradict themselves or what they hold")
struct RelationshipReviewTests {
    @Test(
        "an inverse that could be one of two is refused when the container opens, naming both", arguments: TestStore.all
    )
    func ambiguousInverse(_ store: TestStore) throws {
        let error = try #require(#expect(throws: SwiftDataError.self) { try TestPlace(store, Airport.self) })
        #expect(error.code == .ambiguousInverse)
        let text = "\(error)"
        #expect(text.contains("Airport.arrivals") && text.contains("Airport.departures"))
        #expect(text.contains("Flight") && text.contains("airport"))
    }

    @Test("counts that no number meets are refused when the container opens", arguments: TestStore.all)
    func impossibleCounts(_ store: TestStore) throws {
        let error = try #require(#expect(throws: SwiftDataError.self) { try TestPlace(store, Impossible.self) })
        #expect(error.code == .invalidRelationship && error.entity == "Impossible" && error.property == "scores")
    }

    private func expectRefused(_ context: ModelContext, _ entity: String, _ property: String) throws {
        let error = try #require(#expect(throws: SwiftDataError.self) { try context.save() })
        #expect(error.code == .relationshipCount && error.entity == entity && error.property == property)
        #expect(context.hasChanges)
    }

    @Test("counts hold on both sides of many-to-many, and on one-way relationships", arguments: TestStore.all)
    func counts(_ store: TestStore) throws {
        let place = try TestPlace(store, Choir.self)
        let context = place.context()
        let singers = (1...3).map { Singer("s\($0)") }
        let choir = Choir("a")
        choir.singers = [singers[0]]
        context.insert(choir)
        try expectRefused(context, "Choir", "singers")
        choir.singers.append(singers[1])
        try context.save()
        // From the other side: a singer leaves.
        singers[0].choirs = []
        try expectRefused(context, "Choir", "singers")
        singers[0].choirs = [choir]
        try context.save()
        // A singer joins more choirs than may be.
        for name in ["b", "c"] {
            let more = Choir(name)
            more.singers = singers
            context.insert(more)
        }
        try expectRefused(context, "Singer", "choirs")
        context.rollback()
        choir.pieces = (1...3).map { SheetMusic("\($0)") }
        try expectRefused(context, "Choir", "pieces")
        choir.pieces.removeLast()
        try context.save()
        for context in try place.newContexts() {
            let read = try context.only(Choir.self)
            #expect(read.singers.count == 2 && read.pieces.count == 2 && read.guests?.isEmpty != false)
        }
    }
}
