import Foundation
import Observation
import Synchronization

/// Counts the saves that concern some models, whichever context of the container made them.
///
/// ```swift
/// let observer = try HistoryObserver(observedModels: [Trip.self], modelContainer: container)
/// withObservationTracking {
///     _ = observer.eventCounter
/// } onChange: {
///     upload.start()
/// }
/// ```
///
/// The observer says that something was saved; the contexts' fetches, or the history of a store that keeps one, say
/// what.
///
/// Isolation: an observer may be used from any thread. Code that observes ``eventCounter`` is told on the isolation
/// that made the observer, or, where there was none, on the thread that saved.
///
/// Lifetime: the container does not keep its observers.
public final class HistoryObserver: Observable, Sendable {
    /// The container whose saves are counted.
    public let modelContainer: ModelContainer
    /// The classes whose changes count, with their subclasses; empty for all.
    public let observedModels: [any PersistentModel.Type]
    /// The authors whose saves count; empty for all, those without an author included.
    public let authors: Set<String>

    private let isolation: (any Actor)?
    /// The entities of the classes; nil for all.
    private let entityNames: Set<String>?
    private let counter = Atomic<Int>(0)
    private let tokens = Mutex<[String: any HistoryToken]>([:])
    private let registrar = ObservationRegistrar()

    /// Starts to count.
    ///
    /// - Parameters:
    ///   - observedModels: the classes whose changes count, with their subclasses; empty for all.
    ///   - authors: the authors whose saves count, see ``ModelContext/author``; empty for all.
    ///   - modelContainer: the container.
    ///   - isolation: where code that observes the counter is told; the caller's unless given.
    /// - Throws: ``SwiftDataError`` when the container's schema lacks one of the classes.
    public init(
        observedModels: [any PersistentModel.Type] = [], authors: Set<String> = [], modelContainer: ModelContainer,
        isolation: isolated (any Actor)? = #isolation
    ) throws {
        self.modelContainer = modelContainer
        self.observedModels = observedModels
        self.authors = authors
        self.isolation = isolation
        var names: Set<String> = []
        for type in observedModels {
            let name = type._$descriptor.entityName
            guard let entity = modelContainer.schema.entitiesByName[name] else {
                throw SwiftDataError(
                    .unknownModelType, operation: .history, entity: name,
                    detail: "the container's schema has no such model")
            }
            names.formUnion(Self.names(of: entity))
        }
        entityNames = observedModels.isEmpty ? nil : names
        modelContainer.enter(self)
    }

    private static func names(of entity: Schema.Entity) -> Set<String> {
        entity.subentities.reduce(into: [entity.name]) { $0.formUnion(names(of: $1)) }
    }

    /// How many saves there were that changed one of the classes and were made by one of the authors.
    public var eventCounter: Int {
        registrar.access(self, keyPath: \.eventCounter)
        return counter.load(ordering: .acquiring)
    }

    /// The place in each store's history of the last save that was counted, by store identifier: tokens of one store each,
    /// which say nothing of the others. Empty where no such store keeps a history.
    public var historyTokens: [String: any HistoryToken] {
        registrar.access(self, keyPath: \.historyTokens)
        return tokens.withLock { $0 }
    }

    /// Something was stored.
    func hear(_ changes: SavedChanges) {
        guard isObserved(changes) else { return }
        if !changes.historyTokens.isEmpty {
            tokens.withLock { $0.merge(changes.historyTokens) { _, new in new } }
        }
        counter.add(1, ordering: .acquiringAndReleasing)
        if let isolation {
            Task { await self.notify(on: isolation) }
        } else {
            notify()
        }
    }

    private func isObserved(_ changes: SavedChanges) -> Bool {
        if !authors.isEmpty {
            guard let author = changes.author, authors.contains(author) else { return false }
        }
        guard let entityNames, !changes.everythingErased else { return true }
        return !changes.inserted.isDisjoint(with: entityNames)
            || changes.updated.keys.contains(where: entityNames.contains)
            || changes.deleted.keys.contains(where: entityNames.contains)
    }

    private func notify(on isolation: isolated any Actor) { notify() }

    private func notify() {
        registrar.withMutation(of: self, keyPath: \.historyTokens) {
            registrar.withMutation(of: self, keyPath: \.eventCounter) {}
        }
    }
}
