import Coffer
import Foundation

/// The configuration of a store of rows, with a record of what the store is asked for.
struct RecordingConfiguration: DataStoreConfiguration {
    typealias Store = RecordingStore
    var base: any DataStoreConfiguration
    let record: Record
    /// What the store shall not say of itself.
    let hidden: StoreCapabilities.Features

    init(_ base: any DataStoreConfiguration, record: Record, without hidden: StoreCapabilities.Features = []) {
        self.base = base
        self.record = record
        self.hidden = hidden
    }

    var name: String { base.name }
    var schema: Schema? {
        get { base.schema }
        set { base.schema = newValue }
    }

    func validate() throws { try base.validate() }

    static func == (left: RecordingConfiguration, right: RecordingConfiguration) -> Bool {
        left.record === right.record && AnyHashable(left.base) == AnyHashable(right.base)
    }

    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(record)) }
}

/// Hands everything on to another store of rows and writes down what passes.
final class RecordingStore: RowStore {
    let configuration: RecordingConfiguration
    private let base: any RowStore
    private var record: Record { configuration.record }

    struct NoRowStore: Error {}

    init(_ configuration: RecordingConfiguration, migrationPlan: (any SchemaMigrationPlan.Type)?) throws {
        func open<C: DataStoreConfiguration>(_ configuration: C) throws -> any DataStore {
            try C.Store(configuration, migrationPlan: migrationPlan)
        }
        self.configuration = configuration
        guard let base = try open(configuration.base) as? any RowStore else { throw NoRowStore() }
        self.base = base
    }

    var identifier: String { base.identifier }
    var schema: Schema { base.schema }
    var capabilities: StoreCapabilities {
        var capabilities = base.capabilities
        capabilities.features.subtract(configuration.hidden)
        return capabilities
    }

    func fetchRows(_ plan: FetchPlan, into batch: RowBatch) throws {
        let before = batch.count
        try base.fetchRows(plan, into: batch)
        record.add {
            $0.requests += 1
            $0.rows += batch.count - before
        }
    }

    func countRows(_ plan: FetchPlan) throws -> Int {
        record.add { $0.requests += 1 }
        return try base.countRows(plan)
    }

    func filterHandedBack(_ plan: FetchPlan) -> FilterDivision { base.filterHandedBack(plan) }

    func fetchKeys(_ plan: FetchPlan) throws -> [Int64] {
        record.add { $0.requests += 1 }
        return try base.fetchKeys(plan)
    }

    /// Nothing is watched, so that a test counts its own requests only; what others save arrives when it is asked for.
    var writtenFiles: [URL] { [] }

    func aggregate(_ plan: AggregatePlan) throws -> [AggregateRow] {
        record.add { $0.requests += 1 }
        return try base.aggregate(plan)
    }
    func explain(_ plan: FetchPlan) throws -> StoreExplanation { try base.explain(plan) }

    func commit(_ changes: RowChanges) throws -> RowChangesResult {
        let result = try base.commit(changes)
        record.add {
            $0.commits += 1
            $0.inserted += changes.inserted.reduce(0) { $0 + $1.count }
            $0.updated += changes.updated.reduce(0) { $0 + $1.count }
            $0.deleted += (changes.deleted + result.batchDeleted).reduce(0) { $0 + $1.keys.count }
            $0.updated += result.batchUpdated.reduce(0) { $0 + $1.keys.count }
            $0.batches += changes.batchDeletes.count + changes.batchUpdates.count
        }
        return result
    }

    func erase() throws { try base.erase() }
    func history(_ query: HistoryQuery) throws -> StoredHistory {
        let history = try base.history(query)
        record.add {
            $0.transactions += history.transactions.count
            $0.changes += history.transactions.reduce(0) { $0 + $1.changes.count }
        }
        return history
    }
    func forgetHistory(_ numbers: KeyRanges) throws { try base.forgetHistory(numbers) }
    func initializeState(for state: EditingState) { base.initializeState(for: state) }
    func invalidateState(for state: EditingState) { base.invalidateState(for: state) }
}
