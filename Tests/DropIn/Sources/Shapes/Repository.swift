import Foundation
import SwiftData

// Stores, repositories and extensions that are generic over the model.

protocol Titled {
    var title: String { get }
}

extension Club: Titled {}

protocol PersistentStore<Model> {
    associatedtype Model
    func save(_ item: Model) throws
    func save(_ items: [Model]) throws
    func fetchAll() throws -> [Model]
    func delete(_ item: Model) throws
    func deleteAll() throws
    func count() throws -> Int
}

final class SwiftDataStore<Model: PersistentModel>: PersistentStore {
    private let modelContainer: ModelContainer
    private let modelContext: ModelContext

    init(configuration: ModelConfiguration) throws {
        let schema = Schema([Model.self])
        modelContainer = try ModelContainer(for: schema, configurations: [configuration])
        modelContext = ModelContext(modelContainer)
    }

    func save(_ item: Model) throws {
        modelContext.insert(item)
        try modelContext.save()
    }

    func save(_ items: [Model]) throws {
        for item in items { modelContext.insert(item) }
        try modelContext.save()
    }

    func fetchAll() throws -> [Model] {
        let descriptor = FetchDescriptor<Model>()
        return try modelContext.fetch(descriptor)
    }

    func fetch(_ identifier: PersistentIdentifier) throws -> Model? {
        let descriptor = FetchDescriptor<Model>(predicate: #Predicate { $0.persistentModelID == identifier })
        return try modelContext.fetch(descriptor).first
    }

    func delete(_ item: Model) throws {
        modelContext.delete(item)
        try modelContext.save()
    }

    func deleteAll() throws {
        try modelContext.delete(model: Model.self)
        try modelContext.save()
    }

    func count() throws -> Int { try modelContext.fetchCount(FetchDescriptor<Model>()) }
}

extension ModelContext {
    func first<T>(for descriptor: FetchDescriptor<T>) throws -> T? {
        try fetch(descriptor).first
    }

    func existingModel<T: PersistentModel>(for objectID: PersistentIdentifier) throws -> T? {
        if let registered: T = registeredModel(for: objectID) {
            return registered
        }
        let descriptor = FetchDescriptor<T>(predicate: #Predicate { $0.persistentModelID == objectID })
        return try fetch(descriptor).first
    }

    func delete<T>(where predicate: Predicate<T>?) throws where T: PersistentModel {
        try self.delete(model: T.self, where: predicate)
    }

    func insert(_ make: () -> some PersistentModel) -> PersistentIdentifier {
        let model = make()
        self.insert(model)
        return model.persistentModelID
    }

    func get<T, U>(for objectID: PersistentIdentifier, with closure: (T?) throws -> U) throws -> U
    where T: PersistentModel {
        let model: T? = try existingModel(for: objectID)
        return try closure(model)
    }
}

/// What to select, as a value that can be sent.
public enum Selector<T: PersistentModel>: Sendable {
    public enum Delete: Sendable {
        case predicate(Predicate<T>)
        case all
    }
    public enum List: Sendable {
        case descriptor(FetchDescriptor<T>)
    }
}

extension Selector.List {
    public static func all() -> Selector.List { .descriptor(.init()) }
}

/// How much of a model is fetched.
struct FetchOptions<Model: PersistentModel> {
    var sortBy: [SortDescriptor<Model>] = []
    var prefetching: [PartialKeyPath<Model>] = []
    var properties: [PartialKeyPath<Model>] = []
    var limit: Int?
    var offset: Int?
    var includePendingChanges = true

    func descriptor(_ predicate: Predicate<Model>?) -> FetchDescriptor<Model> {
        var descriptor = FetchDescriptor<Model>(predicate: predicate, sortBy: sortBy)
        descriptor.relationshipKeyPathsForPrefetching = prefetching
        descriptor.propertiesToFetch = properties
        descriptor.fetchLimit = limit
        descriptor.fetchOffset = offset
        descriptor.includePendingChanges = includePendingChanges
        return descriptor
    }
}

struct Upsert<Entity: PersistentModel> {
    let predicate: Predicate<Entity>
    let makeNew: () -> Entity
    let apply: (Entity) -> Void

    func perform(in context: ModelContext) throws {
        var descriptor = FetchDescriptor<Entity>(predicate: predicate)
        descriptor.fetchLimit = 1
        if let existing = try context.fetch(descriptor).first {
            apply(existing)
        } else {
            context.insert(makeNew())
        }
    }
}
