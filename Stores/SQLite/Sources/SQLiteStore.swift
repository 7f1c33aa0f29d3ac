import CofferCore
import Foundation
import Synchronization

/// A store in an SQLite file: a table for each entity, with real columns and foreign keys.
///
/// The file can be read with the `sqlite3` shell; Stores/SQLite/README.md describes its layout. Several stores, in one
/// process or in several, may have one file open.
///
/// Isolation: may be used from any thread. Fetches run beside each other and beside one save.
public final class SQLiteStore: ImportingRowStore, MigratingStore, DataStoreBatching, HistoryProviding,
    @unchecked Sendable
{
    /// Where the store lies, and how it is opened.
    public typealias Configuration = SQLiteStoreConfiguration
    /// Rows as views of batches.
    public typealias Snapshot = DefaultSnapshot

    /// The configuration that the store was opened with.
    public let configuration: SQLiteStoreConfiguration
    public let schema: Schema
    /// A UUID that the file keeps.
    public let identifier: String
    let layout: SQLiteSchema
    let pool: SQLitePool
    let keys: SQLiteKeys
    let place: SQLitePlace
    private let file: FileIdentity?
    /// What a fetch of all columns reads, by table.
    let projections: [SQLiteProjection]
    /// The files of large values; nil where the schema has no attribute that is kept so.
    let externals: ExternalFiles?
    /// Makes the history of saves.
    let recorder: HistoryRecorder
    /// Whether the file has the table of the history, as far as this store knows.
    let hasHistory = Atomic<Bool>(false)
    /// Statements of plans, by the shape of the plan.
    let queries = CompiledQueries()

    public let migrationReport: MigrationReport?

    /// Opens a file as a store, making it where there is none, and migrating what another schema has left there.
    ///
    /// - Throws: ``SwiftDataError`` that says what and where, or what a closure of the plan throws; nothing is changed
    ///   then.
    public convenience init(
        _ configuration: SQLiteStoreConfiguration, migrationPlan: (any SchemaMigrationPlan.Type)?
    ) throws {
        try configuration.validate()
        let schema = configuration.schema ?? Schema()
        let layout = try Self.layout(of: schema, configuration.place)
        let opened = try SQLiteMigration(configuration, schema: schema, layout: layout, plan: migrationPlan).open()
        let files = layout.hasExternals ? ExternalFiles(beside: configuration.place.resolvedPath) : nil
        self.init(
            configuration, schema, layout, opened.connection, identifier: opened.identifier, files: files,
            report: opened.report
        ) {
            let connection = try SQLiteOpening.connect(configuration)
            if configuration.allowsSave { try layout.followTexts(on: connection) }
            return connection
        }
        do {
            if configuration.allowsSave { try layout.followTexts(on: opened.connection) }
        } catch let failure as SQLiteFailure {
            throw failure.error(place, operation: .open)
        }
        if configuration.allowsSave {
            SQLiteExternalSweep(ExternalFiles(beside: place.resolvedPath), layout).run(opened.connection)
        }
    }

    /// A store around a connection.
    ///
    /// - Parameters:
    ///   - files: where large values lie.
    ///   - connect: opens more connections.
    init(
        _ configuration: SQLiteStoreConfiguration, _ schema: Schema, _ layout: SQLiteSchema,
        _ connection: SQLiteConnection, identifier: String, files: ExternalFiles?, report: MigrationReport? = nil,
        connect: @escaping @Sendable () throws -> SQLiteConnection
    ) {
        self.configuration = configuration
        self.schema = schema
        self.layout = layout
        self.identifier = identifier
        place = configuration.place
        file = FileIdentity(configuration.place.path)
        keys = SQLiteKeys(layout)
        recorder = HistoryRecorder(schema)
        projections = layout.tables.map { SQLiteProjection.of($0, layout, below: $0.subentityNames) }
        externals = files
        migrationReport = report
        pool = SQLitePool(connection, at: configuration.place, make: connect)
        if let file { SQLiteOpenStores.enter(self, file) }
    }

    static func layout(of schema: Schema, _ place: SQLitePlace) throws -> SQLiteSchema {
        do {
            return try SQLiteSchema(schema)
        } catch let error as SwiftDataError {
            throw error.adding(operation: .open, store: place.name, file: place.path)
        }
    }

    public static func previewMigration(
        _ configuration: SQLiteStoreConfiguration, migrationPlan: (any SchemaMigrationPlan.Type)?
    ) throws -> MigrationReport {
        try configuration.validate()
        let schema = configuration.schema ?? Schema()
        let layout = try layout(of: schema, configuration.place)
        return try SQLiteMigration(configuration, schema: schema, layout: layout, plan: migrationPlan).preview()
    }

    public static func hold(_ configuration: SQLiteStoreConfiguration) throws -> any StoreMigrationPlace {
        guard try SQLiteFile.inspect(configuration.place, willWrite: configuration.allowsSave) != .missing else {
            throw SwiftDataError(
                .storeNotFound, operation: .open, store: configuration.name, file: configuration.place.path)
        }
        return try SQLiteMigration.hold(configuration)
    }

    public static func makeCopy(
        _ configuration: SQLiteStoreConfiguration, identifier: String
    ) throws -> any StoreCopyTarget {
        try SQLiteMigration.naming(configuration.place) {
            try SQLiteCopyTarget(configuration, identifier: identifier)
        }
    }

    public static func openStored(_ configuration: SQLiteStoreConfiguration) throws -> any ImportingRowStore {
        try SQLiteMigration.openStored(configuration)
    }

    public static func openDamaged(
        _ configuration: SQLiteStoreConfiguration
    ) throws -> (store: any ImportingRowStore, losses: [StoreProblem]) {
        (try SQLiteMigration.openDamaged(configuration), [])
    }

    public static func checkFiles(_ configuration: SQLiteStoreConfiguration) throws -> [StoreProblem] {
        try SQLiteMigration.checkFiles(configuration)
    }

    deinit { close() }

    /// Closes the file. Later calls throw ``SwiftDataError/storeClosed``.
    ///
    /// The last connection of all processes folds the log into the file and removes it.
    public func close() {
        pool.close()
        if let file { SQLiteOpenStores.leave(self, file) }
    }

    public var capabilities: StoreCapabilities {
        StoreCapabilities(
            [
                .nativeFiltering, .nativeSorting, .uniqueness, .indexes, .transactions, .severalProcesses, .durable,
                .orderedRelationships, .inheritance, .fullText, .batchDelete, .batchUpdate, .aggregates,
                .history,
            ], maximumValueSize: 1_000_000_000)
    }

    public var writtenFiles: [URL] {
        ["", "-wal"].map { URL(fileURLWithPath: place.resolvedPath + $0) }
    }
    public var formatVersion: Int? { SQLiteFile.formatVersion }

    /// What the store asked of SQLite until now.
    var statistics: SQLiteStatistics { pool.statistics }

    /// Removes all rows, the files of large values and the history; keys are not given out again.
    ///
    /// - Throws: what SQLite or the system refuses, as `SwiftDataError` with the file; nothing is removed then.
    public func erase() throws {
        try write(.erase) { connection in
            let files = try connection.transaction {
                let named = externals == nil ? [] : try layout.externalNames(connection)
                for join in layout.joins { try connection.execute("DELETE FROM \(join.quoted)") }
                for table in layout.tables where table.isRoot { try connection.execute("DELETE FROM \(table.quoted)") }
                try SQLiteHistory.removeAll(connection)
                // And what nobody refers to, as far as it is there now: another process may write new files right
                // after the commit.
                return named.union(externals?.names() ?? [])
            }
            guard files.isEmpty || configuration.durability == .full || connection.bringsToDisk() else { return }
            externals?.remove(files)
            externals?.removeEmptyFolder()
        }
    }

    // MARK: Connections

    /// Runs reads, and turns SQLite's failures into errors.
    ///
    /// - Parameters:
    ///   - restart: undoes what the body did, where it has to run again because the file was changed under it.
    @inline(__always)
    func read<T>(
        _ operation: SwiftDataError.Operation, entity: String? = nil, restart: () -> Void = {},
        _ body: (SQLiteConnection) throws -> T
    ) throws -> T {
        if !configuration.allowsSave { return try readUnlocked(operation, entity: entity, restart: restart, body) }
        do {
            return try pool.read(body)
        } catch {
            throw named(error, operation, entity)
        }
    }

    public func withOneState<T>(_ body: () throws -> T) throws -> T {
        do {
            return try pool.withOneState(body)
        } catch let failure as SQLiteFailure {
            throw failure.error(place, operation: .fetch)
        }
    }

    /// Runs changes, and turns SQLite's failures into errors.
    func write<T>(
        _ operation: SwiftDataError.Operation, entity: String? = nil, _ body: (SQLiteConnection) throws -> T
    ) throws -> T {
        guard configuration.allowsSave else {
            throw SwiftDataError(
                .storeNotWritable, operation: operation, store: place.name, entity: entity, file: place.path,
                detail: "the store is open for reading only")
        }
        do {
            return try pool.write(body)
        } catch {
            throw named(error, operation, entity)
        }
    }

    @inline(never)
    func named(_ error: any Error, _ operation: SwiftDataError.Operation, _ entity: String?) -> any Error {
        switch error {
        case let failure as SQLiteFailure:
            failure.error(place, operation: operation, schema: layout, entity: entity)
        case let error as SwiftDataError:
            error.adding(operation: operation, store: place.name, entity: entity, file: place.path)
        default: error
        }
    }

    /// Reads from a file that may not be written, not even its locks.
    ///
    /// While nobody else has the file open it is read without locks, and what was read counts only if the file is the
    /// same afterwards. As soon as somebody writes, connections take part in SQLite's locking.
    private func readUnlocked<T>(
        _ operation: SwiftDataError.Operation, entity: String?, restart: () -> Void,
        _ body: (SQLiteConnection) throws -> T
    ) throws -> T {
        var attempt = 0
        while true {
            attempt += 1
            do {
                return try pool.read { connection in
                    guard let stamp = connection.stamp else { return try body(connection) }
                    guard pool.isCurrent(stamp) else { throw StaleConnection() }
                    let result = Result { try body(connection) }
                    guard pool.isCurrent(stamp) else { throw StaleConnection() }
                    return try result.get()
                }
            } catch is StaleConnection where attempt < 100 {
                restart()
                pool.dropIdle()
            } catch is StaleConnection {
                throw SwiftDataError(
                    .storeBusy, operation: operation, store: place.name, entity: entity, file: place.path,
                    detail: "the file keeps being changed")
            } catch {
                throw named(error, operation, entity)
            }
        }
    }
}

/// A file that was read without locks is not what it was when it was opened.
struct StaleConnection: Error {}
