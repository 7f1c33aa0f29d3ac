import CofferCore
import Foundation

/// A store in memory: the semantics and the errors of the durable stores, without a file.
///
/// Every opened store is its own, and the contexts of its container share it; its data ends with it.
///
/// Isolation: may be used from any thread. Fetches run beside each other; a save runs alone and is seen whole or not at
/// all.
public final class InMemoryStore: RowStore, @unchecked Sendable {
    public typealias Configuration = InMemoryStoreConfiguration
    public typealias Snapshot = DefaultSnapshot

    public let configuration: InMemoryStoreConfiguration
    public let schema: Schema
    /// A UUID, fresh for every store that is opened.
    public let identifier: String
    let data: MemoryTables
    let lock = SharedLock()

    /// Opens an empty store.
    ///
    /// - Parameters:
    ///   - configuration: name and models.
    ///   - migrationPlan: not needed: a new store holds no data of older schemas.
    /// - Throws: ``SwiftDataError`` where the schema has something that the store cannot keep.
    public init(
        _ configuration: InMemoryStoreConfiguration, migrationPlan: (any SchemaMigrationPlan.Type)? = nil
    ) throws {
        let schema = configuration.schema ?? Schema()
        let identifier = UUID().uuidString
        do {
            data = MemoryTables(try MemorySchema(schema), storeIdentifier: identifier)
        } catch let error as SwiftDataError {
            throw error.adding(operation: .open, store: configuration.name)
        }
        self.configuration = configuration
        self.schema = schema
        self.identifier = identifier
    }

    public var capabilities: StoreCapabilities {
        StoreCapabilities(
            [
                .nativeFiltering, .nativeSorting, .uniqueness, .indexes, .transactions, .orderedRelationships,
                .inheritance,
            ])
    }

    /// Stores changes, all or none, and gives the inserted rows their keys.
    ///
    /// Deletions come first. A new row whose unique values a row already has is written onto that row, and takes its
    /// key; everything else that two rows may not share is refused.
    ///
    /// - Throws: ``SwiftDataError`` that names entity and property; the store is then as it was.
    /// - Complexity: O(*changed rows*) on average.
    public func commit(_ changes: RowChanges) throws -> RowChangesResult {
        try lock.write {
            var commit = MemoryCommit(data)
            do {
                return try commit.run(changes)
            } catch let error as SwiftDataError {
                throw error.adding(operation: .save, store: configuration.name)
            }
        }
    }

    /// Removes all rows; keys are not given out again.
    public func erase() throws {
        lock.write { data.removeAll() }
    }
}
