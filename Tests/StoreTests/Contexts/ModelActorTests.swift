import Coffer
import Foundation
import Testing

@Model final class Loaded {
    var key: Int
    init(_ key: Int) { self.key = key }
}

@ModelActor actor Loader {
    struct Stopped: Error, Equatable { let count: Int }

    func load(_ count: Int, base: Int) throws -> [PersistentIdentifier] {
        let rows = (0..<count).map { Loaded(base + $0) }
        for row in rows { modelContext.insert(row) }
        try modelContext.save()
        return rows.map(\.persistentModelID)
    }

    func onMain() -> Bool { isMainThread() }

    func failing(_ count: Int) throws {
        for key in 0..<count { modelContext.insert(Loaded(-1 - key)) }
        throw Stopped(count: count)
    }

    func drop() { modelContext.rollback() }

    func key(of identifier: PersistentIdentifier) -> Int? { self[identifier, as: Loaded.self]?.key }

    func count() throws -> Int { try modelContext.count(Loaded.self) }
}

/// `Thread.isMainThread` is closed to asynchronous code.
private func isMainThread() -> Bool { Thread.isMainThread }

@Suite("Model actors")
struct ModelActorTests {
    @Test("run off the main thread, wherever they were made", arguments: TestStore.all)
    @MainActor func offMain(_ store: TestStore) async throws {
        let place = try TestPlace(store, Loaded.self)
        let container = place.container
        let made = Loader(modelContainer: container)
        #expect(await made.onMain() == false)
        let detached = await Task.detached { Loader(modelContainer: container) }.value
        #expect(await detached.onMain() == false)
    }

    @Test("hand over what they saved by identifier", arguments: TestStore.all)
    @MainActor func identifiers(_ store: TestStore) async throws {
        let place = try TestPlace(store, Loaded.self)
        let loader = Loader(modelContainer: place.container)
        let identifiers = try await loader.load(500, base: 0)
        let main = place.container.mainContext
        #expect(try main.count(Loaded.self) == 500)
        #expect((main.model(for: identifiers[0]) as? Loaded)?.key == 0)
        #expect((main.model(for: identifiers[499]) as? Loaded)?.key == 499)
        #expect(identifiers.allSatisfy { $0.storeIdentifier != nil })
        #expect(await loader.key(of: identifiers[7]) == 7)
        let other = Loader(modelContainer: place.container)
        #expect(await other.key(of: identifiers[8]) == 8)
        // What the main context saves is seen by the actor.
        main.delete(main.model(for: identifiers[0]) as! Loaded)
        try main.save()
        #expect(try await loader.count() == 499)
        #expect(await loader.key(of: identifiers[0]) == nil)
    }

    @Test("keep what failed before the save to themselves", arguments: TestStore.all)
    @MainActor func failing(_ store: TestStore) async throws {
        let place = try TestPlace(store, Loaded.self)
        let loader = Loader(modelContainer: place.container)
        _ = try await loader.load(10, base: 0)
        await #expect(throws: Loader.Stopped(count: 50)) { try await loader.failing(50) }
        #expect(try place.container.mainContext.count(Loaded.self) == 10)
        await loader.drop()
        #expect(try await loader.count() == 10)
    }

    @Test("save at the same time", arguments: TestStore.all)
    func together(_ store: TestStore) async throws {
        let place = try TestPlace(store, Loaded.self)
        let container = place.container
        try await withThrowingTaskGroup(of: [PersistentIdentifier].self) { group in
            for worker in 0..<3 {
                group.addTask {
                    let loader = Loader(modelContainer: container)
                    var identifiers: [PersistentIdentifier] = []
                    for part in 0..<5 { identifiers += try await loader.load(100, base: worker * 500 + part * 100) }
                    return identifiers
                }
            }
            var all: Set<PersistentIdentifier> = []
            for try await identifiers in group { all.formUnion(identifiers) }
            #expect(all.count == 1500)
        }
        for context in try place.newContexts() {
            let keys = try context.all(Loaded.self, by: SortDescriptor(\.key)).map(\.key)
            #expect(keys == Array(0..<1500))
        }
    }
}
