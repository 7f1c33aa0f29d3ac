import Dispatch

#if canImport(Glibc)
import Foundation
import Glibc

/// Has blocks run later, by a thread that waits for them.
///
/// Dispatch's own timers need a descriptor of the system for the first of them, and end the process where none is left.
final class LookClock: @unchecked Sendable {
    private static let shared = LookClock()

    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    /// Of the clock that nobody sets.
    private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    /// What waits, the next first; under the mutex.
    private var waiting: [(due: UInt64, queue: DispatchQueue, body: @Sendable () -> Void)] = []

    private init() {
        pthread_mutex_init(mutex, nil)
        var attributes = pthread_condattr_t()
        pthread_condattr_init(&attributes)
        pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
        pthread_cond_init(condition, &attributes)
        pthread_condattr_destroy(&attributes)
        let thread = Thread { [self] in run() }
        thread.name = "Coffer.LookClock"
        thread.start()
    }

    /// Runs a block on a queue after some milliseconds.
    static func after(_ milliseconds: Int, on queue: DispatchQueue, _ body: @escaping @Sendable () -> Void) {
        let clock = shared
        let due = now + UInt64(milliseconds) * 1_000_000
        pthread_mutex_lock(clock.mutex)
        let place = clock.waiting.firstIndex { $0.due > due } ?? clock.waiting.endIndex
        clock.waiting.insert((due, queue, body), at: place)
        pthread_cond_signal(clock.condition)
        pthread_mutex_unlock(clock.mutex)
    }

    /// In nanoseconds, by the clock of the condition.
    private static var now: UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }

    private func run() {
        pthread_mutex_lock(mutex)
        while true {
            guard let next = waiting.first else {
                pthread_cond_wait(condition, mutex)
                continue
            }
            if next.due > Self.now {
                var time = timespec(
                    tv_sec: Int(next.due / 1_000_000_000), tv_nsec: Int(next.due % 1_000_000_000))
                pthread_cond_timedwait(condition, mutex, &time)
                continue
            }
            waiting.removeFirst()
            next.queue.async(execute: next.body)
        }
    }
}
#else
enum LookClock {
    /// Runs a block on a queue after some milliseconds.
    static func after(_ milliseconds: Int, on queue: DispatchQueue, _ body: @escaping @Sendable () -> Void) {
        queue.asyncAfter(deadline: .now() + .milliseconds(milliseconds), execute: body)
    }
}
#endif
