import Foundation

/// A condition with captured values yet to be drawn, as a predicate and as a closure over plain values.
///
/// The closure gives nil where the predicate is unknown: where Swift would stop, at an overflow for instance. Such a row
/// does not match.
public struct PredicateShape: Sendable {
    public let name: String
    /// Draws captured values.
    let draw: @Sendable (inout Random) -> Condition

    /// A shape whose captured values were drawn.
    struct Condition {
        let values: String
        let predicate: Predicate<Thing>
        let matches: (PlainThing) -> Bool?
    }

    /// The answers that plain Swift gives to draws at random: a shape that always says the same tests little.
    public func answers(worlds: Int, draws: Int) -> Set<Bool?> {
        var found: Set<Bool?> = []
        for seed in 0..<worlds {
            var random = Random(seed: UInt64(seed))
            let things = ShapeWorld(&random, things: 40).objects()
            for _ in 0..<draws {
                let condition = draw(&random)
                found.formUnion(things.map(condition.matches))
            }
            things.forEach { $0.unlink() }
        }
        return found
    }
}

/// The shapes, in the order in which they were written.
public struct ShapeList {
    public private(set) var shapes: [PredicateShape] = []
    /// What stands in front of the names.
    var prefix = ""

    init() {}

    /// Adds a shape with captured values.
    ///
    /// - Parameters:
    ///   - draw: what the captured values are drawn from.
    ///   - predicate: the condition as a predicate.
    ///   - matches: the same as a closure.
    mutating func callAsFunction<V>(
        _ name: String, _ draw: Draw<V>, _ predicate: @escaping @Sendable (V) -> Predicate<Thing>,
        is matches: @escaping @Sendable (PlainThing, V) -> Bool?
    ) {
        shapes.append(
            PredicateShape(name: prefix + name) { random in
                let value = draw.value(&random)
                return PredicateShape.Condition(
                    values: draw.hasValue ? "\(value)" : "", predicate: predicate(value),
                    matches: { matches($0, value) })
            })
    }

    /// Adds a shape without captured values.
    mutating func callAsFunction(
        _ name: String, _ predicate: @escaping @Sendable () -> Predicate<Thing>,
        is matches: @escaping @Sendable (PlainThing) -> Bool?
    ) {
        self(name, Draw<Bool>(hasValue: false) { _ in true }, { _ in predicate() }, is: { thing, _ in matches(thing) })
    }
}

/// What captured values are drawn from.
struct Draw<Value>: Sendable {
    var hasValue = true
    let value: @Sendable (inout Random) -> Value
}

extension Draw {
    /// Two values.
    static func two<A, B>(_ a: Draw<A>, _ b: Draw<B>) -> Draw<(A, B)> where Value == (A, B) {
        Draw<(A, B)> { (a.value(&$0), b.value(&$0)) }
    }

    /// A value, or nil.
    static func maybe<A>(_ draw: Draw<A>) -> Draw<A?> where Value == A? {
        Draw<A?> { $0.oneIn(3) ? nil : draw.value(&$0) }
    }

    /// A few values, or none.
    static func list<A>(_ draw: Draw<A>) -> Draw<[A]> where Value == [A] {
        Draw<[A]> { random in (0..<random.below(5)).map { _ in draw.value(&random) } }
    }

    fileprivate static func pool(_ values: @autoclosure @escaping @Sendable () -> [Value]) -> Draw {
        Draw { $0.pick(values()) }
    }
}

extension Draw where Value == Int {
    static var int: Draw { pool(Pool.integers) }
    /// A count.
    static var few: Draw { pool([0, 1, 2, 3, -1]) }
}
extension Draw where Value == String { static var text: Draw { pool(Pool.texts) } }
extension Draw where Value == Double { static var real: Draw { pool(Pool.reals) } }
extension Draw where Value == Date { static var date: Draw { pool(Pool.dates) } }
extension Draw where Value == Decimal { static var decimal: Draw { pool(Pool.decimals) } }
extension Draw where Value == UUID { static var code: Draw { pool(Pool.codes) } }
extension Draw where Value == Data { static var blob: Draw { pool(Pool.blobs) } }
extension Draw where Value == URL { static var link: Draw { pool(Pool.links) } }
extension Draw where Value == UInt64 { static var big: Draw { pool(Pool.bigs) } }
extension Draw where Value == Int8 { static var small: Draw { pool(Pool.smalls) } }
extension Draw where Value == Float { static var ratio: Draw { pool(Pool.floats) } }
extension Draw where Value == Bool { static var bool: Draw { pool([true, false]) } }
extension Draw where Value == Kind { static var kind: Draw { pool(Kind.allCases) } }
extension Draw where Value == Level { static var level: Draw { pool(Level.allCases) } }
extension Draw where Value == Mood { static var mood: Draw { pool(Pool.moods) } }
extension Draw where Value == Spot { static var spot: Draw { Draw { $0.spot() } } }
extension Draw where Value == ClosedRange<Int> {
    static var range: Draw {
        Draw { random in
            let (a, b) = (random.pick(Pool.integers), random.pick(Pool.integers))
            return min(a, b)...max(a, b)
        }
    }
}
