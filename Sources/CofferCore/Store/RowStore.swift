import Foundation

/// A store that takes whole fetch plans and hands out row batches: the fast door of the seam.
///
/// Conform to it instead of implementing the generic members of ``DataStore``: those come from it. All members may be
/// called from several threads at once.
///
/// A store that declares ``StoreCapabilities/Features/inheritance`` keeps class hierarchies:
///
/// - Keys are unique among all rows whose entities have one ``Schema/Entity/rootEntity``. A link holds nothing but such
///   a key, and the row it leads to may be of the link's destination or of any entity below that.
/// - A plan covers its entity and ``FetchPlan/subentityNames``. Where these are not empty the store says of each row
///   which entity it is of (``RowBatch/setEntity(_:ofRow:)``), and fills the cells by that entity's own slots. An
///   entity's slots begin with its superentity's.
/// - Changed and deleted rows come under the name of their own entity.
/// - A constraint or index of an entity holds over the rows of its subentities. A new row goes onto a row with the same
///   unique values only if both are of the same entity; otherwise the save is refused with
///   ``SwiftDataError/uniquenessConflict``.
///
/// ``FlatHierarchies`` does most of it for a store that keeps records by slot.
public protocol RowStore: DataStore where Snapshot == DefaultSnapshot {
    /// The rows of a plan, with a cell for every slot in ``FetchPlan/slots``.
    ///
    /// Where the plan names no slots, a value that is kept in a file of its own may be left out, as an absent cell; it
    /// is asked for by its slot when the property is read.
    ///
    /// - Parameters:
    ///   - plan: which rows, in which order.
    ///   - batch: an empty batch of the entity to append to, so that the caller can use its memory again.
    /// - Throws: ``DataStoreError/preferInMemoryFilter`` or ``DataStoreError/preferInMemorySort`` where the core shall
    ///   do that part.
    func fetchRows(_ plan: FetchPlan, into batch: RowBatch) throws
    /// The rows of a plan, block by block, so that a large result passes through a little memory; defaulted.
    ///
    /// - Parameters:
    ///   - plan: which rows, in which order.
    ///   - batch: an empty batch; after the call it is empty again.
    ///   - size: about how many rows make a block. The rows of one owner are never divided.
    ///   - body: takes a block; what it throws ends the fetch.
    func fetchBlocks(
        _ plan: FetchPlan, into batch: RowBatch, of size: Int, _ body: (RowBatch) throws -> Void) throws
    /// How many rows ``fetchRows(_:into:)`` would give.
    ///
    /// - Throws: as ``fetchRows(_:into:)`` does.
    func countRows(_ plan: FetchPlan) throws -> Int
    /// The keys of the rows that ``fetchRows(_:into:)`` would give, in the same order.
    ///
    /// - Throws: as ``fetchRows(_:into:)`` does.
    func fetchKeys(_ plan: FetchPlan) throws -> [Int64]
    /// Works values out of the rows of a plan; defaulted.
    ///
    /// A store that does it by itself declares ``StoreCapabilities/Features/aggregates``; ``AggregateTable`` does the
    /// work for one that has the rows at hand. By default the rows are fetched, block by block.
    ///
    /// - Returns: the groups in the plan's order, within its page; of a plan without keys one row. With
    ///   ``AggregatePlan/isPartial`` they come in any order, a group perhaps in several parts, and sums as
    ///   ``AggregateSum``.
    /// - Throws: ``DataStoreError/preferInMemoryFilter`` or ``DataStoreError/preferInMemorySort`` where the core shall
    ///   do it all.
    func aggregate(_ plan: AggregatePlan) throws -> [AggregateRow]
    /// Which part of a plan's filter the store does not do, where it threw ``DataStoreError/preferInMemoryFilter`` for the
    /// plan; defaulted: all of it.
    ///
    /// The core then asks for the rows of the rest, without a page, and tests that part itself, over rows.
    func filterHandedBack(_ plan: FetchPlan) -> FilterDivision
    /// What ``fetchBlocks(_:into:of:_:)`` would do for a plan, without handing rows out; defaulted.
    ///
    /// By default the store is asked for a page of no rows, to learn what it hands back, and says no more.
    ///
    /// - Throws: what the fetch would throw, ``DataStoreError/preferInMemoryFilter`` among it.
    func explain(_ plan: FetchPlan) throws -> StoreExplanation
    /// Stores changes, all or none, and gives the inserted rows their keys.
    ///
    /// - Throws: among others, ``DataStoreError/preferInMemoryFilter`` for a filter or an expression in
    ///   ``RowChanges/batchDeletes`` or ``RowChanges/batchUpdates`` that the core shall evaluate; nothing is changed
    ///   then, and the same changes come again row by row.
    func commit(_ changes: RowChanges) throws -> RowChangesResult
    /// A part of the store's history; for a store that declares ``StoreCapabilities/Features/history``, defaulted for
    /// all others.
    ///
    /// Such a store writes a ``StoredTransaction`` with each commit that changes something, in the same transaction as
    /// the rows; ``HistoryRecorder`` makes it. ``RowChangesResult/historyNumber`` is its number.
    ///
    /// - Throws: ``DataStoreError/unsupportedFeature`` by default.
    func history(_ query: HistoryQuery) throws -> StoredHistory
    /// Forgets transactions of the history, for ever: their numbers are not given out again, and
    /// ``StoredHistory/start`` becomes the greatest of them, unless it is greater. Unknown ones are passed over.
    ///
    /// - Throws: ``DataStoreError/unsupportedFeature`` by default.
    func forgetHistory(_ numbers: KeyRanges) throws
    /// The files, all in one folder, that are written when anybody saves to the store, other processes among them;
    /// defaulted: none, for a store that only one container can have open.
    ///
    /// With them the core hears of others' saves, and reads what they were from the history.
    var writtenFiles: [URL] { get }
}

