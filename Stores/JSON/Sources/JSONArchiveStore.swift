import CofferCore
import CofferRecords
import Foundation

/// A store in one readable JSON file, for data that people look at, edit, compare and keep under version control.
///
/// Everything is in memory while the store is open; `Stores/JSON/README.md` says what it is good and bad at. Several
/// stores, in one process or in several, may have one file open.
///
/// Isolation: may be used from any thread. Fetches run beside each other and beside one save.
public final class JSONArchiveStore: RecordRowStore, MigratingStore, DataStoreBatching, Sendable {
    /// Where the store lies, and how it is opened.
    public typealias Configuration = JSONArchiveConfiguration
    /// Rows as views of batches.
    public typealias Snapshot = DefaultSnapshot

    public let configuration: JSONArchiveConfiguration
    /// The records in memory, which do the store's work.
    public let core: RecordStoreCore
    /// Nil of a store that was read from a damaged archive, which nothing is written to.
    private let engine: JSONArchiveEngine?
    public let migrationReport: MigrationReport?

    /// Opens a file as a store, making it where there is none, and migrating what another schema has left there.
    ///
    /// - Throws: `SwiftDataError` that says what and where, with line and column for what is wrong in the file; nothing
    ///   is changed then.
    /// - Complexity: O(*size of the file*).
    public convenience init(
        _ configuration: JSONArchiveConfiguration, migrationPlan: (any SchemaMigrationPlan.Type)?
    ) throws {
        try configuration.validate()
        var engine: JSONArchiveEngine?
        let (core, report) = try RecordMigration.open(
            refuses: !configuration.allowsSave, backup: configuration.migrationBackup
        ) {
            let opened = try Self.open(configuration, plan: migrationPlan) { ArchiveRegistry.hold($0) }
            engine = opened.engine
            return opened.core
        } look: {
            try Self.naming(configuration) { try Self.look(configuration, $0) }
        } hold: {
            try Self.naming(configuration) { try JSONMigrationPlace(configuration, $0) }
        }
        guard let engine else { throw SwiftDataError(.storeClosed, operation: .open, store: configuration.name) }
        self.init(configuration, core, engine, report)
    }

    /// - Parameter hold: takes hold of the archive at a place.
    convenience init(_ configuration: JSONArchiveConfiguration, hold: (ArchivePlace) -> ArchiveHold) throws {
        try configuration.validate()
        let opened = try Self.open(configuration, plan: nil, hold)
        self.init(configuration, opened.core, opened.engine, nil)
    }

    init(
        _ configuration: JSONArchiveConfiguration, _ core: RecordStoreCore, _ engine: JSONArchiveEngine?,
        _ report: MigrationReport?
    ) {
        self.configuration = configuration
        self.core = core
        self.engine = engine
        migrationReport = report
    }

    public var writtenFiles: [URL] {
        let place = ArchivePlace(configuration.url)
        return [URL(fileURLWithPath: place.path), URL(fileURLWithPath: place.journal)]
    }

    public static func previewMigration(
        _ configuration: JSONArchiveConfiguration, migrationPlan: (any SchemaMigrationPlan.Type)?
    ) throws -> MigrationReport {
        try configuration.validate()
        let schema = configuration.schema ?? Schema()
        let decision = try naming(configuration) { place in
            try place.inspect(willWrite: configuration.allowsSave)
            guard FileStamp(place.path) != nil else { return MigrationDecision?.none }
            let engine = JSONArchiveEngine(
                ArchiveRegistry.hold(place), isReadOnly: true, timeout: configuration.busyTimeout)
            defer { engine.close() }
            return try RecordStoreCore.decision(schema, engine, plan: migrationPlan)
        }
        return try RecordMigration.preview(configuration.name, decision, schema) {
            try naming(configuration) { try JSONMigrationPlace(configuration, $0) }
        }
    }

    public static func hold(_ configuration: JSONArchiveConfiguration) throws -> any StoreMigrationPlace {
        try naming(configuration) { place in
            guard FileStamp(place.path) != nil else { throw SwiftDataError(.storeNotFound) }
            try place.inspect(willWrite: configuration.allowsSave)
            return try JSONMigrationPlace(configuration, place)
        }
    }

