import Coffer
import Foundation
import Testing

@Suite("Tokens of several stores")
struct SeveralHistoryTests {
    typealias Transaction = DefaultHistoryTransaction

    @Test("compare by the stores that both know; of strangers each comes after the other")
    func order() {
        let both = DefaultHistoryToken(["A": 8, "B": 5])
        #expect(DefaultHistoryToken(["B": 6]) > both && !(DefaultHistoryToken(["B": 6]) < both))
        #expect(DefaultHistoryToken(["B": 5]) < both && DefaultHistoryToken(["B": 4]) < both)
        #expect(DefaultHistoryToken(["A": 1]) < DefaultHistoryToken(["A": 1, "B": 1]))
        #expect(DefaultHistoryToken([:]) < both)
        let other = DefaultHistoryToken(["C": 100])
        #expect(both > other && other > both && both != other)
    }

    /// Two stores, of shelves and of notes.
    private struct Site {
        let folder: MigrationSite
        let container: ModelContainer
        let context: ModelContext

        init() throws {
            folder = try MigrationSite(.sqlite)
            let url = folder.folder
            container = try ModelContainer(
                for: Schema([Told.Doc.self, Told.Shelf.self, Told.Item.self]),
                configurations: [
                    SQLiteStoreConfiguration(
                        "a", schema: Schema([Told.Doc.self, Told.Shelf.self]), url: url.appendingPathComponent("a")),
                    SQLiteStoreConfiguration(
                        "b", schema: Schema([Told.Item.self]), url: url.appendingPathComponent("b")),
                ])
            context = ModelContext(container)
        }

        func save(shelves: Int = 0, items: Int = 0) throws {
            for _ in 0..<shelves {
                context.insert(Told.Shelf(UUID().uuidString))
                try context.save()
            }
            for number in 0..<items {
                context.insert(Told.Item(number))
                try context.save()
            }
        }
    }

    @Test("never say that a store had come further than it has")
    func bounds() throws {
        let site = try Site()
        try site.save(shelves: 8, items: 3)
        let token = try #require(try site.context.told(#Predicate { $0.transactionIdentifier > 5 }).last?.token)
        try site.save(items: 2)
        let news = try site.context.told(#Predicate { $0.token > token })
        #expect(news.count == 2)
    }

    @Test("that is the latest one has nothing after it")
    func latest() throws {
        let site = try Site()
        try site.save(shelves: 5, items: 2)
        var descriptor = HistoryDescriptor<Transaction>(sortBy: [SortDescriptor(\.token, order: .reverse)])
        descriptor.fetchLimit = 1
        let token = try #require(try site.context.fetchHistory(descriptor).first?.token)
        #expect(try site.context.told(#Predicate { $0.token > token }).isEmpty)
    }

    @Test("delete no more than the limit", arguments: 1...6)
    func limit(_ limit: UInt64) throws {
        let site = try Site()
        try site.save(shelves: 3, items: 4)
        var descriptor = HistoryDescriptor<Transaction>()
        descriptor.fetchLimit = limit
        try site.context.deleteHistory(descriptor)
        #expect(try site.context.told().count == 7 - Int(limit))
    }

    @Test("of a store that is gone bring everything", arguments: TestStore.migrating)
    func stranger(_ store: TestStore) throws {
        let site = try MigrationSite(store)
        let stranger = DefaultHistoryToken(["gone": 1000])
        try site.open(Told.Shelf.self, Told.Doc.self) { context in
            context.insert(Told.Shelf("a"))
            try context.save()
            let news = try context.told(#Predicate { $0.token > stranger })
            #expect(news.count == 1)
        }
    }
}
