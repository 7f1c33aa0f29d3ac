import Coffer
import Foundation
import Testing

@Model final class Forest {
    var name: String
    @Relationship(deleteRule: .cascade, inverse: \Trunk.forest) var trunks: [Trunk] = []
    @Relationship(inverse: \Bird.forests) var birds: [Bird] = []
    init(_ name: String) { self.name = name }
}

@Model final class Trunk {
    var number: Int
    var forest: Forest?
    var neighbour: Trunk?
    init(_ number: Int) { self.number = number }
}

@Model final class Bird {
    var name: String
    var forests: [Forest] = []
    init(_ name: String) { self.name = name }
}

@Suite("Models that hold each other")
struct UnreachableModelTests {
    static let forests = 60
    static let trunks = 200
    /// So many related models shall come before a context looks for those that nobody can reach.
    static let limit = 5000

    private func context(_ place: TestPlace) -> ModelContext {
        let context = place.context()
        context.leastRelated = Self.limit
        return context
    }

    static func make(_ store: TestStore) throws -> TestPlace {
        try store.needs(.requestsOfItsOwn)
        let place = try TestPlace(store, Forest.self)
        let context = place.context()
        for number in 0..<forests {
            let forest = Forest("f\(number)")
            forest.trunks = (0..<trunks).map { Trunk(number * trunks + $0) }
            for (left, right) in zip(forest.trunks, forest.trunks.dropFirst()) { left.neighbour = right }
            let bird = Bird("b\(number)")
            forest.birds = [bird]
            context.insert(forest)
        }
        try context.save()
        return place
    }

    private final class Watch {
        weak var model: AnyObject?
        init(_ model: AnyObject) { self.model = model }
    }

    private func forest(_ number: Int, _ context: ModelContext) throws -> Forest {
        let name = "f\(number)"
        return try context.only(Forest.self, where: #Predicate { $0.name == name })
    }

    /// Reads one forest after the other, each whole and in both directions, and holds on to none.
    private func walk(_ context: ModelContext, from first: Int = 0) throws -> [Watch] {
        var watches: [Watch] = []
        for number in first..<Self.forests {
            let forest = try forest(number, context)
            watches.append(Watch(forest))
            #expect(forest.trunks.allSatisfy { $0.forest === forest })
            watches += forest.trunks.map(Watch.init)
            #expect(forest.birds[0].forests[0] === forest)
            watches += forest.birds.map(Watch.init)
        }
        return watches
    }

    private func alive(_ watches: [Watch]) -> Int { watches.count { $0.model != nil } }

    @Test("go when the program has dropped them, though the context lives on", arguments: TestStore.all)
    func dropped(_ store: TestStore) throws {
        let place = try Self.make(store)
        let context = context(place)
        let watches = try walk(context)
        #expect(watches.count == Self.forests * (Self.trunks + 2))
        #expect(alive(watches) < Self.limit)
        // What is read again is whole.
        _ = try walk(context)
        #expect(!context.hasChanges && context.loadError == nil)
    }

    @Test("stay while one of them is held, with all that can be reached from it", arguments: TestStore.all)
    func held(_ store: TestStore) throws {
        let place = try Self.make(store)
        let context = context(place)
        let trunk = try #require(forest(0, context).trunks.last)
        #expect(trunk.forest?.birds.first?.forests.count == 1)
        #expect(alive(try walk(context, from: 1)) < Self.limit)
        let counts = place.record.during {
            #expect(trunk.forest?.trunks.count == Self.trunks)
            #expect(trunk.forest?.trunks.first?.neighbour?.forest === trunk.forest)
            #expect(trunk.forest?.birds.first?.forests.first === trunk.forest)
        }
        #expect(counts.requests == 0)
    }

    @Test("stay while a list of them is held", arguments: TestStore.all)
    func heldList(_ store: TestStore) throws {
        let place = try Self.make(store)
        let context = context(place)
        let list = try forest(0, context).trunks
        #expect(alive(try walk(context, from: 1)) < Self.limit)
        let counts = place.record.during {
            #expect(list.allSatisfy { $0.forest?.name == "f0" })
            #expect(list.first?.forest?.trunks.count == Self.trunks)
        }
        #expect(counts.requests == 0)
    }

    @Test("keep their unsaved changes", arguments: TestStore.all)
    func changed(_ store: TestStore) throws {
        let place = try Self.make(store)
        let context = context(place)
        try { () throws in
            let forest = try forest(0, context)
            forest.trunks.removeLast(150)
            forest.trunks[0].number = -1
            forest.birds = []
        }()
        #expect(alive(try walk(context, from: 1)) < Self.limit)
        #expect(context.hasChanges)
        try context.save()
        for context in try place.newContexts() {
            let forest = try forest(0, context)
            #expect(forest.trunks.count == 50 && forest.trunks[0].number == -1 && forest.birds.isEmpty)
            #expect(try context.count(Trunk.self) == Self.forests * Self.trunks)
        }
    }
}