    public static func makeCopy(
        _ configuration: JSONArchiveConfiguration, identifier: String
    ) throws -> any StoreCopyTarget {
        try naming(configuration) { try JSONCopyTarget(configuration, $0, identifier: identifier) }
    }

    public static func openStored(_ configuration: JSONArchiveConfiguration) throws -> any ImportingRowStore {
        try naming(configuration) { place in
            try place.inspect(willWrite: false)
            return try look(configuration, place)
        }
    }

    public static func openDamaged(
        _ configuration: JSONArchiveConfiguration
    ) throws -> (store: any ImportingRowStore, losses: [StoreProblem]) {
        do {
            return (try openStored(configuration), [])
        } catch let error as SwiftDataError where error.code == .corruptStore {
            return try naming(configuration) { place in
                let archive = try DamagedArchive(place)
                let core = try RecordStoreCore(
                    name: configuration.name, schema: archive.schema, engine: archive.engine)
                return (JSONArchiveStore(configuration, core, nil, nil), archive.losses)
            }
        }
    }

    /// Opens a file, as far as that can be done in place.
    ///
    /// - Parameter identifier: that of a store that is made; nil for one of its own.
    static func open(
        _ configuration: JSONArchiveConfiguration, plan: (any SchemaMigrationPlan.Type)?, identifier: String? = nil,
        _ hold: (ArchivePlace) -> ArchiveHold
    ) throws -> (core: RecordStoreCore, engine: JSONArchiveEngine) {
        try naming(configuration) { place in
            try place.inspect(willWrite: configuration.allowsSave)
            let engine = JSONArchiveEngine(
                hold(place), isReadOnly: !configuration.allowsSave, timeout: configuration.busyTimeout)
            let core = try RecordStoreCore(
                name: configuration.name, schema: configuration.schema ?? Schema(), engine: engine, plan: plan,
                identifier: identifier)
            try engine.settle(core)
            return (core, engine)
        }
    }

    /// The store as it is, for reading only.
    static func look(_ configuration: JSONArchiveConfiguration, _ place: ArchivePlace) throws -> JSONArchiveStore {
        let engine = JSONArchiveEngine(
            ArchiveRegistry.hold(place), isReadOnly: true, timeout: configuration.busyTimeout)
        guard let stored = try RecordStoreCore.stored(in: engine) else { throw SwiftDataError(.storeNotFound) }
        let core = try RecordStoreCore(name: configuration.name, schema: stored.schema, engine: engine)
        return JSONArchiveStore(configuration, core, engine, nil)
    }

    /// Has errors name the store.
    private static func naming<T>(
        _ configuration: JSONArchiveConfiguration, _ body: (ArchivePlace) throws -> T
    ) throws -> T {
        let place = ArchivePlace(configuration.url)
        do {
            return try body(place)
        } catch let failure as FileFailure {
            throw failure.error(place.path).adding(operation: .open, store: configuration.name)
        } catch let error as SwiftDataError {
            throw error.adding(operation: .open, store: configuration.name, file: place.path)
        }
    }

    deinit { core.close() }

    /// Writes what the journal holds into the file, so that the file itself has the state of the last save. Nothing
    /// happens where it has.
    ///
    /// Stores do so when they are closed, and when the journal has outgrown the file.
    ///
    /// - Throws: `storeBusy` when somebody else writes for too long; `storeNotWritable`; `storeFull`. The file is then as
    ///   it was, and the journal stays.
    /// - Complexity: O(*size of the store*).
    public func fold() throws {
        guard let engine else { return }
        do {
            try engine.fold()
        } catch let error as SwiftDataError {
            throw error.adding(operation: .save, store: configuration.name, file: engine.path)
        }
    }

    /// Closes the store. Later calls throw `storeClosed`.
    public func close() { core.close() }

    public var capabilities: StoreCapabilities {
        StoreCapabilities(
            [
                .nativeFiltering, .nativeSorting, .uniqueness, .indexes, .transactions, .severalProcesses, .durable,
                .orderedRelationships, .inheritance, .fullText, .batchDelete, .batchUpdate, .aggregates, .history,
            ], maximumValueSize: Int(Int32.max))
    }
}
