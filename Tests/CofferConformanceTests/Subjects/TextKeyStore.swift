import CofferConformance
import CofferCore
import Foundation
import Synchronization

/// A store with keys that are text and snapshots of its own type, for the kit.
struct TextKeySubject: ConformanceSubject {
    let name = "text keys"

    func configuration(at place: ConformancePlace) -> any DataStoreConfiguration {
        TextKeyConfiguration(place: place.name)
    }

    func facilities(_ capabilities: StoreCapabilities) -> Set<ConformanceNeed> { [.reopening, .severalOpenings] }
}

struct TextKeyConfiguration: DataStoreConfiguration {
    typealias Store = TextKeyStore
    let name = "text keys"
    var schema: Schema?
    let place: String
}

/// What the core knows of it is that it can be coded.
struct OwnSnapshot: DataStoreSnapshot {
    let values: DefaultSnapshot

    var persistentIdentifier: PersistentIdentifier { values.persistentIdentifier }

    init(_ values: DefaultSnapshot) { self.values = values }

    init(
        from backingData: any BackingData, relatedBackingDatas: inout [PersistentIdentifier: any BackingData]
    ) {
        values = DefaultSnapshot(from: backingData, relatedBackingDatas: &relatedBackingDatas)
    }

    init(from decoder: any Decoder) throws { values = try DefaultSnapshot(from: decoder) }

    func encode(to encoder: any Encoder) throws { try values.encode(to: encoder) }

    func copy(
        persistentIdentifier: PersistentIdentifier, remappedIdentifiers: [PersistentIdentifier: PersistentIdentifier]?
    ) -> OwnSnapshot {
        OwnSnapshot(values.copy(persistentIdentifier: persistentIdentifier, remappedIdentifiers: remappedIdentifiers))
    }
}

final class TextKeyStore: DataStore {
    typealias Snapshot = OwnSnapshot
    let configuration: TextKeyConfiguration
    let schema: Schema
    var identifier: String { "text " + configuration.place }
    private let contents: Contents

    private final class Contents: Sendable {
        let state = Mutex<(rows: [PersistentIdentifier: OwnSnapshot], last: Int)>(([:], 0))
    }

    private static let places = Mutex<[String: Contents]>([:])

    init(_ configuration: TextKeyConfiguration, migrationPlan: (any SchemaMigrationPlan.Type)?) throws {
        self.configuration = configuration
        schema = configuration.schema ?? Schema()
        contents = Self.places.withLock { places in
            let contents = places[configuration.place] ?? Contents()
            places[configuration.place] = contents
            return contents
        }
    }

    func fetch<M: PersistentModel>(
        _ request: DataStoreFetchRequest<M>
    ) throws -> DataStoreFetchResult<M, OwnSnapshot> {
        if request.descriptor.predicate != nil { throw DataStoreError.preferInMemoryFilter }
        if !request.descriptor.sortBy.isEmpty { throw DataStoreError.preferInMemorySort }
        let name = Schema.entityName(for: M.self)
        let found = contents.state.withLock { state in
            state.rows.values.filter { $0.persistentIdentifier.entityName == name }
        }.sorted { $0.persistentIdentifier < $1.persistentIdentifier }
        let page = found.dropFirst(request.descriptor.fetchOffset ?? 0).prefix(request.descriptor.fetchLimit ?? .max)
        return DataStoreFetchResult(descriptor: request.descriptor, fetchedSnapshots: Array(page))
    }

    func save(_ request: DataStoreSaveChangesRequest<OwnSnapshot>) throws -> DataStoreSaveChangesResult<OwnSnapshot> {
        let remapped = try contents.state.withLock { state in
            var remapped: [PersistentIdentifier: PersistentIdentifier] = [:]
            for snapshot in request.inserted {
                state.last += 1
                remapped[snapshot.persistentIdentifier] = try PersistentIdentifier.identifier(
                    for: identifier, entityName: snapshot.persistentIdentifier.entityName,
                    primaryKey: "K-\(1_000_000 + state.last)")
            }
            for snapshot in request.deleted { state.rows[snapshot.persistentIdentifier] = nil }
            for snapshot in request.inserted + request.updated {
                let permanent = remapped[snapshot.persistentIdentifier] ?? snapshot.persistentIdentifier
                state.rows[permanent] = snapshot.copy(persistentIdentifier: permanent, remappedIdentifiers: remapped)
            }
            return remapped
        }
        return DataStoreSaveChangesResult(for: identifier, remappedIdentifiers: remapped)
    }
}
