import Synchronization

/// What one iteration over results has not seen yet: that something changed, and which models did.
///
/// It keeps no results. However slow the iteration is, what waits for it is one signal and a bounded set of names.
final class ResultFeed: Sendable {
    /// Models that were changed since the last step.
    struct Touched {
        fileprivate var objects: Set<ObjectIdentifier> = []
        fileprivate var identifiers: Set<PersistentIdentifier> = []
        /// There were too many to be kept apart.
        fileprivate var isEverything = false

        var isEmpty: Bool { objects.isEmpty && identifiers.isEmpty && !isEverything }

        func contains<M: PersistentModel>(_ model: M) -> Bool {
            isEverything || objects.contains(ObjectIdentifier(model))
                || !identifiers.isEmpty && identifiers.contains(model.persistentModelID)
        }
    }

    /// How many changed models are told apart.
    private static var limit: Int { 10_000 }

    private let touched = Mutex(Touched())
    private let continuation: AsyncStream<Void>.Continuation

    /// - Returns: the feed, and the signals that it gives: never more than one waits.
    static func make() -> (feed: ResultFeed, signals: AsyncStream<Void>) {
        let (signals, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        return (ResultFeed(continuation), signals)
    }

    private init(_ continuation: AsyncStream<Void>.Continuation) { self.continuation = continuation }

    func signal() { continuation.yield() }

    /// A model was changed in memory.
    func note(_ object: ObjectIdentifier) {
        note { $0.objects.insert(object) }
        signal()
    }

    /// The rows of models were changed by another context.
    func note(_ identifiers: [PersistentIdentifier]) { note { $0.identifiers.formUnion(identifiers) } }

    private func note(_ change: (inout Touched) -> Void) {
        touched.withLock { touched in
            if touched.isEverything { return }
            change(&touched)
            if touched.objects.count + touched.identifiers.count > Self.limit {
                touched = Touched()
                touched.isEverything = true
            }
        }
    }

    func take() -> Touched {
        touched.withLock { touched in
            defer { touched = Touched() }
            return touched
        }
    }
}
