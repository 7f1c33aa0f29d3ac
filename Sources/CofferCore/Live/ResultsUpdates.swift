/// The results of a fetch as they change, step by step.
///
/// ```swift
/// for await update in observer.updates {
///     for trip in update.removed { rows.remove(trip) }
///     for trip in update.inserted { rows.add(trip) }
/// }
/// ```
///
/// The first step has what there is, each later one the latest state and its difference from the step before. Whoever
/// is slow misses states in between and never gets an old one: nothing is kept that waits, so it costs no memory.
/// Changes that leave everything as it was give no step. The iteration ends when its task is cancelled.
///
/// Isolation: models are not sendable, so the sequence is iterated in the isolation of the context.
///
/// Lifetime: the sequence keeps the results, and these their context.
public struct ResultsUpdates<Model: PersistentModel>: AsyncSequence {
    /// A step.
    public typealias Element = ResultsUpdate<Model>
    /// A failed fetch ends nothing; ``ResultsUpdate/fetchError`` tells of it.
    public typealias Failure = Never

    private let live: LiveResults<Model>

    init(_ live: LiveResults<Model>) { self.live = live }

    /// Starts with what there is.
    public func makeAsyncIterator() -> Iterator { Iterator(live) }

    /// Goes from step to step.
    public struct Iterator: AsyncIteratorProtocol {
        /// A step.
        public typealias Element = ResultsUpdate<Model>
        /// A failed fetch ends nothing.
        public typealias Failure = Never

        private let live: LiveResults<Model>
        private let feed: ResultFeed
        private var signals: AsyncStream<Void>.Iterator
        private var last: [Model]?
        /// The fetch whose failure was told.
        private var failure: Int?

        fileprivate init(_ live: LiveResults<Model>) {
            self.live = live
            let (feed, signals) = ResultFeed.make()
            self.feed = feed
            self.signals = signals.makeAsyncIterator()
            live.watch.add(feed)
        }

        /// The next step; nil when the task was cancelled.
        public mutating func next(isolation actor: isolated (any Actor)?) async -> ResultsUpdate<Model>? {
            while !Task.isCancelled {
                if let update = step() { return update }
                guard await signals.next(isolation: actor) != nil else { return nil }
            }
            return nil
        }

        /// What there is to tell.
        private mutating func step() -> ResultsUpdate<Model>? {
            // What is changed from here on is told in the step after.
            let touched = feed.take()
            let results = live.elements
            var error = live.error
            if error != nil {
                if failure == live.version { error = nil } else { failure = live.version }
            }
            defer { last = results }
            guard let last else { return ResultsUpdate(from: [], to: results, error: error) }
            let update = ResultsUpdate(from: last, to: results, touched: touched, error: error)
            return update.isEmpty ? nil : update
        }
    }
}

extension ResultsObserver {
    /// The results as they change. Each iteration starts with what there is.
    public var updates: ResultsUpdates<Element> { ResultsUpdates(live) }
}
