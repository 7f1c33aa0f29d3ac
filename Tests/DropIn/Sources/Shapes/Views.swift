import Foundation
import Observation
import SwiftData

// What stands between models and views: view models, sample data, singletons of the main actor.

@MainActor @Observable
final class SchoolList {
    private let context: ModelContext
    private(set) var schools: [School] = []
    var filter = ""

    init(context: ModelContext) { self.context = context }

    func load() throws {
        let filter = filter
        let predicate: Predicate<School>? =
            filter.isEmpty ? nil : #Predicate { $0.name.localizedStandardContains(filter) }
        schools = try context.fetch(FetchDescriptor(predicate: predicate, sortBy: SchoolOrder.name.descriptors))
    }

    func add(_ name: String, in town: String) throws {
        context.insert(School(name: name, town: town))
        try context.save()
        try load()
    }

    func delete(at offsets: IndexSet) throws {
        for offset in offsets { context.delete(schools[offset]) }
        try load()
    }
}

@MainActor
final class Storage {
    static let shared = Storage()
    var modelContext: ModelContext?

    func save() throws { try modelContext?.save() }
    func insert<T>(_ models: [T]) where T: PersistentModel {
        for model in models { modelContext?.insert(model) }
    }
    func delete<T>(_ model: T) where T: PersistentModel { modelContext?.delete(model) }
}

/// A container for previews, filled with any models.
@MainActor
struct Preview {
    let container: ModelContainer

    init(_ models: any PersistentModel.Type...) {
        let configuration = ModelConfiguration(isStoredInMemoryOnly: true)
        let schema = Schema(models)
        do {
            container = try ModelContainer(for: schema, configurations: configuration)
        } catch {
            fatalError("The preview's container cannot be made: \(error)")
        }
    }

    func add(_ examples: [any PersistentModel]) {
        for example in examples { container.mainContext.insert(example) }
    }
}

extension School {
    @MainActor static var samples: [School] {
        [School(name: "North", town: "Kiel"), School(name: "South", town: "Ulm")]
    }
}

@MainActor
func makePreviewContainer() throws -> ModelContainer {
    let container = try ModelContainer(for: School.self, Pupil.self, configurations: .init(isStoredInMemoryOnly: true))
    School.samples.forEach { container.mainContext.insert($0) }
    return container
}

/// Cooks without being told which kind of list it fills.
@Observable
final class Cookbook {
    var recipes: [Recipe] = []
}
