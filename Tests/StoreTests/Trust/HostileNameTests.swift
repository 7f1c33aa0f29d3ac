import Coffer
import CofferJSON
import CofferLMDB
import Foundation
import Testing

@testable import StoreNeighbour

/// Names that are SQL, paths, or longer than anybody would write them.
@Suite("Hostile names")
struct HostileNameTests {
    @Model final class Hull {
        #Index<Hull>([\.label], [\.weight, \.label])
        #Unique<Hull>([\.label])
        #FullText<Hull>([\.label])
        var label: String
        var weight: Int
        @Attribute(.externalStorage) var cargo: Data?
        @Relationship(deleteRule: .cascade, inverse: \Deck.hull) var decks: [Deck] = []
        @Relationship(inverse: \Deck.guests) var guests: [Deck] = []
        init() { (label, weight) = ("", 0) }
    }

    @Model final class Deck {
        var title: String
        var hull: Hull?
        var guests: [Hull] = []
        init() { title = "" }
    }

    static let names = [
        #"a"b'c`d]; DROP TABLE "x"; --"#, "../../../tmp/x", "sqlite_master", "select", "_coffer", "_coffer_history",
        "nai\u{308}ve \u{1F600}\u{202E}", "line\nfeed\ttab\\back", "%s%n$1?1:2@3", "Hull.label", "Hull~label",
        "Hull+decks",
        "$id", "$entity", "$base64", "rows", "", String(repeating: "long", count: 1500),
    ]

    private static let words = ["Hull", "Deck", "label", "weight", "cargo", "decks", "guests", "title", "hull"]

    /// The schema under other names, by the names that it has here.
    private func schema(_ name: String) throws -> (schema: Schema, names: [String: String]) {
        var names: [String: String] = [:]
        // The first has the name as it is; names of entities and of properties do not get in each other's way.
        for (index, word) in Self.words.enumerated() {
            names[word] = word == "Hull" || word == "label" ? name : "\(name)\(index)"
        }
        if name.isEmpty { names["label"] = "plain" }
        var text = String(decoding: try JSONEncoder().encode(Schema([Hull.self, Deck.self])), as: UTF8.self)
        for word in Self.words {
            let new = String(decoding: try JSONEncoder().encode(names[word]), as: UTF8.self)
            text = text.replacingOccurrences(of: "\"\(word)\"", with: "\"\u{1}\(word)\"")
            text = text.replacingOccurrences(of: "\"\u{1}\(word)\"", with: new.isEmpty ? "\"\"" : new)
        }
        return (try JSONDecoder().decode(Schema.self, from: Data(text.utf8)), names)
    }

    @Test("of entities and properties are names and nothing else", arguments: TestStore.rowStores, names)
    func entities(_ store: TestStore, _ name: String) throws {
        let (schema, names) = try schema(name)
        let (hull, deck) = (names["Hull"] ?? "", names["Deck"] ?? "")
        let shop: RowWorkshop
        do {
            shop = try RowWorkshop(store, schema: schema)
        } catch let error as SwiftDataError {
            // A store may refuse a name, by name, and makes nothing then.
            #expect(error.code != .storeFailure && error.code != .corruptStore, "\(error)")
            return
        }
        func row(_ values: [String: StoredValue]) -> [String: StoredValue] {
            Dictionary(uniqueKeysWithValues: values.map { (names[$0.key] ?? "", $0.value) })
        }
        let cargo = StoredValue.blob(Array(repeating: 7, count: 20_000))
        try shop.save(insert: [
            shop.batch(
                hull,
                [
                    (-1, row(["label": .text("red one"), "weight": .integer(1), "cargo": cargo])),
                    (-2, row(["label": .text("blue"), "weight": .integer(2)])),
                ]),
            shop.batch(
                deck,
                [
                    (-1, row(["title": .text("x'; --"), "hull": shop.link(-1, hull)])),
                    (-2, row(["title": .text("y"), "hull": shop.link(-1, hull), "guests": shop.list([-2], hull)])),
                ]),
        ])
        // What is in memory is gone with its store.
        let again = store.withoutPlace == nil ? [try shop.reopened(as: schema)] : []
        for opened in [shop] + again {
            let slot = opened.slot(hull, names["label"] ?? "")
            let path = FilterPath(
                variable: .row(of: hull), steps: [FilterStep(slot: slot, name: names["label"] ?? "", destination: nil)],
                type: FilterType(.scalar(.text)))
            var plan = FetchPlan(entityName: hull)
            plan.filter = .compare(.equal, .property(path), .constant(.text("red one"), path.type))
            plan.sort = [SortKey(path: [slot])]
            #expect(try opened.fetch(plan).map(\.key) == [1])
            plan.filter = nil
            #expect(try opened.fetch(plan).map(\.key) == [2, 1])
            #expect(try opened.related(hull, names["decks"] ?? "", [1]) == [1: [1, 2]])
            #expect(try opened.related(hull, names["guests"] ?? "", [2]) == [2: [2]])
            #expect(try opened.rows(deck)[1]?[names["title"] ?? ""] == .text("x'; --"))
        }
        // Unique is unique under any name.
        try shop.save(insert: [shop.batch(hull, [(-1, row(["label": .text("blue"), "weight": .integer(9)]))])])
        #expect(try shop.rows(hull).count == 2)
        try shop.save(delete: [(deck, [1, 2])])
        #expect(try shop.rows(deck).isEmpty)
    }

