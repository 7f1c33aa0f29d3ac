import ArchiveStore
import CofferConformance
import CofferCore
import Foundation

extension Mutant {
    /// Faults in what an archive of snapshots stores.
    static var archiving: [Mutant] {
        [
            Mutant(history: "a deletion by predicate empties the class", "batch.rows") {
                $0.batches = .ignorePredicates
            },
            Mutant(history: "a deletion of a whole class does nothing", "batch.class") { $0.batches = .spareTheRows },
            Mutant(history: "a deletion of a whole class empties the store", "batch.class") {
                $0.batches = .deleteByErasing
            },
            Mutant(history: "a deletion of a whole class leaves no history", "batch.history") {
                $0.batches = .leaveNoHistory
            },
            Mutant(history: "links from changed rows to new ones stay temporary", "requests.permanent-links") {
                $0.save = forgettingToRemapUpdates
            },
            Mutant(history: "so they do where a context saves", "save.permanent-links") {
                $0.save = forgettingToRemapUpdates
            },
        ]
    }

    /// Stores updated snapshots once more, as they came.
    @Sendable private static func forgettingToRemapUpdates(
        _ request: HistoryMutation.Request, _ store: ArchiveStore
    ) throws -> DataStoreSaveChangesResult<DefaultSnapshot> {
        let result = try store.save(request)
        if !request.inserted.isEmpty, !request.updated.isEmpty {
            _ = try store.save(
                DataStoreSaveChangesRequest(
                    editingState: request.editingState, inserted: [], updated: request.updated, deleted: []))
        }
        return result
    }

    /// Faults in what a history tells, and in what it forgets.
    static var remembering: [Mutant] {
        [
            Mutant(history: "nobody is named as author", "history.authors") {
                $0.transactions = { $0.map { $0.with(author: .some(nil)) } }
            },
            Mutant(history: "the newest save comes first", "history.authors") { $0.transactions = { $0.reversed() } },
            Mutant(history: "times count from another year", "history.authors") {
                $0.transactions = { $0.map { $0.with(timestamp: $0.timestamp.addingTimeInterval(978_307_200)) } }
            },
            Mutant(history: "only the first change of a save is told", "history.several") {
                $0.transactions = { $0.map { $0.with(changes: Array($0.changes.prefix(1))) } }
            },
            Mutant(history: "updates are told as insertions", "history.kinds", "history.attributes") {
                $0.transactions = { told in
                    told.map { transaction in transaction.with(changes: transaction.changes.map(insertion)) }
                }
            },
            Mutant(history: "updates name no properties", "history.attributes") {
                $0.transactions = { told in
                    told.map { transaction in transaction.with(changes: transaction.changes.map(withoutAttributes)) }
                }
            },
            Mutant(history: "deletions leave nothing", "history.tombstone") {
                $0.transactions = { told in
                    told.map { transaction in transaction.with(changes: transaction.changes.map(withoutTombstone)) }
                }
            },
            Mutant(history: "a token leads to its own save, too", "history.after") {
                $0.transactions = { told in
                    told.map { transaction in
                        transaction.with(
                            token: DefaultHistoryToken([
                                transaction.storeIdentifier: transaction.transactionIdentifier - 1
                            ]))
                    }
                }
            },
            Mutant(history: "predicates are not looked at", "history.predicate", "history.after") {
                $0.descriptor = { $0.predicate = nil }
            },
            Mutant(history: "limits are not looked at", "history.page") { $0.descriptor = { $0.fetchLimit = 0 } },
            Mutant(history: "orders are not looked at", "history.page") { $0.descriptor = { $0.sortBy = [] } },
            Mutant(history: "a token that has expired is taken for the beginning", "history.expired") {
                $0.forgivesTokens = true
            },
            Mutant(history: "nothing is forgotten", "history.deleted") { $0.delete = { _, _ in } },
            Mutant(history: "everything is forgotten", "history.deleted", "history.expired") {
                $0.delete = { try $1.deleteHistory(HistoryDescriptor()) }
            },
            Mutant(history: "rows go with their history", "history.deleted") {
                $0.delete = {
                    try $1.deleteHistory($0); try $1.erase()
                }
            },
            Mutant(history: "erasing leaves the history", "history.erased") { $0.erase = { _ in } },
            Mutant(history: "the history ends with the store", "history.told-again") { $0.forgetsAtOpening = true },
        ]
    }

    private static func insertion(_ change: HistoryChange) -> HistoryChange {
        guard case .update(let update) = change else { return change }
        func make<U: HistoryUpdate>(_ update: U) -> HistoryChange {
            .insert(
                DefaultHistoryInsert<U.Model>(
                    changeIdentifier: 1, transactionIdentifier: 1,
                    changedPersistentIdentifier: update.changedPersistentIdentifier))
        }
        return make(update)
    }

    private static func withoutAttributes(_ change: HistoryChange) -> HistoryChange {
        guard case .update(let update) = change else { return change }
        func make<U: HistoryUpdate>(_ update: U) -> HistoryChange {
            .update(
                DefaultHistoryUpdate<U.Model>(
                    changeIdentifier: 1, transactionIdentifier: 1,
                    changedPersistentIdentifier: update.changedPersistentIdentifier, updatedAttributes: []))
        }
        return make(update)
    }

    private static func withoutTombstone(_ change: HistoryChange) -> HistoryChange {
        guard case .delete(let deletion) = change else { return change }
        func make<D: HistoryDelete>(_ deletion: D) -> HistoryChange {
            .delete(
                DefaultHistoryDelete<D.Model>(
                    changeIdentifier: 1, transactionIdentifier: 1,
                    changedPersistentIdentifier: deletion.changedPersistentIdentifier))
        }
        return make(deletion)
    }
}
