import Foundation
import SwiftData

// A store of one's own over the framework's snapshots: one JSON document.

nonisolated final class DocumentConfiguration: DataStoreConfiguration {
    typealias Store = DocumentStore

    var name: String
    var schema: Schema?
    var fileURL: URL

    init(name: String, schema: Schema? = nil, fileURL: URL) {
        self.name = name
        self.schema = schema
        self.fileURL = fileURL
    }

    static func == (left: DocumentConfiguration, right: DocumentConfiguration) -> Bool { left.name == right.name }
    func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

nonisolated final class DocumentStore: DataStore {
    typealias Configuration = DocumentConfiguration
    typealias Snapshot = DefaultSnapshot

    var configuration: DocumentConfiguration
    var name: String
    var schema: Schema
    var identifier: String

    init(_ configuration: DocumentConfiguration, migrationPlan: (any SchemaMigrationPlan.Type)?) throws {
        guard let schema = configuration.schema else { throw DataStoreError.unsupportedFeature }
        self.configuration = configuration
        self.name = configuration.name
        self.schema = schema
        self.identifier = configuration.fileURL.lastPathComponent
    }

    func save(
        _ request: DataStoreSaveChangesRequest<DefaultSnapshot>
    ) throws -> DataStoreSaveChangesResult<DefaultSnapshot> {
        var remapped = [PersistentIdentifier: PersistentIdentifier]()
        var snapshots = try read()
        for snapshot in request.inserted {
            let identifier = try PersistentIdentifier.identifier(
                for: identifier, entityName: snapshot.persistentIdentifier.entityName, primaryKey: UUID())
            snapshots[identifier] = snapshot.copy(persistentIdentifier: identifier)
            remapped[snapshot.persistentIdentifier] = identifier
        }
        for snapshot in request.updated { snapshots[snapshot.persistentIdentifier] = snapshot }
        for snapshot in request.deleted { snapshots[snapshot.persistentIdentifier] = nil }
        snapshots = snapshots.mapValues {
            $0.copy(persistentIdentifier: $0.persistentIdentifier, remappedIdentifiers: remapped)
        }
        try write(snapshots)
        return DataStoreSaveChangesResult<DefaultSnapshot>(for: identifier, remappedIdentifiers: remapped)
    }

    func fetch<T>(
        _ request: DataStoreFetchRequest<T>
    ) throws -> DataStoreFetchResult<T, DefaultSnapshot> where T: PersistentModel {
        if request.descriptor.predicate != nil {
            throw DataStoreError.preferInMemoryFilter
        } else if request.descriptor.sortBy.count > 0 {
            throw DataStoreError.preferInMemorySort
        }
        let found = try read().filter { $0.key.entityName == String(describing: T.self) }
        return DataStoreFetchResult(
            descriptor: request.descriptor, fetchedSnapshots: Array(found.values), relatedSnapshots: found)
    }

    private func read() throws -> [PersistentIdentifier: DefaultSnapshot] {
        guard FileManager.default.fileExists(atPath: configuration.fileURL.path(percentEncoded: false)) else {
            return [:]
        }
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        let snapshots = try decoder.decode([DefaultSnapshot].self, from: Data(contentsOf: configuration.fileURL))
        return snapshots.reduce(into: [:]) { $0[$1.persistentIdentifier] = $1 }
    }

    private func write(_ snapshots: [PersistentIdentifier: DefaultSnapshot]) throws {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .iso8601
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        try encoder.encode(snapshots.values.map { $0 }).write(to: configuration.fileURL)
    }
}
