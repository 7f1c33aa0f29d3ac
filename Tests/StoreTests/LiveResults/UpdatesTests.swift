import Coffer
import Foundation
import Testing

// A step that never comes would wait for ever.
@Suite("A sequence of results", .timeLimit(.minutes(10)))
struct UpdatesTests {
    /// Voyages that stand in the order of their names.
    static func make(_ store: TestStore, _ names: String...) throws -> (
        place: TestPlace, context: ModelContext, observer: VoyageObserver
    ) {
        let (place, context) = try TestPlace.voyages(store)
        for name in names { context.insert(Voyage(name)) }
        try context.save()
        return (place, context, try VoyageObserver(sortBy: [SortDescriptor(\.name)], modelContext: context))
    }

    @Test("begins with what there is, and tells what came, went and moved", arguments: TestStore.all)
    func steps(_ store: TestStore) async throws {
        let (place, context, observer) = try Self.make(store, "a", "b", "c", "d")
        defer { withExtendedLifetime(place) {} }
        var updates = observer.updates.makeAsyncIterator()
        let first = try #require(await updates.next(isolation: #isolation))
        #expect(first.results.map(\.name) == ["a", "b", "c", "d"])
        #expect(first.inserted == first.results && first.removed.isEmpty && first.updated.isEmpty)
        let old = first.results
        context.delete(old[1])
        context.insert(Voyage("bb"))
        old[0].name = "z"
        old[3].note = "noted"
        let second = try #require(await updates.next(isolation: #isolation))
        #expect(second.results.map(\.name) == ["bb", "c", "d", "z"])
        #expect(second.removed == [old[1]])
        #expect(second.inserted == [second.results[0]])
        #expect(second.updated == [old[3], old[0]])
        #expect(second.moved.map(\.element) == [old[0]])
        #expect(second.moved.first?.from == 0 && second.moved.first?.to == 3)
        #expect(old.applying(second.difference) == second.results)
        #expect(second.fetchError == nil)
    }

