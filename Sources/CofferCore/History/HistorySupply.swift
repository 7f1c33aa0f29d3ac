import Foundation
import Synchronization

/// The history of a store that keeps none: the saves of one container's contexts, in memory.
final class HistorySupply: Sendable {
    /// What tokens call it by: another one in each run, since the numbers begin anew.
    let tokenKey: String
    private let recorder: HistoryRecorder
    private let kept = Mutex(StoredHistory())

    init(_ schema: Schema, of identifier: String) {
        tokenKey = "\(identifier) \(UUID().uuidString)"
        recorder = HistoryRecorder(schema)
    }

    // MARK: Saves

    /// Notes what a store has taken.
    ///
    /// - Parameter inserted: the permanent identifiers of the new rows, batch by batch.
    /// - Returns: the number of the transaction; nil where nothing was changed.
    func note(_ work: StoreWork, inserted: [[PersistentIdentifier]], _ state: EditingState) -> Int64? {
        let hasTexts =
            inserted.contains { $0.contains { $0._textKey != nil } }
            || (work.updated.flatMap(\.models) + work.deleted.flatMap(\.models))
                .contains { $0.persistentModelID._textKey != nil }
        if hasTexts || !work.batches.isEmpty || inserted.count != work.inserted.count {
            noteUnknown()
            return nil
        }
        var changes = RowChanges(editingState: state)
        changes.inserted = work.inserted.map { $0.batch }
        changes.updated = work.updated.map { $0.batch }
        changes.deleted = work.deleted.map { ($0.home.descriptor.entityName, $0.models.map { $0._$key }) }
        let result = RowChangesResult(keys: inserted.map { $0.map(\._key) })
        guard var transaction = recorder.transaction(changes, result) else { return nil }
        return kept.withLock { kept in
            kept.latest += 1
            transaction.number = kept.latest
            kept.transactions.append(transaction)
            return kept.latest
        }
    }

    /// Something was changed that cannot be told row by row: whoever has read up to here misses it.
    func noteUnknown() {
        kept.withLock { kept in
            kept.latest += 1
            kept.start = kept.latest
            kept.transactions = []
        }
    }

    // MARK: Reading and forgetting

    func history(_ query: HistoryQuery) -> StoredHistory {
        kept.withLock { kept in
            var found = StoredHistory(start: kept.start, latest: kept.latest)
            if query.limit == 0 { return found }
            let matching = kept.transactions.filter { query.matches(number: $0.number, author: $0.author) }
            let ordered = query.isNewestFirst ? matching.reversed() : matching
            found.transactions = query.limit.map { Array(ordered.prefix($0)) } ?? ordered
            return found
        }
    }

    func forget(_ numbers: KeyRanges) {
        kept.withLock { kept in
            let gone = Set(
                kept.transactions.map(\.number).filter { number in
                    numbers.ranges.contains { $0.contains(number) }
                })
            kept.transactions.removeAll { gone.contains($0.number) }
            if let last = numbers.ranges.last?.upperBound { kept.start = max(kept.start, min(last, kept.latest)) }
        }
    }
}
