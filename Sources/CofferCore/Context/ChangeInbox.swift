import Synchronization

/// What one save changed, as the other contexts of the container need to know it.
struct SavedChanges: Sendable {
    /// Keys by entity.
    var updated: [String: [PersistentIdentifier]] = [:]
    var deleted: [String: [PersistentIdentifier]] = [:]
    /// Entities that got rows: relationships that lead to them may have grown.
    var inserted: Set<String> = []
    /// Rows that new ones may have been written onto, by entity.
    var overwritten: [String: [PersistentIdentifier]] = [:]
    /// The entities that lost rows, and those whose rows became others in any way, each with the entities above it:
    /// what a relationship may lead to.
    var lost: Set<String> = []
    var moved: Set<String> = []
    /// The entities of which rows were deleted without anybody knowing which.
    var swept: Set<String> = []
    var everythingErased = false
    /// The last key that a new model had been given when everything was erased: models with later ones were made after.
    var lastTemporaryKey: Int64 = 0
    /// Who saved; nil where nobody said.
    var author: String?
    /// The places of the save in the histories of its stores, by store.
    var historyTokens: [String: any HistoryToken] = [:]

    /// Adds deleted rows; those of one entity stand together.
    mutating func noteDeleted(_ identifiers: [PersistentIdentifier]) {
        var start = 0
        while start < identifiers.count {
            let space = identifiers[start]._space
            var end = start + 1
            while end < identifiers.count, identifiers[end]._space === space { end += 1 }
            let isAll = start == 0 && end == identifiers.count
            if isAll, deleted[space.entityName] == nil {
                deleted[space.entityName] = identifiers
            } else {
                deleted[space.entityName, default: []] += identifiers[start..<end]
            }
            start = end
        }
    }

    var isEmpty: Bool { updated.isEmpty && deleted.isEmpty && inserted.isEmpty && !everythingErased }
}

/// The changes a context has not looked at yet. Saves arrive from any thread; the context takes them when it is used.
final class ChangeInbox: Sendable {
    private let waiting = Mutex<[SavedChanges]>([])
    private let flag = Atomic<Bool>(false)

    func put(_ changes: SavedChanges) {
        waiting.withLock { $0.append(changes) }
        flag.store(true, ordering: .releasing)
        for watch in watches { watch.hear(changes, isOwn: false) }
    }

    /// Takes everything that waits.
    @inline(__always)
    func take() -> [SavedChanges] {
        guard flag.load(ordering: .acquiring) else { return [] }
        return waiting.withLock { waiting in
            flag.store(false, ordering: .relaxed)
            defer { waiting = [] }
            return waiting
        }
    }

    // MARK: Results that are watched

    private struct WeakWatch {
        weak var watch: ResultWatch?
    }
    private let members = Mutex<[WeakWatch]>([])

    private var watches: [ResultWatch] { members.withLock { $0.compactMap(\.watch) } }

    var hasWatches: Bool { members.withLock { $0.contains { $0.watch != nil } } }

    /// Has a watch hear of what is put here, as soon as it is.
    func enter(_ watch: ResultWatch) {
        members.withLock { members in
            members.removeAll { $0.watch == nil }
            if !members.contains(where: { $0.watch === watch }) { members.append(WeakWatch(watch: watch)) }
        }
    }

    /// Has all results be fetched anew.
    func touchWatches() {
        for watch in watches { watch.touch() }
    }

    /// Tells what the context itself has saved.
    ///
    /// - Parameters:
    ///   - changes: everything, for those to whom pending changes did not count.
    ///   - beyond: the part that was not pending.
    func tellOwn(_ changes: SavedChanges, beyond: SavedChanges) {
        for watch in watches { watch.hear(watch.interest.includesPending ? beyond : changes, isOwn: true) }
    }
}
