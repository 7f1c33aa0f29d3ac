import Foundation

/// A generator that gives the same numbers for the same seed.
public struct Random: RandomNumberGenerator {
    private var state: UInt64

    public init(seed: UInt64) {
        // Seeds that follow each other shall not give similar numbers.
        state = seed &* 0x9E37_79B9_7F4A_7C15 ^ 0xD1B5_4A32_D192_ED03
        _ = next()
    }

    public mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// A number below another.
    public mutating func below(_ end: Int) -> Int { Int(next() % UInt64(max(end, 1))) }

    /// True once in so many times.
    public mutating func oneIn(_ times: Int) -> Bool { below(times) == 0 }

    public mutating func pick<T>(_ values: [T]) -> T { values[below(values.count)] }

    /// Some of the values, in their order.
    mutating func some<T>(_ values: [T], atMost most: Int) -> [T] {
        (0..<below(most + 1)).map { _ in pick(values) }
    }
}

/// The values that properties and captured constants are drawn from: few, so that they meet, and the odd ones among
/// them.
enum Pool {
    static let texts = [
        "", "a", "A", "ab", "abc", "Rome", "rome", "ROME", "\u{E9}", "e\u{301}", "\u{C9}ire", "E\u{301}ire", "e",
        "\u{DF}", "SS", "ss", "a%b", "a_b", "100%", "\0", "a\0b", "\u{1F600}",
        "\u{1F468}\u{200D}\u{1F469}\u{200D}\u{1F467}",
        "\u{1F468}", "I", "\u{131}", "\u{130}", " ", "z", "\u{FB01}", "fi", "a*b", "[a]", "\\", "'", "\"",
        "\u{1100}\u{1161}",
        "\u{AC00}", "caf\u{E9}", "cafe\u{301} noir", "a b", "Item 10", "Item 9", "\u{10FFFF}",
    ]
    static let integers = [-3, -2, -1, 0, 0, 1, 1, 2, 2, 3, 4, 5, 7, 10, 100, .max, .max - 1, .min, .min + 1]
    static let reals: [Double] = [
        0, -0.0, 1, -1, 0.5, 2, 2.5, 3, 1e9, 1e300, -1e300, .infinity, -.infinity, .nan, .leastNonzeroMagnitude,
        9_007_199_254_740_992, 0.1,
    ]
    static let dates =
        [0, 1, -0.001, 1000, 1e9, -1e9, 64_092_211_200].map(Date.init(timeIntervalSinceReferenceDate:))
        + [.distantPast, .distantFuture]
    static let decimals: [Decimal] = [
        "0", "1", "-1", "0.1", "0.10", "2.5", "99999999999999999999999999999999999999", "-0.000000000000000001",
        "1e100",
        "10", "9",
    ].map { Decimal(string: $0) ?? 0 }
    static let codes =
        (0..<5).compactMap { UUID(uuidString: "0000000\($0)-0000-4000-8000-00000000000F") }
        + [UUID(uuid: (255, 1, 0, 0, 0, 0, 0x40, 0, 0x80, 0, 0, 0, 0, 0, 0, 0))]
    static let blobs = [Data(), Data([0]), Data([0, 0]), Data([1, 2, 3]), Data([255]), Data("text".utf8)]
    static let links = ["https://example.org", "https://example.org/a?b=c#d", "file:///tmp/x", "relative"].compactMap {
        URL(string: $0)
    }
    static let bigs: [UInt64] = [0, 1, 2, 3, UInt64(Int64.max), UInt64(Int64.max) + 1, .max, .max - 1]
    static let smalls: [Int8] = [0, 1, 2, -1, .min, .max, 100]
    static let floats: [Float] = [0, -0.0, 1, 0.1, 2.5, .infinity, .nan, -3]
    static let moods: [Mood] = [.calm, .windy(0), .windy(3), .windy(.max)]
}

extension Random {
    mutating func maybe<T>(_ values: [T]) -> T? { oneIn(3) ? nil : pick(values) }

    mutating func spot() -> Spot {
        Spot(
            x: pick(Pool.integers), label: maybe(Pool.texts),
            // The codings that keep structures know no infinity.
            depth: Spot.Depth(feet: pick([0, -1, 0.5, 3, 1e9]), isSafe: oneIn(2)))
    }

    mutating func thing(_ no: Int) -> ThingRow {
        var row = ThingRow(
            no: no, name: pick(Pool.texts), note: maybe(Pool.texts), count: pick(Pool.integers),
            size: maybe(Pool.integers), small: pick(Pool.smalls), big: pick(Pool.bigs), price: pick(Pool.reals),
            rating: maybe(Pool.reals), ratio: pick(Pool.floats), made: pick(Pool.dates), due: maybe(Pool.dates),
            mass: pick(Pool.decimals), code: pick(Pool.codes), isOn: oneIn(2), flag: maybe([true, false]),
            kind: pick(Kind.allCases), prior: maybe(Kind.allCases), level: pick(Level.allCases), mood: pick(Pool.moods),
            data: pick(Pool.blobs), link: maybe(Pool.links), tags: some(Pool.texts, atMost: 3),
            nums: some(Pool.integers, atMost: 4), marks: some(Pool.reals.filter(\.isFinite), atMost: 3),
            kinds: some(Kind.allCases, atMost: 3), spot: oneIn(3) ? nil : spot(), base: spot(),
            extra: Dictionary(
                some(["a", "b", "", "\u{E9}"], atMost: 3).map { ($0, pick(Pool.integers)) },
                uniquingKeysWith: { $1 }))
        if oneIn(8) { row.spot = row.base }
        return row
    }

    mutating func owner(_ no: Int) -> OwnerRow {
        OwnerRow(no: no, name: pick(Pool.texts), city: maybe(Pool.texts), age: pick(Pool.integers))
    }

    mutating func piece(_ no: Int) -> PieceRow {
        PieceRow(no: no, name: pick(Pool.texts), weight: pick(Pool.integers), cost: maybe(Pool.reals))
    }

    mutating func mark(_ no: Int) -> MarkRow { MarkRow(no: no, text: pick(Pool.texts)) }
}
