import Coffer
import Foundation
import Testing

@Suite("History")
struct HistoryTests {
    typealias Transaction = DefaultHistoryTransaction

    @Test("a token leads to what came after it, also once the store was opened again", arguments: TestStore.rowStores)
    func round(_ store: TestStore) throws {
        let place = try TestPlace(store, Told.Doc.self, Told.Shelf.self)
        let context = place.context()
        let (a, b) = (Told.Doc("a"), Told.Doc("b"))
        context.insert(a)
        context.insert(b)
        try context.save()
        let first = try #require(try context.told().last)
        #expect(first.author == nil && first.changes.map(\.summary) == ["insert Doc", "insert Doc"])
        #expect(Set(first.changes.map(\.changedPersistentIdentifier)) == [a.persistentModelID, b.persistentModelID])
        let token = try JSONDecoder().decode(DefaultHistoryToken.self, from: JSONEncoder().encode(first.token))
        #expect(token == first.token)

        context.author = "importer"
        a.name = "x"
        let (kept, gone) = (a.persistentModelID, b.persistentModelID)
        context.delete(b)
        try context.save()
        for context in [context] + (try place.newContexts()) {
            let news = try context.told(#Predicate { $0.token > token })
            try #require(news.count == 1 && news[0].changes.count == 2)
            #expect(news[0].author == "importer" && news[0].token > token)
            #expect(news[0].timestamp >= first.timestamp && news[0].processIdentifier == first.processIdentifier)
            guard case .update(let update as DefaultHistoryUpdate<Told.Doc>) = news[0].changes[0],
                case .delete(let delete as DefaultHistoryDelete<Told.Doc>) = news[0].changes[1]
            else {
                Issue.record("\(news[0].changes)")
                continue
            }
            #expect(update.changedPersistentIdentifier == kept)
            #expect(update.updatedAttributes.count == 1 && update.updatedAttributes.first == \Told.Doc.name)
            #expect(update.updates(\.name) && !update.updates(\.size))
            #expect(update.changeIdentifier < delete.changeIdentifier)
            #expect(update.transactionIdentifier == news[0].transactionIdentifier)
            #expect(delete.changedPersistentIdentifier == gone)
            #expect(delete.tombstone[\.code] as? String == "b" && delete.tombstone[\.name] == nil)
            #expect(delete.tombstone.keyPaths == [\Told.Doc.code])
        }

        try context.deleteHistory(HistoryDescriptor<Transaction>(predicate: #Predicate { $0.token <= token }))
        for context in [context] + (try place.newContexts()) {
            #expect(try context.told().map(\.author) == ["importer"])
            #expect(try context.all(Told.Doc.self).map(\.name) == ["x"])
            #expect(try context.told(#Predicate { $0.token > token }).count == 1, "nothing after the token is gone")
        }
    }

    @Test("a token whose news were deleted is refused", arguments: TestStore.rowStores)
    func expired(_ store: TestStore) throws {
        let place = try TestPlace(store, Told.Shelf.self)
        let context = place.context()
        for number in 1...3 {
            context.insert(Told.Shelf("\(number)"))
            try context.save()
        }
        let all = try context.told()
        let (first, second) = (all[0].token, all[1].token)
        try context.deleteHistory(HistoryDescriptor<Transaction>(predicate: #Predicate { $0.token <= second }))
        for context in try place.newContexts() {
            let error = #expect(throws: SwiftDataError.self) { _ = try context.told(#Predicate { $0.token > first }) }
            #expect(error?.code == .historyTokenExpired && error?.store == store.name)
            #expect(try context.told(#Predicate { $0.token > second }).count == 1)
        }
        // Numbers go on where they were.
        try context.deleteHistory(HistoryDescriptor<Transaction>())
        #expect(try context.told().isEmpty)
        context.insert(Told.Shelf("4"))
        try context.save()
        #expect(try context.told().map(\.transactionIdentifier) == [all[2].transactionIdentifier + 1])
    }

    @Test("erasing a store ends its history", arguments: TestStore.rowStores)
    func erase(_ store: TestStore) throws {
        let place = try TestPlace(store, Told.Shelf.self)
        let context = place.context()
        context.insert(Told.Shelf("a"))
        try context.save()
        context.insert(Told.Shelf("b"))
        try context.save()
        let first = try context.told()[0].token
        try place.container.erase()
        #expect(try context.told().isEmpty)
        let error = #expect(throws: SwiftDataError.self) { _ = try context.told(#Predicate { $0.token > first }) }
        #expect(error?.code == .historyTokenExpired)
        context.insert(Told.Shelf("c"))
        try context.save()
        // The removal itself has a number, so that nobody goes on after the last token as if nothing had been.
        #expect(try context.told().map(\.transactionIdentifier) == [4])
    }

    @Test("the latest token costs one transaction", arguments: TestStore.rowStores)
    func latest(_ store: TestStore) throws {
        let place = try TestPlace(store, Told.Shelf.self)
        let context = place.context()
        for number in 1...5 {
            context.author = number == 2 ? "me" : nil
            context.insert(Told.Shelf("\(number)"))
            try context.save()
        }
        func read(_ descriptor: HistoryDescriptor<Transaction>) throws -> (numbers: [Int64], cost: Int) {
            var numbers: [Int64] = []
            let counts = try place.record.during {
                numbers = try context.fetchHistory(descriptor).map(\.transactionIdentifier)
            }
            return (numbers, counts.transactions)
        }
        var latest = HistoryDescriptor<Transaction>(
            sortBy: [SortDescriptor(\.transactionIdentifier, order: .reverse)])
        latest.fetchLimit = 1
        #expect(try read(latest) == ([5], 1))
        latest.sortBy = []
        latest.fetchLimit = 2
        #expect(try read(latest) == ([1, 2], 2))
        let third = try context.told()[2].token
        #expect(try read(HistoryDescriptor(predicate: #Predicate { $0.token > third })) == ([4, 5], 2))
        #expect(try read(HistoryDescriptor(predicate: #Predicate { third < $0.token })) == ([4, 5], 2))
        #expect(try read(HistoryDescriptor(predicate: #Predicate { $0.author == "me" })) == ([2], 1))
        #expect(try read(HistoryDescriptor(predicate: #Predicate { $0.author == nil })).numbers == [1, 3, 4, 5])
        #expect(
            try read(HistoryDescriptor(predicate: #Predicate { $0.token >= third && $0.author == "me" }))
                == ([], 0))
        #expect(try read(HistoryDescriptor(predicate: #Predicate { $0.transactionIdentifier == 4 })) == ([4], 1))
        var either = HistoryDescriptor<Transaction>(
            predicate: #Predicate { $0.author == "me" || $0.transactionIdentifier > 3 },
            sortBy: [SortDescriptor(\.transactionIdentifier, order: .reverse)])
        either.fetchLimit = 2
        #expect(try read(either).numbers == [5, 4])
        let byTime = HistoryDescriptor<Transaction>(sortBy: [
            SortDescriptor(\.author, order: .reverse), SortDescriptor(\.timestamp),
        ])
        #expect(try read(byTime).numbers == [2, 1, 3, 4, 5])
    }

    @Test("predicates see the entities of changes", arguments: TestStore.rowStores)
    func entities(_ store: TestStore) throws {
        let place = try TestPlace(store, Told.Doc.self, Told.Shelf.self)
        let context = place.context()
        context.insert(Told.Shelf("a"))
        try context.save()
        context.insert(Told.Doc("a"))
        try context.save()
        let found = try context.told(
            #Predicate { $0.changes.contains { $0.changedPersistentIdentifier.entityName == "Doc" } })
        #expect(found.map(\.transactionIdentifier) == [2])
    }

    @Test("what changes nothing, or fails, is no transaction", arguments: TestStore.rowStores)
    func nothing(_ store: TestStore) throws {
        let place = try TestPlace(store, Told.Doc.self, Told.Shelf.self)
        let context = place.context()
        #expect(try context.told().isEmpty)
        try context.save()
        let doc = Told.Doc("a")
        context.insert(doc)
        try context.save()
        let other = place.context()
        let same = try other.only(Told.Doc.self)
        other.delete(same)
        try other.save()
        #expect(try context.told().count == 2)
        doc.name = "too late"
        _ = try? context.save()
        #expect(try context.told().count == 2)
    }

    @Test("histories of several stores are read as one")
    func several() throws {
        let container = try ModelContainer(
            for: Schema([Told.Item.self, Told.SpecialItem.self, Note.self]),
            configurations: [
                InMemoryStoreConfiguration("items", schema: Schema([Told.Item.self, Told.SpecialItem.self])),
                InMemoryStoreConfiguration("notes", schema: Schema([Note.self])),
            ])
        let context = ModelContext(container)
        for number in 1...2 {
            context.insert(Told.Item(number))
            try context.save()
            context.insert(Note("\(number)"))
            try context.save()
        }
        let all = try context.told()
        #expect(all.flatMap(\.changes).map(\.summary) == ["insert Item", "insert Note", "insert Item", "insert Note"])
        #expect(all[0].token < all[1].token && all[1].token < all[2].token && all[2].token < all[3].token)
        for (index, transaction) in all.enumerated() {
            let token = transaction.token
            #expect(try context.told(#Predicate { $0.token > token }) == Array(all[(index + 1)...]))
        }
        let second = all[1].token
        try context.deleteHistory(HistoryDescriptor<Transaction>(predicate: #Predicate { $0.token <= second }))
        #expect(try context.told() == Array(all[2...]))
    }

    @Model final class Note {
        var text: String
        init(_ text: String) { self.text = text }
    }

    @Test("a store without a history says so")
    func none() throws {
        let place = try TestPlace(.plain, Told.Shelf.self)
        let error = #expect(throws: SwiftDataError.self) { _ = try place.context().told() }
        #expect(error?.code == .unsupportedFeature)
    }

    @Test("an observer and the notification know the places of saves", arguments: TestStore.rowStores)
    func tokens(_ store: TestStore) throws {
        let place = try TestPlace(store, Told.Doc.self, Told.Shelf.self)
        let observer = try HistoryObserver(observedModels: [Told.Shelf.self], modelContainer: place.container)
        #expect(observer.historyTokens.isEmpty)
        let context = place.context()
        context.insert(Told.Shelf("a"))
        try context.save()
        context.insert(Told.Doc("a"))
        try context.save()
        let all = try context.told()
        #expect(observer.historyTokens.values.map { $0 as? DefaultHistoryToken } == [all[0].token])
    }
}
