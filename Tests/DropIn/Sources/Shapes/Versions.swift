import Foundation
@preconcurrency import SwiftData

// Versions of models nested in enumerations, and what leads from one to the next.

public enum RecipesV1: VersionedSchema {
    public static let versionIdentifier: Schema.Version = .init(1, 0, 0)
    public static var models: [any PersistentModel.Type] { [Recipe.self] }

    @Model
    public final class Recipe {
        @Attribute(.unique) public var title: String
        public var minutes: Int
        init(title: String, minutes: Int) {
            self.title = title
            self.minutes = minutes
        }
    }
}

public enum RecipesV2: VersionedSchema {
    public static let versionIdentifier = Schema.Version(2, 0, 0)
    public static var models: [any PersistentModel.Type] { [Recipe.self, Step.self] }

    @Model
    public final class Recipe {
        @Attribute(.unique) public var title: String
        public var minutes: Int
        public var isFavourite: Bool = false
        @Relationship(deleteRule: .cascade, inverse: \Step.recipe) public var steps: [Step] = []
        init(title: String, minutes: Int) {
            self.title = title
            self.minutes = minutes
        }
    }

    @Model
    public final class Step {
        public var text: String
        public var recipe: Recipe?
        init(text: String) { self.text = text }
    }
}

public enum RecipesV3: VersionedSchema {
    public static let versionIdentifier = Schema.Version(3, 0, 0)
    public static var models: [any PersistentModel.Type] { [Recipe.self, Step.self] }

    @Model
    public final class Recipe {
        @Attribute(.unique) public var title: String
        @Attribute(originalName: "minutes") public var duration: Int
        public var isFavourite: Bool = false
        @Relationship(deleteRule: .cascade, inverse: \Step.recipe) public var steps: [Step] = []
        init(title: String, duration: Int) {
            self.title = title
            self.duration = duration
        }
    }

    @Model
    public final class Step {
        public var text: String
        public var recipe: Recipe?
        init(text: String) { self.text = text }
    }
}

typealias Recipe = RecipesV3.Recipe
typealias Step = RecipesV3.Step

enum RecipesPlan: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] {
        [RecipesV1.self, RecipesV2.self, RecipesV3.self]
    }

    static var stages: [MigrationStage] { [v1ToV2, v2ToV3] }

    static var v1ToV2: MigrationStage {
        .lightweight(fromVersion: RecipesV1.self, toVersion: RecipesV2.self)
    }

    static var v2ToV3: MigrationStage {
        .custom(
            fromVersion: RecipesV2.self, toVersion: RecipesV3.self,
            willMigrate: { context in
                let recipes = try context.fetch(FetchDescriptor<RecipesV2.Recipe>())
                for recipe in recipes where recipe.minutes < 0 { context.delete(recipe) }
                try context.save()
            },
            didMigrate: { context in
                for recipe in try context.fetch(FetchDescriptor<RecipesV3.Recipe>()) {
                    recipe.steps.append(RecipesV3.Step(text: "Serve"))
                }
                try context.save()
            })
    }
}

/// A plan with one version and no stage, as programs begin.
enum FirstPlan: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [RecipesV1.self] }
    static var stages: [MigrationStage] { [] }
}

func openRecipes(
    for schema: VersionedSchema.Type, with plan: (any SchemaMigrationPlan.Type)?, inMemory: Bool = false,
    storeURL: URL? = nil
) throws -> ModelContainer {
    let schema = SwiftData.Schema(versionedSchema: schema)
    let configuration =
        if inMemory {
            ModelConfiguration(schema: schema, isStoredInMemoryOnly: true)
        } else if let storeURL {
            ModelConfiguration(schema: schema, url: storeURL)
        } else {
            ModelConfiguration(schema: schema)
        }
    if inMemory { return try SwiftData.ModelContainer(for: schema, configurations: [configuration]) }
    return try SwiftData.ModelContainer(for: schema, migrationPlan: plan, configurations: [configuration])
}
