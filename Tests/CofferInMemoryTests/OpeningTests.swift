import CofferCore
import CofferInMemory
import Testing

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
                .inheritance, .aggregates,
            ])
    }
}
