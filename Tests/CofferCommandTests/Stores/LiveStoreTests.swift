import Coffer
import CofferJSON
import CofferLMDB
import Foundation
import Testing

@testable import CofferCommand

/// Stores that are read while a program saves to them: what is read is one state.
@Suite struct LiveStoreTests {
    private func open(_ path: String, _ kind: SampleStore) throws -> ModelContainer {
        let url = URL(fileURLWithPath: path)
        let configuration: any DataStoreConfiguration =
            switch kind {
            case .sqlite: SQLiteStoreConfiguration(url: url)
            case .lmdb: LMDBStoreConfiguration(url: url)
            case .json: JSONArchiveConfiguration(url: url)
            }
        return try ModelContainer(for: Schema(voyageModels), configurations: [configuration])
    }

    /// Takes a row away, with others by a rule, and adds one: at most once.
    private func save(_ container: ModelContainer) throws {
        let context = ModelContext(container)
        let found = try context.fetch(FetchDescriptor<Voyage>(predicate: #Predicate { $0.name == "Islands" }))
        guard let islands = found.first else { return }
        context.delete(islands)
        let new = Voyage("Sea")
        context.insert(new)
        new.guides = try context.fetch(FetchDescriptor<Guide>())
        try context.save()
    }

    @Test(arguments: SampleStore.allCases)
    func aDumpIsOfOneState(_ kind: SampleStore) throws {
        try withTemporaryFolder { folder in
            let path = try kind.make(in: folder)
            let before = coffer("dump", path).output
            let container = try open(path, kind)
            var text = ""
            try DumpWriter(store: StorePlace(path).open()) { text += $0 }.run { entity, _ in
                if entity == "Halt" { try? save(container) }
            }
            #expect(text == before)
            // And the next one of the new state.
            let after = coffer("dump", path).output
            #expect(after != before && after.contains("Sea"))
            try Data(text.utf8).write(to: URL(fileURLWithPath: folder + "/dump.jsonl"))
            let run = coffer("load", folder + "/dump.jsonl", kind.path(folder, "copy"))
            #expect(run.code == 0, "\(run.errors)")
        }
    }

    @Test(arguments: SampleStore.allCases)
    func aCheckFindsNothingInWhatIsWhole(_ kind: SampleStore) throws {
        try withTemporaryFolder { folder in
            let path = try kind.make(in: folder)
            let container = try open(path, kind)
            let problems = try StoreCheck(of: StorePlace(path).open()).run { entity, _ in
                if entity == "Halt" { try save(container) }
            }
            #expect(problems.isEmpty, "\(problems)")
            #expect(try ModelContext(container).fetchCount(FetchDescriptor<Halt>()) == 2)
        }
    }

    @Test(arguments: SampleStore.allCases)
    func aSalvageIsOfOneState(_ kind: SampleStore) throws {
        try withTemporaryFolder { folder in
            let path = try kind.make(in: folder)
            let before = try digest(path)
            let container = try open(path, kind)
            let source = try StorePlace(path).openDamaged().store
            let copy = kind.path(folder, "copy")
            let configuration = try #require(StoreKind(rawValue: kind.rawValue)?.configuration(copy, allowsSave: true))
            let target = try StoreOpening.make(configuration, schema: source.schema, identifier: source.identifier)
            // The first rows are copied when all were looked at.
            let report = try StoreSalvage(from: source, to: target.store).run { _, _ in try save(container) }
            try target.finish()
            #expect(report.losses.isEmpty, "\(report.losses)")
            #expect(try digest(copy) == before)
        }
    }

    @Test func aSalvageNamesAFileThatIsRemovedBeforeItIsCopied() throws {
        try withTemporaryFolder { folder in
            let path = try SampleStore.sqlite.make(in: folder)
            let source = try StorePlace(path).openDamaged().store
            let configuration = JSONArchiveConfiguration(url: URL(fileURLWithPath: folder + "/copy.json"))
            let target = try StoreOpening.make(configuration, schema: source.schema, identifier: source.identifier)
            let report = try StoreSalvage(from: source, to: target.store).run { entity, _ in
                if entity == "Guide" { try FileManager.default.removeItem(atPath: folder + "/.voyages.sqlite_SUPPORT") }
            }
            try target.finish()
            #expect(report.losses.map(\.property) == ["photo"], "\(report.losses)")
        }
    }

    @Test(arguments: SampleStore.allCases)
    func readsSeeOneStateUntilTheBodyEnds(_ kind: SampleStore) throws {
        try withTemporaryFolder { folder in
            let path = try kind.make(in: folder)
            let container = try open(path, kind)
            let store = try StorePlace(path).open()
            let voyages = FetchPlan(entityName: "Voyage")
            let keys = try store.fetchKeys(voyages)
            let first = try store.history(HistoryQuery()).latest
            try store.withOneState {
                try save(container)
                #expect(try store.fetchKeys(voyages) == keys)
                #expect(try store.history(HistoryQuery()).latest == first)
                #expect(try store.checkIndexes().isEmpty)
            }
            #expect(try store.fetchKeys(voyages) != keys)
            #expect(try store.history(HistoryQuery()).latest == first + 1)
            struct Stop: Error {}
            #expect(throws: Stop.self) { try store.withOneState { throw Stop() } }
            #expect(try store.fetchKeys(voyages).count == keys.count)
        }
    }
}
