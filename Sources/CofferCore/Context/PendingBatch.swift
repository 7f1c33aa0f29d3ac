import Foundation

/// A deletion or an update by predicate that waits for the save as a plan, with no models made of its rows.
///
/// It stays one as long as nobody looks: whatever reads rows has ``ModelContext/settleBatches()`` find the models first
/// and change them one by one, as if that had been done in the beginning.
final class PendingBatch {
    enum Work {
        case delete
        case update([RowAssignment])
    }

    let work: Work
    let home: _ModelHome
    /// Which rows; its filter is the predicate's.
    let plan: FetchPlan
    /// Whether models of subclasses count.
    let includesSubclasses: Bool
    /// The models in memory that a deletion has marked: they are among their homes' deleted ones.
    let models: [any PersistentModel]
    private let marked: Set<ObjectIdentifier>
    /// Finds the models that are not in memory and does with them what is to be done.
    private let find: (PendingBatch) throws -> Void
    /// Has a store of SwiftData's protocols do it; nil for a store of rows.
    let request: ((EditingState) throws -> Void)?

    init(
        _ work: Work, _ home: _ModelHome, _ plan: FetchPlan, includesSubclasses: Bool,
        models: [any PersistentModel] = [], request: ((EditingState) throws -> Void)? = nil,
        find: @escaping (PendingBatch) throws -> Void
    ) {
        self.work = work
        self.home = home
        self.plan = plan
        self.includesSubclasses = includesSubclasses
        self.models = models
        self.find = find
        self.request = request
        marked = Set(models.map { ObjectIdentifier($0) })
    }

    var isDelete: Bool { if case .delete = work { true } else { false } }

    /// Whether a model's deletion is this one's to store.
    func owns(_ model: any PersistentModel) -> Bool { marked.contains(ObjectIdentifier(model)) }

    func settle() throws { try find(self) }

    /// The homes whose models count.
    var homes: [_ModelHome] { includesSubclasses ? home.family() : [home] }

    /// The stored models with changes that are not the batch's: their stored rows do not count.
    var changedKeys: [Int64] {
        homes.flatMap { $0.liveChanged + $0.deleted }.filter { $0._$key > 0 && !owns($0) }.map { $0._$key }
    }

    /// Adds the batch to the changes of a save.
    func add(to changes: inout RowChanges) {
        switch work {
        case .delete:
            var delete = RowBatchDelete(plan)
            delete.except = changedKeys
            delete.besides = Dictionary(grouping: models) { Swift.type(of: $0)._$descriptor.entityName }
                .sorted { $0.key < $1.key }.map { ($0.key, $0.value.map { $0._$key }) }
            changes.batchDeletes.append(delete)
        case .update(let assignments):
            var update = RowBatchUpdate(plan, assignments)
            update.except = changedKeys
            changes.batchUpdates.append(update)
        }
    }
}
