import Coffer
import Foundation
import Observation
import Testing

@MainActor @Observable final class VoyageList: @MainActor ModelContextProviding {
    let modelContext: ModelContext
    var title = "voyages"
    @ObservationIgnored @Query(filter: #Predicate { $0.days >= 0 }, sort: \.name) var voyages: [Voyage]
    @ObservationIgnored @Query var all: [Voyage]
    @ObservationIgnored @Query(sort: \.name, order: .reverse) var reversed: [Voyage]
    @ObservationIgnored @Query(sort: \.mate) var ships: [Ship]
    @ObservationIgnored @Query(sort: \.name, sectionBy: \.country) var byCountry: SectionedResults<Voyage, String>
    @ObservationIgnored @Query(sort: [SortDescriptor(\Ship.name)], sectionBy: \.mate) var byMate: [Ship]

    init(modelContext: ModelContext) { self.modelContext = modelContext }

    var mates: [String] { _byMate.sections.sectionTitles }
    var error: (any Error)? { _voyages.fetchError }
}

final class BareList {
    @Query(sort: \.name) var voyages: [Voyage]
    @Query var known: [Voyage]
    @Query var section: SectionedResults<Voyage, String>

    init(_ context: ModelContext? = nil, of name: String = "") {
        _known = Query(filter: #Predicate { $0.name == name }, modelContext: context)
    }
}

actor VoyageCounter: ModelContextProviding {
    nonisolated(unsafe) let modelContext: ModelContext
    @Query(FetchDescriptor<Voyage>()) var voyages: [Voyage]

    init(_ container: ModelContainer) { modelContext = ModelContext(container) }

    func count() -> Int { voyages.count }
}

@ModelActor actor VoyageWorker {
    @Query(sort: \.name) var voyages: [Voyage]

    func add(_ name: String) -> [String] {
        modelContext.insert(Voyage(name))
        return voyages.map(\.name)
    }
}

@Suite("A query property")
struct QueryTests {
    @Test("of an observable class is up to date, in all its forms", arguments: TestStore.all)
    @MainActor func forms(_ store: TestStore) throws {
        let (place, context) = try TestPlace.voyages(store, "b", "a")
        let list = VoyageList(modelContext: context)
        #expect(list.voyages.map(\.name) == ["a", "b"])
        #expect(list.all.count == 2)
        #expect(list.reversed.map(\.name) == ["b", "a"])
        #expect(list.$voyages.modelContext === context)
        context.insert(Voyage("c", "Peru"))
        context.insert(Ship("s", mate: "m"))
        context.insert(Ship("t"))
        #expect(list.voyages.map(\.name) == ["a", "b", "c"])
        #expect(list.ships.map(\.name) == ["t", "s"])
        #expect(list.byCountry.map { $0.map(\.name) } == [["a", "b"], ["c"]])
        #expect(list.byMate.map(\.name) == ["t", "s"])
        #expect(list.mates == ["", "m"])
        #expect(list.error == nil)
        #expect(list.all.count + list.reversed.count == 6)
        #expect(!place.asks { _ = list.voyages + list.all + list.reversed })
    }

    @Test("is observed beside the other properties")
    @MainActor func observed() throws {
        let (place, context) = try TestPlace.voyages(.memory, "a")
        defer { withExtendedLifetime(place) {} }
        let list = VoyageList(modelContext: context)
        let changes = ChangeCounter()
        _ = changes.track { list.voyages }
        list.title = "changed"
        #expect(changes.count == 0)
        context.insert(Voyage("b"))
        #expect(changes.count == 1)
        #expect(changes.track { list.voyages }.count == 2)
    }

    @Test("says that it has no context, and takes one", arguments: TestStore.all)
    func context(_ store: TestStore) throws {
        let (place, context) = try TestPlace.voyages(store, "a", "b")
        let list = BareList()
        let changes = ChangeCounter()
        #expect(changes.track { list.voyages }.isEmpty)
        #expect(list.$voyages.fetchError as? SwiftDataError == .missingModelContext)
        #expect(list.$voyages.modelContext == nil)
        list.$voyages.modelContext = context
        #expect(changes.count == 1)
        #expect(changes.track { list.voyages }.count == 2)
        #expect(list.$voyages.fetchError == nil)
        let other = place.context()
        list.$voyages.modelContext = other
        #expect(changes.count == 2)
        #expect(list.voyages.allSatisfy { $0.modelContext === other })
        list.$section.modelContext = other
        #expect(list.section.sectionTitles == [""] && list.section.elements.count == 2)
        #expect(list.$voyages.sections.isEmpty)
        let given = BareList(context, of: "b")
        #expect(given.known.map(\.name) == ["b"])
    }

    @Test("of an actor fetches from the actor's context", arguments: TestStore.all)
    func actors(_ store: TestStore) async throws {
        let (place, context) = try TestPlace.voyages(store, "a")
        let counter = VoyageCounter(place.container)
        #expect(await counter.count() == 1)
        context.insert(Voyage("b"))
        try context.save()
        #expect(await counter.count() == 2)
        let worker = VoyageWorker(modelContainer: place.container)
        #expect(await worker.add("c") == ["a", "b", "c"])
        #expect(await counter.count() == 2)
    }

    @Test("of a model that the schema lacks is empty and says why")
    @MainActor func unknownModel() throws {
        let place = try TestPlace(.memory, Ship.self)
        let query = Query<Deckhand, [Deckhand]>(sort: \.name, modelContext: place.context())
        #expect(query.wrappedValue.isEmpty)
        #expect(query.fetchError as? SwiftDataError == .unknownModelType)
    }
}
