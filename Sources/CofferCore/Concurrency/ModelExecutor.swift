import Foundation

/// An executor that owns a context: whoever runs on it may use the context.
public protocol ModelExecutor: Executor {
    /// The context, which nothing but jobs of the executor may use.
    var modelContext: ModelContext { get }
}

/// A model executor that runs one job at a time.
public protocol SerialModelExecutor: ModelExecutor, SerialExecutor {}

/// The executor that ``ModelActor()`` gives an actor.
///
/// It holds the actor's context. The actor itself runs on the default executor of actors, never on the main thread,
/// since a hop through a dispatch queue costs a hundred times more; jobs that are given to this executor directly run
/// on a queue of its own.
public class DefaultSerialModelExecutor: SerialModelExecutor, @unchecked Sendable {
    /// The context of the actor.
    public let modelContext: ModelContext
    private let queue = DispatchQueue(label: "Coffer model executor")

    /// Makes an executor that owns a context.
    ///
    /// - Parameter modelContext: the context; nobody else may use it from now on.
    public init(modelContext: ModelContext) { self.modelContext = modelContext }

    /// Runs a job on the executor's own queue, after those that were given to it before.
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
    /// The container that the actor's context belongs to.
    nonisolated var modelContainer: ModelContainer { get }
    /// The executor that owns the actor's context.
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
