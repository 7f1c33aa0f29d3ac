import CofferCore
import Foundation
import Synchronization

/// A layer that makes calls fail.
///
/// ```swift
/// let faults = StoreFaults()
/// faults.fail(.save, at: 2, .before)    // the second save from now on
/// ```
public final class StoreFaults: StoreLayer {
    /// When a call fails.
    public enum Moment: Sendable {
        /// The store never sees the call.
        case before
        /// The store has done its work, and the answer is lost.
        case after
    }

    /// The error that a call fails with, unless another is given.
    public struct Fault: Error, Hashable, Sendable {
        /// Makes the error.
        public init() {}
    }

    private struct Plan {
        let kind: StoreCall.Kind
        var remaining: Int
        let moment: Moment
        let error: any Error
    }

    private let plans = Mutex<[Plan]>([])
    private let fired = Mutex(0)

    /// A layer that lets everything pass, until it is told what fails.
    public init() {}

    /// How many calls have failed.
    public var count: Int { fired.withLock { $0 } }

    /// Makes one call fail.
    ///
    /// - Parameters:
    ///   - kind: which kind of call.
    ///   - number: which of them, counted from now on, starting with 1.
    ///   - moment: before or after the store does its work.
    ///   - error: what is thrown.
    public func fail(
        _ kind: StoreCall.Kind, at number: Int = 1, _ moment: Moment = .before, with error: any Error = Fault()
    ) {
        plans.withLock { $0.append(Plan(kind: kind, remaining: number, moment: moment, error: error)) }
    }

    public func willCall(_ call: StoreCall) throws {
        let error = plans.withLock { plans -> (any Error)? in
            for index in plans.indices where plans[index].kind == call.kind { plans[index].remaining -= 1 }
            return Self.take(.before, call.kind, &plans)
        }
        if let error { try fire(error) }
    }

    public func didCall(_ call: StoreCall, rows: Int) throws {
        if let error = plans.withLock({ Self.take(.after, call.kind, &$0) }) { try fire(error) }
    }

    private static func take(_ moment: Moment, _ kind: StoreCall.Kind, _ plans: inout [Plan]) -> (any Error)? {
        guard
            let index = plans.firstIndex(where: { $0.moment == moment && $0.kind == kind && $0.remaining <= 0 })
        else { return nil }
        return plans.remove(at: index).error
    }

    private func fire(_ error: any Error) throws {
        fired.withLock { $0 += 1 }
        throw error
    }
}

/// A layer that makes calls take longer, as a store behind a network would.
public final class StoreLatency: StoreLayer {
    private let delay: @Sendable (StoreCall) -> Duration

    /// Delays every call.
    public init(_ delay: Duration) { self.delay = { _ in delay } }

    /// Delays calls by what a closure says of them.
    public init(_ delay: @escaping @Sendable (StoreCall) -> Duration) { self.delay = delay }

    public func willCall(_ call: StoreCall) throws {
        let (seconds, attoseconds) = delay(call).components
        Thread.sleep(forTimeInterval: Double(seconds) + Double(attoseconds) / 1e18)
    }
}
