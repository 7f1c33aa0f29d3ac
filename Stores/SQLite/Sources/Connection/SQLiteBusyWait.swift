import CSQLite
import CofferCore
import Foundation

/// Waits for a lock that somebody else holds, for some time at most.
///
/// SQLite's own wait comes to look every tenth of a second only, and so hardly ever in the moment between two saves of a
/// process that makes one after the other. Looking costs microseconds.
final class SQLiteBusyWait {
    private let timeout: Duration
    private var deadline: StoreDeadline
    /// Whether whoever finds a lock taken is told so at once.
    var isOff = false

    /// In microseconds.
    private static let shortest: UInt32 = 200
    private static let longest: UInt32 = 8_000

    init(_ timeout: Duration) {
        self.timeout = timeout
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
    func tryAgain(_ body: () throws -> Void) throws {
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

    /// - Parameter count: how often it has waited for this lock.
    private func wait(_ count: Int32) -> Bool {
        if isOff { return false }
        if count == 0 { deadline = StoreDeadline(after: timeout) }
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
