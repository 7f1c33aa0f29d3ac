import CofferConformance
import CofferCore
import CofferInMemory
import Foundation
import Synchronization

struct MutantSubject: ConformanceSubject {
    let name: String
    let mutation: Mutation

    func configuration(at place: ConformancePlace) -> any DataStoreConfiguration {
        MutantConfiguration(place: place.name, mutation: mutation)
    }

    func facilities(_ capabilities: StoreCapabilities) -> Set<ConformanceNeed> {
        [.reopening, .severalOpenings, .checking, .erasing]
    }

    func remove(_ place: ConformancePlace) throws {
        MutantStore.forget(place.name)
        try FileManager.default.removeItem(at: place.folder)
    }
}

struct MutantConfiguration: DataStoreConfiguration {
    typealias Store = MutantStore
    let name = "mutant"
    var schema: Schema?
    let place: String
    let mutation: Mutation

    init(place: String, mutation: Mutation) {
        self.place = place
        self.mutation = mutation
    }

    static func == (left: MutantConfiguration, right: MutantConfiguration) -> Bool { left.place == right.place }
    func hash(into hasher: inout Hasher) { hasher.combine(place) }
}

/// The store in memory with one fault. It keeps its rows by place, as a store with files does.
final class MutantStore: RowStore {
    typealias Snapshot = DefaultSnapshot
    let configuration: MutantConfiguration
    let identifier: String
    private let base: Mutex<InMemoryStore>
    private let cache = Mutex<[String: (rows: RowBatch, owners: [Int64])]>([:])
    private let handedOut = Mutex<[PersistentIdentifier: DefaultSnapshot]>([:])
    private var mutation: Mutation { configuration.mutation }
    private var inner: InMemoryStore { base.withLock { $0 } }

    private static let places = Mutex<[String: InMemoryStore]>([:])

    static func forget(_ place: String) { places.withLock { _ = $0.removeValue(forKey: place) } }

    init(_ configuration: MutantConfiguration, migrationPlan: (any SchemaMigrationPlan.Type)?) throws {
        self.configuration = configuration
        let schema = try configuration.mutation.schema(configuration.schema ?? Schema())
        let known = Self.places.withLock { $0[configuration.place] }
        let store: InMemoryStore
        if let known, configuration.mutation.keepsRows {
            store = known
            try configuration.mutation.reopened(known)
        } else {
            store = try InMemoryStore(InMemoryStoreConfiguration("mutant", schema: schema))
            Self.places.withLock { $0[configuration.place] = store }
        }
        identifier = configuration.mutation.identifier?(store.identifier) ?? store.identifier
        base = Mutex(store)
    }

    var schema: Schema { configuration.schema ?? Schema() }
    var capabilities: StoreCapabilities {
        var capabilities = inner.capabilities
        // Faults in a history have a store of their own.
        capabilities.features.remove(.history)
        if let features = mutation.features { capabilities.features = features }
        return capabilities
    }

    // MARK: Reading

    func fetchRows(_ plan: FetchPlan, into batch: RowBatch) throws {
        let cacheKey = "\(plan) \(plan.scope)"
        if mutation.caches != .none, let known = cache.withLock({ $0[cacheKey] }) {
            batch.appendRows(copying: known.rows, rows: 0..<known.rows.count)
            batch.owners += known.owners
            return
        }
        let start = batch.count
        try fetch(plan, into: batch)
        guard mutation.caches != .none else { return }
        let copy = RowBatch(space: batch.space, width: batch.width)
        copy.appendRows(copying: batch, rows: start..<batch.count)
        let owners = batch.owners
        cache.withLock { $0[cacheKey] = (copy, owners) }
    }

    private func fetch(_ plan: FetchPlan, into batch: RowBatch) throws {
        var plan = plan
        try mutation.plan(&plan, inner)
        let found = RowBatch(space: batch.space, width: batch.width)
        try inner.fetchRows(plan, into: found)
        var rows = Array(0..<found.count)
        try mutation.rows(&rows, found, plan)
        for row in rows {
            let target = batch.count
            batch.appendRows(copying: found, rows: row..<row + 1)
            guard let change = mutation.value else { continue }
            for slot in 0..<found.width {
                let cell = found.cell(row: row, slot: slot)
                if cell.kind == .absent || cell.kind == .reference || cell.kind == .references { continue }
                let place = Mutation.CellPlace(
                    entityName: found.entityName, slot: slot, row: row, kind: cell.kind)
                if let value = change(found.value(of: cell), place) { batch.set(value, row: target, slot: slot) }
            }
        }
        if !found.owners.isEmpty {
            var owners = rows.map { found.owners[$0] }
            mutation.owners(&owners)
            batch.owners += owners
        }
    }

