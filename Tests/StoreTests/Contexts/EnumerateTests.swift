import Coffer
import Foundation
import Testing

@Suite("Enumerating models")
struct EnumerateTests {
    /// Weak hold on a model, to count those that are alive.
    struct Held { weak var model: Animal? }

    static var byKey: FetchDescriptor<Animal> { FetchDescriptor(sortBy: [SortDescriptor(\.key)]) }

    @Test("goes through all, in order, with two batches alive at most", arguments: TestStore.all)
    func bounded(_ store: TestStore) throws {
        let place = try FetchCostTests.make(store)
        let context = place.context()
        var held: [Held] = []
        var keys: [Int] = []
        var most = 0
        try context.enumerate(Self.byKey, batchSize: 200) { animal in
            keys.append(animal.key)
            held.append(Held(model: animal))
            if keys.count % 50 == 0 { most = max(most, held.count { $0.model != nil }) }
        }
        #expect(keys == Array(0..<3000))
        #expect(most <= 400)
        #expect(held.allSatisfy { $0.model == nil })
    }

    @Test("follows filter, order, offset and limit", arguments: TestStore.all)
    func described(_ store: TestStore) throws {
        let place = try FetchCostTests.make(store, animals: 300)
        let context = place.context()
        var descriptor = FetchDescriptor<Animal>(
            predicate: #Predicate { $0.key >= 100 }, sortBy: [SortDescriptor(\.key, order: .reverse)])
        descriptor.fetchOffset = 5
        descriptor.fetchLimit = 7
        for size in [1, 3, 7, 5000, 0, -1] {
            var keys: [Int] = []
            try context.enumerate(descriptor, batchSize: size) { keys.append($0.key) }
            #expect(keys == [294, 293, 292, 291, 290, 289, 288], "\(size)")
        }
    }

    @Test("refuses changes unless they are allowed", arguments: TestStore.all)
    func mutations(_ store: TestStore) throws {
        let place = try FetchCostTests.make(store, animals: 300)
        let context = place.context()
        var count = 0
        #expect(throws: SwiftDataError.mutationDuringEnumeration) {
            try context.enumerate(Self.byKey, batchSize: 20) { animal in
                count += 1
                if count == 10 { animal.name = "changed" }
            }
        }
        #expect(count == 10)
        #expect(throws: SwiftDataError.mutationDuringEnumeration) {
            try context.enumerate(Self.byKey) { _ in count += 1 }
        }
        #expect(count == 10)
        context.rollback()
        try context.enumerate(Self.byKey, batchSize: 20, allowEscapingMutations: true) { $0.name = "x" }
        try context.save()
        for context in try place.newContexts() {
            #expect(try context.all(Animal.self).allSatisfy { $0.name == "x" })
            #expect(try context.count(Animal.self) == 300)
        }
    }

    @Test("may save and delete on the way", arguments: TestStore.all)
    func savesInside(_ store: TestStore) throws {
        let place = try FetchCostTests.make(store, animals: 300)
        let context = place.context()
        var count = 0
        try context.enumerate(Self.byKey, batchSize: 20, allowEscapingMutations: true) { animal in
            count += 1
            if animal.key % 3 == 0 { context.delete(animal) } else { animal.name = "kept" }
            if count % 50 == 0 { try context.save() }
        }
        try context.save()
        #expect(count == 300)
        for context in try place.newContexts() {
            #expect(try context.count(Animal.self) == 200)
            #expect(try context.count(Animal.self, where: #Predicate { $0.name == "kept" }) == 200)
        }
    }

    @Test("includes unsaved changes that are allowed", arguments: TestStore.all)
    func pendingChanges(_ store: TestStore) throws {
        let place = try FetchCostTests.make(store, animals: 300)
        let context = place.context()
        let keeper = try context.only(Keeper.self, where: #Predicate { $0.name == "k0" })
        context.insert(Animal(-1, keeper))
        context.delete(try context.only(Animal.self, where: #Predicate { $0.key == 0 }))
        var keys: [Int] = []
        try context.enumerate(Self.byKey, batchSize: 100, allowEscapingMutations: true) { keys.append($0.key) }
        #expect(keys == [-1] + Array(1..<300))
    }

    @Test("hands on what the block throws", arguments: TestStore.all)
    func throwing(_ store: TestStore) throws {
        struct Stop: Error {}
        let place = try FetchCostTests.make(store, animals: 300)
        var count = 0
        #expect(throws: Stop.self) {
            try place.context().enumerate(Self.byKey, batchSize: 10) { _ in
                count += 1
                if count == 15 { throw Stop() }
            }
        }
        #expect(count == 15)
    }
}

@Suite("Fetching in batches")
struct BatchedFetchTests {
    static var descriptor: FetchDescriptor<Animal> {
        var descriptor = EnumerateTests.byKey
        descriptor.includePendingChanges = false
        return descriptor
    }

    @Test("loads batches as they are reached", arguments: TestStore.all)
    func batches(_ store: TestStore) throws {
        let place = try FetchCostTests.make(store, animals: 300)
        let context = place.context()
        let animals = try context.fetch(Self.descriptor, batchSize: 10)
        #expect(animals.count == 300)
        #expect(animals[0].key == 0 && animals[299].key == 299 && animals[150].key == 150)
        #expect(animals.map(\.key) == Array(0..<300))
        #expect(animals.loadError == nil)
        try store.needs(.requestsOfItsOwn)
        let again = try place.context().fetch(Self.descriptor, batchSize: 10)
        let counts = place.record.during { _ = again[25].key }
        #expect(counts.rows == 10 && counts.requests == 1)
    }

    @Test("gives identifiers of the same models", arguments: TestStore.all)
    func identifiers(_ store: TestStore) throws {
        let place = try FetchCostTests.make(store, animals: 300)
        let context = place.context()
        let identifiers = try context.fetchIdentifiers(Self.descriptor, batchSize: 100)
        #expect(Array(identifiers) == (try context.fetchIdentifiers(Self.descriptor)))
    }

    @Test("refuses to include unsaved changes", arguments: TestStore.all)
    func pendingChanges(_ store: TestStore) throws {
        let place = try FetchCostTests.make(store, animals: 300)
        let context = place.context()
        context.insert(Keeper("new"))
        #expect(throws: SwiftDataError.includePendingChangesWithBatchSize) {
            try context.fetch(EnumerateTests.byKey, batchSize: 10)
        }
        #expect(throws: SwiftDataError.includePendingChangesWithBatchSize) {
            try context.fetchIdentifiers(EnumerateTests.byKey, batchSize: 10)
        }
        #expect(try context.fetch(Self.descriptor, batchSize: 10).count == 300)
    }

    @Test("has placeholders for rows that are gone by then", arguments: TestStore.all)
    func gone(_ store: TestStore) throws {
        let place = try FetchCostTests.make(store, animals: 300)
        let context = place.context()
        let animals = try context.fetch(Self.descriptor, batchSize: 100)
        let other = place.context()
        other.delete(try other.only(Animal.self, where: #Predicate { $0.key == 150 }))
        try other.save()
        #expect(animals[0].key == 0)
        #expect(animals[149].key == 149, "a placeholder reads its own values")
        #expect(animals[150].key == 0 || animals[150].modelContext == nil)
        #expect(animals.loadError as? SwiftDataError == .modelNotFound)
        #expect(animals[200].key == 200)
        #expect(throws: SwiftDataError.modelNotFound) { try animals.element(at: 120) }
    }
}
