import Coffer
import Foundation
import Testing

@Suite("What a history keeps")
struct HistoryRetentionTests {
    private func save(_ context: ModelContext, _ names: String...) throws {
        for name in names {
            context.insert(Told.Shelf(name))
            try context.save()
        }
    }

    @Test("is everything, unless the program says otherwise", arguments: TestStore.rowStores)
    func everything(_ store: TestStore) throws {
        let place = try TestPlace(store, Told.Doc.self, Told.Shelf.self)
        let context = place.context()
        #expect(place.container.historyRetention == nil)
        for number in 0..<70 { try save(context, "\(number)") }
        #expect(try context.told().count == 70)
        try place.container.trimHistory()
        #expect(try context.told().count == 70)
    }

    @Test("is the last transactions where it has a maximum, and the data stays", arguments: TestStore.rowStores)
    func count(_ store: TestStore) throws {
        let place = try TestPlace(store, Told.Doc.self, Told.Shelf.self)
        let context = place.context()
        try save(context, "a", "b", "c", "d")
        let all = try context.told()
        place.container.historyRetention = HistoryRetention(maximumCount: 2)
        #expect(try context.told() == all)
        try place.container.trimHistory()
        #expect(try context.told() == Array(all[2...]))
        #expect(try context.count(Told.Shelf.self) == 4)
        let (expired, last) = (all[0].token, all[1].token)
        let error = #expect(throws: SwiftDataError.self) { try context.told(#Predicate { $0.token > expired }) }
        #expect(error?.code == .historyTokenExpired)
        #expect(try context.told(#Predicate { $0.token > last }).count == 2)

        // Before the next save it is applied again.
        place.container.historyRetention = HistoryRetention(maximumCount: 1)
        try save(context, "e")
        #expect(try context.told().map(\.token) == [all[3].token, try #require(context.told().last).token])
    }

    @Test("is what is young enough where it has an age", arguments: TestStore.rowStores)
    func age(_ store: TestStore) throws {
        let place = try TestPlace(store, Told.Doc.self, Told.Shelf.self)
        let context = place.context()
        try save(context, "a", "b")
        place.container.historyRetention = HistoryRetention(maximumAge: 3600)
        try place.container.trimHistory()
        #expect(try context.told().count == 2)
        // What is saved from now on lies in the past of a policy that keeps nothing older than the future.
        place.container.historyRetention = HistoryRetention(maximumAge: -3600)
        try place.container.trimHistory()
        #expect(try context.told().isEmpty)
        try save(context, "c")
        #expect(try context.told().map(\.transactionIdentifier) == [3])
        #expect(try context.count(Told.Shelf.self) == 3)
    }
}
