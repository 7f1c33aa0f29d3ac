import CofferCore
import Foundation
import Synchronization

/// Says that models are kept by a ``SmallStore``, and in which file.
public struct SmallStoreConfiguration: DataStoreConfiguration {
    public typealias Store = SmallStore
    public let name: String
    /// Left nil it becomes the container's schema.
    public var schema: Schema?
    public let url: URL

    public init(_ name: String = "SmallStore", schema: Schema? = nil, url: URL) {
        self.name = name
        self.schema = schema
        self.url = url
    }
}

/// A store that keeps everything in one JSON file. It reads the whole file for a fetch and writes it anew for a save.
public final class SmallStore: DataStore {
    public typealias Configuration = SmallStoreConfiguration
    public typealias Snapshot = DefaultSnapshot
    public let configuration: SmallStoreConfiguration
    public let schema: Schema
    public let identifier: String
    /// The contexts of a container call their store from their own threads.
    private let lock = Mutex<Void>(())

    /// What is in the file.
    private struct Contents: Codable {
        var identifier = UUID().uuidString
        var lastKey = 0
        var rows: [DefaultSnapshot] = []
    }

    public init(_ configuration: SmallStoreConfiguration, migrationPlan: (any SchemaMigrationPlan.Type)?) throws {
        self.configuration = configuration
        schema = configuration.schema ?? Schema()
        if FileManager.default.fileExists(atPath: configuration.url.path) {
            identifier = try Self.read(configuration.url).identifier
        } else {
            let contents = Contents()
            try Self.write(contents, to: configuration.url)
            identifier = contents.identifier
        }
    }

    public func fetch<M: PersistentModel>(
        _ request: DataStoreFetchRequest<M>
    ) throws -> DataStoreFetchResult<M, DefaultSnapshot> {
        // The context then asks once more, without that part, and does it by itself.
        if request.descriptor.predicate != nil { throw DataStoreError.preferInMemoryFilter }
        if !request.descriptor.sortBy.isEmpty { throw DataStoreError.preferInMemorySort }
        let entity = Schema.entityName(for: M.self)
        let contents = try lock.withLock { _ in try Self.read(configuration.url) }
        let rows = contents.rows.filter { $0.persistentIdentifier.entityName == entity }
        let page = rows.dropFirst(request.descriptor.fetchOffset ?? 0).prefix(request.descriptor.fetchLimit ?? .max)
        return DataStoreFetchResult(descriptor: request.descriptor, fetchedSnapshots: Array(page))
    }

    public func save(
        _ request: DataStoreSaveChangesRequest<DefaultSnapshot>
    ) throws -> DataStoreSaveChangesResult<DefaultSnapshot> {
        try lock.withLock { _ in
            var contents = try Self.read(configuration.url)
            // New rows come under temporary identifiers. Each gets a key that no row ever had.
            var permanent: [PersistentIdentifier: PersistentIdentifier] = [:]
            for snapshot in request.inserted {
                contents.lastKey += 1
                permanent[snapshot.persistentIdentifier] = try PersistentIdentifier.identifier(
                    for: identifier, entityName: snapshot.persistentIdentifier.entityName,
                    primaryKey: contents.lastKey)
            }
            let replaced = Set((request.updated + request.deleted).map(\.persistentIdentifier))
            contents.rows.removeAll { replaced.contains($0.persistentIdentifier) }
            // New rows may be linked to each other, and changed ones to new ones: all links are translated.
            for snapshot in request.updated + request.inserted {
                let old = snapshot.persistentIdentifier
                contents.rows.append(
                    snapshot.copy(persistentIdentifier: permanent[old] ?? old, remappedIdentifiers: permanent))
            }
            contents.rows.sort { $0.persistentIdentifier < $1.persistentIdentifier }
            try Self.write(contents, to: configuration.url)
            return DataStoreSaveChangesResult(for: identifier, remappedIdentifiers: permanent)
        }
    }

    private static func read(_ url: URL) throws -> Contents {
        try JSONDecoder().decode(Contents.self, from: Data(contentsOf: url))
    }

    private static func write(_ contents: Contents, to url: URL) throws {
        // Atomically: another file takes the place of the old one, so that a save is stored whole or not at all.
        try JSONEncoder().encode(contents).write(to: url, options: .atomic)
    }
}
