import Coffer
import Foundation

enum PurchaseKind: String, Codable { case food, tools, books }

/// An order that is that of the raw values, and known to be since the cases are listed.
enum PurchaseLevel: Int, Codable, Comparable, CaseIterable {
    case low = 1
    case middle, high
    static func < (left: PurchaseLevel, right: PurchaseLevel) -> Bool { left.rawValue < right.rawValue }
}

/// An order that is not that of the raw values.
enum PurchaseMood: String, Codable, Comparable {
    case good, fair, bad
    private var place: Int { self == .bad ? 0 : self == .fair ? 1 : 2 }
    static func < (left: PurchaseMood, right: PurchaseMood) -> Bool { left.place < right.place }
}

struct PurchaseParcel: Codable, Hashable {
    var city: String
    var stages: Int
}

@Model final class Shopper {
    var name: String
    var age: Int
    @Relationship(deleteRule: .nullify, inverse: \Purchase.shopper) var purchases: [Purchase] = []
    init(_ name: String, age: Int) {
        self.name = name
        self.age = age
    }
}

@Model final class Purchase {
    #Index<Purchase>([\.amount], [\.title], [\.weight], [\.day, \.note])
    var serial: Int
    var amount: Int
    var price: Double
    var weight: Double?
    var cost: Decimal
    var title: String
    var note: String?
    var small: Int8
    var big: UInt64
    var ratio: Float
    var day: Date?
    var isPaid: Bool
    var kind: PurchaseKind
    var level: PurchaseLevel
    var mood: PurchaseMood?
    var parcel: PurchaseParcel
    var shopper: Shopper?

    var twice: Int { serial * 2 }

    init(_ serial: Int, title: String = "", amount: Int = 0, price: Double = 0, cost: Decimal = 0) {
        self.serial = serial
        self.amount = amount
        self.price = price
        self.cost = cost
        self.title = title
        small = 0
        big = 0
        ratio = 0
        isPaid = false
        kind = .food
        level = .low
        parcel = PurchaseParcel(city: "", stages: 0)
    }
}

/// Purchases with everything that is hard to compare and to add up, the same for the same seed.
struct PurchaseWorld {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }

    mutating func pick<T>(_ values: [T]) -> T { values[Int(next() % UInt64(values.count))] }

    static let titles = [
        "", "a", "Z", "z", "e\u{301}", "\u{E9}", "é2", "é10", "x\0y", "x", "👩‍👩‍👧", "ß", "ss", "\u{1F600}",
    ]
    static let reals: [Double] = [
        0, -0.0, 1, -1, 0.1, 0.2, 0.3, 1e16, -1e16, 1e300, -1e300, Double.leastNonzeroMagnitude, 1.5, .pi,
    ]
    static let hardReals: [Double] = reals + [.nan, .infinity]
    static let decimals = ["0", "0.1", "-0.1", "12345678901234567890.123456789", "-7", "1e-30", "99999999999999999999"]
        .compactMap { Decimal(string: $0) }

    mutating func purchase(_ serial: Int, _ shoppers: [Shopper]) -> Purchase {
        let purchase = Purchase(
            serial, title: pick(Self.titles), amount: Int(next() % 7) - 3, price: pick(Self.reals),
            cost: pick(Self.decimals))
        purchase.weight = pick([nil, nil] + Self.hardReals.map { $0 })
        purchase.note = pick([nil, nil, nil] + Self.titles.map { $0 })
        purchase.small = Int8(next() % 5) - 2
        purchase.big = pick([0, 1, UInt64(Int64.max), UInt64(Int64.max) + 1])
        purchase.ratio = pick([0, 0.1, -2.5, 1e10])
        purchase.day = pick([nil, Date(timeIntervalSinceReferenceDate: 0.5), .distantPast, .distantFuture])
        purchase.isPaid = next() % 2 == 0
        purchase.kind = pick([.food, .tools, .books])
        purchase.level = pick(PurchaseLevel.allCases)
        purchase.mood = pick([nil, .good, .fair, .bad])
        purchase.parcel = PurchaseParcel(city: pick(["Rome", "Oslo"]), stages: Int(next() % 4))
        purchase.shopper = pick([nil] + shoppers.map { $0 })
        return purchase
    }

    /// Purchases of three shoppers in a fresh place, saved.
    static func make(
        _ store: TestStore, count: Int = 90, seed: UInt64 = 1
    ) throws -> (place: TestPlace, context: ModelContext, purchases: [Purchase]) {
        let place = try TestPlace(store, Purchase.self, Shopper.self)
        let context = place.context()
        let shoppers = [Shopper("Ann", age: 30), Shopper("bea", age: 41), Shopper("Ann", age: -5)]
        var world = PurchaseWorld(seed: seed)
        var purchases: [Purchase] = []
        for shopper in shoppers { context.insert(shopper) }
        for serial in 0..<count {
            let purchase = world.purchase(serial, shoppers)
            context.insert(purchase)
            purchases.append(purchase)
        }
        try context.save()
        return (place, context, purchases)
    }
}

/// The number nearest to the exact sum, by partial sums that do not overlap: another way than the one that is tested.
func exactSum(_ numbers: [Double]) -> Double {
    if let special = numbers.first(where: { !$0.isFinite }) {
        return numbers.filter { !$0.isFinite }.allSatisfy { $0 == special } ? special : .nan
    }
    var partials: [Double] = []
    for number in numbers {
        var x = number
        var kept: [Double] = []
        for partial in partials {
            let (large, small) = x.magnitude < partial.magnitude ? (partial, x) : (x, partial)
            let high = large + small
            let low = small - (high - large)
            if low != 0 { kept.append(low) }
            x = high
        }
        partials = kept + [x]
    }
    // From the largest on, until something is lost; then halves are rounded as what is left says.
    var high = partials.popLast() ?? 0
    while let partial = partials.popLast() {
        let before = high
        high = before + partial
        let low = partial - (high - before)
        if low != 0 {
            if let rest = partials.last, (low < 0) == (rest < 0) {
                let twice = low * 2
                let up = high + twice
                if twice == up - high { high = up }
            }
            break
        }
    }
    return high
}

/// The first or the last value as fetches sort: not-a-number behind all numbers.
func extreme(_ numbers: [Double], isLargest: Bool) -> Double? {
    let real = numbers.filter { !$0.isNaN }
    if isLargest { return real.count < numbers.count ? .nan : real.max() }
    return real.min() ?? numbers.first
}

/// Whether two numbers are the same, not-a-number included.
func same(_ left: Double?, _ right: Double?) -> Bool {
    guard let left, let right else { return left == nil && right == nil }
    return left == right || left.isNaN && right.isNaN
}