    @Test("gives the latest state alone to whoever is slow", arguments: TestStore.all)
    func latest(_ store: TestStore) async throws {
        let (place, context, observer) = try Self.make(store, "a")
        var updates = observer.updates.makeAsyncIterator()
        _ = await updates.next(isolation: #isolation)
        for name in ["b", "c", "d"] {
            context.insert(Voyage(name))
            try context.save()
            let other = place.context()
            other.insert(Voyage(name + name))
            try other.save()
        }
        context.delete(try #require(observer.results.first))
        let next = try #require(await updates.next(isolation: #isolation))
        #expect(next.results.map(\.name) == ["b", "bb", "c", "cc", "d", "dd"])
        #expect(next.inserted.count == 6 && next.removed.count == 1)
        // What was told is not told again: the next step is the next change.
        observer.results[0].note = "n"
        let last = try #require(await updates.next(isolation: #isolation))
        #expect(last.difference.isEmpty && last.updated == [last.results[0]])
    }

    @Test("tells of properties that the fetch does not read, without a fetch", arguments: TestStore.all)
    func updated(_ store: TestStore) async throws {
        let (place, _, observer) = try Self.make(store, "a", "b")
        var updates = observer.updates.makeAsyncIterator()
        let models = try #require(await updates.next(isolation: #isolation)).results
        let before = place.record.counts.requests
        models[1].note = "1"
        let first = try #require(await updates.next(isolation: #isolation))
        #expect(first.updated == [models[1]] && first.difference.isEmpty)
        models[1].note = "2"
        #expect(try #require(await updates.next(isolation: #isolation)).updated == [models[1]])
        #expect(place.record.counts.requests == before)
    }

    @Test("tells what another context changed", arguments: TestStore.all)
    func updatedElsewhere(_ store: TestStore) async throws {
        let (place, _, observer) = try Self.make(store, "a", "b", "c")
        var updates = observer.updates.makeAsyncIterator()
        let models = try #require(await updates.next(isolation: #isolation)).results
        let other = place.context()
        let theirs = try other.all(Voyage.self, by: SortDescriptor(\.name))
        theirs[1].note = "theirs"
        other.delete(theirs[0])
        try other.save()
        let update = try #require(await updates.next(isolation: #isolation))
        #expect(update.updated == [models[1]] && update.removed == [models[0]])
        #expect(models[1].note == "theirs")
    }

    @Test("tells of a row that another context's new model turned out to be", arguments: TestStore.all)
    func upsertElsewhere(_ store: TestStore) async throws {
        try store.needs(.uniqueness)
        let place = try TestPlace(store, Deckhand.self)
        let context = place.context()
        context.insert(Deckhand("ann", age: 1))
        context.insert(Deckhand("bob", age: 2))
        try context.save()
        var updates = try context.results(of: FetchDescriptor<Deckhand>(sortBy: [SortDescriptor(\.name)]))
            .makeAsyncIterator()
        let models = try #require(await updates.next(isolation: #isolation)).results
        let other = place.context()
        other.insert(Deckhand("bob", age: 3))
        other.insert(Deckhand("cid", age: 4))
        try other.save()
        let update = try #require(await updates.next(isolation: #isolation))
        #expect(update.updated == [models[1]] && models[1].age == 3)
        #expect(update.inserted.map(\.name) == ["cid"] && update.removed.isEmpty)
        // Nothing but the update.
        other.insert(Deckhand("ann", age: 5))
        try other.save()
        let last = try #require(await updates.next(isolation: #isolation))
        #expect(last.updated == [models[0]] && last.difference.isEmpty && models[0].age == 5)
    }

    @Test("skips changes that leave everything as it was", arguments: TestStore.all)
    func withoutEffect(_ store: TestStore) async throws {
        let (place, context, observer) = try Self.make(store, "a")
        defer { withExtendedLifetime(place) {} }
        var updates = observer.updates.makeAsyncIterator()
        _ = await updates.next(isolation: #isolation)
        let passing = Voyage("passing")
        context.insert(passing)
        context.delete(passing)
        context.insert(Voyage("b"))
        let update = try #require(await updates.next(isolation: #isolation))
        #expect(update.results.count == 2 && update.inserted.count == 1)
    }

    @Test("tells of a failed fetch and goes on", arguments: TestStore.all)
    func failure(_ store: TestStore) async throws {
        let (place, context, observer) = try Self.make(store, "a")
        defer { withExtendedLifetime(place) {} }
        var updates = observer.updates.makeAsyncIterator()
        _ = await updates.next(isolation: #isolation)
        observer.filterBy = Refusal.predicate
        let failed = try #require(await updates.next(isolation: #isolation))
        #expect(failed.fetchError != nil && failed.results.count == 1 && failed.difference.isEmpty)
        #expect(observer.fetchError != nil && observer.results.count == 1)
        observer.filterBy = nil
        context.insert(Voyage("b"))
        let good = try #require(await updates.next(isolation: #isolation))
        #expect(good.fetchError == nil && good.results.count == 2)
    }

    @Test("ends when its task is cancelled", arguments: TestStore.all)
    func cancelled(_ store: TestStore) async throws {
        let (place, _) = try TestPlace.voyages(store, "a")
        defer { withExtendedLifetime(place) {} }
        let container = place.container
        let (started, signal) = AsyncStream.makeStream(of: Int.self)
        let task = Task {
            let context = ModelContext(container)
            var steps = 0
            for await update in try context.results(of: FetchDescriptor<Voyage>()) {
                steps += 1
                signal.yield(update.results.count)
            }
            return steps
        }
        var starts = started.makeAsyncIterator()
        #expect(await starts.next() == 1)
        task.cancel()
        #expect(try await task.value == 1)
    }

    @Test("wakes an actor that waits for another's save", arguments: TestStore.all)
    func actor(_ store: TestStore) async throws {
        let (place, _) = try TestPlace.voyages(store, "a")
        defer { withExtendedLifetime(place) {} }
        let (seen, signal) = AsyncStream.makeStream(of: [String].self)
        let reader = Reader(modelContainer: place.container)
        let task = Task { try await reader.read(until: "c") { signal.yield($0) } }
        var states = seen.makeAsyncIterator()
        #expect(await states.next() == ["a"])
        let context = place.context()
        context.insert(Voyage("b"))
        try context.save()
        #expect(await states.next() == ["a", "b"])
        context.insert(Voyage("c"))
        try context.save()
        #expect(await states.next() == ["a", "b", "c"])
        try await task.value
    }

    @Test("keeps what it needs of many changes, and no more", arguments: [TestStore.memory])
    func bounded(_ store: TestStore) async throws {
        let (place, context, observer) = try Self.make(store)
        defer { withExtendedLifetime(place) {} }
        var updates = observer.updates.makeAsyncIterator()
        for number in 0..<10_050 { context.insert(Voyage("\(number)")) }
        let models = try #require(await updates.next(isolation: #isolation)).results
        for model in models { model.note = "n" }
        #expect(try #require(await updates.next(isolation: #isolation)).updated == models)
    }
}

@ModelActor actor Reader {
    func read(until name: String, _ tell: @Sendable ([String]) -> Void) async throws {
        let descriptor = FetchDescriptor<Voyage>(sortBy: [SortDescriptor(\.name)])
        for await update in try modelContext.results(of: descriptor) {
            let names = update.results.map(\.name)
            tell(names)
            if names.contains(name) { return }
        }
    }
}