extension RowStore {
    public func filterHandedBack(_ plan: FetchPlan) -> FilterDivision {
        FilterDivision(kept: nil, handedBack: plan.filter)
    }

    public func fetchBlocks(
        _ plan: FetchPlan, into batch: RowBatch, of size: Int, _ body: (RowBatch) throws -> Void
    ) throws {
        try fetchRows(plan, into: batch)
        if batch.count > 0 { try body(batch) }
        batch.removeAll()
    }

    public func history(_ query: HistoryQuery) throws -> StoredHistory { throw DataStoreError.unsupportedFeature }

    public func forgetHistory(_ numbers: KeyRanges) throws { throw DataStoreError.unsupportedFeature }

    public var writtenFiles: [URL] { [] }

    public func explain(_ plan: FetchPlan) throws -> StoreExplanation {
        var page = plan
        page.limit = 0
        _ = try fetchKeys(page)
        return StoreExplanation(access: .unknown, statement: plan.description)
    }
}

/// The changes of one save, packed by entity.
public struct RowChanges: Sendable {
    /// New rows. Their keys are temporary, negative ones; a reference cell may hold a key of another new row.
    public var inserted: [RowBatch] = []
    /// Changed rows under their keys; absent cells stay as they are.
    public var updated: [RowBatch] = []
    /// Deleted rows: the entity and the keys.
    public var deleted: [(entityName: String, keys: [Int64])] = []
    /// Deletions by filter; empty for a store that does not declare ``StoreCapabilities/Features/batchDelete``.
    ///
    /// All filters of a commit see the rows as they were before it.
    public var batchDeletes: [RowBatchDelete] = []
    /// Updates by filter; empty for a store that does not declare ``StoreCapabilities/Features/batchUpdate``.
    public var batchUpdates: [RowBatchUpdate] = []
    /// Which context saves, and under which author.
    public var editingState: EditingState
    /// Whether a store's history tells of the changes; not of those that a copy of a store consists of.
    public var isRecorded = true

    /// No changes.
    ///
    /// - Parameter editingState: which context saves.
    public init(editingState: EditingState) { self.editingState = editingState }
}

/// What a store answers to a commit.
public struct RowChangesResult: Sendable {
    /// The permanent keys of the rows of each inserted batch. With an upsert it may be the key of a row that was there.
    public var keys: [[Int64]]
    /// The rows that ``RowChanges/batchDeletes`` deleted, those among them that delete rules added, under the names of
    /// their own entities: whoever has them in memory is told.
    public var batchDeleted: [(entityName: String, keys: [Int64])] = []
    /// The rows that ``RowChanges/batchUpdates`` changed.
    public var batchUpdated: [(entityName: String, keys: [Int64])] = []
    /// The number of the save in the store's history; nil where it keeps none, or nothing was changed.
    public var historyNumber: Int64?

    /// Makes an answer.
    ///
    /// - Parameter keys: the keys of the new rows, for each batch of them in the order in which they stand there.
    public init(keys: [[Int64]]) { self.keys = keys }
}

/// Which rows a plan starts from.
public enum FetchScope: Hashable, Sendable {
    /// All rows of the entity.
    case all
    /// The rows of these keys; missing ones are left out. Any order, unless the plan sorts.
    case keys([Int64])
    /// The rows that a to-many relationship of these owners holds, in the relationship's order, owner by owner in any
    /// order. The batch's ``RowBatch/owners`` says whose each row is.
    case related(ownerEntity: String, slot: Int, owners: [Int64])
}

/// What to fetch, in terms that no store has to know Swift types for.
public struct FetchPlan: Hashable, Sendable {
    /// The entity.
    public var entityName: String
    /// The entities below ``entityName`` whose rows the plan covers as well; empty for the rows of exactly that entity.
    ///
    /// ``RowBatch/setEntity(_:ofRow:)`` counts in this order, from one. Slots in the plan are those of ``entityName``,
    /// which all of them share.
    public var subentityNames: [String] = []
    /// Which rows are looked at: all, those with some keys, or those that rows are linked to.
    public var scope: FetchScope
    /// Which of the rows; nil for all.
    public var filter: FilterExpression? {
        didSet { origin = nil }
    }
    /// Where the filter comes from, for stores that keep what they compile; nil once the filter was changed.
    public internal(set) var origin: FilterOrigin?
    /// Sort keys; ties are in ascending order of the rows' keys.
    public var sort: [SortKey]
    /// How many rows are wanted; nil for all.
    public var limit: Int?
    /// How many rows are left out at the beginning.
    public var offset: Int
    /// The slots whose values are wanted; nil for all that are stored in the row.
    public var slots: [Int]?

    /// Makes a plan.
    ///
    /// - Parameters:
    ///   - entityName: the entity of the rows.
    ///   - subentityNames: the entities below it whose rows count as well.
    ///   - scope: which rows are looked at.
    ///   - filter: which of those; nil for all.
    ///   - sort: their order; ties are in ascending order of the rows' keys.
    ///   - limit: how many are wanted; nil for all.
    ///   - offset: how many are left out at the beginning.
    ///   - slots: the slots whose values are wanted; nil for all that are stored in the row.
    public init(
        entityName: String, subentityNames: [String] = [], scope: FetchScope = .all, filter: FilterExpression? = nil,
        sort: [SortKey] = [], limit: Int? = nil, offset: Int = 0, slots: [Int]? = nil
    ) {
        self.entityName = entityName
        self.subentityNames = subentityNames
        self.scope = scope
        self.filter = filter
        self.sort = sort
        self.limit = limit
        self.offset = offset
        self.slots = slots
    }
}
