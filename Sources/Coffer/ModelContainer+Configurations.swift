import CofferCore

extension ModelContainer {
    /// The container's configurations of SwiftData's own kind.
    public var configurations: Set<ModelConfiguration> {
        Set(storeConfigurations.compactMap { $0 as? ModelConfiguration })
    }

    /// Opens the stores of model types and everything they are related to: the default file where no configuration is
    /// given.
    ///
    /// - Throws: ``SwiftDataError`` when schema or configuration are not sound or a store cannot be opened.
    public convenience init(
        for types: any PersistentModel.Type..., migrationPlan: (any SchemaMigrationPlan.Type)? = nil,
        configurations: ModelConfiguration...
    ) throws {
        try self.init(for: Schema(types), migrationPlan: migrationPlan, configurations: configurations)
    }

    /// Opens the stores of a schema: the default file where no configuration is given.
    ///
    /// - Throws: as ``ModelContainer``'s other initialisers do, when schema or configurations are not sound or a store
    ///   cannot be opened.
    public convenience init(
        for schema: Schema, migrationPlan: (any SchemaMigrationPlan.Type)? = nil,
        configurations: ModelConfiguration...
    ) throws {
        try self.init(for: schema, migrationPlan: migrationPlan, configurations: configurations)
    }

    /// Opens the stores of a schema: the default file where the list is empty.
    ///
    /// - Throws: as ``ModelContainer``'s other initialisers do, when schema or configurations are not sound or a store
    ///   cannot be opened.
    public convenience init(
        for schema: Schema, migrationPlan: (any SchemaMigrationPlan.Type)? = nil,
        configurations: [ModelConfiguration]
    ) throws {
        let stores: [any DataStoreConfiguration] = configurations.isEmpty ? [ModelConfiguration()] : configurations
        try self.init(for: schema, migrationPlan: migrationPlan, configurations: stores)
    }
}
