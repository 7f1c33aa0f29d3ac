#if !canImport(Darwin)
import Foundation

extension NotificationCenter {
    /// The notifications of a name, as they are posted.
    ///
    /// ```swift
    /// for await note in NotificationCenter.default.notifications(named: ModelContext.didSave) { … }
    /// ```
    ///
    /// Each iterator hears of what is posted after it was made, in the order of posting and on whatever isolation it
    /// runs; it keeps what was not read yet, without limit. Stop iterating, or cancel the task, to stop listening.
    ///
    /// - Parameters:
    ///   - name: the name.
    ///   - object: the object that must have posted; nil for any. It is kept alive while there is the sequence.
    public func notifications(
        named name: Notification.Name, object: (any AnyObject & Sendable)? = nil
    ) -> Notifications {
        Notifications(center: self, name: name, object: object)
    }

    /// The notifications of a name, as an asynchronous sequence.
    public final class Notifications: AsyncSequence, @unchecked Sendable {
        /// A notification.
        public typealias Element = Notification
        /// Listening does not fail.
        public typealias Failure = Never

        // A center can be used from any thread, and the name and the object do not change.
        private let center: NotificationCenter
        private let name: Notification.Name
        private let object: (any AnyObject & Sendable)?

        init(center: NotificationCenter, name: Notification.Name, object: (any AnyObject & Sendable)?) {
            self.center = center
            self.name = name
            self.object = object
        }

        /// Starts listening.
        public func makeAsyncIterator() -> Iterator {
            let (stream, continuation) = AsyncStream<Posted>.makeStream()
            let token = center.addObserver(forName: name, object: object, queue: nil) { note in
                continuation.yield(Posted(note: note))
            }
            return Iterator(stream: stream, observation: Observation(center: center, token: token))
        }

        /// Hears notifications.
        public struct Iterator: AsyncIteratorProtocol {
            /// A notification.
            public typealias Element = Notification
            /// Listening does not fail.
            public typealias Failure = Never

            private var base: AsyncStream<Posted>.Iterator
            private let observation: Observation

            fileprivate init(stream: AsyncStream<Posted>, observation: Observation) {
                base = stream.makeAsyncIterator()
                self.observation = observation
            }

            /// The next notification, or nil when the task was cancelled.
            public mutating func next() async -> Notification? { await base.next()?.note }

            /// The next notification, or nil when the task was cancelled.
            public mutating func next(isolation actor: isolated (any Actor)?) async -> Notification? {
                await base.next(isolation: actor)?.note
            }
        }

        /// A notification is handed over as it is: what it carries is for the poster to make safe, as on Apple's
        /// systems.
        fileprivate struct Posted: @unchecked Sendable {
            let note: Notification
        }

        /// Stops listening with the iterator.
        fileprivate final class Observation {
            private let center: NotificationCenter
            private let token: any NSObjectProtocol

            init(center: NotificationCenter, token: any NSObjectProtocol) {
                self.center = center
                self.token = token
            }

            deinit { center.removeObserver(token) }
        }
    }
}
#endif
