import Coffer
import CofferFuzz
import Foundation
import Synchronization

/// The configuration of a ``PlainStore``.
struct PlainConfiguration: DataStoreConfiguration {
    typealias Store = PlainStore
    let name = "plain"
    var schema: Schema?
    let contents = PlainContents()

    static func == (left: PlainConfiguration, right: PlainConfiguration) -> Bool { left.contents === right.contents }
    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(contents)) }
}

final class PlainContents: Sendable {
    struct State {
        var snapshots: [PersistentIdentifier: DefaultSnapshot] = [:]
        var last = 0
    }
    let state = Mutex(State())
}

/// A dictionary behind SwiftData's own protocols, which hands every filter and every sort back.
final class PlainStore: DataStore {
    typealias Snapshot = DefaultSnapshot

    let configuration: PlainConfiguration
    let schema: Schema
    let identifier = "plain"

    init(_ configuration: PlainConfiguration, migrationPlan: (any SchemaMigrationPlan.Type)?) throws {
        self.configuration = configuration
        schema = configuration.schema ?? Schema()
    }

    func fetch<M: PersistentModel>(
        _ request: DataStoreFetchRequest<M>
    ) throws -> DataStoreFetchResult<M, DefaultSnapshot> {
        if request.descriptor.predicate != nil { throw DataStoreError.preferInMemoryFilter }
        if !request.descriptor.sortBy.isEmpty { throw DataStoreError.preferInMemorySort }
        let name = Schema.entityName(for: M.self)
        let found = configuration.contents.state.withLock { state in
            state.snapshots.values.filter { $0.persistentIdentifier.entityName == name }
        }.sorted { $0.persistentIdentifier < $1.persistentIdentifier }
        let start = min(request.descriptor.fetchOffset ?? 0, found.count)
        let end = start + min(request.descriptor.fetchLimit ?? .max, found.count - start)
        return DataStoreFetchResult(descriptor: request.descriptor, fetchedSnapshots: Array(found[start..<end]))
    }

    func save(
        _ request: DataStoreSaveChangesRequest<DefaultSnapshot>
    ) throws -> DataStoreSaveChangesResult<DefaultSnapshot> {
        let remapped = try configuration.contents.state.withLock { state in
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
}

extension FuzzStore {
    /// A store of SwiftData's protocols, in which the core does everything.
    public static let plain = FuzzStore(name: "plain", enforcesUniqueness: false, keepsData: false) { _ in
        PlainConfiguration()
    }

    /// The stores that predicates run on.
    public static let allForPredicates: [FuzzStore] = FuzzStore.all + [.plain]
}
