import Coffer
import Foundation

/// Names a store that is to be watched.
struct RecordingConfiguration: DataStoreConfiguration {
    typealias Store = RecordingStore

    var base: any DataStoreConfiguration
    let counter: RequestCounter

    var name: String { base.name }
    var schema: Schema? {
        get { base.schema }
        set { base.schema = newValue }
    }

    func validate() throws { try base.validate() }

    static func == (left: RecordingConfiguration, right: RecordingConfiguration) -> Bool {
        AnyHashable(left.base) == AnyHashable(right.base)
    }

    func hash(into hasher: inout Hasher) { hasher.combine(AnyHashable(base)) }
}

/// A store around another one that counts the requests.
final class RecordingStore: RowStore {
    typealias Configuration = RecordingConfiguration
    typealias Snapshot = DefaultSnapshot

    let configuration: RecordingConfiguration
    private let store: any RowStore

    init(_ configuration: RecordingConfiguration, migrationPlan: (any SchemaMigrationPlan.Type)?) throws {
        self.configuration = configuration
        func open<C: DataStoreConfiguration>(_ base: C) throws -> any DataStore {
            try C.Store(base, migrationPlan: migrationPlan)
        }
        guard let store = try open(configuration.base) as? any RowStore else {
            throw Unsupported("requests are counted for stores of rows only")
        }
        self.store = store
    }

    var identifier: String { store.identifier }
    var schema: Schema { store.schema }
    var capabilities: StoreCapabilities { store.capabilities }

    func fetchRows(_ plan: FetchPlan, into batch: RowBatch) throws {
        configuration.counter.count("fetch")
        try store.fetchRows(plan, into: batch)
    }

    func fetchBlocks(
        _ plan: FetchPlan, into batch: RowBatch, of size: Int, _ body: (RowBatch) throws -> Void
    ) throws {
        configuration.counter.count("fetch")
        try store.fetchBlocks(plan, into: batch, of: size, body)
    }

    func countRows(_ plan: FetchPlan) throws -> Int {
        configuration.counter.count("count")
        return try store.countRows(plan)
    }

    func fetchKeys(_ plan: FetchPlan) throws -> [Int64] {
        configuration.counter.count("keys")
        return try store.fetchKeys(plan)
    }

    func commit(_ changes: RowChanges) throws -> RowChangesResult {
        configuration.counter.count("save")
        return try store.commit(changes)
    }

    func aggregate(_ plan: AggregatePlan) throws -> [AggregateRow] {
        configuration.counter.count("aggregate")
        return try store.aggregate(plan)
    }

    func history(_ query: HistoryQuery) throws -> StoredHistory {
        configuration.counter.count("history")
        return try store.history(query)
    }

    func forgetHistory(_ numbers: KeyRanges) throws { try store.forgetHistory(numbers) }

    func filterHandedBack(_ plan: FetchPlan) -> FilterDivision { store.filterHandedBack(plan) }

    /// None: the container would look at times of its own at what is written to them, and no run would count the same.
    var writtenFiles: [URL] { [] }

    func erase() throws { try store.erase() }
}
