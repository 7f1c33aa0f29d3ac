import Coffer
import Foundation
import Testing

@Suite("Live results follow the context's unsaved changes")
struct LivePendingChangesTests {
    @Test("models come and go", arguments: TestStore.all)
    func insertAndDelete(_ store: TestStore) throws {
        let (place, context) = try TestPlace.voyages(store, "a", "c")
        defer { withExtendedLifetime(place) {} }
        let observer = try VoyageObserver(sortBy: [SortDescriptor(\.name)], modelContext: context)
        #expect(observer.results.map(\.name) == ["a", "c"])
        let new = Voyage("b")
        context.insert(new)
        #expect(observer.results.map(\.name) == ["a", "b", "c"])
        context.delete(observer.results[0])
        #expect(observer.results.map(\.name) == ["b", "c"])
        context.delete(new)
        #expect(observer.results.map(\.name) == ["c"])
        context.rollback()
        #expect(observer.results.map(\.name) == ["a", "c"])
        #expect(observer.fetchError == nil)
    }

    @Test("a deletion that is taken back counts", arguments: TestStore.all)
    func restore(_ store: TestStore) throws {
        let (place, context) = try TestPlace.voyages(store, "a")
        defer { withExtendedLifetime(place) {} }
        let observer = try VoyageObserver(modelContext: context)
        let voyage = observer.results[0]
        context.delete(voyage)
        #expect(observer.results.isEmpty)
        context.insert(voyage)
        #expect(observer.results == [voyage])
    }

