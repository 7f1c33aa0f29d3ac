import Coffer
import Foundation
import Testing

@Suite("A results observer")
struct ResultsObserverTests {
    @Test("takes another condition and another order", arguments: TestStore.all)
    func settings(_ store: TestStore) throws {
        let (place, context) = try TestPlace.voyages(store, "a", "b", "c")
        defer { withExtendedLifetime(place) {} }
        let observer = try VoyageObserver(sortBy: [SortDescriptor(\.name)], modelContext: context)
        let changes = ChangeCounter()
        _ = changes.track { observer.results }
        observer.filterBy = #Predicate { $0.days != 1 }
        #expect(changes.count == 1)
        #expect(observer.results.map(\.name) == ["a", "c"])
        observer.sortBy = [SortDescriptor(\.name, order: .reverse)]
        #expect(observer.results.map(\.name) == ["c", "a"])
        #expect(observer.fetchDescriptor.sortBy == observer.sortBy)
        // What counts is what the fetch reads now.
        observer.results[0].days = 1
        #expect(observer.results.map(\.name) == ["a"])
        observer.filterBy = nil
        #expect(observer.filterBy == nil)
        #expect(observer.results.map(\.name) == ["c", "b", "a"])
    }

    @Test("keeps the last good result when a fetch fails", arguments: TestStore.all)
    func failure(_ store: TestStore) throws {
        let (place, context) = try TestPlace.voyages(store, "a", "b")
        defer { withExtendedLifetime(place) {} }
        let observer = try VoyageObserver(sortBy: [SortDescriptor(\.name)], modelContext: context)
        let good = observer.results
        observer.filterBy = Refusal.predicate
        #expect(observer.fetchError as? SwiftDataError == .unsupportedPredicate)
        #expect(observer.results == good)
        context.delete(good[0])
        #expect(observer.results == good)
        observer.filterBy = nil
        #expect(observer.results == [good[1]])
        #expect(observer.fetchError == nil)
    }

    @Test("says when there is nothing to observe")
    func unknownModel() throws {
        let place = try TestPlace(.memory, Ship.self)
        #expect(throws: SwiftDataError.unknownModelType) {
            try ResultsObserver<Deckhand, Never>(modelContext: place.context())
        }
        #expect(throws: SwiftDataError.unknownModelType) {
            try place.context().results(of: FetchDescriptor<Deckhand>())
        }
    }

    @Test("makes a context of its own from a container", arguments: TestStore.all)
    func container(_ store: TestStore) throws {
        let (place, context) = try TestPlace.voyages(store, "a")
        let observer = try VoyageObserver(modelContainer: place.container)
        #expect(observer.modelContext !== context)
        context.insert(Voyage("b"))
        #expect(observer.results.count == 1)
        try context.save()
        #expect(observer.results.count == 2)
        let sectioned = try ResultsObserver<Voyage, String>(sectionBy: \.name, modelContainer: place.container)
        #expect(sectioned.sections?.sectionTitles == ["a", "b"])
    }

    @Test("leaves nothing behind when it goes", arguments: TestStore.all)
    func end(_ store: TestStore) throws {
        let (place, context) = try TestPlace.voyages(store, "a")
        var observer: VoyageObserver? = try VoyageObserver(modelContext: context)
        weak let gone = observer
        observer = nil
        #expect(gone == nil)
        #expect(!place.asks { context.insert(Voyage("b")) })
        try context.save()
        #expect(try context.count(Voyage.self) == 2)
    }

    @Test("finds models by place, and places by model", arguments: TestStore.all)
    func places(_ store: TestStore) throws {
        let (place, context) = try TestPlace.voyages(store, "a", "b", "c")
        defer { withExtendedLifetime(place) {} }
        let flat = try VoyageObserver(sortBy: [SortDescriptor(\.name)], modelContext: context)
        #expect(flat.element(at: [0, 2])?.name == "c")
        #expect(flat.element(at: [0, 3]) == nil && flat.element(at: [1, 0]) == nil && flat.element(at: [0]) == nil)
        #expect(flat.indexPath(for: flat.results[1]) == [0, 1])
        flat.results[0].country = "X"
        flat.results[1].country = "X"
        let sectioned = try ResultsObserver(
            sortBy: [SortDescriptor(\Voyage.name)], sectionBy: \.country, modelContext: context)
        #expect(sectioned.element(at: [0, 0])?.name == "c")
        #expect(sectioned.element(at: [1, 1])?.name == "b")
        #expect(sectioned.element(at: [1, 2]) == nil && sectioned.element(at: [2, 0]) == nil)
        for section in 0..<2 {
            for item in 0..<(section + 1) {
                let path = IndexPath(indexes: [section, item])
                #expect(sectioned.element(at: path).flatMap { sectioned.indexPath(for: $0) } == path)
            }
        }
        #expect(sectioned.indexPath(for: Voyage("elsewhere")) == nil)
    }
}
