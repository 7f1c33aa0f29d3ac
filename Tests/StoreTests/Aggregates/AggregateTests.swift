import Coffer
import Foundation
import Testing

@Suite("Aggregates")
struct AggregateTests {
    /// Everything about some purchases that aggregates say, against plain Swift.
    static func check(
        _ context: ModelContext, _ descriptor: FetchDescriptor<Purchase>, _ expected: [Purchase],
        _ comment: Comment? = nil, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let (count, notes, amount, big, small) = try context.aggregate(
            descriptor, .count, .count(of: \.note), .sum(\.amount), .average(\.big), .sum(\.small))
        #expect(count == expected.count, comment, sourceLocation: sourceLocation)
        #expect(notes == expected.filter { $0.note != nil }.count, comment, sourceLocation: sourceLocation)
        #expect(amount == expected.reduce(0) { $0 + $1.amount }, comment, sourceLocation: sourceLocation)
        #expect(small == expected.reduce(0) { $0 + $1.small }, comment, sourceLocation: sourceLocation)
        let bigs = expected.reduce(Int128(0)) { $0 + Int128($1.big) }
        #expect(
            big == (expected.isEmpty ? nil : Double(bigs) / Double(expected.count)), comment,
            sourceLocation: sourceLocation)
        let (price, weight, mean, cost, ratio) = try context.aggregate(
            descriptor, .sum(\.price), .sum(\.weight), .average(\.price), .sum(\.cost), .sum(\.ratio))
        let weights = expected.compactMap(\.weight)
        let prices = exactSum(expected.map(\.price))
        #expect(price == prices, comment, sourceLocation: sourceLocation)
        #expect(same(weight, exactSum(weights)), comment, sourceLocation: sourceLocation)
        #expect(
            same(mean, expected.isEmpty ? nil : prices / Double(expected.count)), comment,
            sourceLocation: sourceLocation)
        #expect(cost == expected.reduce(Decimal(0)) { $0 + $1.cost }, comment, sourceLocation: sourceLocation)
        #expect(ratio == Float(exactSum(expected.map { Double($0.ratio) })), comment, sourceLocation: sourceLocation)
        let (least, largest, title, last, note) = try context.aggregate(
            descriptor, .min(\.weight), .max(\.weight), .min(\.title), .max(\.title), .max(\.note))
        #expect(same(least, extreme(weights, isLargest: false)), comment, sourceLocation: sourceLocation)
        #expect(same(largest, extreme(weights, isLargest: true)), comment, sourceLocation: sourceLocation)
        #expect(title == expected.map(\.title).min(), comment, sourceLocation: sourceLocation)
        #expect(last == expected.map(\.title).max(), comment, sourceLocation: sourceLocation)
        #expect(note == expected.compactMap(\.note).max(), comment, sourceLocation: sourceLocation)
        let (first, day, level, mood, dear) = try context.aggregate(
            descriptor, .min(\.day), .max(\.day), .max(\.level), .min(\.mood), .max(\.cost))
        #expect(first == expected.compactMap(\.day).min(), comment, sourceLocation: sourceLocation)
        #expect(day == expected.compactMap(\.day).max(), comment, sourceLocation: sourceLocation)
        #expect(level == expected.map(\.level).max(), comment, sourceLocation: sourceLocation)
        #expect(mood == expected.compactMap(\.mood).min(), comment, sourceLocation: sourceLocation)
        #expect(dear == expected.map(\.cost).max(), comment, sourceLocation: sourceLocation)
        let (largestBig, age, stages, twice) = try context.aggregate(
            descriptor, .max(\.big), .sum(\.shopper?.age), .sum(\.parcel.stages), .max(\.twice))
        #expect(largestBig == expected.map(\.big).max(), comment, sourceLocation: sourceLocation)
        #expect(age == expected.reduce(0) { $0 + ($1.shopper?.age ?? 0) }, comment, sourceLocation: sourceLocation)
        #expect(stages == expected.reduce(0) { $0 + $1.parcel.stages }, comment, sourceLocation: sourceLocation)
        #expect(twice == expected.map(\.twice).max(), comment, sourceLocation: sourceLocation)
    }

    @Test("are what a loop over the models gives", arguments: TestStore.all)
    func everything(_ store: TestStore) throws {
        let (place, _, purchases) = try PurchaseWorld.make(store)
        for context in try place.newContexts() {
            try Self.check(context, FetchDescriptor(), purchases)
            try Self.check(
                context, FetchDescriptor(predicate: #Predicate { $0.amount > 0 }), purchases.filter { $0.amount > 0 })
            try Self.check(
                context, FetchDescriptor(predicate: #Predicate { $0.shopper?.name == "Ann" && $0.isPaid }),
                purchases.filter { $0.shopper?.name == "Ann" && $0.isPaid })
        }
    }

    @Test("of nothing are zero or nil", arguments: TestStore.all)
    func nothing(_ store: TestStore) throws {
        let place = try TestPlace(store, Purchase.self, Shopper.self)
        try Self.check(place.context(), FetchDescriptor(), [])
        let (filled, _, _) = try PurchaseWorld.make(store, count: 3)
        try Self.check(filled.context(), FetchDescriptor(predicate: #Predicate { $0.serial > 100 }), [])
        #expect(try filled.context().minimum(of: \Purchase.amount, where: #Predicate { $0.serial > 100 }) == nil)
    }

    @Test("of a page count its models only", arguments: TestStore.all)
    func page(_ store: TestStore) throws {
        let (place, _, purchases) = try PurchaseWorld.make(store)
        var descriptor = FetchDescriptor<Purchase>(sortBy: [SortDescriptor(\.serial, order: .reverse)])
        descriptor.fetchOffset = 3
        descriptor.fetchLimit = 20
        let expected = purchases.filter { (67..<87).contains($0.serial) }
        try Self.check(place.context(), descriptor, expected)
        let context = place.context()
        context.insert(Purchase(1000))
        try Self.check(context, descriptor, purchases.filter { (68..<88).contains($0.serial) }, "with a new model")
    }

    @Test("have short forms", arguments: TestStore.all)
    func shortForms(_ store: TestStore) throws {
        let (place, _, purchases) = try PurchaseWorld.make(store)
        let context = place.context()
        #expect(try context.sum(of: \Purchase.amount) == purchases.reduce(0) { $0 + $1.amount })
        #expect(
            try context.sum(of: \Purchase.serial, where: #Predicate { $0.isPaid })
                == purchases.filter(\.isPaid).reduce(0) { $0 + $1.serial })
        #expect(same(try context.sum(of: \Purchase.weight), exactSum(purchases.compactMap(\.weight))))
        #expect(try context.average(of: \Purchase.serial) == 44.5)
        #expect(try context.average(of: \Purchase.shopper?.age) != nil)
        #expect(try context.minimum(of: \Purchase.serial) == 0)
        #expect(try context.maximum(of: \Purchase.serial) == 89)
        #expect(try context.maximum(of: \Purchase.day) == .distantFuture)
        #expect(try context.minimum(of: \Purchase.day) == .distantPast)
    }

    @Test("take a link that is force-unwrapped and nil for nil", arguments: TestStore.all)
    func toManyAndUnknown(_ store: TestStore) throws {
        let (place, _, _) = try PurchaseWorld.make(store, count: 3)
        #expect(throws: SwiftDataError.unsupportedKeyPath) {
            _ = try place.context().distinctValues(FetchDescriptor<Shopper>(), of: \.purchases)
        }
    }

    @Test("are worked out by the store, in one request and without any row", arguments: TestStore.all)
    func cost(_ store: TestStore) throws {
        try store.needs(.requestsOfItsOwn)
        let (place, _, _) = try PurchaseWorld.make(store)
        let context = place.context()
        let descriptor = FetchDescriptor<Purchase>(predicate: #Predicate { $0.amount > -2 })
        let alone = try place.record.during {
            _ = try context.aggregate(
                descriptor, .count, .sum(\.price), .average(\.cost), .max(\.title), .sum(\.shopper?.age))
        }
        #expect(alone == Record.Counts(requests: 1))
        let grouped = try place.record.during {
            _ = try context.groups(descriptor, by: \.shopper?.name, \.kind, giving: .count, .sum(\.amount), limit: 2)
            _ = try context.distinctValues(of: \Purchase.note)
        }
        #expect(grouped == Record.Counts(requests: 2))
        // A computed property is read from the models.
        let read = try place.record.during { _ = try context.sum(of: \Purchase.twice) }
        #expect(read.rows == 90)
    }

    @Test("go over the rows of a store that does not work them out", arguments: [TestStore.memory, .sqlite])
    func withoutTheStore(_ store: TestStore) throws {
        let hidden = TestStore(
            name: store.name,
            configuration: { folder, record in
                let whole = store.configuration(folder, record)
                guard let recording = whole as? RecordingConfiguration else { return whole }
                return RecordingConfiguration(recording.base, record: record, without: .aggregates)
            })
        let (place, _, purchases) = try PurchaseWorld.make(hidden)
        let context = place.context()
        try Self.check(context, FetchDescriptor(), purchases)
        let some = #Predicate<Purchase> { $0.serial < 9 }
        let counts = try place.record.during { _ = try context.sum(of: \Purchase.amount, where: some) }
        #expect(counts == Record.Counts(requests: 1, rows: 9))
    }
}
