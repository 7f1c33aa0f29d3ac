import Foundation
import SwiftData
import Testing

@Model private final class Harbour {
    var name: String
    @Relationship(deleteRule: .cascade, inverse: \Ship.harbour) var ships: [Ship] = []
    init(name: String) { self.name = name }
}

@Model private final class Ship {
    var name: String
    var harbour: Harbour?
    init(name: String) { self.name = name }
}

@Model private final class Gull {
    var cries = 0
    init() {}
}

@Suite("Opening a container")
struct ContainerTests {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)

    /// Runs a body that must throw, and answers the error.
    private func error(_ code: SwiftDataError.Code, _ body: () throws -> Void) throws -> SwiftDataError {
        let error = try #require(#expect(throws: SwiftDataError.self) { try body() })
        #expect(error.code == code)
        return error
    }

    @Test("needs a schema with models")
    func emptySchema() throws {
        _ = try error(.emptySchema) {
            _ = try ModelContainer(for: Schema(), configurations: ModelConfiguration(isStoredInMemoryOnly: true))
        }
    }

    @Test("refuses two configurations of one name, and says which")
    func duplicateNames() throws {
        let found = try error(.duplicateConfiguration) {
            _ = try ModelContainer(
                for: Gull.self,
                configurations: ModelConfiguration("twice", isStoredInMemoryOnly: true),
                ModelConfiguration("twice", isStoredInMemoryOnly: true))
        }
        #expect(found.store == "twice")
    }

    @Test("refuses a configuration for models that the container does not have")
    func foreignModels() throws {
        let found = try error(.configurationSchemaNotFoundInContainerSchema) {
            _ = try ModelContainer(
                for: Gull.self, configurations: ModelConfiguration(for: Harbour.self, isStoredInMemoryOnly: true))
        }
        #expect(found.entity == "Harbour")
    }

    @Test("refuses a relationship between two stores, naming it and the other store")
    func linksBetweenStores() throws {
        let ports = InMemoryStoreConfiguration("ports", schema: Schema([Harbour.self]))
        let all = Schema([Harbour.self, Ship.self])
        let ships = InMemoryStoreConfiguration("ships", schema: all)
        // `ports` is made from one class and reaches the other: both belong to it, so this opens.
        _ = try ModelContainer(for: all, configurations: [ports, ships])
        let harbourOnly = Schema(try #require(all.entitiesByName["Harbour"]))
        let found = try error(.invalidRelationship) {
            _ = try ModelContainer(
                for: all, configurations: [InMemoryStoreConfiguration("ports", schema: harbourOnly), ships])
        }
        #expect(found.property != nil)
        #expect("\(found)".contains("ships") || "\(found)".contains("ports"))
    }

    @Test("splits the schema between stores of different kinds")
    func severalStores() throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let container = try ModelContainer(
            for: Harbour.self, Gull.self,
            configurations: SQLiteStoreConfiguration(
                "ports", schema: Schema([Harbour.self]), url: folder.appendingPathComponent("ports.sqlite")),
            InMemoryStoreConfiguration("birds", schema: Schema([Gull.self])))
        let context = ModelContext(container)
        let harbour = Harbour(name: "Kiel")
        let gull = Gull()
        context.insert(harbour)
        context.insert(gull)
        try context.save()
        #expect(harbour.persistentModelID.storeIdentifier != gull.persistentModelID.storeIdentifier)
        #expect(try ModelContext(container).fetchCount(FetchDescriptor<Harbour>()) == 1)
        #expect(try ModelContext(container).fetchCount(FetchDescriptor<Gull>()) == 1)
    }

    @Test("a private CloudKit database is refused, not ignored")
    func cloudKit() throws {
        let found = try error(.unsupportedFeature) {
            _ = try ModelContainer(
                for: Gull.self,
                configurations: ModelConfiguration(
                    "cloud", url: folder.appendingPathComponent("cloud.store"), cloudKitDatabase: .private("mine")))
        }
        #expect(found.store == "cloud")
    }

    @Test("names a file's name that cannot be")
    func fileNames() throws {
        _ = try error(.configurationFileNameContainsInvalidCharacters) {
            _ = try ModelContainer(for: Gull.self, configurations: ModelConfiguration("a/b"))
        }
        _ = try error(.configurationFileNameTooLong) {
            let name = String(repeating: "x", count: 300)
            _ = try ModelContainer(for: Gull.self, configurations: ModelConfiguration(name))
        }
    }

    @Test("a folder that is missing is named and not made")
    func missingFolder() throws {
        let url = folder.appendingPathComponent("gulls.sqlite")
        let found = try error(.storeNotFound) {
            _ = try ModelContainer(for: Gull.self, configurations: ModelConfiguration(url: url))
        }
        #expect(found.file == url.path || found.file == folder.path)
        #expect(!FileManager.default.fileExists(atPath: folder.path))
    }

    @Test("a model of another schema is neither fetched nor saved, and harms nothing")
    func unknownModels() throws {
        let container = try ModelContainer(
            for: Gull.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
        let context = ModelContext(container)
        let fetching = try error(.unknownModelType) { _ = try context.fetch(FetchDescriptor<Harbour>()) }
        #expect(fetching.entity == "Harbour")
        context.insert(Harbour(name: "nowhere"))
        context.insert(Gull())
        let saving = try error(.unknownModelType) { try context.save() }
        #expect(saving.entity == "Harbour")
        #expect(try ModelContext(container).fetchCount(FetchDescriptor<Gull>()) == 0)
        context.rollback()
        #expect(!context.hasChanges)
        context.insert(Gull())
        try context.save()
        #expect(try ModelContext(container).fetchCount(FetchDescriptor<Gull>()) == 1)
    }
}
