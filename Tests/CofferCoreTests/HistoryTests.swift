import CofferCore
import Foundation
import Testing

@Suite struct HistoryTests {
    @Test func tokensAreOrderedByTransaction() throws {
        let one = DefaultHistoryToken(["a": 1])
        let two = DefaultHistoryToken(["a": 2])
        #expect(one < two && !(two < one) && !(one < one))
        let ahead = DefaultHistoryToken(["a": 2, "b": 5])
        #expect(two < ahead && one < ahead)
        let (left, right) = (DefaultHistoryToken(["a": 1, "b": 2]), DefaultHistoryToken(["a": 2, "b": 1]))
        #expect((left < right) != (right < left))
        let copy = try JSONDecoder().decode(DefaultHistoryToken.self, from: JSONEncoder().encode(ahead))
        #expect(copy == ahead && copy.id == ahead.id && copy.tokenValue == ["a": 2, "b": 5])
        let large = DefaultHistoryToken(["a": .max, "b": .max])
        #expect(ahead < large)
    }

    @Test func predicatesSeeTransactions() throws {
        let transactions = (1...3).map {
            DefaultHistoryTransaction(
                transactionIdentifier: Int64($0), storeIdentifier: "s", timestamp: .now, changes: [],
                author: $0 == 2 ? "me" : nil)
        }
        let last = transactions[0].token
        let newer = HistoryDescriptor<DefaultHistoryTransaction>(
            predicate: #Predicate { $0.token > last },
            sortBy: [SortDescriptor(\.transactionIdentifier, order: .reverse)])
        #expect(try transactions.filter { try newer.predicate?.evaluate($0) ?? true }.map(\.id) == [2, 3])
        #expect(newer.fetchLimit == 0)
        let mine = #Predicate<DefaultHistoryTransaction> { $0.author == "me" }
        #expect(try transactions.filter(mine.evaluate).map(\.id) == [2])
    }

    @Test func tombstonesKeepWhatTheyAreGiven() {
        let tombstone = HistoryTombstone<Trip>([(\.name, "Rome"), (\.days, 3), (\.rating, nil)])
        #expect(tombstone[\.name] as? String == "Rome" && tombstone[\.days] as? Int == 3)
        #expect(tombstone[\.rating] == nil && tombstone[\.mood] == nil)
        #expect(tombstone.map { "\($0)" } == ["Rome", "3"])
        #expect(tombstone.keyPaths == [\Trip.name, \Trip.days])
    }
}
