import Coffer
import Foundation
import Synchronization

/// The configuration of a ``SweepingStore``.
struct SweepingConfiguration: DataStoreConfiguration {
    typealias Store = SweepingStore
    let name = "sweeping"
    var schema: Schema?
    let record: Record
    /// Whether the store hands every deletion by predicate back.
    var handsBack = false

    static func == (left: SweepingConfiguration, right: SweepingConfiguration) -> Bool { left.record === right.record }
    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(record)) }
}

/// A store of SwiftData's own protocols in memory that deletes by predicate, of rows only and without delete rules.
final class SweepingStore: DataStoreBatching {
    typealias Snapshot = DefaultSnapshot

    let configuration: SweepingConfiguration
    let schema: Schema
    let identifier = UUID().uuidString
    private let snapshots = Mutex<[PersistentIdentifier: DefaultSnapshot]>([:])
    private let last = Mutex(0)

    init(_ configuration: SweepingConfiguration, migrationPlan: (any SchemaMigrationPlan.Type)?) throws {
        self.configuration = configuration
        schema = configuration.schema ?? Schema()
    }

    var capabilities: StoreCapabilities { StoreCapabilities(.batchDelete) }

    func fetch<M: PersistentModel>(
        _ request: DataStoreFetchRequest<M>
    ) throws -> DataStoreFetchResult<M, DefaultSnapshot> {
        if request.descriptor.predicate != nil { throw DataStoreError.preferInMemoryFilter }
        if !request.descriptor.sortBy.isEmpty { throw DataStoreError.preferInMemorySort }
        let name = Schema.entityName(for: M.self)
        let found = snapshots.withLock { $0.values.filter { $0.persistentIdentifier.entityName == name } }
        configuration.record.add {
            $0.requests += 1
            $0.rows += found.count
        }
        return DataStoreFetchResult(
            descriptor: request.descriptor,
            fetchedSnapshots: found.sorted { $0.persistentIdentifier < $1.persistentIdentifier })
    }

    func save(
        _ request: DataStoreSaveChangesRequest<DefaultSnapshot>
    ) throws -> DataStoreSaveChangesResult<DefaultSnapshot> {
        var remapped: [PersistentIdentifier: PersistentIdentifier] = [:]
        for snapshot in request.inserted {
            let key = last.withLock { last in
                last += 1
                return last
            }
            remapped[snapshot.persistentIdentifier] = try PersistentIdentifier.identifier(
                for: identifier, entityName: snapshot.persistentIdentifier.entityName, primaryKey: key)
        }
        snapshots.withLock { snapshots in
            for snapshot in request.deleted { snapshots[snapshot.persistentIdentifier] = nil }
            for snapshot in request.inserted + request.updated {
                let permanent = remapped[snapshot.persistentIdentifier] ?? snapshot.persistentIdentifier
                snapshots[permanent] = snapshot.copy(persistentIdentifier: permanent, remappedIdentifiers: remapped)
            }
        }
        configuration.record.add {
            $0.commits += 1
            $0.deleted += request.deleted.count
        }
        return DataStoreSaveChangesResult(for: identifier, remappedIdentifiers: remapped)
    }

    func delete<M: PersistentModel>(_ request: DataStoreBatchDeleteRequest<M>) throws {
        if configuration.handsBack { throw DataStoreError.preferInMemoryFilter }
        let name = Schema.entityName(for: M.self)
        try snapshots.withLock { snapshots in
            snapshots = try snapshots.filter { identifier, snapshot in
                guard identifier.entityName == name else { return true }
                guard let predicate = request.predicate else { return false }
                // All that the tests ask for is the number of a row.
                let row = PlainRow(Int(snapshot.batch.cell(row: snapshot.row, slot: 0).integer))
                return try !((row as? M).map { try predicate.evaluate($0) } ?? false)
            }
        }
        configuration.record.add { $0.batches += 1 }
    }
}
