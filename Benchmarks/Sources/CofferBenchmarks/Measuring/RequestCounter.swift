import Synchronization

/// What reached a store.
final class RequestCounter: Sendable {
    private let requests = Mutex<[String: Int]>([:])

    func count(_ request: String) { requests.withLock { $0[request, default: 0] += 1 } }

    /// The requests until now, by kind.
    var counts: [String: Int] { requests.withLock { $0 } }

    func reset() { requests.withLock { $0 = [:] } }
}
