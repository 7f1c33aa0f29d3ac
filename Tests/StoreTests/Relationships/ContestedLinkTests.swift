import Coffer
import Foundation
import Testing

@Model final class Dancer {
    var name: String
    var follower: Dancer?
    @Relationship(inverse: \Dancer.follower) var leader: Dancer?
    init(_ name: String) { self.name = name }
}

@Suite("A one-to-one link that two contexts change")
struct ContestedLinkTests {
    static func make(_ store: TestStore) throws -> (place: TestPlace, a: ModelContext, b: ModelContext) {
        let place = try TestPlace(store, Dancer.self)
        let maker = place.context()
        for name in ["0", "1", "2", "3"] { maker.insert(Dancer(name)) }
        try maker.save()
        return (place, place.context(), place.context())
    }

    static func dancers(_ context: ModelContext) throws -> [Dancer] {
        try context.all(Dancer.self, by: SortDescriptor(\.name))
    }

    /// Every link leads back, and these are all.
    private func expect(_ pairs: [String], _ contexts: [ModelContext]) throws {
        for context in contexts {
            let dancers = try Self.dancers(context)
            #expect(dancers.compactMap { it in it.follower.map { it.name + $0.name } } == pairs)
            let back = dancers.compactMap { it in it.leader.map { $0.name + it.name } }
            #expect(back.sorted() == pairs.sorted())
        }
    }

    @Test("is the later one's, and the earlier one's owner has none", arguments: TestStore.all)
    func sameTarget(_ store: TestStore) throws {
        let (place, a, b) = try Self.make(store)
        let (mine, theirs) = (try Self.dancers(a), try Self.dancers(b))
        mine[0].follower = mine[3]
        theirs[1].follower = theirs[3]
        try a.save()
        try b.save()
        try expect(["13"], [a, b] + place.newContexts())
        #expect(!a.hasChanges && !b.hasChanges)
    }

    @Test("is the later one's, and the earlier one's target has none", arguments: TestStore.all)
    func sameOwner(_ store: TestStore) throws {
        let (place, a, b) = try Self.make(store)
        let (mine, theirs) = (try Self.dancers(a), try Self.dancers(b))
        mine[0].follower = mine[1]
        theirs[0].follower = theirs[2]
        try a.save()
        // Reading what the other has saved does not make it forget its own.
        #expect(theirs[0].follower === theirs[2])
        _ = try b.count(Dancer.self)
        #expect(theirs[1].name == "1")
        try b.save()
        try expect(["02"], [a, b] + place.newContexts())
    }

    @Test("is nobody's when the later one cuts it", arguments: TestStore.all)
    func cut(_ store: TestStore) throws {
        let (place, a, b) = try Self.make(store)
        let mine = try Self.dancers(a)
        mine[0].follower = mine[1]
        try a.save()
        let theirs = try Self.dancers(b)
        theirs[0].follower = nil
        mine[0].follower = mine[2]
        try a.save()
        try b.save()
        try expect([], [a, b] + place.newContexts())
    }
}
