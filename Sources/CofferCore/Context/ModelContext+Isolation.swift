import Foundation
import Synchronization

// A context belongs to one isolation, which may be an actor: then its thread changes all the time, and a context may be
// made on one thread and handed over to where it is used. So the thread by itself says nothing. What can never be right
// is two threads inside a context at the same time, and a main context off the main queue; debug builds look for both.

extension ModelContext {
    /// Begins an operation that throws; ``leave()`` ends it.
    ///
    /// - Throws: ``SwiftDataError/wrongIsolation`` in debug builds, when another thread is inside the context or the
    ///   main context is used elsewhere than on the main actor.
    @inline(__always)
    func enter(_ operation: SwiftDataError.Operation) throws {
        #if DEBUG
        if let problem = misplacement ?? (occupancy.enter() ? nil : Self.crowded) {
            throw SwiftDataError(.wrongIsolation, operation: operation, detail: problem)
        }
        #endif
    }

    /// Begins an operation that cannot throw; what is wrong is reported then.
    ///
    /// - Returns: whether ``leave()`` has to be called.
    @inline(__always)
    func enterOrReport(_ operation: StaticString) -> Bool {
        #if DEBUG
        if let misplacement { report(misplacement, operation) }
        if occupancy.enter() { return true }
        report(Self.crowded, operation)
        return false
        #else
        return true
        #endif
    }

    /// Ends an operation.
    @inline(__always)
    func leave() {
        #if DEBUG
        occupancy.leave()
        #endif
    }

    /// Runs code of the program's in the middle of an operation. It may wait for another thread that uses the context.
    @inline(__always)
    func outside<T>(_ body: () throws -> T) rethrows -> T {
        #if DEBUG
        let depth = occupancy.pause()
        defer { occupancy.resume(depth) }
        #endif
        return try body()
    }

    #if DEBUG
    private static let crowded = "two threads use the context at the same time"

    private var misplacement: String? {
        isMainContext && !MainQueue.isCurrent ? "the main context is used elsewhere than on the main actor" : nil
    }

    /// Says once for each context what is wrong. It does not stop the program: the mistake may be harmless this time.
    private func report(_ problem: String, _ operation: StaticString) {
        guard occupancy.mayReport() else { return }
        let message =
            "Coffer: \(problem), here to \(operation). A ModelContext and its models belong to one actor or thread: "
            + "make a context for each, or work in a ModelActor, and hand over identifiers instead of models."
        if let misuseReporter {
            misuseReporter(message)
        } else {
            FileHandle.standardError.write(Data((message + "\n").utf8))
        }
    }
    #endif
}

#if DEBUG
/// Which thread is inside a context.
final class ContextOccupancy: Sendable {
    private let owner = Atomic<UInt>(0)
    /// How deep the owner is inside; nobody else touches it.
    private let depth = Atomic<Int>(0)
    private let hasReported = Atomic<Bool>(false)

    private static var currentThread: UInt { UInt(bitPattern: ObjectIdentifier(Thread.current)) }

    /// Goes inside, unless another thread is there.
    func enter() -> Bool {
        let thread = Self.currentThread
        let (entered, other) = owner.compareExchange(expected: 0, desired: thread, ordering: .acquiring)
        guard entered || other == thread else { return false }
        depth.wrappingAdd(1, ordering: .relaxed)
        return true
    }

    func leave() {
        if depth.wrappingSubtract(1, ordering: .relaxed).newValue == 0 { owner.store(0, ordering: .releasing) }
    }

    /// Goes outside for a while.
    ///
    /// - Returns: how deep the thread was inside; 0 where it was not.
    func pause() -> Int {
        guard owner.load(ordering: .relaxed) == Self.currentThread else { return 0 }
        let depth = depth.exchange(0, ordering: .relaxed)
        owner.store(0, ordering: .releasing)
        return depth
    }

    func resume(_ depth: Int) {
        if depth == 0 { return }
        self.depth.store(depth, ordering: .relaxed)
        owner.store(Self.currentThread, ordering: .relaxed)
    }

    func mayReport() -> Bool { !hasReported.exchange(true, ordering: .relaxed) }
}
#endif