    // MARK: Files

    private static let fileNames = [
        #"a"b'c`; DROP TABLE x; --"#, "question?mark#hash%41&mode=ro", "nai\u{308}ve \u{1F600}", "line\nfeed", "-rf",
        "a:b;c,d", " ", "..store", "file:x?immutable=1", "$HOME `id`", "store.sqlite-wal", ".hidden",
    ]

    private func configuration(_ store: TestStore, _ url: URL) -> any DataStoreConfiguration {
        switch store.name {
        case "lmdb": LMDBStoreConfiguration(url: url)
        case "json": JSONArchiveConfiguration(url: url)
        default: SQLiteStoreConfiguration(url: url)
        }
    }

    @Test("of files lead to that file and to no other", arguments: TestStore.migrating, fileNames)
    func files(_ store: TestStore, _ name: String) throws {
        let site = try MigrationSite(store)
        let url = site.folder.appendingPathComponent(name)
        do {
            let container = try ModelContainer(
                for: Schema([Barrel.self]), configurations: [configuration(store, url)])
            let context = ModelContext(container)
            let barrel = Barrel("a", 1)
            barrel.label = Data(repeating: 3, count: 100_000)
            context.insert(barrel)
            try context.save()
            barrel.count = 2
            try context.save()
        }
        do {
            let container = try ModelContainer(
                for: Schema([Barrel.self]), configurations: [configuration(store, url)])
            let barrel = try ModelContext(container).only(Barrel.self)
            #expect(barrel.count == 2 && barrel.label?.count == 100_000)
        }
        #expect(FileManager.default.fileExists(atPath: url.path))
        for found in try FileManager.default.contentsOfDirectory(atPath: site.folder.path) {
            #expect(found.hasPrefix(name) || found.hasPrefix("." + name), "\(found) lies beside it")
        }
    }

    @Test("of files that are too long are refused by name", arguments: TestStore.migrating, [240, 250, 255, 300, 5000])
    func longFiles(_ store: TestStore, _ length: Int) throws {
        let site = try MigrationSite(store)
        let url = site.folder.appendingPathComponent(String(repeating: "n", count: length))
        do {
            let container = try ModelContainer(
                for: Schema([Barrel.self]), configurations: [configuration(store, url)])
            let context = ModelContext(container)
            let barrel = Barrel("a", 1)
            barrel.label = Data(repeating: 3, count: 100_000)
            context.insert(barrel)
            try context.save()
            #expect(length < 256)
        } catch let error as SwiftDataError {
            #expect(error.code != .corruptStore && error.code != .storeFailure, "\(error)")
            #expect(length > 200)
        }
    }
}
