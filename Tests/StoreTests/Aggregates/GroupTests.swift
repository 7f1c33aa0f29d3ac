import Coffer
import Foundation
import Testing

@Suite("Groups and distinct values")
struct GroupTests {
    /// The order in which fetches sort: nil first, and not-a-number behind all numbers.
    static func isBefore(_ left: Double?, _ right: Double?) -> Bool {
        guard let right else { return false }
        guard let left else { return true }
        return left < right || right.isNaN && !left.isNaN
    }

    @Test("have one group for each value, in order", arguments: TestStore.all)
    func single(_ store: TestStore) throws {
        let (place, _, purchases) = try PurchaseWorld.make(store)
        for context in try place.newContexts() {
            let groups = try context.groups(
                FetchDescriptor<Purchase>(), by: \.title, giving: .count, .sum(\.amount), .max(\.weight))
            let expected = Dictionary(grouping: purchases, by: \.title).sorted { $0.key < $1.key }
            #expect(groups.map(\.key) == expected.map(\.key))
            #expect(groups.map(\.values.0) == expected.map(\.value.count))
            #expect(groups.map(\.values.1) == expected.map { $0.value.reduce(0) { $0 + $1.amount } })
            for (group, expected) in zip(groups, expected) {
                #expect(same(group.values.2, extreme(expected.value.compactMap(\.weight), isLargest: true)))
            }
            let notes = try context.groups(
                FetchDescriptor<Purchase>(predicate: #Predicate { $0.amount >= 0 }), by: \.note, giving: .count)
            let byNote = Dictionary(grouping: purchases.filter { $0.amount >= 0 }, by: \.note)
            #expect(notes.map(\.key) == byNote.keys.sorted { ($0 ?? "") < ($1 ?? "") || $0 == nil && $1 != nil })
            #expect(notes.map(\.values) == notes.map { byNote[$0.key]?.count ?? 0 })
        }
    }

    @Test("take not-a-number for one value and both zeros for one", arguments: TestStore.all)
    func notANumber(_ store: TestStore) throws {
        let place = try TestPlace(store, Purchase.self, Shopper.self)
        let writer = place.context()
        let weights: [Double?] = [
            .nan, 0, -0.0, nil, Double(nan: 7, signaling: false), 2, nil, -.nan, .infinity,
        ]
        for (serial, weight) in weights.enumerated() {
            let purchase = Purchase(serial)
            purchase.weight = weight
            writer.insert(purchase)
        }
        try writer.save()
        let context = place.context()
        let groups = try context.groups(FetchDescriptor<Purchase>(), by: \.weight, giving: .count)
        #expect(groups.map(\.values) == [2, 2, 1, 1, 3])
        #expect(zip(groups.map(\.key), [nil, 0, 2, .infinity, .nan] as [Double?]).allSatisfy { same($0, $1) })
        #expect(try context.distinctValues(of: \Purchase.weight, limit: 3) == [nil, 0, 2])
        let last = try context.distinctValues(of: \Purchase.weight, order: .reverse, limit: 2)
        #expect(same(last.first ?? nil, .nan) && last.last == .infinity)
    }

    @Test("by several keys, in a given order, of which a part", arguments: TestStore.all)
    func several(_ store: TestStore) throws {
        struct Key: Hashable {
            let kind: PurchaseKind
            let isPaid: Bool
        }
        let (place, _, purchases) = try PurchaseWorld.make(store)
        let context = place.context()
        let expected = Dictionary(grouping: purchases) { Key(kind: $0.kind, isPaid: $0.isPaid) }
            .sorted {
                let (a, b) = ($0.value.count, $1.value.count)
                if a != b { return a > b }
                let (left, right) = ($0.key.kind.rawValue, $1.key.kind.rawValue)
                return left == right ? !$0.key.isPaid && $1.key.isPaid : left < right
            }
        let groups = try context.groups(
            FetchDescriptor<Purchase>(), by: \.kind, \.isPaid, giving: .min(\.serial), .average(\.serial),
            order: [.value(.count, order: .reverse)])
        #expect(groups.map { Key(kind: $0.key.0, isPaid: $0.key.1) } == expected.map(\.key))
        #expect(groups.map(\.values.0) == expected.map { $0.value.map(\.serial).min() })
        let part = try context.groups(
            FetchDescriptor<Purchase>(), by: \.kind, \.isPaid, order: [.value(.count, order: .reverse)], limit: 2,
            offset: 1)
        #expect(part.map { Key(kind: $0.key.0, isPaid: $0.key.1) } == expected[1...2].map(\.key))
        let bySum = try context.groups(
            FetchDescriptor<Purchase>(), by: \.level, giving: .sum(\.price), order: [.value(.sum(\.price))])
        #expect(bySum.map(\.values) == bySum.map(\.values).sorted())
        #expect(bySum.count == 3)
        let byMean = try context.groups(
            FetchDescriptor<Purchase>(), by: \.mood, giving: .average(\.cost),
            order: [.value(.average(\.cost), order: .reverse)], limit: 2)
        let means = Dictionary(grouping: purchases, by: \.mood).values.map { group in
            group.reduce(Decimal(0)) { $0 + $1.cost } / Decimal(group.count)
        }
        #expect(byMean.map(\.values) == means.sorted(by: >).prefix(2).map { $0 })
        let none = try context.groups(FetchDescriptor<Purchase>(), by: \.kind, limit: 0)
        #expect(none.isEmpty)
        #expect(try context.groups(FetchDescriptor<Purchase>(), by: \.kind, offset: 5).isEmpty)
    }

    @Test("are ordered as people order text where that is asked for", arguments: TestStore.all)
    func localised(_ store: TestStore) throws {
        let (place, _, purchases) = try PurchaseWorld.make(store)
        let groups = try place.context().groups(
            FetchDescriptor<Purchase>(
                predicate: #Predicate { $0.title == "é10" || $0.title == "é2" || $0.title == "Z" }),
            by: \.title, order: [.key(\.title, comparison: .localizedStandard)])
        let titles = Set(purchases.map(\.title)).filter { ["é10", "é2", "Z"].contains($0) }
        #expect(groups.map(\.key) == titles.sorted { $0.localizedStandardCompare($1) == .orderedAscending })
    }

    @Test("by a link have models as keys", arguments: TestStore.all)
    func links(_ store: TestStore) throws {
        let (place, _, purchases) = try PurchaseWorld.make(store)
        let expected = Dictionary(grouping: purchases) { $0.shopper?.persistentModelID }
        for context in [place.context()] {
            let groups = try context.groups(FetchDescriptor<Purchase>(), by: \.shopper, giving: .count)
            #expect(Set(groups.map { $0.key?.persistentModelID }) == Set(expected.keys))
            for group in groups {
                #expect(group.values == expected[group.key?.persistentModelID]?.count)
                if let key = group.key { #expect(key.modelContext == context && !key.name.isEmpty) }
            }
            let names = try context.distinctValues(of: \Purchase.shopper?.name)
            #expect(names == [nil, "Ann", "bea"])
            let new = Shopper("new", age: 1)
            let one = try #require(try context.all(Purchase.self, where: #Predicate { $0.serial == 3 }).first)
            one.shopper = new
            let after = try context.groups(FetchDescriptor<Purchase>(), by: \.shopper, giving: .count)
            #expect(after.first { $0.key === new }?.values == 1)
            #expect(after.reduce(0) { $0 + $1.values } == purchases.count)
        }
    }

    @Test("by structures and computed properties are read from the models", arguments: TestStore.all)
    func structures(_ store: TestStore) throws {
        let (place, _, purchases) = try PurchaseWorld.make(store)
        let context = place.context()
        let groups = try context.groups(FetchDescriptor<Purchase>(), by: \.parcel, giving: .count)
        let expected = Dictionary(grouping: purchases, by: \.parcel)
        #expect(groups.count == expected.count)
        for group in groups { #expect(group.values == expected[group.key]?.count) }
        #expect(try context.distinctValues(of: \Purchase.parcel.city) == ["Oslo", "Rome"])
        #expect(try context.distinctValues(of: \Purchase.twice, limit: 3) == [0, 2, 4])
    }

    @Test("give the distinct values of properties", arguments: TestStore.all)
    func distinct(_ store: TestStore) throws {
        let (place, _, purchases) = try PurchaseWorld.make(store)
        for context in try place.newContexts() {
            #expect(try context.distinctValues(of: \Purchase.amount) == Set(purchases.map(\.amount)).sorted())
            #expect(
                try context.distinctValues(of: \Purchase.title, order: .reverse)
                    == Set(purchases.map(\.title)).sorted(by: >))
            #expect(
                try context.distinctValues(of: \Purchase.title, limit: 3, offset: 1)
                    == Array(Set(purchases.map(\.title)).sorted()[1...3]))
            #expect(try context.distinctValues(of: \Purchase.big) == Set(purchases.map(\.big)).sorted())
            #expect(try context.distinctValues(of: \Purchase.cost) == Set(purchases.map(\.cost)).sorted())
            #expect(
                try context.distinctValues(of: \Purchase.isPaid, where: #Predicate { $0.isPaid }) == [true])
            let days = try context.distinctValues(of: \Purchase.day)
            #expect(days == [nil] + Set(purchases.compactMap(\.day)).sorted().map { $0 })
            let pairs = try context.distinctValues(FetchDescriptor<Purchase>(), of: \.day, \.note, order: .reverse)
            #expect(Set(pairs.map { "\($0)" }) == Set(purchases.map { "\(($0.day, $0.note))" }))
            #expect(pairs.first?.0 == .distantFuture && pairs.last?.0 == nil)
        }
    }

    @Test("say what they cannot be ordered or grouped by", arguments: TestStore.all)
    func unsupported(_ store: TestStore) throws {
        let (place, _, _) = try PurchaseWorld.make(store, count: 1)
        let context = place.context()
        #expect(throws: SwiftDataError.unsupportedSortDescriptor) {
            _ = try context.groups(FetchDescriptor<Purchase>(), by: \.kind, order: [.key(\.title)])
        }
        #expect(throws: SwiftDataError.unsupportedKeyPath) {
            _ = try context.groups(FetchDescriptor<Shopper>(), by: \.purchases)
        }
    }
}
