import Coffer
import Foundation
import Testing

@Suite("The history that a container keeps for its stores")
struct SuppliedHistoryTests {
    /// A store of SwiftData's own protocols, and one of rows that says it keeps no history.
    static let stores: [TestStore] = [
        .plain,
        TestStore(
            name: "silent", withoutPlace: "what is in memory is gone with its container",
            configuration: {
                RecordingConfiguration(InMemoryStoreConfiguration("silent"), record: $1, without: .history)
            }),
    ]

    private func place(_ store: TestStore) throws -> (TestPlace, ModelContext) {
        let place = try TestPlace(store, Told.Doc.self, Told.Shelf.self)
        place.container.suppliesHistory = true
        return (place, place.context())
    }

    @Test("is asked for", arguments: stores)
    func off(_ store: TestStore) throws {
        let place = try TestPlace(store, Told.Doc.self)
        #expect(!place.container.suppliesHistory)
        #expect(throws: SwiftDataError.unsupportedFeature) { try place.context().told() }
        place.container.suppliesHistory = true
        #expect(try place.context().told().isEmpty)
    }

    @Test("tells what was saved, by whom, and what comes after a token", arguments: stores)
    func saves(_ store: TestStore) throws {
        let (place, context) = try place(store)
        let observer = try HistoryObserver(modelContainer: place.container)
        let (a, b) = (Told.Doc("a"), Told.Doc("b"))
        context.insert(a)
        context.insert(b)
        try context.save()
        let first = try #require(try context.told().last)
        #expect(first.changes.map(\.summary) == ["insert Doc", "insert Doc"])
        #expect(Set(first.changes.map(\.changedPersistentIdentifier)) == [a.persistentModelID, b.persistentModelID])
        let token = try JSONDecoder().decode(DefaultHistoryToken.self, from: JSONEncoder().encode(first.token))
        let other = place.context()
        other.author = "other"
        try other.only(Told.Doc.self, where: #Predicate { $0.code == "a" }).name = "x"
        other.delete(try other.only(Told.Doc.self, where: #Predicate { $0.code == "b" }))
        try other.save()
        let news = try context.told(#Predicate { $0.token > token })
        #expect(news.map(\.author) == ["other"])
        #expect(news.first?.changes.map(\.summary) == ["update Doc name", "delete Doc"])
        #expect(news.first?.changes.last?.changedPersistentIdentifier == b.persistentModelID)
        let last = observer.historyTokens.values.first as? DefaultHistoryToken
        #expect(last != nil && last == news.first?.token)
    }

    @Test("forgets, and tokens before that expire", arguments: stores)
    func forgetting(_ store: TestStore) throws {
        let (place, context) = try place(store)
        for name in ["a", "b", "c"] {
            context.insert(Told.Shelf(name))
            try context.save()
        }
        let all = try context.told()
        let (first, second) = (all[0].token, all[1].token)
        try context.deleteHistory(
            HistoryDescriptor<DefaultHistoryTransaction>(predicate: #Predicate { $0.token <= second }))
        #expect(try context.told().map(\.token) == [all[2].token])
        #expect(throws: SwiftDataError.historyTokenExpired) { try context.told(#Predicate { $0.token > first }) }
        #expect(try context.told(#Predicate { $0.token > second }).count == 1)
        place.container.historyRetention = HistoryRetention(maximumCount: 0)
        try place.container.trimHistory()
        #expect(try context.told().isEmpty)
        let last = all[2].token
        try place.container.erase()
        #expect(throws: SwiftDataError.historyTokenExpired) { try context.told(#Predicate { $0.token > last }) }
    }

    @Test("ends with the container: a token of another run expires", arguments: stores)
    func runs(_ store: TestStore) throws {
        let (_, context) = try place(store)
        context.insert(Told.Shelf("a"))
        try context.save()
        let token = try #require(try context.told().last?.token)
        let (_, later) = try place(store)
        later.insert(Told.Shelf("b"))
        try later.save()
        #expect(throws: SwiftDataError.historyTokenExpired) { try later.told(#Predicate { $0.token > token }) }
    }
}
