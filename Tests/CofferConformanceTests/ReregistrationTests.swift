import CofferConformance
import CofferCore
import Foundation
import Testing

/// A store that gives lamps another name when it saves them, and says so.
final class NamingStore: DataStore {
    typealias Snapshot = DefaultSnapshot
    let configuration: NamingConfiguration
    let schema: Schema
    let identifier = "naming"
    nonisolated(unsafe) private var rows: [PersistentIdentifier: DefaultSnapshot] = [:]

    init(_ configuration: NamingConfiguration, migrationPlan: (any SchemaMigrationPlan.Type)?) throws {
        self.configuration = configuration
        schema = configuration.schema ?? Schema()
    }

    func fetch<M: PersistentModel>(
        _ request: DataStoreFetchRequest<M>
    ) throws -> DataStoreFetchResult<M, DefaultSnapshot> {
        if request.descriptor.predicate != nil { throw DataStoreError.preferInMemoryFilter }
        return DataStoreFetchResult(descriptor: request.descriptor, fetchedSnapshots: Array(rows.values))
    }

    func save(
        _ request: DataStoreSaveChangesRequest<DefaultSnapshot>
    ) throws -> DataStoreSaveChangesResult<DefaultSnapshot> {
        var remapped: [PersistentIdentifier: PersistentIdentifier] = [:]
        var renamed: [PersistentIdentifier: DefaultSnapshot] = [:]
        for (number, snapshot) in (request.inserted + request.updated).enumerated() {
            var identifier = snapshot.persistentIdentifier
            if identifier.storeIdentifier == nil {
                identifier = try .identifier(for: self.identifier, entityName: "Lamp", primaryKey: rows.count + 1)
                remapped[snapshot.persistentIdentifier] = identifier
            }
            let copy = snapshot.copy(persistentIdentifier: identifier, remappedIdentifiers: remapped)
            copy.batch.set(.text("lamp \(number) of this save"), row: 0, slot: 0)
            rows[identifier] = copy
            renamed[identifier] = copy
        }
        return DataStoreSaveChangesResult(
            for: identifier, remappedIdentifiers: remapped, snapshotsToReregister: renamed)
    }
}

struct NamingConfiguration: DataStoreConfiguration {
    typealias Store = NamingStore
    let name = "naming"
    var schema: Schema?
}

@Suite("Values that a store makes while it saves")
struct ReregistrationTests {
    @Test func areThoseOfTheModelsAfterwards() throws {
        let container = try ModelContainer(for: Schema(Lamp.self), configurations: [NamingConfiguration()])
        let context = ModelContext(container)
        let lamp = Lamp("mine")
        context.insert(lamp)
        try context.save()
        #expect(lamp.name == "lamp 0 of this save")
        #expect(!context.hasChanges)
        lamp.name = "mine again"
        try context.save()
        #expect(lamp.name == "lamp 0 of this save")
    }
}
