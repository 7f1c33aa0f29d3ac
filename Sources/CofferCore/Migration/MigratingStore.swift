/// A store that keeps its data at a place and brings what it finds there to the schema of the program.
public protocol MigratingStore: DataStore {
    /// What opening the store did to what it found; nil where no row had to be copied.
    var migrationReport: MigrationReport? { get }

    /// What opening a store would do. The store stays as it is.
    ///
    /// Where rows would be copied they are, into a store that is thrown away: the figures are those of the real
    /// migration, it takes as long, and closures of the plan run.
    ///
    /// - Throws: what opening would throw.
    static func previewMigration(
        _ configuration: Configuration, migrationPlan: (any SchemaMigrationPlan.Type)?
    ) throws -> MigrationReport

    /// Takes hold of a store as it is, without models of the program; for copying it.
    ///
    /// - Parameter configuration: the place; its schema is not looked at.
    /// - Throws: `storeNotFound`, `storeBusy` where somebody has the store open, and what opening would throw.
    static func hold(_ configuration: Configuration) throws -> any StoreMigrationPlace

    /// Makes an empty store that is put at its place once it is complete.
    ///
    /// - Throws: `storeExists` where there is a store already.
    static func makeCopy(_ configuration: Configuration, identifier: String) throws -> any StoreCopyTarget

    /// Opens a store as it is, by the schema that it keeps of itself, for reading only and beside whoever has it open.
    ///
    /// - Parameter configuration: the place; its schema is not looked at.
    /// - Throws: `storeNotFound`, and what opening would throw of a store that is damaged or newer.
    static func openStored(_ configuration: Configuration) throws -> any ImportingRowStore

    /// Opens as much of a store as can be opened, though the engine would refuse it as a whole; defaulted: opens it as
    /// it is.
    ///
    /// - Returns: the store, and what is known to be missing from it beside what cannot be read of it.
    /// - Throws: what opening would throw, where not even the schema can be read.
    static func openDamaged(
        _ configuration: Configuration
    ) throws -> (store: any ImportingRowStore, losses: [StoreProblem])

    /// What the engine below the store finds wrong with the files; defaulted: nothing.
    ///
    /// - Throws: what opening would throw.
    static func checkFiles(_ configuration: Configuration) throws -> [StoreProblem]
}

extension MigratingStore {
    public static func openDamaged(
        _ configuration: Configuration
    ) throws -> (store: any ImportingRowStore, losses: [StoreProblem]) {
        (try openStored(configuration), [])
    }

    public static func checkFiles(_ configuration: Configuration) throws -> [StoreProblem] { [] }
}

extension ModelContainer {
    /// What opening the container did to its stores: a report of each store whose rows were copied.
    public var migrationReports: [MigrationReport] {
        stores.compactMap { ($0.store as? any MigratingStore)?.migrationReport }
    }

    /// What opening a container would do to its stores, which stay as they are.
    ///
    /// ```swift
    /// for report in try ModelContainer.previewMigration(
    ///     for: Schema([Trip.self]), migrationPlan: TripsPlan.self, configurations: [configuration]
    /// ) where report.losesData {
    ///     print(report)
    /// }
    /// ```
    ///
    /// Where rows would be copied they are, into a store that is thrown away; closures of the plan run.
    ///
    /// - Returns: a report of each store that can tell.
    /// - Throws: what opening the container would throw.
    public static func previewMigration(
        for schema: Schema, migrationPlan: (any SchemaMigrationPlan.Type)? = nil,
        configurations: [any DataStoreConfiguration]
    ) throws -> [MigrationReport] {
        func preview<C: DataStoreConfiguration>(_ configuration: C) throws -> MigrationReport? {
            var configuration = configuration
            if configuration.schema == nil { configuration.schema = schema }
            try configuration.validate()
            guard let kind = C.Store.self as? any MigratingStore.Type else { return nil }
            return try Self.preview(kind, configuration, migrationPlan)
        }
        try schema.validate()
        return try configurations.compactMap { try preview($0) }
    }

    private static func preview<S: MigratingStore>(
        _ kind: S.Type, _ configuration: Any, _ plan: (any SchemaMigrationPlan.Type)?
    ) throws -> MigrationReport? {
        guard let configuration = configuration as? S.Configuration else { return nil }
        return try kind.previewMigration(configuration, migrationPlan: plan)
    }
}
