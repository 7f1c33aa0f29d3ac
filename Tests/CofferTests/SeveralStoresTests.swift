import Coffer
import Foundation
import Testing

@Model private final class Recipe {
    var name: String
    @Relationship(deleteRule: .cascade, inverse: \Step.recipe) var steps: [Step] = []
    init(_ name: String) { self.name = name }
}

@Model private final class Step {
    var text: String
    var recipe: Recipe?
    init(_ text: String) { self.text = text }
}

@Model private final class Favourite {
    #Unique<Favourite>([\.recipeName])
    var recipeName: String
    var stars: Int
    init(_ recipeName: String, _ stars: Int) {
        self.recipeName = recipeName
        self.stars = stars
    }
}

@Model private final class Draft {
    var text: String
    @Attribute(.externalStorage) var scan: Data?
    init(_ text: String) { self.text = text }
}

/// Leads to a model that the tests put into another store.
@Model private final class Review {
    var recipe: Recipe?
    init() {}
}

@Suite("Several stores in one container")
struct SeveralStoresTests {
    private final class Place {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "coffer-several-\(UUID().uuidString)")
        init() throws { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) }
        deinit { try? FileManager.default.removeItem(at: folder) }

        func file(_ name: String) -> URL { folder.appendingPathComponent(name) }

        /// Makes the store that an application ships.
        func seed() throws {
            let context = ModelContext(
                try ModelContainer(for: Recipe.self, configurations: SQLiteStoreConfiguration(url: file("seed.sqlite")))
            )
            for name in ["soup", "bread"] {
                let recipe = Recipe(name)
                recipe.steps = [Step("wash"), Step("cook")]
                context.insert(recipe)
            }
            try context.save()
        }

        /// A seed for reading, a file for the user's own, memory for the rest.
        func open() throws -> ModelContainer {
            try ModelContainer(
                for: Recipe.self, Favourite.self, Draft.self,
                configurations: SQLiteStoreConfiguration(
                    "seed", schema: Schema([Recipe.self]), url: file("seed.sqlite"), allowsSave: false),
                SQLiteStoreConfiguration("own", schema: Schema([Favourite.self]), url: file("own.sqlite")),
                InMemoryStoreConfiguration("memory", schema: Schema([Draft.self])))
        }

        func bytes(_ name: String) throws -> Data { try Data(contentsOf: file(name)) }
    }

    @Test("of different kinds keep each their own models, and one context works with all")
    func split() throws {
        let place = try Place()
        try place.seed()
        let seed = try place.bytes("seed.sqlite")
        let container = try place.open()
        let context = ModelContext(container)
        let soup = try #require(
            context.fetch(FetchDescriptor<Recipe>(predicate: #Predicate { $0.name == "soup" })).first)
        #expect(soup.steps.count == 2)
        context.insert(Favourite(soup.name, 4))
        context.insert(Draft("d"))
        try context.save()
        context.insert(Favourite(soup.name, 5))
        try context.save()
        let other = ModelContext(container)
        #expect(try other.fetch(FetchDescriptor<Favourite>()).map(\.stars) == [5])
        #expect(try other.fetchCount(FetchDescriptor<Draft>()) == 1)
        #expect(try other.fetchCount(FetchDescriptor<Step>()) == 4)
        #expect(try place.bytes("seed.sqlite") == seed)
        let again = ModelContext(try place.open())
        #expect(try again.fetchCount(FetchDescriptor<Favourite>()) == 1)
        #expect(try again.fetchCount(FetchDescriptor<Draft>()) == 0)
        #expect(try again.fetchCount(FetchDescriptor<Recipe>()) == 2)
    }

    @Test("of which one is read only refuse its changes by name; rolled back, the others go on")
    func readOnly() throws {
        let place = try Place()
        try place.seed()
        let seed = try place.bytes("seed.sqlite")
        let context = ModelContext(try place.open())
        let recipe = try #require(context.fetch(FetchDescriptor<Recipe>()).first)
        let name = recipe.name
        recipe.name = "changed"
        let error = try #require(#expect(throws: SwiftDataError.self) { try context.save() })
        #expect(error.code == .storeNotWritable && error.store == "seed")
        #expect(context.hasChanges)
        context.rollback()
        #expect(recipe.name == name && !context.hasChanges)
        context.insert(Favourite(name, 1))
        try context.save()
        context.delete(recipe)
        #expect(throws: SwiftDataError.storeNotWritable) { try context.save() }
        context.rollback()
        #expect(try ModelContext(place.open()).fetchCount(FetchDescriptor<Recipe>()) == 2)
        #expect(try place.bytes("seed.sqlite") == seed)
    }

    @Test("refuse a relationship from one to another, naming both stores and both sides")
    func links() throws {
        let place = try Place()
        let schema = Schema([Review.self, Recipe.self])
        let reviews = Schema(try #require(schema.entitiesByName["Review"]))
        for (first, second) in [("a", "b"), ("b", "a")] {
            let error = try #require(
                #expect(throws: SwiftDataError.self) {
                    try ModelContainer(
                        for: schema,
                        configurations: [
                            SQLiteStoreConfiguration(first, schema: reviews, url: place.file("\(first).sqlite")),
                            InMemoryStoreConfiguration(second, schema: Schema([Recipe.self])),
                        ])
                })
            #expect(error.code == .invalidRelationship)
            #expect(error.entity == "Review" && error.property == "recipe")
            let text = "\(error)"
            #expect(text.contains(first) && text.contains(second) && text.contains("Recipe"))
        }
        // What is refused leaves nothing behind.
        #expect(try FileManager.default.contentsOfDirectory(atPath: place.folder.path).isEmpty)
    }

    @Test("must keep every model of the schema")
    func left() throws {
        let error = try #require(
            #expect(throws: SwiftDataError.self) {
                try ModelContainer(
                    for: Recipe.self, Favourite.self,
                    configurations: InMemoryStoreConfiguration("some", schema: Schema([Recipe.self])))
            })
        #expect(error.code == .loadIssueModelContainer && error.entity == "Favourite")
    }

    @Test("are erased together, and refuse together")
    func erased() throws {
        let place = try Place()
        let container = try ModelContainer(
            for: Favourite.self, Draft.self,
            configurations: SQLiteStoreConfiguration(
                "own", schema: Schema([Favourite.self]), url: place.file("own.sqlite")),
            SQLiteStoreConfiguration("drafts", schema: Schema([Draft.self]), url: place.file("drafts.sqlite")))
        let context = ModelContext(container)
        let draft = Draft("d")
        draft.scan = Data(repeating: 1, count: 50_000)
        context.insert(draft)
        context.insert(Favourite("x", 1))
        try context.save()
        let support = place.file(".drafts.sqlite_SUPPORT")
        #expect(FileManager.default.fileExists(atPath: support.path))
        try container.erase()
        #expect(try context.fetchCount(FetchDescriptor<Favourite>()) == 0)
        #expect(try context.fetchCount(FetchDescriptor<Draft>()) == 0)
        #expect(!FileManager.default.fileExists(atPath: support.path))
        #expect(draft.text == "d" && draft.modelContext == nil)
    }
}
