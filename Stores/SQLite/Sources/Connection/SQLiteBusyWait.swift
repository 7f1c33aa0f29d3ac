import CSQLite
import CofferCore
import Foundation

/// Waits for a lock that somebody else holds, for some time at most.
///
/// SQLite's own wait comes to look every tenth of a second only, and so hardly ever in the moment between two saves of a
/// process that makes one after the other. Looking costs microseconds.
final class SQLiteBusyWait {
    private let timeout: Duration
    /// How long is waited for a lock now.
    private var limit: Duration
    private var deadline: StoreDeadline
    /// Whether whoever finds a lock taken is told so at once.
    var isOff = false

    /// In microseconds.
    private static let shortest: UInt32 = 200
    private static let longest: UInt32 = 8_000

    init(_ timeout: Duration) {
        self.timeout = timeout
        limit = timeout
        deadline = StoreDeadline(after: timeout)
    }

    /// Has a connection wait so; it must not outlive the wait.
    func install(on handle: OpaquePointer) {
        sqlite3_busy_handler(
            handle,
            { context, count in
                guard let context else { return 0 }
                return Unmanaged<SQLiteBusyWait>.fromOpaque(context).takeUnretainedValue().wait(count) ? 1 : 0
            }, Unmanaged.passUnretained(self).toOpaque())
    }

    /// Tries again what SQLite does not wait for.
    ///
    /// It does not where a read turns into a write, since whoever has the lock may be waiting for the end of that read.
    ///
    /// - Throws: what the body throws; that a lock is taken only once the time is over.
    func tryAgain<T>(_ body: () throws -> T) throws -> T {
        let deadline = StoreDeadline(after: timeout)
        var count: Int32 = 0
        while true {
            do {
                return try body()
            } catch let failure as SQLiteFailure where failure.isBusy && !deadline.isReached {
                Self.pause(count)
                count += 1
            }
        }
    }

    /// Runs something that is to wait for a moment only.
    ///
    /// By chance, so that of two who are in each other's way one has given up before the other does.
    func shortly<T>(_ body: () throws -> T) rethrows -> T {
        let before = limit
        limit = min(before, .milliseconds(.random(in: 2...40)))
        defer { limit = before }
        return try body()
    }

    /// - Parameter count: how often it has waited for this lock.
    private func wait(_ count: Int32) -> Bool {
        if isOff { return false }
        if count == 0 { deadline = StoreDeadline(after: limit) }
        if deadline.isReached { return false }
        Self.pause(count)
        return true
    }

    /// By chance, so that two who wait do not look in step with the one who saves.
    private static func pause(_ count: Int32) {
        let longest = min(longest, shortest * UInt32(min(count, 64) + 2))
        usleep(.random(in: shortest...longest))
    }
}
