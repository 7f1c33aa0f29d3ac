import CLMDB
import CofferCore
import CofferRecords
import Foundation

/// A store in an LMDB file: records are read from the mapped file as they lie, and readers never wait for a save.
///
/// `Stores/LMDB/README.md` says what it is good and bad at. Several stores, in one process or in several, may have one
/// folder open.
///
/// Isolation: may be used from any thread. Fetches run beside each other and beside one save.
public final class LMDBStore: RecordRowStore, MigratingStore, DataStoreBatching, Sendable {
    /// Where the store lies, and how it is opened.
    public typealias Configuration = LMDBStoreConfiguration
    /// Rows as views of batches.
    public typealias Snapshot = DefaultSnapshot

    public let configuration: LMDBStoreConfiguration
    /// The records over LMDB, which do the store's work.
    public let core: RecordStoreCore

    public let migrationReport: MigrationReport?

    /// Opens a folder as a store, making it where there is none, and migrating what another schema has left there.
    ///
    /// - Throws: `SwiftDataError` that says what and where, or what a closure of the plan throws; nothing is changed
    ///   then.
    public convenience init(
        _ configuration: LMDBStoreConfiguration, migrationPlan: (any SchemaMigrationPlan.Type)?
    ) throws {
        try configuration.validate()
        var file: FileIdentity?
        let (core, report) = try RecordMigration.open(
            refuses: !configuration.allowsSave, backup: configuration.migrationBackup
        ) {
            try Self.open(configuration, plan: migrationPlan)
        } look: {
            file = LMDBFile.identity(configuration.path)
            return try Self.naming(configuration) { try Self.look(configuration) }
        } hold: {
            do {
                return try Self.naming(configuration) {
                    try LMDBMigrationPlace(configuration, closesOthers: true, file)
                }
            } catch is LMDBMigrationPlace.Replaced {
                return nil
            }
        }
        self.init(configuration, core, report)
    }

    init(_ configuration: LMDBStoreConfiguration, _ core: RecordStoreCore, _ report: MigrationReport? = nil) {
        self.configuration = configuration
        self.core = core
        (core.engine as? LMDBEngine)?.expect(core.layout)
        migrationReport = report
    }

    public var writtenFiles: [URL] { [URL(fileURLWithPath: LMDBFile.data(configuration.path))] }

    public static func previewMigration(
        _ configuration: LMDBStoreConfiguration, migrationPlan: (any SchemaMigrationPlan.Type)?
    ) throws -> MigrationReport {
        try configuration.validate()
        let schema = configuration.schema ?? Schema()
        let decision = try naming(configuration) {
            guard try LMDBFile.inspect(configuration.path, willWrite: configuration.allowsSave) == .store else {
                return MigrationDecision?.none
            }
            let engine = try makeEngine(configuration, .store, isReadOnly: true)
            defer { engine.close() }
            return try RecordStoreCore.decision(schema, engine, plan: migrationPlan)
        }
        return try RecordMigration.preview(configuration.name, decision, schema) {
            try naming(configuration) { try LMDBMigrationPlace(configuration, closesOthers: false) }
        }
    }

    public static func hold(_ configuration: LMDBStoreConfiguration) throws -> any StoreMigrationPlace {
        try naming(configuration) {
            if configuration.allowsSave { LMDBRegistry.clearUnmade(configuration.path) }
            guard try LMDBFile.inspect(configuration.path, willWrite: configuration.allowsSave) == .store else {
                throw SwiftDataError(.storeNotFound)
            }
            return try LMDBMigrationPlace(configuration, closesOthers: false)
        }
    }

    public static func makeCopy(
        _ configuration: LMDBStoreConfiguration, identifier: String
    ) throws -> any StoreCopyTarget {
        try naming(configuration) { try LMDBCopyTarget(configuration, identifier: identifier) }
    }

    public static func openStored(_ configuration: LMDBStoreConfiguration) throws -> any ImportingRowStore {
        let reading = LMDBStoreConfiguration(configuration.name, url: configuration.url, allowsSave: false)
        return try naming(reading) {
            guard try LMDBFile.inspect(reading.path, willWrite: false) == .store else {
                throw SwiftDataError(.storeNotFound)
            }
            return try look(reading)
        }
    }

    public static func openDamaged(
        _ configuration: LMDBStoreConfiguration
    ) throws -> (store: any ImportingRowStore, losses: [StoreProblem]) {
        // LMDB trusts what it maps, so a damaged file is read by other means.
        if try checkFiles(configuration).isEmpty { return (try openStored(configuration), []) }
        return try naming(configuration) {
            let file = try DamagedFile(configuration.path)
            let core = try RecordStoreCore(name: configuration.name, schema: file.schema, engine: file.engine)
            return (LMDBStore(configuration, core), file.losses)
        }
    }

    public static func checkFiles(_ configuration: LMDBStoreConfiguration) throws -> [StoreProblem] {
        try naming(configuration) { try LMDBFile.check(configuration.path) }
    }

