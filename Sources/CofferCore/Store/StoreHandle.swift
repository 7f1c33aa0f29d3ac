import Foundation

/// A container's hold on one store, whatever its type.
final class StoreHandle: @unchecked Sendable {
    let store: any DataStore
    /// The same store where it works in rows and plans.
    let rows: (any RowStore)?
    let identifier: String
    let name: String
    let configuration: any DataStoreConfiguration
    let capabilities: StoreCapabilities

    init(_ store: any DataStore, configuration: any DataStoreConfiguration) {
        self.store = store
        rows = store as? any RowStore
        identifier = store.identifier
        name = configuration.name
        self.configuration = configuration
        capabilities = store.capabilities
    }

    /// A hold on a store that is open already.
    convenience init(_ store: any DataStore) {
        func open<S: DataStore>(_ store: S) -> any DataStoreConfiguration { store.configuration }
        self.init(store, configuration: open(store))
    }

    /// The schema of the container that a store works for, in a call of the store.
    @TaskLocal static var schemaAtWork: Schema?

    /// Opens the store of a configuration.
    static func open<C: DataStoreConfiguration>(
        _ configuration: C, schema: Schema, migrationPlan: (any SchemaMigrationPlan.Type)?
    ) throws -> StoreHandle {
        var configuration = configuration
        if configuration.schema == nil { configuration.schema = schema }
        try configuration.validate()
        let store = try $schemaAtWork.withValue(schema) { [configuration] in
            try C.Store(configuration, migrationPlan: migrationPlan)
        }
        return StoreHandle(store, configuration: configuration)
    }
}
