import Foundation

/// An executor that owns a context: whoever runs on it may use the context.
public protocol ModelExecutor: Executor {
    var modelContext: ModelContext { get }
}

/// A model executor that runs one job at a time.
public protocol SerialModelExecutor: ModelExecutor, SerialExecutor {}

/// The executor that ``ModelActor(_:)`` gives an actor.
///
/// It holds the actor's context. The actor itself runs on the default executor of actors, never on the main thread,
/// since a hop through a dispatch queue costs a hundred times more; jobs that are given to this executor directly run
/// on a queue of its own.
public class DefaultSerialModelExecutor: SerialModelExecutor, @unchecked Sendable {
    public let modelContext: ModelContext
    private let queue = DispatchQueue(label: "Coffer model executor")

    public init(modelContext: ModelContext) { self.modelContext = modelContext }

    public func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let executor = asUnownedSerialExecutor()
        queue.async { job.runSynchronously(on: executor) }
    }

    public func asUnownedSerialExecutor() -> UnownedSerialExecutor { UnownedSerialExecutor(ordinary: self) }
}

/// An actor with a context of its own; write one with the ``ModelActor()`` macro.
///
/// ```swift
/// @ModelActor actor Importer {
///     func add(_ names: [String]) throws {
///         for name in names { modelContext.insert(Trip(name: name)) }
///         try modelContext.save()
///     }
/// }
/// ```
public protocol ModelActor: Actor {
    nonisolated var modelContainer: ModelContainer { get }
    nonisolated var modelExecutor: any ModelExecutor { get }
}

extension ModelActor {
    /// The actor's context.
    public var modelContext: ModelContext { modelExecutor.modelContext }

    /// The model of an identifier in the actor's context; nil where there is no such row, or where it could not be
    /// read: ``ModelContext/loadError`` then says why.
    public subscript<M: PersistentModel>(_ identifier: PersistentIdentifier, as type: M.Type) -> M? {
        do {
            return try modelContext.existingModel(for: identifier, as: type)
        } catch {
            modelContext.loadError = error
            return nil
        }
    }
}
