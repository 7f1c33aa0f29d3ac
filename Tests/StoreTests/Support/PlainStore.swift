import Coffer
import Foundation
import Synchronization

/// The configuration of a ``PlainStore``.
struct PlainConfiguration: DataStoreConfiguration {
    typealias Store = PlainStore
    let name = "plain"
    var schema: Schema?
    let folder: URL
    let record: Record
    /// Whether a fetch of a class gives the rows of its subclasses, too, as the store then says of itself.
    let knowsHierarchies: Bool

    init(folder: URL, record: Record, knowsHierarchies: Bool = false) {
        self.folder = folder
        self.record = record
        self.knowsHierarchies = knowsHierarchies
    }

    static func == (left: PlainConfiguration, right: PlainConfiguration) -> Bool { left.folder == right.folder }
    func hash(into hasher: inout Hasher) { hasher.combine(folder) }
}

/// A dictionary of snapshots, kept for a folder's name as long as the process lives: the least that SwiftData's
/// protocols ask of a store. It hands every filter and every sort back to the context.
final class PlainStore: DataStore {
    typealias Snapshot = DefaultSnapshot

    let configuration: PlainConfiguration
    let schema: Schema
    let identifier: String
    private let contents: Contents

    private final class Contents: Sendable {
        struct State {
            var snapshots: [PersistentIdentifier: DefaultSnapshot] = [:]
            var last = 0
        }
        let state = Mutex(State())
    }

    private static let places = Mutex<[URL: Contents]>([:])

    init(_ configuration: PlainConfiguration, migrationPlan: (any SchemaMigrationPlan.Type)?) throws {
        self.configuration = configuration
        schema = configuration.schema ?? Schema()
        identifier = "plain-" + configuration.folder.lastPathComponent
        contents = Self.places.withLock { places in
            let contents = places[configuration.folder] ?? Contents()
            places[configuration.folder] = contents
            return contents
        }
    }

    var capabilities: StoreCapabilities { StoreCapabilities(configuration.knowsHierarchies ? .inheritance : []) }

    func fetch<M: PersistentModel>(
        _ request: DataStoreFetchRequest<M>
    ) throws -> DataStoreFetchResult<M, DefaultSnapshot> {
        if request.descriptor.predicate != nil { throw DataStoreError.preferInMemoryFilter }
        if !request.descriptor.sortBy.isEmpty { throw DataStoreError.preferInMemorySort }
        let entity = schema.entity(for: M.self)
        let names = Set(
            configuration.knowsHierarchies
                ? entity?.subtree.map(\.name) ?? [] : [Schema.entityName(for: M.self)])
        var found = contents.state.withLock { state in
            state.snapshots.values.filter { names.contains($0.persistentIdentifier.entityName) }
        }
        found.sort { $0.persistentIdentifier < $1.persistentIdentifier }
        let start = min(request.descriptor.fetchOffset ?? 0, found.count)
        let end = start + min(request.descriptor.fetchLimit ?? .max, found.count - start)
        found = Array(found[start..<end])
        configuration.record.add {
            $0.requests += 1
            $0.rows += found.count
        }
        return DataStoreFetchResult(descriptor: request.descriptor, fetchedSnapshots: found)
    }

    func save(
        _ request: DataStoreSaveChangesRequest<DefaultSnapshot>
    ) throws -> DataStoreSaveChangesResult<DefaultSnapshot> {
        let remapped = try contents.state.withLock { state in
            var remapped: [PersistentIdentifier: PersistentIdentifier] = [:]
            for snapshot in request.inserted {
                state.last += 1
                remapped[snapshot.persistentIdentifier] = try PersistentIdentifier.identifier(
                    for: identifier, entityName: snapshot.persistentIdentifier.entityName, primaryKey: state.last)
            }
            for snapshot in request.deleted { state.snapshots[snapshot.persistentIdentifier] = nil }
            for snapshot in request.inserted + request.updated {
                let permanent = remapped[snapshot.persistentIdentifier] ?? snapshot.persistentIdentifier
                state.snapshots[permanent] = snapshot.copy(
                    persistentIdentifier: permanent, remappedIdentifiers: remapped)
            }
            return remapped
        }
        configuration.record.add {
            $0.commits += 1
            $0.inserted += request.inserted.count
            $0.updated += request.updated.count
            $0.deleted += request.deleted.count
        }
        return DataStoreSaveChangesResult(for: identifier, remappedIdentifiers: remapped)
    }

    func erase() throws { contents.state.withLock { $0.snapshots = [:] } }
}
