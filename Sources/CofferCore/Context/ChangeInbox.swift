import Synchronization

/// What one save changed, as the other contexts of the container need to know it.
struct SavedChanges: Sendable {
    /// Keys by entity.
    var updated: [String: [PersistentIdentifier]] = [:]
    var deleted: [String: [PersistentIdentifier]] = [:]
    /// Entities that got rows: relationships that lead to them may have grown.
    var inserted: Set<String> = []
    var everythingErased = false
    /// The last key that a new model had been given when everything was erased: models with later ones were made after.
    var lastTemporaryKey: Int64 = 0

    var isEmpty: Bool { updated.isEmpty && deleted.isEmpty && inserted.isEmpty && !everythingErased }
}

/// The changes a context has not looked at yet. Saves arrive from any thread; the context takes them when it is used.
final class ChangeInbox: Sendable {
    private let waiting = Mutex<[SavedChanges]>([])
    private let flag = Atomic<Bool>(false)

    func put(_ changes: SavedChanges) {
        waiting.withLock { $0.append(changes) }
        flag.store(true, ordering: .releasing)
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
}
