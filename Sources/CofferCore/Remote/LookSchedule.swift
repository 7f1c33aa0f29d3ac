import Dispatch
import Synchronization

/// When to look at a store after the system has reported a write to its file.
///
/// A write is reported before what was written can be read: SQLite syncs its log in between, which may take a while. So
/// after one look soon there are later ones, at growing distances, until nobody has written for some time. Writes in quick
/// succession are one.
final class LookSchedule: Sendable {
    /// In milliseconds.
    private static let delays = [10, 100, 1_000, 10_000]

    private struct State {
        var writes = 0
        /// Whether the first look after a write is still to come.
        var isSoon = false
        /// Whether later ones are.
        var isLater = false
    }

    private let state = Mutex(State())
    private let queue = DispatchQueue(label: "Coffer.LookSchedule")
    private let look: @Sendable () -> Void

    private static let isOwnQueue = DispatchSpecificKey<Bool>()

    init(_ look: @escaping @Sendable () -> Void) {
        self.look = look
        queue.setSpecific(key: Self.isOwnQueue, value: true)
    }

    /// Whether the code that runs is part of a look of some schedule.
    static var isLooking: Bool { DispatchQueue.getSpecific(key: isOwnQueue) == true }

    /// Somebody has written, or may have.
    func noteWrite() {
        let isFirst = state.withLock { state in
            state.writes += 1
            defer { state.isSoon = true }
            return !state.isSoon
        }
        if isFirst { after(Self.delays[0]) { $0.lookSoon() } }
    }

    private func after(_ milliseconds: Int, _ body: @escaping @Sendable (LookSchedule) -> Void) {
        LookClock.after(milliseconds, on: queue) { [weak self] in
            if let self { body(self) }
        }
    }

    private func lookSoon() {
        let (isFirst, writes) = state.withLock { state in
            state.isSoon = false
            defer { state.isLater = true }
            return (!state.isLater, state.writes)
        }
        look()
        if isFirst { lookLater(1, writes) }
    }

    /// - Parameter writes: how many there had been when these looks began.
    private func lookLater(_ step: Int, _ writes: Int) {
        after(Self.delays[step]) { schedule in
            schedule.look()
            let next: (step: Int, writes: Int)? = schedule.state.withLock { state in
                if state.writes != writes { return (1, state.writes) }
                if step + 1 < Self.delays.count { return (step + 1, writes) }
                state.isLater = false
                return nil
            }
            if let next { schedule.lookLater(next.step, next.writes) }
        }
    }
}
