import ArchiveStore
import CofferConformance
import CofferCore
import Foundation
import Testing

struct ArchiveStoreSubject: ConformanceSubject {
    let name = "archive"

    func configuration(at place: ConformancePlace) -> any DataStoreConfiguration {
        ArchiveStoreConfiguration(url: files(at: place)[0])
    }

    func readOnlyConfiguration(at place: ConformancePlace) -> (any DataStoreConfiguration)? {
        ArchiveStoreConfiguration(url: files(at: place)[0], allowsSave: false)
    }

    func facilities(_ capabilities: StoreCapabilities) -> Set<ConformanceNeed> { [.reopening, .additions, .renames] }

    func files(at place: ConformancePlace) -> [URL] { [place.folder.appendingPathComponent("models.archive")] }
}

/// Says what the kit has found; the tests write it with `COFFER_LEDGERS=write`.
private let readme = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("../../README.md").standardizedFileURL

@Suite(.serialized) struct ArchiveStoreConformance {
    static let run = ConformanceRun(ArchiveStoreSubject())

    @Test(arguments: run.cases) func conforms(_ item: ConformanceCase) throws { try Self.run.run(item) }
    @Test func ledger() throws { try ConformanceDocument(readme).check(Self.run.finish(), of: Self.run) }
}

@Model final class Leaf {
    @Attribute(.preserveValueOnDeletion) var name: String
    var size: Int
    init(_ name: String, size: Int = 1) {
        self.name = name
        self.size = size
    }
}

@Suite struct ArchiveStoreTests {
    /// Opens an archive at a place that is removed afterwards.
    private func withArchive(_ body: (URL, (Bool) throws -> (ModelContainer, ArchiveStore)) throws -> Void) throws {
        let place = try ConformancePlace()
        defer { try? ArchiveStoreSubject().remove(place) }
        let url = ArchiveStoreSubject().files(at: place)[0]
        try body(url) { allowsSave in
            let configuration = ArchiveStoreConfiguration(
                schema: Schema([Leaf.self]), url: url, allowsSave: allowsSave)
            // Containers open stores by themselves; the second one is for the calls that contexts do not make.
            let container = try ModelContainer(for: Schema([Leaf.self]), configurations: [configuration])
            return (
                container,
                try ArchiveStore(
                    ArchiveStoreConfiguration(schema: configuration.schema, url: url, allowsSave: false),
                    migrationPlan: nil)
            )
        }
    }

    @Test func oneAtATimeHasItForSaving() throws {
        try withArchive { url, open in
            let (container, _) = try open(true)
            let error = #expect(throws: SwiftDataError.self) { try open(true) }
            #expect(error?.code == .storeBusy && error?.store == "archive")
            withExtendedLifetime(container) {}
        }
    }

    @Test func aFileOfALaterFormatIsNamedAsSuch() throws {
        try withArchive { url, open in
            try Data("archive 2 0\n{}".utf8).write(to: url)
            #expect(throws: SwiftDataError.newerStoreFormat) { try open(true) }
            #expect(try Data(contentsOf: url) == Data("archive 2 0\n{}".utf8))
        }
    }

    @Test func theHistoryTellsWhatCameAfterAToken() throws {
        try withArchive { _, open in
            func save(_ author: String, _ body: (ModelContext) throws -> Void) throws {
                let context = ModelContext(try open(true).0)
                context.author = author
                try body(context)
                try context.save()
            }
            try save("first") { $0.insert(Leaf("oak")) }
            let token = try #require(try open(false).1.fetchHistory(HistoryDescriptor()).last).token
            try save("second") { try $0.fetch(FetchDescriptor<Leaf>())[0].size = 2 }
            try save("third") { $0.delete(try $0.fetch(FetchDescriptor<Leaf>())[0]) }
            let store = try open(false).1
            let news = try store.fetchHistory(HistoryDescriptor(predicate: #Predicate { $0.token > token }))
            #expect(news.map(\.author) == ["second", "third"])
            guard case .update(let update as DefaultHistoryUpdate<Leaf>)? = news.first?.changes.first,
                case .delete(let delete as DefaultHistoryDelete<Leaf>)? = news.last?.changes.first
            else {
                Issue.record("not an update and a deletion")
                return
            }
            #expect(update.updatedAttributes.map { $0 as PartialKeyPath<Leaf> } == [\Leaf.size])
            #expect(delete.tombstone[\.name] as? String == "oak" && delete.tombstone[\.size] == nil)
        }
    }

    @Test func aTokenBeforeWhatWasForgottenIsRefused() throws {
        let place = try ConformancePlace()
        defer { try? ArchiveStoreSubject().remove(place) }
        let store = try ArchiveStore(
            ArchiveStoreConfiguration(schema: Schema([Leaf.self]), url: ArchiveStoreSubject().files(at: place)[0]),
            migrationPlan: nil)
        for name in ["oak", "elm", "ash"] {
            var related: [PersistentIdentifier: any BackingData] = [:]
            let row = DefaultSnapshot(from: Leaf(name).persistentBackingData, relatedBackingDatas: &related)
            _ = try store.save(
                DataStoreSaveChangesRequest(editingState: EditingState(), inserted: [row], updated: [], deleted: []))
        }
        let all = try store.fetchHistory(HistoryDescriptor())
        try #require(all.count == 3)
        let (first, last) = (all[0].token, all[2].token)
        try store.deleteHistory(HistoryDescriptor(predicate: #Predicate { $0.token < last }))
        #expect(try store.fetchHistory(HistoryDescriptor()).map(\.token) == [last])
        #expect(throws: SwiftDataError.historyTokenExpired) {
            try store.fetchHistory(HistoryDescriptor(predicate: #Predicate { $0.token > first }))
        }
        // Limits are of a type that holds more than an array can.
        var endless = HistoryDescriptor<DefaultHistoryTransaction>()
        endless.fetchLimit = .max
        #expect(try store.fetchHistory(endless).count == 1)
        let second = all[1].token
        #expect(try store.fetchHistory(HistoryDescriptor(predicate: #Predicate { $0.token > second })).count == 1)
    }

    @Test func allRowsOfAClassGoAtOnce() throws {
        try withArchive { _, open in
            let context = ModelContext(try open(true).0)
            for name in ["oak", "elm"] { context.insert(Leaf(name)) }
            try context.save()
            try context.delete(model: Leaf.self, where: #Predicate { $0.name == "oak" })
            try context.save()
            #expect(try context.fetch(FetchDescriptor<Leaf>()).map(\.name) == ["elm"])
            try context.delete(model: Leaf.self)
            try context.save()
            #expect(try context.fetchCount(FetchDescriptor<Leaf>()) == 0)
        }
    }
}
