import Coffer
import Foundation
import Synchronization
import Testing

@testable import CofferCore

@Suite("Live results follow saves", .timeLimit(.minutes(10)))
struct LiveSavedChangesTests {
    @Test("of other contexts", arguments: TestStore.all)
    func otherContext(_ store: TestStore) throws {
        let (place, context) = try TestPlace.voyages(store, "a", "b")
        let observer = try VoyageObserver(sortBy: [SortDescriptor(\.name)], modelContext: context)
        let a = observer.results[0]
        let changes = ChangeCounter()
        _ = changes.track { observer.results }
        let other = place.context()
        other.insert(Voyage("c"))
        try other.only(Voyage.self, where: #Predicate { $0.name == "a" }).name = "x"
        #expect(changes.count == 0)
        try other.save()
        #expect(changes.count == 1)
        #expect(observer.results.map(\.name) == ["b", "c", "x"])
        #expect(observer.results[2] === a)
        other.delete(try other.only(Voyage.self, where: #Predicate { $0.name == "b" }))
        try other.save()
        #expect(observer.results.map(\.name) == ["c", "x"])
    }

    @Test("and let those sleep whose entities are not touched", arguments: TestStore.all)
    func untouched(_ store: TestStore) throws {
        let (place, context) = try TestPlace.voyages(store, "a")
        let voyages = try VoyageObserver(modelContext: context)
        let ships = try ResultsObserver<Ship, Never>(modelContext: context)
        let changes = ChangeCounter()
        _ = changes.track { voyages.results }
        let other = place.context()
        other.insert(Ship("s"))
        try other.save()
        #expect(changes.count == 0)
        #expect(!place.asks { _ = voyages.results })
        #expect(place.asks { _ = ships.results })
        #expect(ships.results.count == 1)
    }

    @Test("that reach the fetch through a link", arguments: TestStore.all)
    func linked(_ store: TestStore) throws {
        let (place, context) = try TestPlace.voyages(store)
        let voyage = Voyage("v")
        voyage.ship = Ship("old")
        context.insert(voyage)
        try context.save()
        let observer = try VoyageObserver(filterBy: #Predicate { $0.ship?.name == "new" }, modelContext: context)
        #expect(observer.results.isEmpty)
        let other = place.context()
        try other.only(Ship.self).name = "new"
        try other.save()
        #expect(observer.results == [voyage])
    }

    @Test("that delete what a link leads to, here and elsewhere", arguments: TestStore.all)
    func emptiedLink(_ store: TestStore) throws {
        let (place, context) = try TestPlace.voyages(store)
        for name in ["a", "b"] {
            let voyage = Voyage(name)
            voyage.port = Port(name)
            context.insert(voyage)
        }
        try context.save()
        let observer = try VoyageObserver(
            filterBy: #Predicate { $0.port == nil }, sortBy: [SortDescriptor(\.name)], modelContext: context)
        #expect(observer.results.isEmpty)
        let other = place.context()
        other.delete(try other.only(Port.self, where: #Predicate { $0.name == "a" }))
        try other.save()
        #expect(observer.results.map(\.name) == ["a"])
        context.delete(try context.only(Port.self))
        _ = observer.results
        try context.save()
        #expect(observer.results.map(\.name) == ["a", "b"])
    }

    @Test("that delete what the delete rules add", arguments: TestStore.all)
    func cascade(_ store: TestStore) throws {
        let (place, context) = try TestPlace.voyages(store, "free")
        defer { withExtendedLifetime(place) {} }
        let ship = Ship("s")
        ship.voyages = [Voyage("a"), Voyage("b")]
        context.insert(ship)
        try context.save()
        let observer = try VoyageObserver(sortBy: [SortDescriptor(\.name)], modelContext: context)
        #expect(observer.results.map(\.name) == ["a", "b", "free"])
        context.delete(ship)
        let changes = ChangeCounter()
        _ = changes.track { observer.results }
        try context.save()
        #expect(changes.count == 1)
        #expect(observer.results.map(\.name) == ["free"])
    }

    @Test("and need no fetch for what was seen as pending", arguments: TestStore.all)
    func ownSave(_ store: TestStore) throws {
        let (place, context) = try TestPlace.voyages(store, "a")
        let observer = try VoyageObserver(sortBy: [SortDescriptor(\.name)], modelContext: context)
        context.insert(Voyage("b"))
        observer.results[0].name = "c"
        let before = observer.results
        try context.save()
        #expect(!place.asks { _ = observer.results })
        #expect(observer.results == before)
        #expect(before.map(\.name) == ["b", "c"])
        before[0].name = "d"
        #expect(observer.results.map(\.name) == ["c", "d"])
        before[1].name = "e"
        before[1].name = "f"
        #expect(observer.results.map(\.name) == ["d", "f"])
    }

    @Test("in which a new model turns out to be a stored one", arguments: TestStore.all)
    func upsert(_ store: TestStore) throws {
        try store.needs(.uniqueness)
        let (place, context) = try TestPlace.voyages(store)
        defer { withExtendedLifetime(place) {} }
        let old = Deckhand("n", .good)
        context.insert(old)
        try context.save()
        let observer = try ResultsObserver<Deckhand, Never>(modelContext: context)
        context.insert(Deckhand("n", .bad))
        #expect(observer.results.count == 2)
        try context.save()
        #expect(observer.results == [old])
        #expect(observer.results.map(\.mood) == [.bad])
    }

    @Test("that erase everything", arguments: TestStore.all)
    func erase(_ store: TestStore) throws {
        let (place, context) = try TestPlace.voyages(store, "a")
        let observer = try VoyageObserver(modelContext: context)
        #expect(observer.results.count == 1)
        try place.container.erase()
        #expect(observer.results.isEmpty)
    }

    @Test("of another process, as soon as the container hears of them", arguments: TestStore.all)
    func otherProcess(_ store: TestStore) throws {
        try store.needsPlace()
        let (place, context) = try TestPlace.voyages(store, "a")
        let observer = try VoyageObserver(sortBy: [SortDescriptor(\.name)], modelContext: context)
        let history = try HistoryObserver(observedModels: [Voyage.self], modelContainer: place.container)
        let elsewhere = try place.reopen()
        elsewhere.insert(Voyage("b"))
        try elsewhere.save()
        #expect(observer.results.count == 1)
        place.container.announce(SavedChanges(inserted: ["Voyage"]), from: nil)
        #expect(observer.results.map(\.name) == ["a", "b"])
        #expect(history.eventCounter == 1)
    }

    @Test("on the isolation that made the observer")
    @MainActor func isolation() async throws {
        let (place, context) = try TestPlace.voyages(.memory, "a")
        let observer = try VoyageObserver(modelContext: context)
        let container = place.container
        await withCheckedContinuation { told in
            withObservationTracking {
                _ = observer.results
            } onChange: {
                MainActor.preconditionIsolated()
                told.resume()
            }
            Task.detached {
                let other = ModelContext(container)
                other.insert(Voyage("b"))
                try other.save()
            }
        }
        #expect(observer.results.count == 2)
    }
}
