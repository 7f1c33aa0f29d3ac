import CofferCore
import CofferRecords
import Foundation

/// A store in one readable JSON file, for data that people look at, edit, compare and keep under version control.
///
/// Everything is in memory while the store is open; `Stores/JSON/README.md` says what it is good and bad at. Several
/// stores, in one process or in several, may have one file open.
///
/// Isolation: may be used from any thread. Fetches run beside each other and beside one save.
public final class JSONArchiveStore: RecordRowStore, DataStoreBatching, Sendable {
    public typealias Configuration = JSONArchiveConfiguration
    public typealias Snapshot = DefaultSnapshot

    public let configuration: JSONArchiveConfiguration
    public let core: RecordStoreCore
    private let engine: JSONArchiveEngine

    /// Opens a file as a store, making it where there is none.
    ///
    /// - Throws: `SwiftDataError` that says what and where, with line and column for what is wrong in the file; nothing
    ///   is changed then.
    /// - Complexity: O(*size of the file*).
    public convenience init(
        _ configuration: JSONArchiveConfiguration, migrationPlan: (any SchemaMigrationPlan.Type)?
    ) throws {
        try self.init(configuration) { ArchiveRegistry.hold($0) }
    }

    /// - Parameter hold: takes hold of the archive at a place.
    init(_ configuration: JSONArchiveConfiguration, hold: (ArchivePlace) -> ArchiveHold) throws {
        try configuration.validate()
        let place = ArchivePlace(configuration.url)
        do {
            try place.inspect(willWrite: configuration.allowsSave)
            let engine = JSONArchiveEngine(
                hold(place), isReadOnly: !configuration.allowsSave, timeout: configuration.busyTimeout)
            core = try RecordStoreCore(
                name: configuration.name, schema: configuration.schema ?? Schema(), engine: engine)
            try engine.settle(core)
            self.engine = engine
        } catch let error as SwiftDataError {
            throw error.adding(operation: .open, store: configuration.name, file: place.path)
        }
        self.configuration = configuration
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
