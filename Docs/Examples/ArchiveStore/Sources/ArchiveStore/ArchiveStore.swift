import CofferCore
import Foundation
import Synchronization

/// Names an archive as a store. The file is made when it does not exist.
public struct ArchiveStoreConfiguration: DataStoreConfiguration {
    public typealias Store = ArchiveStore
    public let name: String
    public var schema: Schema?
    public let url: URL
    public let allowsSave: Bool

    public init(_ name: String = "archive", schema: Schema? = nil, url: URL, allowsSave: Bool = true) {
        self.name = name
        self.schema = schema
        self.url = url
        self.allowsSave = allowsSave
    }

    public func validate() throws {
        if !url.isFileURL { throw SwiftDataError(.storeNotFound, operation: .open, store: name, detail: "no file URL") }
    }
}

/// A store that keeps its rows in memory and writes them to one file with each save.
public final class ArchiveStore: DataStore {
    public typealias Configuration = ArchiveStoreConfiguration
    public typealias Snapshot = DefaultSnapshot
    public let configuration: ArchiveStoreConfiguration
    public let schema: Schema
    public let identifier: String
    private let file: ArchiveFile
    private let contents: Mutex<ArchiveContents>

    /// - Throws: `SwiftDataError`: `corruptStore`, `newerStoreFormat`, `storeNotFound`, `storeNotWritable`, `storeBusy`
    ///   while somebody else has the file open for saving, and `unknownSchema` or `backwardMigration` for models that
    ///   the rows do not fit.
    public init(_ configuration: ArchiveStoreConfiguration, migrationPlan: (any SchemaMigrationPlan.Type)?) throws {
        self.configuration = configuration
        schema = configuration.schema ?? Schema()
        do {
            file = try ArchiveFile(configuration.url, isReadOnly: !configuration.allowsSave)
            let found: ArchiveContents
            if let json = try file.read() {
                found = try ArchiveContents(json: json, for: schema, plan: migrationPlan)
            } else {
                found = ArchiveContents(schema)
                try file.write(JSONEncoder().encode(found))
            }
            identifier = found.identifier
            contents = Mutex(found)
        } catch let error as SwiftDataError {
            throw error.adding(operation: .open, store: configuration.name, file: configuration.url.path)
        }
    }

    public var capabilities: StoreCapabilities {
        StoreCapabilities([.transactions, .durable, .uniqueness, .history, .orderedRelationships])
    }

    public func fetch<M: PersistentModel>(
        _ request: DataStoreFetchRequest<M>
    ) throws -> DataStoreFetchResult<M, DefaultSnapshot> {
        if request.descriptor.predicate != nil { throw DataStoreError.preferInMemoryFilter }
        if !request.descriptor.sortBy.isEmpty { throw DataStoreError.preferInMemorySort }
        let rows = contents.withLock { $0.sorted(Schema.entityName(for: M.self)) }
        let page = rows.dropFirst(request.descriptor.fetchOffset ?? 0).prefix(request.descriptor.fetchLimit ?? .max)
        return DataStoreFetchResult(descriptor: request.descriptor, fetchedSnapshots: Array(page))
    }

    public func save(
        _ request: DataStoreSaveChangesRequest<DefaultSnapshot>
    ) throws -> DataStoreSaveChangesResult<DefaultSnapshot> {
        let remapped = try change(.save) { try $0.apply(request) }
        return DataStoreSaveChangesResult(for: identifier, remappedIdentifiers: remapped)
    }

    public func erase() throws {
        try change(.erase) { contents in
            contents.rows = [:]
            // Whoever stands before this has missed it all.
            contents.history.transactions = []
            contents.history.forgotten = contents.history.last
        }
    }

    /// Changes a copy, stores that, and takes it over once it is on the disk: what fails leaves everything as it was.
    func change<T: Sendable>(
        _ operation: SwiftDataError.Operation, _ body: (inout ArchiveContents) throws -> T
    ) throws -> T {
        do {
            if file.isReadOnly { throw SwiftDataError(.storeNotWritable) }
            return try contents.withLock { contents in
                var copy = contents
                let result = try body(&copy)
                try file.write(JSONEncoder().encode(copy))
                contents = copy
                return result
            }
        } catch let error as SwiftDataError {
            throw error.adding(operation: operation, store: configuration.name, file: configuration.url.path)
        }
    }

    func read<T: Sendable>(_ body: (ArchiveContents) throws -> T) rethrows -> T {
        try contents.withLock { try body($0) }
    }
}
