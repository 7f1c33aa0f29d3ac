import CofferConformance
import CofferCore
import Foundation
import Synchronization

/// The configuration of a ``PlainStore``.
struct PlainConfiguration: DataStoreConfiguration {
    typealias Store = PlainStore
    let name = "plain"
    var schema: Schema?
    let folder: URL
}

/// The plain store, for the kit.
struct PlainSubject: ConformanceSubject {
    let name = "plain"

    func configuration(at place: ConformancePlace) -> any DataStoreConfiguration {
        PlainConfiguration(folder: place.folder)
    }

    func facilities(_ capabilities: StoreCapabilities) -> Set<ConformanceNeed> { [.reopening, .severalOpenings] }
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

    func fetch<M: PersistentModel>(
        _ request: DataStoreFetchRequest<M>
    ) throws -> DataStoreFetchResult<M, DefaultSnapshot> {
        if request.descriptor.predicate != nil { throw DataStoreError.preferInMemoryFilter }
        if !request.descriptor.sortBy.isEmpty { throw DataStoreError.preferInMemorySort }
        let name = Schema.entityName(for: M.self)
        var found = contents.state.withLock { state in
            state.snapshots.values.filter { $0.persistentIdentifier.entityName == name }
        }
        found.sort { $0.persistentIdentifier < $1.persistentIdentifier }
        let start = min(request.descriptor.fetchOffset ?? 0, found.count)
        let end = min(request.descriptor.fetchLimit.map { start + $0 } ?? found.count, found.count)
        found = Array(found[start..<end])
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
        return DataStoreSaveChangesResult(for: identifier, remappedIdentifiers: remapped)
    }

    func erase() throws { contents.state.withLock { $0.snapshots = [:] } }
}
