import Coffer
import CofferJSON
import CofferLMDB
import Foundation
import Testing

/// A bit of everything that a store keeps.
enum Keepsake {
    enum Mood: String, Codable { case calm, wild }
    struct Size: Codable, Hashable {
        var width: Int
        var unit: String
    }

    @Model class Thing {
        #Unique<Thing>([\.name])
        var name: String
        var count: Int
        var huge: UInt64
        var price: Decimal
        var weight: Double
        var made: Date
        var mark: UUID
        var link: URL?
        var mood: Mood
        var size: Size
        var words: [String]
        @Attribute(.externalStorage) var data: Data
        @Relationship(deleteRule: .cascade, inverse: \Piece.thing) var pieces: [Piece] = []
        var friends: [Label] = []
        init(_ number: Int) {
            name = "thing \(number) é"
            count = -number
            huge = .max - UInt64(number)
            price = Decimal(string: "12.34")! * Decimal(number)
            weight = number == 1 ? .nan : Double(number) / 3
            made = Date(timeIntervalSinceReferenceDate: Double(number) * 86_400.5)
            mark = UUID(uuid: (UInt8(number), 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))
            link = number == 1 ? nil : URL(string: "https://example.org/\(number)")
            mood = number == 1 ? .calm : .wild
            size = Size(width: number, unit: "cm")
            words = ["a\(number)", "b"]
            data = Data(repeating: UInt8(number), count: number == 1 ? 10 : 20_000)
        }
    }

    @Model final class Special: Thing {
        var extra: String
        init(_ number: Int, extra: String) {
            self.extra = extra
            super.init(number)
        }
    }

    @Model final class Piece {
        var name: String
        var thing: Thing?
        init(_ name: String) { self.name = name }
    }

    @Model final class Label {
        #Index<Label>([\.name])
        var name: String
        init(_ name: String) { self.name = name }
    }

    static let schema = Schema([Thing.self, Special.self, Piece.self, Label.self])
}

/// Stores that each released format has written; they open for ever.
///
/// With `COFFER_WRITE_FIXTURES=1` the tests write those of the present format that are missing.
@Suite("A store of each released format")
struct FixtureTests {
    /// Folders of formats.
    static let formats = ["1"]

    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appendingPathComponent("Fixtures")

    private static func configuration(_ store: TestStore, _ folder: URL) -> any DataStoreConfiguration {
        switch store.name {
        case "sqlite": SQLiteStoreConfiguration(url: folder.appendingPathComponent("keepsakes.sqlite"))
        case "lmdb": LMDBStoreConfiguration(url: folder.appendingPathComponent("keepsakes.lmdb"))
        default: JSONArchiveConfiguration(url: folder.appendingPathComponent("keepsakes.json"))
        }
    }

    @Test("with a journal of its first format opens, holds what it held, and takes changes")
    func journal() throws {
        let site = try MigrationSite(TestStore.json)
        let copy = site.folder.appendingPathComponent("copy")
        try FileManager.default.copyItem(at: Self.folder.appendingPathComponent("journal-1"), to: copy)
        let context = ModelContext(
            try ModelContainer(for: Keepsake.schema, configurations: [Self.configuration(TestStore.json, copy)]))
        #expect(try context.count(Keepsake.Label.self) == 4)
        #expect(try context.all(Keepsake.Piece.self).map(\.name).sorted() == ["piece 1", "piece 4"])
        let first = try #require(try context.all(Keepsake.Thing.self, by: SortDescriptor(\.name)).first)
        #expect(first.friends.map(\.name) == ["label 4", "label 1"])
        context.insert(Keepsake.Label("label 5"))
        try context.save()
        let again = ModelContext(
            try ModelContainer(for: Keepsake.schema, configurations: [Self.configuration(TestStore.json, copy)]))
        #expect(try again.count(Keepsake.Label.self) == 5)
    }

    /// What the stores hold.
    static func fill(_ context: ModelContext) throws {
        let first = Keepsake.Thing(1)
        let second = Keepsake.Special(2, extra: "more")
        let labels = (1...3).map { Keepsake.Label("label \($0)") }
        let pieces = (1...4).map { Keepsake.Piece("piece \($0)") }
        for model in labels { context.insert(model) }
        for model in pieces { context.insert(model) }
        context.insert(first)
        context.insert(second)
        try context.save()
        first.friends = [labels[2], labels[0]]
        second.friends = [labels[1]]
        second.pieces = [pieces[3], pieces[0], pieces[1]]
        context.delete(pieces[2])
        try context.save()
    }

    @Test("opens, holds what it held, and takes changes", arguments: TestStore.migrating, formats)
    func opens(_ store: TestStore, _ format: String) throws {
        let kept = Self.folder.appendingPathComponent("format-\(format)/\(store.name)")
        if ProcessInfo.processInfo.environment["COFFER_WRITE_FIXTURES"] == "1",
            !FileManager.default.fileExists(atPath: kept.path)
        {
            try FileManager.default.createDirectory(at: kept, withIntermediateDirectories: true)
            try Self.fill(
                ModelContext(
                    ModelContainer(
                        for: Keepsake.schema, configurations: [Self.configuration(store, kept)])))
            for name in ["lock.mdb", "writer.lock"] {
                try? FileManager.default.removeItem(at: kept.appendingPathComponent("keepsakes.lmdb/\(name)"))
            }
        }
        let site = try MigrationSite(store)
        let copy = site.folder.appendingPathComponent("copy")
        try FileManager.default.copyItem(at: kept, to: copy)
        let container = try ModelContainer(
            for: Keepsake.schema, configurations: [Self.configuration(store, copy)])
        #expect(container.migrationReports.isEmpty)
        let context = ModelContext(container)
        let things = try context.all(Keepsake.Thing.self, by: SortDescriptor(\.name))
        try #require(things.count == 2)
        let (first, second) = (things[0], try #require(things[1] as? Keepsake.Special))
        #expect(first.name == "thing 1 é" && first.count == -1 && first.huge == .max - 1)
        #expect(first.weight.isNaN && first.link == nil && first.mood == .calm && first.data.count == 10)
        #expect(second.price == Decimal(string: "24.68") && second.extra == "more" && second.words == ["a2", "b"])
        #expect(second.made == Keepsake.Thing(2).made && second.mark == Keepsake.Thing(2).mark)
        #expect(second.size == Keepsake.Size(width: 2, unit: "cm") && second.link == Keepsake.Thing(2).link)
        #expect(second.data == Data(repeating: 2, count: 20_000))
        #expect(first.friends.map(\.name) == ["label 3", "label 1"])
        #expect(second.friends.map(\.name) == ["label 2"])
        #expect(second.pieces.map(\.name) == ["piece 4", "piece 1", "piece 2"])
        #expect(try context.count(Keepsake.Piece.self) == 3)
        let piece = Keepsake.Piece("new")
        second.pieces.append(piece)
        try context.save()
        #expect(try ModelContext(container).count(Keepsake.Piece.self) == 4)
    }
}
