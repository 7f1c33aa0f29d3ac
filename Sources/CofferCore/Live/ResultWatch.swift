import Observation
import Synchronization

/// What stands between a context's changes and a set of results: hears of changes, from whichever thread they come,
/// remembers that the results are out of date, and tells those who observe them.
///
/// Nothing is fetched here. However many changes come, the results are fetched once, when they are read.
final class ResultWatch: Observable, Sendable {
    /// Where observers are told of what other contexts save; nil for the thread that saves.
    let isolation: (any Actor)?
    private let registrar = ObservationRegistrar()
    private let isOutdated = Atomic<Bool>(true)
    private let state = Mutex(State())

    private struct State {
        var interest = ResultInterest()
        var feeds: [WeakFeed] = []
    }
    private struct WeakFeed {
        weak var feed: ResultFeed?
    }

    // Observation knows a property by its key path. This one stands for everything that depends on the results.
    private var results: Void { () }
    private static let results: any KeyPath<ResultWatch, Void> & Sendable = \.results

    init(isolation: (any Actor)?) { self.isolation = isolation }

    var interest: ResultInterest {
        get { state.withLock { $0.interest } }
        set { state.withLock { $0.interest = newValue } }
    }

    /// Tells Observation of a read. It comes before the question whether the results are out of date, so that no change
    /// falls between the two.
    func access() { registrar.access(self, keyPath: Self.results) }

    /// Whether the results have to be fetched; they count as up to date from here on.
    func takeOutdated() -> Bool { isOutdated.exchange(false, ordering: .acquiringAndReleasing) }

    // MARK: Changes

    /// Something changed here, in the context's isolation.
    func touch() {
        isOutdated.store(true, ordering: .releasing)
        for feed in feeds { feed.signal() }
        notify()
    }

    /// A property of a model was changed.
    ///
    /// - Parameters:
    ///   - isRelevant: whether that can change the results.
    ///   - isElement: whether the model is of the results' class.
    func noteChange(of model: AnyObject, isRelevant: Bool, isElement: Bool) {
        if isElement {
            for feed in feeds { feed.note(ObjectIdentifier(model)) }
        }
        if isRelevant { touch() }
    }

    /// A context has saved something.
    ///
    /// - Parameter isOwn: whether the results' own context did, in whose isolation this then runs.
    func hear(_ changes: SavedChanges, isOwn: Bool) {
        let interest = interest
        guard interest.isConcerned(by: changes) else { return }
        isOutdated.store(true, ordering: .releasing)
        for feed in feeds {
            for (name, identifiers) in changes.updated where interest.elements.contains(name) {
                feed.note(identifiers)
            }
            // A new model that turned out to be a stored row has changed that row.
            for (name, identifiers) in changes.overwritten where interest.elements.contains(name) {
                feed.note(identifiers)
            }
            feed.signal()
        }
        if let isolation, !isOwn {
            Task { await self.notify(on: isolation) }
        } else {
            notify()
        }
    }

    /// The call is for the hop: a read and the start of its tracking are one step there, and no change comes between.
    private func notify(on isolation: isolated any Actor) { notify() }

    private func notify() { registrar.withMutation(of: self, keyPath: Self.results) {} }

    // MARK: Feeds

    private var feeds: [ResultFeed] { state.withLock { $0.feeds.compactMap(\.feed) } }

    /// Has a feed hear of changes as long as it lives.
    func add(_ feed: ResultFeed) {
        state.withLock { state in
            state.feeds.removeAll { $0.feed == nil }
            state.feeds.append(WeakFeed(feed: feed))
        }
    }
}
