import CofferCore
import Foundation
import Synchronization

/// The right to write an archive, among processes: a lock on the document itself. The system gives it up for a process
/// that dies.
final class ArchiveLock: Sendable {
    private let file: Mutex<OpenFile>

    private init(_ file: OpenFile) { self.file = Mutex(file) }

    /// Waits for the lock; nil where there is no document.
    ///
    /// The document is replaced when it is written anew, and the lock of the old one is worth nothing then.
    static func take(_ path: String, _ wait: inout Wait) throws -> ArchiveLock? {
        while true {
            guard let file = try OpenFile(reading: path) else { return nil }
            if try !file.lock() {
                try wait.pause()
            } else if let mine = file.stamp?.identity, mine == FileIdentity(path) {
                return ArchiveLock(file)
            }
        }
    }

    /// Goes over to another file, which is locked already.
    func move(to other: OpenFile) { file.withLock { $0 = other } }
}

/// A wait with an end.
struct Wait {
    private let timeout: Duration
    let end: StoreDeadline
    private var pauseLength: UInt32 = 50

    init(_ timeout: Duration) {
        self.timeout = timeout
        end = StoreDeadline(after: timeout)
    }

    /// Waits for a moment.
    ///
    /// - Throws: `storeBusy` when the wait is over.
    mutating func pause() throws {
        guard !end.isReached else { throw busy }
        usleep(pauseLength)
        pauseLength = min(pauseLength * 2, 5000)
    }

    var busy: SwiftDataError {
        SwiftDataError(.storeBusy, detail: "somebody else has been writing for \(timeout)")
    }
}

/// The turn to write among the threads of this process.
final class WriterTurn: @unchecked Sendable {
    private let condition = NSCondition()
    /// Guarded by the condition.
    private var isTaken = false

    func take(_ wait: Wait) throws {
        condition.lock()
        defer { condition.unlock() }
        while isTaken {
            guard condition.wait(until: wait.end.nextLook) || !wait.end.isReached else { throw wait.busy }
        }
        isTaken = true
    }

    func release() {
        condition.lock()
        isTaken = false
        condition.signal()
        condition.unlock()
    }
}
