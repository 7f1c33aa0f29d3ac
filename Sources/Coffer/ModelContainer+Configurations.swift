import CofferCore

extension ModelContainer {
    /// The container's configurations of SwiftData's own kind.
    ///
    /// Setting it changes what is told here and in `storeConfigurations`. Stores are opened by the initialiser alone, so
    /// those that are open stay, and no other is opened.
    public var configurations: Set<ModelConfiguration> {
        get { Set(storeConfigurations.compactMap { $0 as? ModelConfiguration }) }
        set {
            let others = storeConfigurations.filter { !($0 is ModelConfiguration) }
            replaceStoreConfigurations(with: others + newValue.sorted { $0.name < $1.name })
        }
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
