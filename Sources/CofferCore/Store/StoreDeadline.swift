import Foundation

/// The end of a wait for somebody else, by a clock that nobody sets: the system's may go back in the middle of a wait.
package struct StoreDeadline: Sendable {
    private let end: ContinuousClock.Instant

    /// A wait that begins now.
    package init(after timeout: Duration) {
        // Longer than any process lives, and no longer than the clock can add.
        end = .now + min(timeout, .seconds(1 << 32))
    }

    package var isReached: Bool { .now >= end }

    /// When to look again, for waits that know the system's clock only: a short while from now.
    package var nextLook: Date {
        let (seconds, attoseconds) = (end - .now).components
        return Date(timeIntervalSinceNow: min(max(Double(seconds) + Double(attoseconds) * 1e-18, 0), 0.5))
    }
}
