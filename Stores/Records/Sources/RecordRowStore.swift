import CofferCore

/// A store over a ``RecordStoreCore``: it has all of `RowStore` from there.
///
/// What is left to the store is its configuration, its initialiser and what it says it is capable of.
public protocol RecordRowStore: ImportingRowStore, HistoryProviding {
    /// The records over the store's engine, which do its work.
    var core: RecordStoreCore { get }
}

extension RecordRowStore {
    public var identifier: String { core.identifier }
    public var schema: Schema { core.schema }
    public var formatVersion: Int? { RecordMetadata.formatVersion }

    public func fetchRows(_ plan: FetchPlan, into batch: RowBatch) throws { try core.fetchRows(plan, into: batch) }

    public func fetchBlocks(
        _ plan: FetchPlan, into batch: RowBatch, of size: Int, _ body: (RowBatch) throws -> Void
    ) throws {
        try core.fetchBlocks(plan, into: batch, of: size, body)
    }

    public func countRows(_ plan: FetchPlan) throws -> Int { try core.countRows(plan) }
    public func fetchKeys(_ plan: FetchPlan) throws -> [Int64] { try core.fetchKeys(plan) }
    /// Works values out of many rows, in the engine where rows are looked at one by one.
    ///
    /// - Throws: what the engine throws.
    public func aggregate(_ plan: AggregatePlan) throws -> [AggregateRow] {
        if case .related = plan.rows.scope { return try aggregateOverRows(plan) }
        return try core.aggregate(plan)
    }

    public func explain(_ plan: FetchPlan) throws -> StoreExplanation { try core.explain(plan) }
    public func commit(_ changes: RowChanges) throws -> RowChangesResult { try core.commit(changes) }
    public func erase() throws { try core.erase() }
    public func importRows(_ batches: [RowBatch]) throws { try core.importRows(batches) }
    public func nextKeys() throws -> [String: Int64] { try core.nextKeys() }
    public func reserveKeys(_ next: [String: Int64]) throws { try core.reserveKeys(next) }
    public func history(_ query: HistoryQuery) throws -> StoredHistory { try core.history(query) }
    public func importHistory(_ transactions: [StoredTransaction], start: Int64) throws {
        try core.importHistory(transactions, start: start)
    }
    public func forgetHistory(_ numbers: KeyRanges) throws { try core.forgetHistory(numbers) }
    public func checkIndexes() throws -> [StoreProblem] { try core.checkIndexes() }
    public func withOneState<T>(_ body: () throws -> T) throws -> T { try core.withOneState(body) }
}
