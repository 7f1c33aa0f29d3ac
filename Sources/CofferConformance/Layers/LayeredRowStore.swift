import CofferCore
import Foundation

/// A configuration of a store of rows with layers around it.
struct LayeredRowConfiguration: DataStoreConfiguration {
    typealias Store = LayeredRowStore
    var base: any DataStoreConfiguration
    let layers: [any StoreLayer]

    init(_ base: any DataStoreConfiguration, layers: [any StoreLayer]) {
        self.base = base
        self.layers = layers
    }

    var name: String { base.name }
    var schema: Schema? {
        get { base.schema }
        set { base.schema = newValue }
    }

    func validate() throws { try base.validate() }

    static func == (left: LayeredRowConfiguration, right: LayeredRowConfiguration) -> Bool {
        AnyHashable(left.base) == AnyHashable(right.base) && left.layers.isSame(as: right.layers)
    }

    func hash(into hasher: inout Hasher) { hasher.combine(AnyHashable(base)) }
}

/// A store of rows with layers around it.
final class LayeredRowStore: RowStore {
    let configuration: LayeredRowConfiguration
    private let base: any RowStore
    private var layers: [any StoreLayer] { configuration.layers }

    init(_ configuration: LayeredRowConfiguration, migrationPlan: (any SchemaMigrationPlan.Type)?) throws {
        func open<C: DataStoreConfiguration>(_ configuration: C) throws -> any DataStore {
            try C.Store(configuration, migrationPlan: migrationPlan)
        }
        self.configuration = configuration
        guard let base = try open(configuration.base) as? any RowStore else {
            throw SwiftDataError(
                .unsupportedFeature, operation: .open, store: configuration.name, detail: "it is no RowStore")
        }
        self.base = base
    }

    var identifier: String { base.identifier }
    var schema: Schema { base.schema }
    var capabilities: StoreCapabilities { base.capabilities }

    private func call(_ kind: StoreCall.Kind, _ plan: FetchPlan? = nil) -> StoreCall {
        var call = StoreCall(kind, base.capabilities)
        call.plan = plan
        call.entityName = plan?.entityName
        call.isFiltered = plan?.filter != nil
        call.isSorted = plan?.sort.isEmpty == false
        return call
    }

    func fetchRows(_ plan: FetchPlan, into batch: RowBatch) throws {
        let before = batch.count
        try layers.pass(call(.fetch, plan), rows: { batch.count - before }) {
            try base.fetchRows(plan, into: batch)
        }
    }

    func fetchBlocks(
        _ plan: FetchPlan, into batch: RowBatch, of size: Int, _ body: (RowBatch) throws -> Void
    ) throws {
        var count = 0
        try layers.pass(call(.fetch, plan), rows: { count }) {
            try base.fetchBlocks(plan, into: batch, of: size) {
                count += $0.count
                try body($0)
            }
        }
    }

    func countRows(_ plan: FetchPlan) throws -> Int {
        try layers.pass(call(.count, plan)) { try base.countRows(plan) }
    }

    func filterHandedBack(_ plan: FetchPlan) -> FilterDivision { base.filterHandedBack(plan) }

    func fetchKeys(_ plan: FetchPlan) throws -> [Int64] {
        try layers.pass(call(.identifiers, plan), rows: { $0.count }) { try base.fetchKeys(plan) }
    }

    func aggregate(_ plan: AggregatePlan) throws -> [AggregateRow] {
        try layers.pass(call(.count, plan.rows)) { try base.aggregate(plan) }
    }
    func explain(_ plan: FetchPlan) throws -> StoreExplanation { try base.explain(plan) }

    func commit(_ changes: RowChanges) throws -> RowChangesResult {
        var call = call(.save)
        call.inserted = changes.inserted.reduce(0) { $0 + $1.count }
        call.updated = changes.updated.reduce(0) { $0 + $1.count }
        call.deleted = changes.deleted.reduce(0) { $0 + $1.keys.count }
        call.batches = changes.batchDeletes.count + changes.batchUpdates.count
        call.editingState = changes.editingState
        for batch in changes.inserted + changes.updated {
            for row in 0..<batch.count {
                for slot in 0..<batch.width {
                    call.largestValue = max(call.largestValue, batch.cell(row: row, slot: slot).length)
                }
            }
        }
        return try layers.pass(call) { try base.commit(changes) }
    }

    func history(_ query: HistoryQuery) throws -> StoredHistory { try base.history(query) }
    func forgetHistory(_ numbers: KeyRanges) throws { try base.forgetHistory(numbers) }
    var writtenFiles: [URL] { base.writtenFiles }

    func erase() throws { try layers.pass(call(.erase)) { try base.erase() } }

    func initializeState(for state: EditingState) {
        var call = call(.initializeState)
        call.editingState = state
        // These calls cannot fail, so a layer cannot refuse them either.
        try? layers.pass(call) { base.initializeState(for: state) }
    }

    func invalidateState(for state: EditingState) {
        var call = call(.invalidateState)
        call.editingState = state
        try? layers.pass(call) { base.invalidateState(for: state) }
    }

    func cachedSnapshots(
        for identifiers: [PersistentIdentifier], editingState: EditingState
    ) throws -> [PersistentIdentifier: DefaultSnapshot] {
        try layers.pass(call(.cachedSnapshots), rows: { $0.count }) {
            try base.cachedSnapshots(for: identifiers, editingState: editingState)
        }
    }
}
