import Coffer
import Foundation
import Synchronization
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

    /// A store that takes everything before one that takes nothing.
    private func opened(_ place: Place, before: Bool = true) throws -> ModelContainer {
        try place.seed()
        let seed = SQLiteStoreConfiguration(
            "seed", schema: Schema([Recipe.self]), url: place.file("seed.sqlite"), allowsSave: false)
        let own = SQLiteStoreConfiguration("own", schema: Schema([Favourite.self]), url: place.file("own.sqlite"))
        return try ModelContainer(
            for: Recipe.self, Favourite.self, configurations: before ? own : seed, before ? seed : own)
    }

    @Test("tell everybody of the part of a save that was stored, where a later store has refused the rest")
    func halfASave() throws {
        let place = try Place()
        let container = try opened(place)
        let (context, other) = (ModelContext(container), ModelContext(container))
        context.undoManager = UndoManager()
        for number in 0..<4 { context.insert(Favourite("f\(number)", number)) }
        try context.save()
        let order = FetchDescriptor<Favourite>(sortBy: [SortDescriptor(\.recipeName)])
        let (mine, theirs) = (try context.fetch(order), try other.fetch(order))
        let heard = Heard(container, context)
        let recipe = try #require(context.fetch(FetchDescriptor<Recipe>()).first)
        let name = recipe.name
        mine[0].stars = 100
        context.delete(mine[1])
        try context.update(model: Favourite.self, where: #Predicate { $0.recipeName == "f2" }) { $0.stars = 200 }
        try context.delete(model: Favourite.self, where: #Predicate { $0.recipeName == "f3" })
        context.insert(Favourite("f4", 4))
        recipe.name = "changed"
        #expect(throws: SwiftDataError.storeNotWritable) { try context.save() }

        // What was stored is no change any more, neither here nor elsewhere.
        #expect(context.changedModelsArray.map(\.persistentModelID) == [recipe.persistentModelID])
        #expect(context.insertedModelsArray.isEmpty && context.deletedModelsArray.isEmpty)
        for favourites in [mine, theirs] {
            _ = try other.fetchCount(order)
            #expect(favourites[0].stars == 100 && favourites[2].stars == 200)
            #expect(favourites[1].modelContext == nil && favourites[3].modelContext == nil)
        }
        #expect(heard.container == 1 && heard.context == 1)
        context.rollback()
        #expect(recipe.name == name && !context.hasChanges)
        #expect(mine[1].modelContext == nil && !mine[1].isDeleted)
        for context in [context, other] { #expect(try context.fetch(order).map(\.stars) == [100, 200, 4]) }
        mine[0].stars = 101
        try context.save()
        _ = try other.fetchCount(order)
        #expect(theirs[0].stars == 101)
    }

    @Test("undo a deletion that was stored in a save of which another part was refused")
    func undoHalfASave() throws {
        let place = try Place()
        let container = try opened(place)
        let context = ModelContext(container)
        context.insert(Favourite("f", 1))
        try context.save()
        context.undoManager = UndoManager()
        let recipe = try #require(context.fetch(FetchDescriptor<Recipe>()).first)
        let name = recipe.name
        context.delete(try #require(context.fetch(FetchDescriptor<Favourite>()).first))
        recipe.name = "changed"
        #expect(throws: SwiftDataError.storeNotWritable) { try context.save() }
        context.undoManager?.undo()
        #expect(recipe.name == name)
        // The recipe was touched, and its store refuses it again.
        #expect(throws: SwiftDataError.storeNotWritable) { try context.save() }
        for context in [context, ModelContext(container)] {
            #expect(try context.fetch(FetchDescriptor<Favourite>()).map(\.stars) == [1])
        }
    }

    @Test("have nothing to tell of a save that the first of them refuses")
    func refusedAtOnce() throws {
        let place = try Place()
        let container = try opened(place, before: false)
        let context = ModelContext(container)
        let heard = Heard(container, context)
        let recipe = try #require(context.fetch(FetchDescriptor<Recipe>()).first)
        recipe.name = "changed"
        context.insert(Favourite("f", 1))
        #expect(throws: SwiftDataError.storeNotWritable) { try context.save() }
        #expect(heard.container == 0 && heard.context == 0)
        #expect(context.insertedModelsArray.count == 1 && context.changedModelsArray.count == 1)
    }

    @Test("of which one refuses to be erased are told of what the others have lost")
    func halfErased() throws {
        let place = try Place()
        let container = try opened(place)
        let context = ModelContext(container)
        let favourite = Favourite("f", 1)
        context.insert(favourite)
        try context.save()
        let recipes = try context.fetch(FetchDescriptor<Recipe>())
        #expect(throws: SwiftDataError.storeNotWritable) { try container.erase() }
        _ = try context.fetchCount(FetchDescriptor<Recipe>())
        #expect(favourite.stars == 1 && favourite.modelContext == nil)
        #expect(recipes.count == 2 && recipes.allSatisfy { $0.modelContext === context })
    }

    /// Counts what is told of saves.
    private final class Heard {
        private final class Counts: Sendable {
            let container = Mutex(0)
            let context = Mutex(0)
        }
        private let counts: Counts
        private let tokens: [any NSObjectProtocol]
        var container: Int { counts.container.withLock { $0 } }
        var context: Int { counts.context.withLock { $0 } }

        init(_ container: ModelContainer, _ context: ModelContext) {
            let (counts, center) = (Counts(), NotificationCenter.default)
            self.counts = counts
            tokens = [
                center.addObserver(forName: ModelContainer.remoteChange, object: container, queue: nil) { _ in
                    counts.container.withLock { $0 += 1 }
                },
                center.addObserver(forName: ModelContext.didSave, object: context, queue: nil) { _ in
                    counts.context.withLock { $0 += 1 }
                },
            ]
        }

        deinit { for token in tokens { NotificationCenter.default.removeObserver(token) } }
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
