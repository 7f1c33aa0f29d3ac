import CofferCore
import CofferRecords
import Foundation

/// A store in an LMDB file: records are read from the mapped file as they lie, and readers never wait for a save.
///
/// `Stores/LMDB/README.md` says what it is good and bad at. Several stores, in one process or in several, may have one
/// folder open.
///
/// Isolation: may be used from any thread. Fetches run beside each other and beside one save.
public final class LMDBStore: RecordRowStore, DataStoreBatching, Sendable {
    public typealias Configuration = LMDBStoreConfiguration
    public typealias Snapshot = DefaultSnapshot

    public let configuration: LMDBStoreConfiguration
    public let core: RecordStoreCore

    /// Opens a folder as a store, making it where there is none.
    ///
    /// - Throws: `SwiftDataError` that says what and where; nothing is changed then.
    public init(_ configuration: LMDBStoreConfiguration, migrationPlan: (any SchemaMigrationPlan.Type)?) throws {
        try configuration.validate()
        let path = configuration.path
        do {
            let schema = configuration.schema ?? Schema()
            let state = try LMDBFile.inspect(path, willWrite: configuration.allowsSave)
            // Problems of the schema come up before anything is made.
            if state != .store { _ = try RecordSchema(schema) }
            if state == .missing, mkdir(path, 0o777) != 0, errno != EEXIST { throw LMDBFailure(code: errno) }
            let hold = try LMDBRegistry.hold(path) {
                // Readers list themselves in a file of their own, for which even they need the right to write.
                let canWrite =
                    access(path, W_OK | X_OK) == 0
                    && (state == .store ? access(LMDBFile.data(path), W_OK) == 0 : true)
                let list = path + "/lock.mdb"
                return try LMDBEnvironment(
                    path, isReadOnly: !configuration.allowsSave && !canWrite, mapSize: configuration.initialMapSize,
                    writesReaderList: access(LMDBFile.status(list) == nil ? path : list, W_OK) == 0)
            }
            if configuration.allowsSave, hold.environment.isReadOnly {
                throw SwiftDataError(.storeNotWritable, detail: "the process has it open for reading only")
            }
            let engine = LMDBEngine(
                path, hold: hold, isReadOnly: !configuration.allowsSave, timeout: configuration.busyTimeout)
            core = try hold.environment.opening.withLock { _ in
                try RecordStoreCore(name: configuration.name, schema: schema, engine: engine)
            }
            if state != .store {
                LMDBFile.sync(folder: path)
                LMDBFile.sync(folder: LMDBFile.parent(of: path))
            }
        } catch let failure as LMDBFailure {
            throw failure.error(path).adding(operation: .open, store: configuration.name)
        } catch let error as SwiftDataError {
            throw error.adding(operation: .open, store: configuration.name, file: path)
        }
        self.configuration = configuration
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
