import Coffer
import Foundation
import Synchronization
import Testing

@Suite("A history observer")
struct HistoryObserverTests {
    @Test("counts the saves that change its models", arguments: TestStore.all)
    func models(_ store: TestStore) throws {
        let (place, context) = try TestPlace.voyages(store, "a")
        let any = try HistoryObserver(modelContainer: place.container)
        let voyages = try HistoryObserver(observedModels: [Voyage.self], modelContainer: place.container)
        #expect(any.eventCounter == 0 && voyages.eventCounter == 0)
        context.insert(Ship("s"))
        try context.save()
        #expect(any.eventCounter == 1 && voyages.eventCounter == 0)
        let other = place.context()
        let voyage = try other.only(Voyage.self)
        voyage.name = "b"
        #expect(any.eventCounter == 1)
        try other.save()
        other.delete(voyage)
        try other.save()
        try other.save()
        #expect(any.eventCounter == 3 && voyages.eventCounter == 2)
        #expect(voyages.modelContainer == place.container && voyages.observedModels.count == 1)
    }

    @Test("counts the saves of its authors", arguments: TestStore.all)
    func authors(_ store: TestStore) throws {
        let (place, context) = try TestPlace.voyages(store)
        let observer = try HistoryObserver(
            observedModels: [Voyage.self], authors: ["app", "widget"], modelContainer: place.container)
        for author in ["app", nil, "server", "widget"] {
            context.author = author
            context.insert(Voyage("v"))
            try context.save()
        }
        #expect(observer.eventCounter == 2)
        #expect(observer.authors == ["app", "widget"])
    }

    @Test("counts a removal of everything", arguments: TestStore.all)
    func erase(_ store: TestStore) throws {
        let (place, _) = try TestPlace.voyages(store)
        let observer = try HistoryObserver(observedModels: [Ship.self], modelContainer: place.container)
        try place.container.erase()
        #expect(observer.eventCounter == 1)
    }

    @Test("is observable, and the container posts what it counts", arguments: TestStore.all)
    func observed(_ store: TestStore) throws {
        let (place, context) = try TestPlace.voyages(store)
        let observer = try HistoryObserver(modelContainer: place.container)
        let changes = ChangeCounter()
        _ = changes.track { observer.eventCounter }
        let posts = Mutex(0)
        let token = NotificationCenter.default.addObserver(
            forName: ModelContainer.remoteChange, object: place.container, queue: nil
        ) { _ in posts.withLock { $0 += 1 } }
        defer { NotificationCenter.default.removeObserver(token) }
        context.insert(Voyage("v"))
        #expect(changes.count == 0)
        try context.save()
        #expect(changes.count == 1)
        #expect(posts.withLock { $0 } == 1)
    }

    @Test("refuses a model that the schema lacks")
    func unknownModel() throws {
        let place = try TestPlace(.memory, Ship.self)
        #expect(throws: SwiftDataError.unknownModelType) {
            try HistoryObserver(observedModels: [Deckhand.self], modelContainer: place.container)
        }
    }
}
