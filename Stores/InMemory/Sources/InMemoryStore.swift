import CofferCore
import CofferRecords

/// A store in memory: the semantics and the errors of the durable stores, without a file.
///
/// Every opened store is its own, and the contexts of its container share it; its data ends with it.
///
/// Isolation: may be used from any thread. Fetches run beside each other and beside one save; each sees one state of the
/// store, and a save is seen whole or not at all.
public final class InMemoryStore: RecordRowStore, DataStoreBatching, Sendable {
    /// What the store is opened with.
    public typealias Configuration = InMemoryStoreConfiguration
    /// Rows as views of batches.
    public typealias Snapshot = DefaultSnapshot

    public let configuration: InMemoryStoreConfiguration
    /// The records in memory, which do the store's work.
    public let core: RecordStoreCore

    /// Opens an empty store.
    ///
    /// - Parameters:
    ///   - configuration: name and models.
    ///   - migrationPlan: not needed: a new store holds no data of older schemas.
    /// - Throws: `SwiftDataError` where the schema has something that the store cannot keep.
    public init(
        _ configuration: InMemoryStoreConfiguration, migrationPlan: (any SchemaMigrationPlan.Type)? = nil
    ) throws {
        core = try RecordStoreCore(
            name: configuration.name, schema: configuration.schema ?? Schema(), engine: MemoryEngine())
        self.configuration = configuration
    }

    /// Opens an empty store that is to be a copy of another one, under that one's identifier.
    ///
    /// - Throws: `SwiftDataError` where the schema has something that the store cannot keep.
    public init(_ configuration: InMemoryStoreConfiguration, identifier: String) throws {
        core = try RecordStoreCore(
            name: configuration.name, schema: configuration.schema ?? Schema(), engine: MemoryEngine(), plan: nil,
            identifier: identifier)
        self.configuration = configuration
    }

    public var capabilities: StoreCapabilities {
        StoreCapabilities(
            [
                .nativeFiltering, .nativeSorting, .uniqueness, .indexes, .transactions, .orderedRelationships,
                .inheritance, .fullText, .batchDelete, .batchUpdate, .aggregates, .history,
            ])
    }
}
