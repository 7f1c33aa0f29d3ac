import CofferCore

/// Opens stores of types that are not known.
enum StoreOpening {
    /// Opens the store of a configuration, as a container would.
    static func open(_ configuration: any DataStoreConfiguration, schema: Schema) throws -> any DataStore {
        func open<C: DataStoreConfiguration>(_ configuration: C) throws -> any DataStore {
            var configuration = configuration
            if configuration.schema == nil { configuration.schema = schema }
            try configuration.validate()
            return try C.Store(configuration, migrationPlan: nil)
        }
        return try open(configuration)
    }

    static func hasDefaultSnapshots(_ store: any DataStore) -> Bool {
        func test<S: DataStore>(_ store: S) -> Bool { S.Snapshot.self == DefaultSnapshot.self }
        return test(store)
    }
}
