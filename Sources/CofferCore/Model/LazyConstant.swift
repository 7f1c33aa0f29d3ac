import Synchronization

/// A value that is worked out at its first use, from whichever thread that comes.
///
/// Two threads that come first at once may both work it out; one result is kept. The work runs without the lock, so it
/// may use other constants, or this one.
final class LazyConstant<Value>: @unchecked Sendable {
    private struct Box: @unchecked Sendable { var value: Value? }
    private let box = Mutex(Box())

    func value(_ make: () -> Value) -> Value {
        if let value = box.withLock({ $0 }).value { return value }
        let made = Box(value: make())
        return box.withLock { box in
            if box.value == nil { box = made }
            return box
        }.value ?? make()
    }
}
