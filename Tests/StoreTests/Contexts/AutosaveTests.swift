import Coffer
import Foundation
import Testing

@Model final class Scrap {
    #Unique<Scrap>([\.text])
    var text: String
    var weight: Int = 0
    init(_ text: String) { self.text = text }
}

/// Waits for the next save of a context.
@MainActor private func nextSave(of context: ModelContext, after body: () -> Void) async {
    final class Observation: @unchecked Sendable { var token: (any NSObjectProtocol)? }
    await withCheckedContinuation { continuation in
        let observation = Observation()
        observation.token = NotificationCenter.default.addObserver(
            forName: ModelContext.didSave, object: context, queue: nil
        ) { _ in
            if let token = observation.token { NotificationCenter.default.removeObserver(token) }
            observation.token = nil
            continuation.resume()
        }
        body()
    }
}

@Suite("Saving without being told")
struct AutosaveTests {
    @Test("is what the main context does after every change", arguments: TestStore.all)
    @MainActor func mainContext(_ store: TestStore) async throws {
        let place = try TestPlace(store, Scrap.self)
        let context = place.container.mainContext
        #expect(context.autosaveEnabled)
        #expect(context === place.container.mainContext)
        let memo = Scrap("a")
        await nextSave(of: context) {
            context.insert(memo)
            context.insert(Scrap("b"))
        }
        #expect(!context.hasChanges)
        #expect(try place.context().count(Scrap.self) == 2)
        await nextSave(of: context) { memo.weight = 3 }
        #expect(try place.context().count(Scrap.self, where: #Predicate { $0.weight == 3 }) == 1)
        await nextSave(of: context) { context.delete(memo) }
        #expect(try place.context().all(Scrap.self).map(\.text) == ["b"])
        #expect(place.record.counts.commits == 3, "one save for all changes of one piece of work")
    }

    @Test("is off for other contexts, and can be turned off", arguments: TestStore.all)
    @MainActor func off(_ store: TestStore) async throws {
        let place = try TestPlace(store, Scrap.self)
        let own = place.context()
        #expect(!own.autosaveEnabled)
        own.insert(Scrap("own"))
        let main = place.container.mainContext
        main.autosaveEnabled = false
        main.insert(Scrap("main"))
        // Whatever was scheduled has run by then.
        let marker = try TestPlace(store, Scrap.self)
        await nextSave(of: marker.container.mainContext) { marker.container.mainContext.insert(Scrap("marker")) }
        #expect(own.hasChanges && main.hasChanges)
        #expect(place.record.counts.commits == 0)
        own.autosaveEnabled = true
        await nextSave(of: own) { own.insert(Scrap("more")) }
        #expect(try place.context().count(Scrap.self) == 2)
    }

    @Test("ends an undo step", arguments: TestStore.all)
    @MainActor func undo(_ store: TestStore) async throws {
        let place = try TestPlace(store, Scrap.self)
        let context = place.container.mainContext
        let manager = UndoManager()
        context.undoManager = manager
        let memo = Scrap("a")
        await nextSave(of: context) { context.insert(memo) }
        await nextSave(of: context) {
            memo.weight = 1
            memo.text = "b"
        }
        #expect(manager.undoCount == 2)
        await nextSave(of: context) { manager.undo() }
        #expect(try place.context().only(Scrap.self).text == "a")
    }

    @Test("is what a transaction does at its end", arguments: TestStore.all)
    func transaction(_ store: TestStore) throws {
        struct Stopped: Error {}
        let place = try TestPlace(store, Scrap.self)
        let context = place.context()
        context.insert(Scrap("before"))
        try context.transaction { context.insert(Scrap("in")) }
        #expect(!context.hasChanges)
        #expect(try place.context().count(Scrap.self) == 2)
        #expect(throws: Stopped.self) {
            try context.transaction {
                context.insert(Scrap("kept"))
                throw Stopped()
            }
        }
        #expect(context.insertedModelsArray.count == 1, "what was changed is still to be saved, or to be discarded")
        #expect(try place.context().count(Scrap.self) == 2)
        context.rollback()
        #expect(!context.hasChanges)
    }

    @Test("that fails does not fail the fetches after it", arguments: TestStore.all)
    @MainActor func failure(_ store: TestStore) async throws {
        let (place, _, _) = try DeleteRuleTests.make(store)
        let context = place.container.mainContext
        context.delete(try context.only(Company.self))
        // Whatever was scheduled has run by then.
        let marker = try TestPlace(store, Scrap.self)
        await nextSave(of: marker.container.mainContext) { marker.container.mainContext.insert(Scrap("marker")) }
        #expect(context.loadError as? SwiftDataError == .deleteDenied)
        context.rollback()
        let fresh = place.context()
        let visitor = Visitor("v2")
        visitor.company = try fresh.only(Company.self)
        fresh.insert(visitor)
        fresh.insert(Visitor("v3"))
        try fresh.save()
        var descriptor = FetchDescriptor<Visitor>()
        descriptor.relationshipKeyPathsForPrefetching = [\.company]
        #expect(try context.fetch(descriptor).count == 3)
        #expect(context.loadError as? SwiftDataError == .deleteDenied, "only a save ends it")
    }
}
