import Foundation
import SwiftData
import Testing

@Model private final class Tile {
    var number: Int
    init(number: Int) { self.number = number }
}

@Suite("The container of a group")
struct GroupContainerTests {
    @Test("is a folder that is made, and that programs which name the group share")
    func shared() throws {
        let group = "group.coffer-tests.\(UUID().uuidString)"
        let folder = try #require(FileManager.default.containerURL(forSecurityApplicationGroupIdentifier: group))
        defer {
            try? FileManager.default.removeItem(at: folder)
            // The folder of all groups goes, too, unless there are others.
            rmdir(folder.deletingLastPathComponent().path)
        }
        let schema = Schema([Tile.self])
        func configuration() -> ModelConfiguration {
            ModelConfiguration("tiles", schema: schema, groupContainer: .identifier(group))
        }
        let context = ModelContext(try ModelContainer(for: schema, configurations: configuration()))
        context.insert(Tile(number: 3))
        try context.save()
        #expect(FileManager.default.fileExists(atPath: configuration().url.path))
        #expect(configuration().url.path.hasPrefix(folder.path + "/"))
        let other = ModelContext(try ModelContainer(for: schema, configurations: configuration()))
        #expect(try other.fetch(FetchDescriptor<Tile>()).map(\.number) == [3])
    }

    @Test("has a name that can be a folder's, or is refused", arguments: ["", "..", "a/b"])
    func refused(_ name: String) throws {
        let error = try #require(
            #expect(throws: SwiftDataError.self) {
                _ = try ModelContainer(
                    for: Tile.self, configurations: ModelConfiguration("t", groupContainer: .identifier(name)))
            })
        #expect(error.code == .configurationFileNameContainsInvalidCharacters && error.store == "t")
    }

    @Test("means nothing to a store in memory")
    func inMemory() throws {
        let configuration = ModelConfiguration(isStoredInMemoryOnly: true)
        let grouped = ModelConfiguration("m", isStoredInMemoryOnly: true, groupContainer: .identifier("group.x"))
        #expect(grouped.url == configuration.url)
        _ = try ModelContainer(for: Tile.self, configurations: grouped)
    }
}
