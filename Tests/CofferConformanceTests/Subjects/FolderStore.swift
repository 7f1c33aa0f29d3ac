import CofferConformance
import CofferCore
import Foundation
import Synchronization

/// A store with a file for each entity, for the kit.
struct FolderSubject: ConformanceSubject {
    let name = "folder"

    func configuration(at place: ConformancePlace) -> any DataStoreConfiguration {
        FolderConfiguration(folder: place.folder)
    }

    func facilities(_ capabilities: StoreCapabilities) -> Set<ConformanceNeed> { [.reopening, .damage] }

    func files(at place: ConformancePlace) throws -> [URL] {
        try FileManager.default.contentsOfDirectory(at: place.folder, includingPropertiesForKeys: nil)
            .sorted { $0.path < $1.path }
    }
}

struct FolderConfiguration: DataStoreConfiguration {
    typealias Store = FolderStore
    let name = "folder"
    var schema: Schema?
    let folder: URL
}

/// A JSON file of snapshots for each entity, behind a checksum. A file is looked at when its rows are asked for, so that
/// nothing but reading an entity shows that its file is damaged.
final class FolderStore: DataStore {
    typealias Snapshot = DefaultSnapshot
    let configuration: FolderConfiguration
    let schema: Schema
    var identifier: String { "folder " + configuration.folder.lastPathComponent }
    private let lock = Mutex<Void>(())

    private struct Contents: Codable {
        var last = 0
        var rows: [DefaultSnapshot] = []
    }

    init(_ configuration: FolderConfiguration, migrationPlan: (any SchemaMigrationPlan.Type)?) throws {
        self.configuration = configuration
        schema = configuration.schema ?? Schema()
    }

    func fetch<M: PersistentModel>(
        _ request: DataStoreFetchRequest<M>
    ) throws -> DataStoreFetchResult<M, DefaultSnapshot> {
        if request.descriptor.predicate != nil { throw DataStoreError.preferInMemoryFilter }
        if !request.descriptor.sortBy.isEmpty { throw DataStoreError.preferInMemorySort }
        let found = try lock.withLock { _ in try read(Schema.entityName(for: M.self)).rows }
        let page = found.dropFirst(request.descriptor.fetchOffset ?? 0).prefix(request.descriptor.fetchLimit ?? .max)
        return DataStoreFetchResult(descriptor: request.descriptor, fetchedSnapshots: Array(page))
    }

    func save(
        _ request: DataStoreSaveChangesRequest<DefaultSnapshot>
    ) throws -> DataStoreSaveChangesResult<DefaultSnapshot> {
        let remapped = try lock.withLock { _ in
            let changed = (request.inserted + request.updated + request.deleted).map(\.persistentIdentifier.entityName)
            var contents: [String: Contents] = [:]
            for entity in Set(changed) { contents[entity] = try read(entity) }
            var remapped: [PersistentIdentifier: PersistentIdentifier] = [:]
            for snapshot in request.inserted {
                let entity = snapshot.persistentIdentifier.entityName
                contents[entity]?.last += 1
                remapped[snapshot.persistentIdentifier] = try PersistentIdentifier.identifier(
                    for: identifier, entityName: entity, primaryKey: contents[entity]?.last ?? 0)
            }
            let replaced = Set((request.updated + request.deleted).map(\.persistentIdentifier))
            for entity in contents.keys {
                contents[entity]?.rows.removeAll { replaced.contains($0.persistentIdentifier) }
            }
            for snapshot in request.inserted + request.updated {
                let permanent = remapped[snapshot.persistentIdentifier] ?? snapshot.persistentIdentifier
                contents[permanent.entityName]?.rows.append(
                    snapshot.copy(persistentIdentifier: permanent, remappedIdentifiers: remapped))
            }
            for (entity, changed) in contents { try write(changed, entity) }
            return remapped
        }
        return DataStoreSaveChangesResult(for: identifier, remappedIdentifiers: remapped)
    }

    // MARK: Files

    private func file(_ entity: String) -> URL { configuration.folder.appendingPathComponent(entity + ".json") }

    private func read(_ entity: String) throws -> Contents {
        guard FileManager.default.fileExists(atPath: file(entity).path) else { return Contents() }
        let data = try Data(contentsOf: file(entity))
        let json = data.dropFirst(8)
        guard data.prefix(8) == Self.checksum(json) else {
            throw SwiftDataError(.corruptStore, entity: entity)
        }
        let decoder = JSONDecoder()
        decoder.userInfo[DefaultSnapshot.schemaKey] = schema
        var contents = try decoder.decode(Contents.self, from: Data(json))
        contents.rows.sort { $0.persistentIdentifier < $1.persistentIdentifier }
        return contents
    }

    private func write(_ contents: Contents, _ entity: String) throws {
        let json = try JSONEncoder().encode(contents)
        try (Self.checksum(json) + json).write(to: file(entity), options: .atomic)
    }

    private static func checksum(_ data: Data) -> Data {
        let sum = data.reduce(UInt64(0xcbf2_9ce4_8422_2325)) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
        return withUnsafeBytes(of: sum.littleEndian) { Data($0) }
    }
}
