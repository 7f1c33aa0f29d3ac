import CofferCore
import CofferInMemory
import Testing

@Model final class Animal {
    var name: String
    init(name: String) { self.name = name }
}

@Suite("In memory: opening") struct OpeningTests {
    @Test func schemasThatCannotBeKeptAreRefused() throws {
        let name = Schema.Attribute(name: "name", valueType: String.self)
        let place = Schema.Entity("Place", properties: name)
        place.indices = [["name"]]
        place._rtreeIndices = [["name"]]
        do {
            _ = try InMemoryStore(InMemoryStoreConfiguration("places", schema: Schema(place)))
            Issue.record("opened")
        } catch let error as SwiftDataError {
            #expect(error.code == .unsupportedFeature)
            #expect(error.operation == .open && error.store == "places" && error.entity == "Place")
        }
    }

    @Test func everyOpeningIsAStoreOfItsOwn() throws {
        let configuration = InMemoryStoreConfiguration(schema: Schema(Animal.self))
        let (one, other) = (try InMemoryStore(configuration), try InMemoryStore(configuration))
        #expect(one.identifier != other.identifier)
        #expect(configuration == InMemoryStoreConfiguration(schema: Schema(Animal.self)))
        #expect(InMemoryStoreConfiguration("a") != InMemoryStoreConfiguration("b"))
    }

    @Test func whatTheStoreIsCapableOf() throws {
        let store = try InMemoryStore(InMemoryStoreConfiguration(schema: Schema(Animal.self)))
        #expect(
            store.capabilities.features == [
                .nativeFiltering, .nativeSorting, .uniqueness, .indexes, .transactions, .orderedRelationships,
                .inheritance, .fullText, .batchDelete, .batchUpdate, .aggregates, .history,
            ])
    }

    @Test func containersShareNothing() throws {
        let containers = try (0..<2).map { _ in
            try ModelContainer(for: Animal.self, configurations: InMemoryStoreConfiguration())
        }
        let context = ModelContext(containers[0])
        context.insert(Animal(name: "cat"))
        try context.save()
        #expect(try containers.map { try ModelContext($0).fetchCount(FetchDescriptor<Animal>()) } == [1, 0])
    }
}
