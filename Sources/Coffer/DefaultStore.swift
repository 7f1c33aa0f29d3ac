import CofferCore
import CofferInMemory
import CofferSQLite
import Foundation

/// The store behind ``ModelConfiguration``: SQLite, or memory where the configuration says so.
public final class DefaultStore: ImportingRowStore, MigratingStore, DataStoreBatching, HistoryProviding {
    /// Where the store lies, and how it is opened.
    public typealias Configuration = ModelConfiguration
    /// How rows are handed over.
    public typealias Snapshot = DefaultSnapshot
    /// What the history is made of.
    public typealias HistoryType = DefaultHistoryTransaction
    /// A place in the history.
    public typealias TokenType = DefaultHistoryToken

    /// The configuration that the store was opened with.
    public let configuration: ModelConfiguration
    /// The store that does the work.
    private let store: any ImportingRowStore

    public init(
        _ configuration: ModelConfiguration, migrationPlan: (any SchemaMigrationPlan.Type)? = nil
    ) throws {
        self.configuration = configuration
        if configuration.isStoredInMemoryOnly {
            store = try InMemoryStore(
                InMemoryStoreConfiguration(configuration.name, schema: configuration.schema),
                migrationPlan: migrationPlan)
        } else {
            try Self.makeDefaultFolder(of: configuration)
            store = try SQLiteStore(configuration.sqlite, migrationPlan: migrationPlan)
        }
    }

    /// The Application Support folder, or a group's, is made where it is missing; a folder that the program names is not.
    private static func makeDefaultFolder(of configuration: ModelConfiguration) throws {
        let folder = configuration.url.deletingLastPathComponent()
        guard configuration.allowsSave,
            folder.standardizedFileURL.path == configuration.groupContainer.folder.standardizedFileURL.path
        else { return }
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        } catch {
            throw SwiftDataError(
                .storeNotFound, operation: .open, store: configuration.name, file: folder.path,
                detail: "the folder cannot be made", underlying: error)
        }
    }

    /// The name of the configuration, by which errors speak of the store.
    public var name: String { configuration.name }
    public var identifier: String { store.identifier }
    public var schema: Schema { store.schema }
    public var capabilities: StoreCapabilities { store.capabilities }
    public var formatVersion: Int? { store.formatVersion }

    public func fetchRows(_ plan: FetchPlan, into batch: RowBatch) throws { try store.fetchRows(plan, into: batch) }
    public func fetchBlocks(
        _ plan: FetchPlan, into batch: RowBatch, of size: Int, _ body: (RowBatch) throws -> Void
    ) throws {
        try store.fetchBlocks(plan, into: batch, of: size, body)
    }
    public func countRows(_ plan: FetchPlan) throws -> Int { try store.countRows(plan) }
    public func explain(_ plan: FetchPlan) throws -> StoreExplanation { try store.explain(plan) }

    public func filterHandedBack(_ plan: FetchPlan) -> FilterDivision { store.filterHandedBack(plan) }

    public func fetchKeys(_ plan: FetchPlan) throws -> [Int64] { try store.fetchKeys(plan) }
    public func commit(_ changes: RowChanges) throws -> RowChangesResult { try store.commit(changes) }
    public func erase() throws { try store.erase() }
    public func importRows(_ batches: [RowBatch]) throws { try store.importRows(batches) }
    public func nextKeys() throws -> [String: Int64] { try store.nextKeys() }
    public func reserveKeys(_ next: [String: Int64]) throws { try store.reserveKeys(next) }
    public func aggregate(_ plan: AggregatePlan) throws -> [AggregateRow] { try store.aggregate(plan) }
    public func history(_ query: HistoryQuery) throws -> StoredHistory { try store.history(query) }
    public func forgetHistory(_ numbers: KeyRanges) throws { try store.forgetHistory(numbers) }
    public var writtenFiles: [URL] { store.writtenFiles }
    public func importHistory(_ transactions: [StoredTransaction], start: Int64) throws {
        try store.importHistory(transactions, start: start)
    }
    public func checkIndexes() throws -> [StoreProblem] { try store.checkIndexes() }

    // MARK: Migration

    public var migrationReport: MigrationReport? { (store as? SQLiteStore)?.migrationReport }

    public static func previewMigration(
        _ configuration: ModelConfiguration, migrationPlan: (any SchemaMigrationPlan.Type)?
    ) throws -> MigrationReport {
        // What lives in memory is new each time.
        if configuration.isStoredInMemoryOnly {
            return MigrationReport(newStore: configuration.name, configuration.schema ?? Schema())
        }
        return try SQLiteStore.previewMigration(configuration.sqlite, migrationPlan: migrationPlan)
    }

    public static func hold(_ configuration: ModelConfiguration) throws -> any StoreMigrationPlace {
        try SQLiteStore.hold(configuration.onDisk())
    }

    public static func makeCopy(
        _ configuration: ModelConfiguration, identifier: String
    ) throws -> any StoreCopyTarget {
        try SQLiteStore.makeCopy(configuration.onDisk(), identifier: identifier)
    }

    public static func openStored(_ configuration: ModelConfiguration) throws -> any ImportingRowStore {
        try SQLiteStore.openStored(configuration.onDisk())
    }

    public static func openDamaged(
        _ configuration: ModelConfiguration
    ) throws -> (store: any ImportingRowStore, losses: [StoreProblem]) {
        try SQLiteStore.openDamaged(configuration.onDisk())
    }

    public static func checkFiles(_ configuration: ModelConfiguration) throws -> [StoreProblem] {
        try SQLiteStore.checkFiles(configuration.onDisk())
    }
}

extension ModelConfiguration {
    /// The configuration of the store that does the work.
    fileprivate var sqlite: SQLiteStoreConfiguration {
        SQLiteStoreConfiguration(name, schema: schema, url: url, allowsSave: allowsSave)
    }

    fileprivate func onDisk() throws -> SQLiteStoreConfiguration {
        if !isStoredInMemoryOnly { return sqlite }
        throw SwiftDataError(
            .unsupportedFeature, operation: .convert, store: name, detail: "what lives in memory has no place")
    }
}
