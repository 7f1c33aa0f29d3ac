import Coffer
import Foundation
import Testing

@Suite("Sums of extremes")
struct ExtremeSumTests {
    static func context(
        _ store: TestStore, _ count: Int, _ change: (Int, Purchase) -> Void
    ) throws -> (TestPlace, ModelContext) {
        let place = try TestPlace(store, Purchase.self, Shopper.self)
        let context = place.context()
        for serial in 0..<count {
            let purchase = Purchase(serial)
            change(serial, purchase)
            context.insert(purchase)
        }
        try context.save()
        return (place, place.context())
    }

    @Test("fit where only parts of them overflow", arguments: TestStore.all)
    func partsOverflow(_ store: TestStore) throws {
        let amounts = [Int.max, Int.max, -Int.max, 5, -Int.max, Int.min, Int.max]
        let (_, context) = try Self.context(store, amounts.count) { $1.amount = amounts[$0] }
        #expect(try context.sum(of: \Purchase.amount) == 4)
        #expect(try context.maximum(of: \Purchase.amount) == Int.max)
        #expect(try context.minimum(of: \Purchase.amount) == Int.min)
    }

    @Test("throw where they are no number of their type", arguments: TestStore.all)
    func overflow(_ store: TestStore) throws {
        let (_, context) = try Self.context(store, 3) { serial, purchase in
            purchase.amount = serial == 0 ? 1 : Int.max / (serial == 1 ? 1 : 2)
            purchase.small = -100
            purchase.big = .max
        }
        #expect(throws: SwiftDataError.arithmeticOverflow) { try context.sum(of: \Purchase.amount) }
        #expect(throws: SwiftDataError.arithmeticOverflow) { try context.sum(of: \Purchase.small) }
        #expect(throws: SwiftDataError.arithmeticOverflow) { try context.sum(of: \Purchase.big) }
        #expect(try context.average(of: \Purchase.small) == -100)
        #expect(try context.average(of: \Purchase.big) == Double(UInt64.max))
        #expect(try context.sum(of: \Purchase.big, where: #Predicate { $0.serial == 1 }) == .max)
        do {
            _ = try context.sum(of: \Purchase.amount)
        } catch let error as SwiftDataError {
            #expect(error.entity == "Purchase" && error.property == "amount")
        }
        // Groups that fit are not harmed by others that do not.
        let groups = try context.groups(
            FetchDescriptor<Purchase>(), by: \.serial, giving: .sum(\.big), order: [.value(.sum(\.big))])
        #expect(groups.map(\.values) == [.max, .max, .max])
    }

    @Test("of floating-point numbers are rounded once, in whichever order they come", arguments: TestStore.all)
    func reals(_ store: TestStore) throws {
        let prices = [1e16, 1, -1e16, 1e308, 1e308, -1e308, -1e308, 0.1, .leastNonzeroMagnitude]
        let (_, context) = try Self.context(store, prices.count) { $1.price = prices[$0] }
        #expect(try context.sum(of: \Purchase.price) == 1.1)
        let large = #Predicate<Purchase> { $0.price > 1e300 }
        #expect(try context.sum(of: \Purchase.price, where: large) == .infinity)
        #expect(try context.average(of: \Purchase.price, where: large) == 1e308)
        let least = try context.sum(of: \Purchase.price, where: #Predicate { $0.serial == 8 })
        #expect(least == .leastNonzeroMagnitude)
    }

    @Test("with not-a-number and infinities are what these make of them", arguments: TestStore.all)
    func special(_ store: TestStore) throws {
        let weights: [Double?] = [1, .infinity, nil, -.infinity, .nan, 2]
        let (_, context) = try Self.context(store, weights.count) { $1.weight = weights[$0] }
        func sum(_ serials: Set<Int>) throws -> Double {
            try context.sum(of: \Purchase.weight, where: #Predicate { serials.contains($0.serial) })
        }
        #expect(try sum([0, 1, 2]) == .infinity)
        #expect(try sum([0, 3]) == -.infinity)
        #expect(try sum([1, 3]).isNaN)
        #expect(try sum([0, 4]).isNaN)
        #expect(try sum([2]) == 0)
        let average = try context.average(of: \Purchase.weight, where: #Predicate { $0.serial == 2 })
        #expect(average == nil)
        #expect(try context.minimum(of: \Purchase.weight) == -.infinity)
        #expect(try context.maximum(of: \Purchase.weight)?.isNaN == true)
    }

    @Test("of decimals are exact", arguments: TestStore.all)
    func decimals(_ store: TestStore) throws {
        let large = try #require(Decimal(string: "99999999999999999999999999999999999999"))
        let tiny = try #require(Decimal(string: "0.00000000000000000000000000001"))
        let costs = [large, tiny, -large, Decimal.greatestFiniteMagnitude, -Decimal.greatestFiniteMagnitude, tiny]
        let (_, context) = try Self.context(store, costs.count) { $1.cost = costs[$0] }
        #expect(try context.sum(of: \Purchase.cost) == tiny + tiny)
        #expect(try context.sum(of: \Purchase.cost, where: #Predicate { $0.serial == 3 }) == .greatestFiniteMagnitude)
        #expect(try context.average(of: \Purchase.cost, where: #Predicate { $0.serial < 2 }) != nil)
        let (_, twice) = try Self.context(store, 2) { $1.cost = .greatestFiniteMagnitude }
        #expect(throws: SwiftDataError.arithmeticOverflow) { try twice.sum(of: \Purchase.cost) }
        let average = try #require(try twice.average(of: \Purchase.cost))
        #expect(average > Decimal.greatestFiniteMagnitude * Decimal(string: "0.999999")!)
        let (_, third) = try Self.context(store, 3) { $1.cost = $0 == 0 ? 1 : 0 }
        #expect(try third.average(of: \Purchase.cost) == Decimal(1) / Decimal(3))
        let (_, nan) = try Self.context(store, 2) { $1.cost = $0 == 0 ? .nan : 1 }
        #expect(try nan.sum(of: \Purchase.cost).isNaN)
    }
}