    @Test("a property counts that filter or order read, each time it changes", arguments: TestStore.all)
    func properties(_ store: TestStore) throws {
        let (place, context) = try TestPlace.voyages(store, "a", "b", "c")
        defer { withExtendedLifetime(place) {} }
        let observer = try VoyageObserver(
            filterBy: #Predicate { $0.days > 0 }, sortBy: [SortDescriptor(\.name)], modelContext: context)
        #expect(observer.results.map(\.name) == ["b", "c"])
        let b = observer.results[0]
        b.days = 0
        #expect(observer.results.map(\.name) == ["c"])
        b.days = 1
        #expect(observer.results.map(\.name) == ["b", "c"])
        b.name = "d"
        #expect(observer.results.map(\.name) == ["c", "d"])
        b.name = "b"
        #expect(observer.results.map(\.name) == ["b", "c"])
        b.name += "z"
        b.name.removeFirst()
        #expect(observer.results.map(\.name) == ["c", "z"])
    }

    @Test("a new model's property counts, each time it changes", arguments: TestStore.all)
    func newModel(_ store: TestStore) throws {
        let (place, context) = try TestPlace.voyages(store, "b")
        defer { withExtendedLifetime(place) {} }
        let early = Voyage("early")
        context.insert(early)
        early.name = "d"
        let observer = try VoyageObserver(sortBy: [SortDescriptor(\.name)], modelContext: context)
        #expect(observer.results.map(\.name) == ["b", "d"])
        early.name = "a"
        #expect(observer.results.map(\.name) == ["a", "b"])
        early.name = "c"
        #expect(observer.results.map(\.name) == ["b", "c"])
        let late = Voyage("e")
        context.insert(late)
        late.name = "f"
        #expect(observer.results.map(\.name) == ["b", "c", "f"])
        late.name = "a"
        #expect(observer.results.map(\.name) == ["a", "b", "c"])
    }

    @Test("a model counts that was changed before anybody observed", arguments: TestStore.all)
    func changedBefore(_ store: TestStore) throws {
        let (place, context) = try TestPlace.voyages(store, "a", "b")
        defer { withExtendedLifetime(place) {} }
        let voyage = try context.only(Voyage.self, where: #Predicate { $0.name == "a" })
        voyage.name = "c"
        let observer = try VoyageObserver(sortBy: [SortDescriptor(\.name)], modelContext: context)
        #expect(observer.results.map(\.name) == ["b", "c"])
        voyage.name = "a"
        #expect(observer.results.map(\.name) == ["a", "b"])
    }

    @Test("a property that the fetch does not read costs nothing", arguments: TestStore.all)
    func unrelated(_ store: TestStore) throws {
        let (place, context) = try TestPlace.voyages(store, "a", "b")
        let observer = try VoyageObserver(
            filterBy: #Predicate { $0.days >= 0 }, sortBy: [SortDescriptor(\.name)], modelContext: context)
        let changes = ChangeCounter()
        let voyage = changes.track { observer.results }[0]
        context.insert(Ship("unrelated"))
        voyage.note = "n"
        voyage.country = "c"
        #expect(!place.asks { _ = observer.results })
        #expect(changes.count == 0)
        voyage.days = 7
        #expect(changes.count == 1)
        #expect(place.asks { _ = observer.results })
    }

    @Test("a thousand changes are told once and fetched once", arguments: TestStore.all)
    func coalesced(_ store: TestStore) throws {
        let (place, context) = try TestPlace.voyages(store, "a")
        let observer = try VoyageObserver(sortBy: [SortDescriptor(\.name)], modelContext: context)
        let changes = ChangeCounter()
        _ = changes.track { observer.results }
        let one = place.record.during {
            context.insert(Voyage("one"))
            _ = observer.results
        }
        _ = changes.track { observer.results }
        let many = place.record.during {
            for number in 0..<1000 {
                let voyage = Voyage("\(number)")
                context.insert(voyage)
                voyage.name += "x"
            }
            #expect(observer.results.count == 1002)
            #expect(observer.results.count == 1002)
            #expect(observer.fetchError == nil)
        }
        #expect(changes.count == 2)
        #expect(many.requests == one.requests)
    }

    @Test("links and what is behind them count", arguments: TestStore.all)
    func links(_ store: TestStore) throws {
        let (place, context) = try TestPlace.voyages(store, "a", "b")
        let ship = Ship("old")
        context.insert(ship)
        let observer = try VoyageObserver(
            filterBy: #Predicate { $0.ship?.name == "new" }, sortBy: [SortDescriptor(\.name)], modelContext: context)
        let voyages = try context.all(Voyage.self, by: SortDescriptor(\.name))
        #expect(observer.results.isEmpty)
        voyages[1].ship = ship
        #expect(observer.results.isEmpty)
        ship.name = "new"
        #expect(observer.results.map(\.name) == ["b"])
        ship.voyages.append(voyages[0])
        #expect(observer.results.map(\.name) == ["a", "b"])
        #expect(
            !place.asks {
                ship.class_ = 3; _ = observer.results
            })
        ship.name = "old"
        #expect(observer.results.isEmpty)
    }

    @Test("what a to-many relationship holds counts", arguments: TestStore.all)
    func toMany(_ store: TestStore) throws {
        let (place, context) = try TestPlace.voyages(store)
        defer { withExtendedLifetime(place) {} }
        let ship = Ship("s")
        context.insert(ship)
        try context.save()
        let observer = try ResultsObserver<Ship, Never>(
            filterBy: #Predicate { $0.voyages.contains { $0.days > 5 } }, modelContext: context)
        #expect(observer.results.isEmpty)
        let voyage = Voyage("v", days: 3)
        voyage.ship = ship
        #expect(observer.results.isEmpty)
        voyage.days = 6
        #expect(observer.results == [ship])
        voyage.ship = nil
        #expect(observer.results.isEmpty)
    }

    @Test("an order that Swift code decides looks at everything", arguments: TestStore.all)
    func computedOrder(_ store: TestStore) throws {
        let (place, context) = try TestPlace.voyages(store, "a", "b")
        defer { withExtendedLifetime(place) {} }
        let observer = try VoyageObserver(sortBy: [SortDescriptor(\.noteLength)], modelContext: context)
        let voyages = try context.all(Voyage.self, by: SortDescriptor(\.name))
        voyages[0].note = "long"
        #expect(observer.results.map(\.name) == ["b", "a"])
        voyages[1].note = "longer"
        #expect(observer.results.map(\.name) == ["a", "b"])
    }

    @Test("a fetch of stored models follows saves alone", arguments: TestStore.all)
    func withoutPending(_ store: TestStore) throws {
        let (place, context) = try TestPlace.voyages(store, "a")
        var descriptor = FetchDescriptor<Voyage>()
        descriptor.includePendingChanges = false
        let observer = try VoyageObserver(fetchDescriptor: descriptor, modelContext: context)
        context.insert(Voyage("b"))
        #expect(!place.asks { _ = observer.results })
        #expect(observer.results.count == 1)
        try context.save()
        #expect(observer.results.count == 2)
    }

    @Test("limit and offset hold", arguments: TestStore.all)
    func page(_ store: TestStore) throws {
        let (place, context) = try TestPlace.voyages(store, "b", "d", "f")
        defer { withExtendedLifetime(place) {} }
        var descriptor = FetchDescriptor<Voyage>(sortBy: [SortDescriptor(\.name)])
        descriptor.fetchLimit = 2
        descriptor.fetchOffset = 1
        let observer = try VoyageObserver(fetchDescriptor: descriptor, modelContext: context)
        #expect(observer.results.map(\.name) == ["d", "f"])
        context.insert(Voyage("a"))
        #expect(observer.results.map(\.name) == ["b", "d"])
    }
}

extension Voyage {
    fileprivate var noteLength: Int { note.count }
}