    func fetchBlocks(
        _ plan: FetchPlan, into batch: RowBatch, of size: Int, _ body: (RowBatch) throws -> Void
    ) throws {
        let all = RowBatch(space: batch.space, width: batch.width)
        try fetchRows(plan, into: all)
        var start = 0
        var blocks: [Range<Int>] = []
        while start < all.count {
            var end = min(start + max(size, 1), all.count)
            while mutation.blocks != .dividesOwners, !all.owners.isEmpty, end < all.count,
                all.owners[end] == all.owners[end - 1]
            {
                end += 1
            }
            blocks.append(start..<end)
            start = end
        }
        if mutation.blocks == .losesTheLast, blocks.count > 1 { blocks.removeLast() }
        if mutation.blocks == .repeatsTheFirst, blocks.count > 1, let first = blocks.first { blocks.append(first) }
        for block in blocks {
            batch.removeAll()
            batch.appendRows(copying: all, rows: block)
            if !all.owners.isEmpty { batch.owners = Array(all.owners[block]) }
            do {
                try body(batch)
            } catch {
                if mutation.blocks != .swallowsErrors { throw error }
            }
        }
        if mutation.blocks != .keepsRows { batch.removeAll() }
    }

    func countRows(_ plan: FetchPlan) throws -> Int {
        var plan = plan
        try mutation.plan(&plan, inner)
        mutation.countPlan(&plan)
        var count = try inner.countRows(plan)
        mutation.count(&count)
        return count
    }

    func fetchKeys(_ plan: FetchPlan) throws -> [Int64] {
        var plan = plan
        try mutation.plan(&plan, inner)
        mutation.keysPlan(&plan)
        let found = RowBatch(
            entityName: plan.entityName, width: schema.entitiesByName[plan.entityName]?.properties.count ?? 0,
            storeIdentifier: identifier)
        try inner.fetchRows(plan, into: found)
        var rows = Array(0..<found.count)
        try mutation.rows(&rows, found, plan)
        return rows.map { found.key(ofRow: $0) }
    }

    // MARK: Writing

    func commit(_ changes: RowChanges) throws -> RowChangesResult {
        do {
            var changes = changes
            try mutation.changes(&changes, inner)
            var result = try mutation.commit(changes, inner)
            mutation.result(&result)
            if mutation.caches == .untilOwnSave { cache.withLock { $0 = [:] } }
            return result
        } catch {
            throw mutation.error(error)
        }
    }

    func erase() throws {
        cache.withLock { $0 = [:] }
        if mutation.erasesByReplacing {
            let fresh = try InMemoryStore(InMemoryStoreConfiguration("mutant", schema: inner.schema))
            base.withLock { $0 = fresh }
            Self.places.withLock { $0[configuration.place] = fresh }
        } else {
            try mutation.erase(inner)
        }
    }

    // MARK: SwiftData's own requests

    func fetch<M: PersistentModel>(
        _ request: DataStoreFetchRequest<M>
    ) throws -> DataStoreFetchResult<M, DefaultSnapshot> {
        if mutation.handsFiltersBack, request.descriptor.predicate != nil { throw DataStoreError.preferInMemoryFilter }
        let snapshots = try requests().fetch(request).fetchedSnapshots
        handedOut.withLock { for snapshot in snapshots { $0[snapshot.persistentIdentifier] = snapshot } }
        return DataStoreFetchResult(descriptor: request.descriptor, fetchedSnapshots: snapshots)
    }

    func save(
        _ request: DataStoreSaveChangesRequest<DefaultSnapshot>
    ) throws -> DataStoreSaveChangesResult<DefaultSnapshot> {
        let result = try requests().save(request)
        var remapped = result.remappedIdentifiers
        mutation.remapped(&remapped)
        return DataStoreSaveChangesResult(
            for: mutation.resultStore(result.storeIdentifier), remappedIdentifiers: remapped)
    }

    func cachedSnapshots(
        for identifiers: [PersistentIdentifier], editingState: EditingState
    ) throws -> [PersistentIdentifier: DefaultSnapshot] {
        guard mutation.staleSnapshots else { return [:] }
        return handedOut.withLock { known in known.filter { identifiers.contains($0.key) } }
    }

    /// The members that a store of rows has from the core; here they stand under the store's own.
    private func requests() -> RowsOnly { RowsOnly(self) }
}

/// A store of rows that has SwiftData's members from the core.
private struct RowsOnlyConfiguration: DataStoreConfiguration {
    typealias Store = RowsOnly
    let name = "rows"
    var schema: Schema?
}

private final class RowsOnly: RowStore {
    typealias Snapshot = DefaultSnapshot
    let store: MutantStore
    let configuration = RowsOnlyConfiguration()

    init(_ store: MutantStore) { self.store = store }

    init(_ configuration: RowsOnlyConfiguration, migrationPlan: (any SchemaMigrationPlan.Type)?) throws {
        throw DataStoreError.unsupportedFeature
    }

    var identifier: String { store.identifier }
    var schema: Schema { store.schema }
    func fetchRows(_ plan: FetchPlan, into batch: RowBatch) throws { try store.fetchRows(plan, into: batch) }
    func countRows(_ plan: FetchPlan) throws -> Int { try store.countRows(plan) }
    func fetchKeys(_ plan: FetchPlan) throws -> [Int64] { try store.fetchKeys(plan) }
    func commit(_ changes: RowChanges) throws -> RowChangesResult { try store.commit(changes) }
}
