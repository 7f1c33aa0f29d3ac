import Coffer
import Foundation
import Testing

@Model final class Keeper {
    var name: String
    @Relationship(inverse: \Animal.keeper) var animals: [Animal] = []
    init(_ name: String) { self.name = name }
}

@Model final class Animal {
    var key: Int
    var name: String
    var keeper: Keeper?
    init(_ key: Int, _ keeper: Keeper) {
        self.key = key
        name = "a\(key)"
        self.keeper = keeper
    }
}

@Suite("What a traversal asks of the store")
struct FetchCostTests {
    /// Thirty keepers of a hundred animals each, or of fewer.
    static func make(_ store: TestStore, animals count: Int = 3000) throws -> TestPlace {
        let place = try TestPlace(store, Animal.self)
        let context = place.context()
        let keepers = (0..<30).map { Keeper("k\($0)") }
        for key in 0..<count { context.insert(Animal(key, keepers[key % 30])) }
        try context.save()
        return place
    }

    @Test("to the one side is not a request a row", arguments: TestStore.all)
    func toOne(_ store: TestStore) throws {
        let place = try Self.make(store)
        let context = place.context()
        let plain = try place.record.during {
            let animals = try context.all(Animal.self, by: SortDescriptor(\.key))
            #expect(animals.allSatisfy { $0.keeper?.name == "k\($0.key % 30)" })
        }
        #expect(plain.requests <= 2 + (store.lacks[.requestsOfItsOwn] == nil ? 0 : 2))
        let fresh = place.context()
        let prefetched = try place.record.during {
            var descriptor = FetchDescriptor<Animal>(sortBy: [SortDescriptor(\.key)])
            descriptor.relationshipKeyPathsForPrefetching = [\.keeper]
            let animals = try fresh.fetch(descriptor)
            let later = place.record.during { #expect(animals.allSatisfy { $0.keeper?.name != nil }) }
            #expect(later.requests == 0, "everything came with the fetch")
        }
        #expect(prefetched.requests <= 2 + (store.lacks[.requestsOfItsOwn] == nil ? 0 : 2))
    }

    @Test("to the many side is not a request a row", arguments: TestStore.all)
    func toMany(_ store: TestStore) throws {
        let place = try Self.make(store)
        let context = place.context()
        let plain = try place.record.during {
            let keepers = try context.all(Keeper.self)
            #expect(keepers.allSatisfy { $0.animals.count == 100 })
        }
        #expect(plain.requests <= 31)
        let fresh = place.context()
        var descriptor = FetchDescriptor<Keeper>()
        descriptor.relationshipKeyPathsForPrefetching = [\.animals]
        let keepers = try fresh.fetch(descriptor)
        let later = place.record.during { #expect(keepers.allSatisfy { $0.animals.count == 100 }) }
        #expect(later.requests == 0)
    }

    @Test("to count, or to read identifiers, hands no row out", arguments: TestStore.all)
    func counting(_ store: TestStore) throws {
        let place = try Self.make(store)
        try store.needs(.requestsOfItsOwn)
        let context = place.context()
        let counted = try place.record.during { try #expect(context.count(Animal.self) == 3000) }
        #expect(counted.requests == 1 && counted.rows == 0)
        let identifiers = try place.record.during {
            let found = try context.fetchIdentifiers(FetchDescriptor<Animal>())
            #expect(found.count == 3000)
        }
        #expect(identifiers.requests == 1 && identifiers.rows == 0)
        try store.needs(.filters)
        let filtered = try place.record.during {
            try #expect(context.count(Animal.self, where: #Predicate { $0.key >= 2000 }) == 1000)
        }
        #expect(filtered.requests == 1 && filtered.rows == 0)
    }

    @Test("for a row in memory by its identifier is nothing", arguments: TestStore.all)
    func registered(_ store: TestStore) throws {
        let place = try Self.make(store)
        let context = place.context()
        let keepers = try context.all(Keeper.self)
        let counts = place.record.during {
            for keeper in keepers { #expect(context.model(for: keeper.persistentModelID) === keeper) }
        }
        #expect(counts.requests == 0)
    }

    @Test("for a page is the page", arguments: TestStore.all)
    func page(_ store: TestStore) throws {
        let place = try Self.make(store)
        try store.needs(.requestsOfItsOwn)
        let context = place.context()
        var descriptor = FetchDescriptor<Animal>()
        descriptor.fetchLimit = 10
        let counts = try place.record.during { try #expect(context.fetch(descriptor).count == 10) }
        #expect(counts.rows == 10)
    }
}
