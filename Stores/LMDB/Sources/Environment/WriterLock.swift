import CofferCore
import Foundation

/// The turn to write: one thread of one process has it. LMDB's own lock waits without an end; this one does not.
///
/// The file `writer.lock` beside the data carries it between processes; the system gives it up for a process that dies.
final class WriterLock: @unchecked Sendable {
    private let folder: String
    private let path: String
    /// Guards what follows, and wakes the threads of this process.
    private let condition = NSCondition()
    private var isTaken = false
    private var descriptor: Int32 = -1

    init(folder: String) {
        self.folder = folder
        path = folder + "/writer.lock"
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    /// Waits for the turn.
    ///
    /// - Parameter timeout: how long another holder is waited for.
    /// - Throws: `storeBusy` after that time.
    func take(_ timeout: Duration) throws {
        let end = StoreDeadline(after: timeout)
        condition.lock()
        while isTaken {
            guard condition.wait(until: end.nextLook) || !end.isReached else {
                condition.unlock()
                throw busy(timeout)
            }
        }
        isTaken = true
        condition.unlock()
        do {
            try takeFile(timeout, until: end)
        } catch {
            giveUp()
            throw error
        }
    }

    private func takeFile(_ timeout: Duration, until end: StoreDeadline) throws {
        if descriptor < 0 {
            descriptor = StoreRights.open(path, O_RDWR | O_CREAT | O_CLOEXEC, like: LMDBFile.data(folder))
            if descriptor < 0 { throw LMDBFailure(code: errno) }
        }
        var pause: UInt32 = 50
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            switch errno {
            case EINTR: continue
            case EWOULDBLOCK:
                guard !end.isReached else { throw busy(timeout) }
                usleep(pause)
                pause = min(pause * 2, 5000)
            default: throw LMDBFailure(code: errno)
            }
        }
    }

    private func busy(_ timeout: Duration) -> SwiftDataError {
        SwiftDataError(.storeBusy, detail: "somebody else has been writing for \(timeout)")
    }

    /// Gives the turn to somebody else.
    func release() {
        flock(descriptor, LOCK_UN)
        giveUp()
    }

    private func giveUp() {
        condition.lock()
        isTaken = false
        condition.signal()
        condition.unlock()
    }

    /// The turn for somebody who only wants to read in peace: taken for a moment, not waited for for long, and given up
    /// with the object.
    final class Pass {
        private let descriptor: Int32

        init(folder: String) {
            descriptor = open(folder + "/writer.lock", O_RDONLY | O_CLOEXEC | O_NONBLOCK)
            guard descriptor >= 0 else { return }
            for _ in 0..<200 where flock(descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK { usleep(5000) }
        }

        deinit {
            if descriptor >= 0 { close(descriptor) }
        }
    }
}
