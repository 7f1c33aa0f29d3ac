/// Opens and makes stores without the model classes of the program that uses them.
///
/// A store keeps its schema with its data, which is enough to read rows, to copy them, and to look for damage:
///
/// ```swift
/// let store = try StoreOpening.open(SQLiteStoreConfiguration(url: url))
/// for entity in store.schema.entities {
///     print(entity.name, try store.countRows(FetchPlan(entityName: entity.name)))
/// }
/// ```
public enum StoreOpening {
    /// Opens a store as it is, for reading only and beside whoever has it open.
    ///
    /// Nothing is made, migrated or swept, and no rights to write are needed.
    ///
    /// - Parameter configuration: the place; its schema is not looked at.
    /// - Returns: the store with the schema that was left with the data, whose entities have no classes.
    /// - Throws: `SwiftDataError`: `storeNotFound`, `corruptStore`, `newerStoreFormat`; `unsupportedFeature` for stores of
    ///   another kind than those that migrate.
    public static func open(_ configuration: any DataStoreConfiguration) throws -> any ImportingRowStore {
        func open<S: MigratingStore>(_ kind: S.Type) throws -> (any ImportingRowStore)? {
            try (configuration as? S.Configuration).map { try kind.openStored($0) }
        }
        try configuration.validate()
        if let kind = kind(of: configuration), let store = try open(kind) { return store }
        throw unsupported(configuration, "opened without their models")
    }

    /// Opens a store that may be damaged, for salvage: what the engine would refuse to open as a whole is opened as far as
    /// it can be. Rows of it may not be read.
    ///
    /// - Returns: the store, and what is known to be missing from it beside what cannot be read of it.
    /// - Throws: `SwiftDataError` where not even the schema can be read.
    public static func openDamaged(
        _ configuration: any DataStoreConfiguration
    ) throws -> (store: any ImportingRowStore, losses: [StoreProblem]) {
        func open<S: MigratingStore>(
            _ kind: S.Type
        ) throws -> (store: any ImportingRowStore, losses: [StoreProblem])? {
            try (configuration as? S.Configuration).map { try kind.openDamaged($0) }
        }
        try configuration.validate()
        if let kind = kind(of: configuration), let store = try open(kind) { return store }
        throw unsupported(configuration, "opened without their models")
    }

    /// Makes an empty store that is put at its place once it is complete.
    ///
    /// - Parameters:
    ///   - configuration: the place, at which there must be nothing; its schema is not looked at.
    ///   - schema: the schema of the store, which need not have classes.
    ///   - identifier: the store's identifier, part of that of each row.
    /// - Throws: `SwiftDataError`: `storeExists`, `storeNotWritable`, what the store says of a schema that it cannot keep;
    ///   `unsupportedFeature` for stores of another kind than those that migrate.
    public static func make(
        _ configuration: any DataStoreConfiguration, schema: Schema, identifier: String
    ) throws -> any StoreCopyTarget {
        func configured<C: DataStoreConfiguration>(_ configuration: C) -> any DataStoreConfiguration {
            var configuration = configuration
            configuration.schema = schema
            return configuration
        }
        let configuration = configured(configuration)
        func make<S: MigratingStore>(_ kind: S.Type) throws -> (any StoreCopyTarget)? {
            try (configuration as? S.Configuration).map { try kind.makeCopy($0, identifier: identifier) }
        }
        try configuration.validate()
        if let kind = kind(of: configuration), let target = try make(kind) { return target }
        throw unsupported(configuration, "made from a copy")
    }

    /// What opening a store with another schema would do, without a migration plan. The store stays as it is.
    ///
    /// - Parameters:
    ///   - configuration: the place; its schema is not looked at.
    ///   - schema: the schema to come to, which need not have classes. Default values that are expressions do not come
    ///     with a schema that was read from a file.
    /// - Throws: what opening would throw.
    public static func previewMigration(
        _ configuration: any DataStoreConfiguration, to schema: Schema
    ) throws -> MigrationReport {
        func preview<C: DataStoreConfiguration>(_ configuration: C) throws -> MigrationReport? {
            var configuration = configuration
            configuration.schema = schema
            func preview<S: MigratingStore>(_ kind: S.Type) throws -> MigrationReport? {
                try (configuration as? S.Configuration).map {
                    try kind.previewMigration($0, migrationPlan: nil)
                }
            }
            return try kind(of: configuration).flatMap { try preview($0) }
        }
        try configuration.validate()
        if let report = try preview(configuration) { return report }
        throw unsupported(configuration, "opened without their models")
    }

    /// What is wrong with a store's files as such, as far as the engine below the store can tell without the schema.
    ///
    /// - Throws: what opening the store would throw.
    /// - Complexity: O(*size of the store*).
    public static func checkFiles(_ configuration: any DataStoreConfiguration) throws -> [StoreProblem] {
        func check<S: MigratingStore>(_ kind: S.Type) throws -> [StoreProblem]? {
            try (configuration as? S.Configuration).map { try kind.checkFiles($0) }
        }
        try configuration.validate()
        if let kind = kind(of: configuration), let problems = try check(kind) { return problems }
        throw unsupported(configuration, "opened without their models")
    }

    private static func kind<C: DataStoreConfiguration>(of configuration: C) -> (any MigratingStore.Type)? {
        C.Store.self as? any MigratingStore.Type
    }

    private static func unsupported(_ configuration: any DataStoreConfiguration, _ what: String) -> SwiftDataError {
        SwiftDataError(
            .unsupportedFeature, operation: .open, store: configuration.name,
            detail: "stores of this kind cannot be \(what)")
    }
}
