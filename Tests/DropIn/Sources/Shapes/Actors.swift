import Foundation
import SwiftData

// Contexts off the main actor. The models that actors work with are bound to none.

@Model
nonisolated final class Reading {
    @Attribute(.unique) var number: Int
    var value: Double
    var note: String?
    init(number: Int, value: Double) {
        self.number = number
        self.value = value
    }
}

nonisolated struct ReadingDTO: Sendable, Equatable, Identifiable {
    let id: PersistentIdentifier
    let number: Int
    let value: Double
}

nonisolated protocol DTOConvertible: PersistentModel {
    func toDTO() -> any Sendable
}

extension Reading: DTOConvertible {
    nonisolated func toDTO() -> any Sendable { ReadingDTO(id: persistentModelID, number: number, value: value) }
}

protocol Database: Sendable {
    func delete<T>(where predicate: Predicate<T>?) async throws where T: PersistentModel
    func count<T>(_ descriptor: FetchDescriptor<T>) async throws -> Int where T: PersistentModel
    func save() async throws
}

@ModelActor
public actor ReadingActor: Database {
    func load(_ values: [Double]) throws -> [ReadingDTO] {
        try modelContext.transaction {
            for (number, value) in values.enumerated() {
                try Task.checkCancellation()
                modelContext.insert(Reading(number: number, value: value))
            }
        }
        let readings = try modelContext.fetch(FetchDescriptor<Reading>(sortBy: [SortDescriptor(\.number)]))
        return readings.compactMap { $0.toDTO() as? ReadingDTO }
    }

    func delete<T>(where predicate: Predicate<T>?) async throws where T: PersistentModel {
        try self.modelContext.delete(model: T.self, where: predicate)
    }

    func count<T>(_ descriptor: FetchDescriptor<T>) async throws -> Int where T: PersistentModel {
        try self.modelContext.fetchCount(descriptor)
    }

    func save() async throws { try modelContext.save() }

    func value(of id: PersistentIdentifier) -> Double? { self[id, as: Reading.self]?.value }

    func double(_ id: PersistentIdentifier) throws {
        guard let reading = modelContext.model(for: id) as? Reading else { return }
        reading.value *= 2
        try modelContext.save()
    }
}

/// The same by hand.
public actor HandMadeDatabase: ModelActor, Sendable {
    private var context: ModelContext { modelExecutor.modelContext }
    public nonisolated let modelContainer: SwiftData.ModelContainer
    public nonisolated let modelExecutor: any SwiftData.ModelExecutor
    public var history: AsyncStream<[DefaultHistoryTransaction]>
    private let continuation: AsyncStream<[DefaultHistoryTransaction]>.Continuation

    public init(container: ModelContainer) {
        self.modelContainer = container
        let modelContext = ModelContext(container)
        modelContext.autosaveEnabled = false
        self.modelExecutor = DefaultSerialModelExecutor(modelContext: modelContext)
        let (stream, continuation) = AsyncStream<[DefaultHistoryTransaction]>.makeStream()
        self.history = stream
        self.continuation = continuation
    }

    public func create<M>(_ make: @Sendable () -> M) throws where M: PersistentModel {
        context.insert(make())
        try modelContext.save()
        continuation.yield(try context.fetchHistory(.init()))
    }

    func fetch<M: DTOConvertible, D: Sendable>(_ descriptor: FetchDescriptor<M>) throws -> [D] {
        try context.fetch(descriptor).compactMap { $0.toDTO() as? D }
    }
}

/// An actor that has an executor without being a `ModelActor`.
public actor BackgroundFetcher {
    public let modelContainer: ModelContainer
    public let modelExecutor: any ModelExecutor
    private var context: ModelContext { modelExecutor.modelContext }

    public init(_ container: ModelContainer) {
        self.modelContainer = container
        let context = ModelContext(modelContainer)
        modelExecutor = DefaultSerialModelExecutor(modelContext: context)
    }

    public func fetchCount<T: PersistentModel>(_ predicate: Predicate<T>? = nil) throws -> Int {
        try context.fetchCount(FetchDescriptor<T>(predicate: predicate))
    }

    public func update<T: PersistentModel>(predicate: Predicate<T>, update: @Sendable (T) -> Void) throws {
        for item in try context.fetch(FetchDescriptor<T>(predicate: predicate)) { update(item) }
        try context.save()
    }
}

/// An executor of somebody's own, on a queue that it brings along; its actor runs there.
nonisolated final class QueueExecutor: SerialModelExecutor, @unchecked Sendable {
    let modelContext: ModelContext
    private let queue = DispatchQueue(label: "readings")

    init(_ container: ModelContainer) { modelContext = ModelContext(container) }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let executor = asUnownedSerialExecutor()
        queue.async { job.runSynchronously(on: executor) }
    }

    func asUnownedSerialExecutor() -> UnownedSerialExecutor { UnownedSerialExecutor(ordinary: self) }
    func isRunning() -> Bool {
        dispatchPrecondition(condition: .onQueue(queue))
        return true
    }
}

actor QueueDatabase: ModelActor {
    nonisolated let modelContainer: ModelContainer
    nonisolated let modelExecutor: any ModelExecutor
    private nonisolated let executor: QueueExecutor

    init(container: ModelContainer) {
        modelContainer = container
        executor = QueueExecutor(container)
        modelExecutor = executor
    }

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    func add(_ number: Int) throws -> Bool {
        modelContext.insert(Reading(number: number, value: 0))
        try modelContext.save()
        return executor.isRunning()
    }
}