    /// Opens a folder, as far as that can be done in place.
    ///
    /// - Parameter identifier: that of a store that is made; nil for one of its own.
    static func open(
        _ configuration: LMDBStoreConfiguration, plan: (any SchemaMigrationPlan.Type)?, identifier: String? = nil
    ) throws -> RecordStoreCore {
        var attempts = 0
        while true {
            do {
                return try openOnce(configuration, plan: plan, identifier: identifier)
            } catch let error as SwiftDataError where error.code == .storeClosed && attempts < 10 {
                // Another thread closes the process's stores of the folder, so as to migrate it.
                attempts += 1
            }
        }
    }

    private static func openOnce(
        _ configuration: LMDBStoreConfiguration, plan: (any SchemaMigrationPlan.Type)?, identifier: String?
    ) throws -> RecordStoreCore {
        try naming(configuration) {
            let path = configuration.path
            let schema = configuration.schema ?? Schema()
            if configuration.allowsSave { LMDBRegistry.clearUnmade(path) }
            let state = try LMDBFile.inspect(path, willWrite: configuration.allowsSave)
            // Problems of the schema come up before anything is made.
            if state != .store { _ = try RecordSchema(schema) }
            let isMade = state == .missing && mkdir(path, StoreRights.folder) == 0
            if state == .missing, !isMade, errno != EEXIST { throw LMDBFailure(code: errno) }
            let isNew = LMDBFile.identity(path) == nil
            var engine: LMDBEngine?
            let core: RecordStoreCore
            do {
                let opened = try makeEngine(configuration, state, isReadOnly: !configuration.allowsSave)
                engine = opened
                let hold = try opened.currentHold()
                defer { withExtendedLifetime(hold) {} }
                let environment = hold.environment
                // Before there is anything else in the file: without its first pages nobody could tell what the rest is.
                if state != .store { try LMDBFailure.check(mdb_env_sync(environment.handle, 1)) }
                core = try environment.opening.withLock { _ in
                    try RecordStoreCore(
                        name: configuration.name, schema: schema, engine: opened, plan: plan, identifier: identifier)
                }
            } catch {
                engine?.close()
                if isNew { LMDBRegistry.removeUnmade(path, isMade: isMade) }
                throw error
            }
            if state != .store {
                try LMDBFile.sync(folder: path)
                try LMDBFile.sync(folder: LMDBFile.parent(of: path))
            }
            return core
        }
    }

    /// The store as it is, for reading only.
    private static func look(_ configuration: LMDBStoreConfiguration) throws -> LMDBStore {
        let engine = try makeEngine(configuration, .store, isReadOnly: true)
        let hold = try engine.currentHold()
        defer { withExtendedLifetime(hold) {} }
        return try hold.environment.opening.withLock { _ in
            guard let stored = try RecordStoreCore.stored(in: engine) else { throw SwiftDataError(.storeNotFound) }
            let core = try RecordStoreCore(name: configuration.name, schema: stored.schema, engine: engine)
            return LMDBStore(configuration, core)
        }
    }

    private static func makeEngine(
        _ configuration: LMDBStoreConfiguration, _ state: LMDBFile.State, isReadOnly: Bool
    ) throws -> LMDBEngine {
        let path = configuration.path
        LMDBRegistry.closeBroken(path)
        let hold = try LMDBRegistry.waiting(configuration.busyTimeout, "it is being migrated") {
            try LMDBRegistry.hold(path) {
                // Readers list themselves in a file of their own, for which even they need the right to write.
                let canWrite =
                    access(path, W_OK | X_OK) == 0 && (state == .store ? access(LMDBFile.data(path), W_OK) == 0 : true)
                let list = path + "/lock.mdb"
                let lock = try FolderLock.forOpening(path)
                defer { withExtendedLifetime(lock) {} }
                return try LMDBEnvironment(
                    path, isReadOnly: !configuration.allowsSave && !canWrite, mapSize: configuration.initialMapSize,
                    writesReaderList: access(LMDBFile.status(list) == nil ? path : list, W_OK) == 0)
            }
        }
        if configuration.allowsSave, hold.environment.isReadOnly {
            throw SwiftDataError(.storeNotWritable, detail: "the process has it open for reading only")
        }
        let engine = LMDBEngine(path, hold: hold, isReadOnly: isReadOnly, timeout: configuration.busyTimeout)
        LMDBRegistry.enter(engine, path)
        return engine
    }

    /// Has errors name the store.
    private static func naming<T>(_ configuration: LMDBStoreConfiguration, _ body: () throws -> T) throws -> T {
        do {
            return try body()
        } catch let failure as LMDBFailure {
            throw failure.error(configuration.path).adding(operation: .open, store: configuration.name)
        } catch let error as SwiftDataError {
            throw error.adding(operation: .open, store: configuration.name, file: configuration.path)
        }
    }

    deinit { core.close() }

    /// The open folder; nil once the store is closed.
    var environment: LMDBEnvironment? { (core.engine as? LMDBEngine)?.environment }

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
