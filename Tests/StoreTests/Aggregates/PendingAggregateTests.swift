import Coffer
import Foundation
import Testing

@Suite("Aggregates with unsaved changes")
struct PendingAggregateTests {
    /// Purchases of which one was changed, one deleted and one is new, and what they are by now.
    static func make(_ store: TestStore) throws -> (place: TestPlace, context: ModelContext, expected: [Purchase]) {
        let (place, _, _) = try PurchaseWorld.make(store)
        let context = place.context()
        var expected = try context.all(Purchase.self, by: SortDescriptor(\.serial))
        context.delete(expected.remove(at: 7))
        expected[3].amount = 1000
        expected[3].title = "changed"
        expected[4].weight = nil
        expected[5].shopper = nil
        let new = Purchase(1000, title: "new", amount: -1000, price: 0.7, cost: 3)
        new.shopper = expected[6].shopper
        context.insert(new)
        return (place, context, expected + [new])
    }

    @Test("count what a save would store", arguments: TestStore.all)
    func included(_ store: TestStore) throws {
        let (_, context, expected) = try Self.make(store)
        try AggregateTests.check(context, FetchDescriptor(), expected)
        try AggregateTests.check(
            context, FetchDescriptor(predicate: #Predicate { $0.amount < 2 }), expected.filter { $0.amount < 2 })
        let groups = try context.groups(
            FetchDescriptor<Purchase>(), by: \.title, giving: .count, .average(\.price),
            order: [.value(.count, order: .reverse)], limit: 4)
        let sizes = Dictionary(grouping: expected, by: \.title).mapValues(\.count)
            .sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(4)
        #expect(groups.map(\.key) == sizes.map(\.key))
        #expect(groups.map(\.values.0) == sizes.map(\.value))
        #expect(try context.distinctValues(of: \Purchase.title) == Set(expected.map(\.title)).sorted())
        try context.save()
        try AggregateTests.check(context, FetchDescriptor(), expected, "after the save")
    }

    @Test("leave them out where the descriptor says so", arguments: TestStore.all)
    func excluded(_ store: TestStore) throws {
        let (place, context, _) = try Self.make(store)
        var descriptor = FetchDescriptor<Purchase>()
        descriptor.includePendingChanges = false
        let other = place.context()
        let stored = try other.all(Purchase.self)
        try AggregateTests.check(context, descriptor, stored)
        #expect(
            try context.distinctValues(descriptor, of: \.title) == Set(stored.map(\.title)).sorted())
    }

    @Test("follow links to changed models", arguments: TestStore.all)
    func links(_ store: TestStore) throws {
        let (place, _, _) = try PurchaseWorld.make(store)
        let context = place.context()
        let shopper = try context.only(Shopper.self, where: #Predicate { $0.name == "bea" })
        shopper.age = 1_000_000
        shopper.name = "Bea"
        let purchases = try context.all(Purchase.self)
        #expect(
            try context.sum(of: \Purchase.shopper?.age) == purchases.reduce(0) { $0 + ($1.shopper?.age ?? 0) })
        #expect(try context.distinctValues(of: \Purchase.shopper?.name) == [nil, "Ann", "Bea"])
        var stored = FetchDescriptor<Purchase>()
        stored.includePendingChanges = false
        #expect(try context.distinctValues(stored, of: \.shopper?.name) == [nil, "Ann", "bea"])
    }

    @Test("fetch nothing but what the store worked out of the other rows", arguments: TestStore.all)
    func cost(_ store: TestStore) throws {
        try store.needs(.requestsOfItsOwn)
        let (place, context, expected) = try Self.make(store)
        let counts = try place.record.during {
            let sum = try context.sum(of: \Purchase.amount)
            #expect(sum == expected.reduce(0) { $0 + $1.amount })
        }
        #expect(counts == Record.Counts(requests: 1))
    }

    @Test("take sums that only fit together", arguments: TestStore.all)
    func overflow(_ store: TestStore) throws {
        let (_, context) = try ExtremeSumTests.context(store, 2) { $1.amount = .max }
        #expect(throws: SwiftDataError.arithmeticOverflow) { try context.sum(of: \Purchase.amount) }
        context.insert(Purchase(5, amount: -Int.max))
        #expect(try context.sum(of: \Purchase.amount) == .max)
    }
}
