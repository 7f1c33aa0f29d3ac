import Coffer
import Foundation
import Testing

@Suite("The schema of a hierarchy")
struct HierarchySchemaTests {
    @Test("takes superclasses in by itself, and subclasses only where they are listed")
    func reach() {
        #expect(Schema([Travel.Trip.self]).entity(for: Travel.BusinessTrip.self) == nil)
        let schema = Schema([Travel.LuxuryTrip.self])
        #expect(schema.entity(for: Travel.Trip.self)?.subtree.map(\.name) == ["Trip", "BusinessTrip", "LuxuryTrip"])
        #expect(schema.entity(for: Travel.LuxuryTrip.self)?.rootEntity.name == "Trip")
        #expect(
            schema.entity(for: Travel.LuxuryTrip.self)?.lineage.map(\.name) == ["LuxuryTrip", "BusinessTrip", "Trip"])
        #expect(schema.entity(for: Travel.Stop.self)?.isInHierarchy == false)
    }

    @Test("a base whose subclasses are not listed is kept by itself", arguments: TestStore.all)
    func baseAlone(_ store: TestStore) throws {
        let place = try TestPlace(store, Stockroom.Item.self)
        let context = place.context()
        context.insert(Stockroom.Item("a"))
        try context.save()
        #expect(try place.reopen().only(Stockroom.Item.self).code == "a")
        context.insert(Stockroom.Film("b", "t", minutes: 1))
        #expect(throws: SwiftDataError.unknownModelType) { try context.save() }
    }

    @Test("rows of a subclass that the schema lacks are refused on opening, and untouched")
    func unknownSubclass() throws {
        let place = try Travel.place(.sqlite)
        func open(_ types: any PersistentModel.Type...) throws -> ModelContainer {
            try ModelContainer(
                for: Schema(types), configurations: [TestStore.sqlite.configuration(place.folder, place.record)])
        }
        let file = place.folder.appendingPathComponent("test.sqlite")
        let before = try Data(contentsOf: file)
        let error = #expect(throws: SwiftDataError.self) { _ = try open(Travel.Trip.self, Travel.PersonalTrip.self) }
        #expect(error?.code == .unknownSchema && error?.entity != nil)
        #expect(try Data(contentsOf: file) == before)
        #expect(try place.reopen().count(Travel.Trip.self) == 4)
    }

    @Test(
        "a subclass can be added to a class, and to a hierarchy, that is stored already", arguments: TestStore.rowStores
    )
    func addedSubclass(_ store: TestStore) throws {
        try store.needsPlace()
        let place = try TestPlace(store, Stockroom.Item.self)
        let context = place.context()
        context.insert(Stockroom.Item("a", "item", price: 3))
        try context.save()
        let second = try place.reopen(as: Stockroom.Item.self, Stockroom.Film.self)
        #expect(try second.only(Stockroom.Item.self).title == "item")
        second.insert(Stockroom.Film("b", "film", minutes: 90))
        try second.save()
        let third = try place.reopen(as: Stockroom.Item.self, Stockroom.Film.self, Stockroom.Comic.self)
        #expect(try third.all(Stockroom.Item.self, by: SortDescriptor(\.code)).map(\.title) == ["item", "film"])
        third.insert(Stockroom.Comic("c", "comic", artist: "x"))
        third.insert(Stockroom.Film("d", "film", minutes: 91))
        try third.save()
        let last = try place.reopen(as: Stockroom.Item.self, Stockroom.Film.self, Stockroom.Comic.self)
        #expect(
            try last.all(Stockroom.Item.self, by: SortDescriptor(\.code)).map { "\(type(of: $0))" } == [
                "Item", "Comic", "Film",
            ])
        #expect(try last.only(Stockroom.Film.self).minutes == 91)
    }

    @Test("a hierarchy that is split between stores is refused")
    func splitStores() {
        let error = #expect(throws: SwiftDataError.self) {
            _ = try ModelContainer(
                for: Schema(Stockroom.models),
                configurations: [
                    InMemoryStoreConfiguration("one", schema: Schema([Stockroom.Item.self])),
                    InMemoryStoreConfiguration(
                        "two", schema: Schema([Stockroom.Book.self, Stockroom.Comic.self, Stockroom.Film.self])),
                ])
        }
        #expect(error?.code == .loadIssueModelContainer)
        #expect(error?.description.contains("hierarchy") == true)
    }

    @Test("a store of rows that does not know of hierarchies is refused on opening")
    func capability() throws {
        let record = Record()
        let error = #expect(throws: SwiftDataError.self) {
            _ = try ModelContainer(
                for: Schema(Stockroom.models),
                configurations: [
                    RecordingConfiguration(
                        InMemoryStoreConfiguration("plainrows"), record: record, without: .inheritance)
                ])
        }
        #expect(error?.code == .unsupportedFeature && error?.store == "plainrows" && error?.entity != nil)
        // Without subclasses it will do.
        _ = try ModelContainer(
            for: Schema([Stockroom.Item.self]),
            configurations: [
                RecordingConfiguration(InMemoryStoreConfiguration("plainrows"), record: record, without: .inheritance)
            ])
    }

    @Test("a store of SwiftData's own protocols that knows of hierarchies is asked once for all classes")
    func knowingStore() throws {
        let store = TestStore(
            name: "knowing plain",
            configuration: { PlainConfiguration(folder: $0, record: $1, knowsHierarchies: true) })
        let place = try Travel.place(store)
        let context = try place.reopen()
        var trips: [Travel.Trip] = []
        let cost = try place.record.during {
            trips = try context.all(Travel.Trip.self, by: SortDescriptor(\.name))
        }
        #expect(cost.requests == 1)
        #expect(trips.map { "\(type(of: $0))" } == ["BusinessTrip", "LuxuryTrip", "PersonalTrip", "Trip"])
        #expect((trips[1] as? Travel.LuxuryTrip)?.butler == "james")
        #expect(trips[1].owner is Travel.Company)
        try context.delete(model: Travel.BusinessTrip.self, includeSubclasses: false)
        try context.save()
        #expect(
            try place.reopen().all(Travel.Trip.self, by: SortDescriptor(\.name)).map(\.name)
                == ["luxury", "personal", "plain"])
    }
}
