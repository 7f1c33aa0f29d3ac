import Foundation
import Synchronization

/// What a store was asked for.
final class Record: Sendable {
    struct Counts: Sendable, Equatable {
        /// Requests for rows, keys or counts.
        var requests = 0
        /// Rows that were handed out.
        var rows = 0
        /// Commits.
        var commits = 0
        /// Rows that were inserted, updated or deleted.
        var inserted = 0
        var updated = 0
        var deleted = 0
        /// Deletions and updates by filter.
        var batches = 0
        /// Transactions of the history that were handed out.
        var transactions = 0
        /// The changes in them.
        var changes = 0
    }

    private let state = Mutex(Counts())
    private let hook = Mutex<(@Sendable () -> Void)?>(nil)
    private let folder: URL?

    /// - Parameter folder: what is removed once no store writes things down here any more.
    init(removing folder: URL? = nil) {
        self.folder = folder
        guard let folder else { return }
        Self.removesAtEnd
        Self.folders.withLock { _ = $0.insert(folder) }
    }

    deinit {
        guard let folder else { return }
        // Nobody waits for the folder to go, and a test that failed for another reason should show that one.
        try? FileManager.default.removeItem(at: folder)
        Self.folders.withLock { _ = $0.remove(folder) }
    }

    /// Folders in use. A container whose main context was used lives as long as the process, and so do models with unsaved
    /// links in a circle.
    private static let folders = Mutex<Set<URL>>([])

    private static let removesAtEnd: Void = {
        atexit {
            for folder in Record.folders.withLock({ $0 }) { try? FileManager.default.removeItem(at: folder) }
        }
    }()

    var counts: Counts { state.withLock { $0 } }

    func add(_ change: (inout Counts) -> Void) {
        state.withLock { change(&$0) }
        let hook = hook.withLock { hook in
            defer { hook = nil }
            return hook
        }
        hook?()
    }

    /// Runs a block in the middle of the next request, on the thread that asked.
    func duringNextRequest(_ body: @escaping @Sendable () -> Void) { hook.withLock { $0 = body } }

    /// What is asked for during a block.
    func during(_ body: () throws -> Void) rethrows -> Counts {
        let before = counts
        try body()
        let after = counts
        return Counts(
            requests: after.requests - before.requests, rows: after.rows - before.rows,
            commits: after.commits - before.commits, inserted: after.inserted - before.inserted,
            updated: after.updated - before.updated, deleted: after.deleted - before.deleted,
            batches: after.batches - before.batches, transactions: after.transactions - before.transactions)
    }
}
