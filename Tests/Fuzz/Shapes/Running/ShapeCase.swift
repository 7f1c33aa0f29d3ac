import Coffer
import Foundation

/// A condition that is put together of shapes.
indirect enum ShapeTree {
    case shape(name: String, PredicateShape.Condition)
    case all([ShapeTree])
    case any([ShapeTree])
    case not(ShapeTree)

    /// A tree at random; half of them are a single shape.
    init(_ random: inout Random, _ shapes: [PredicateShape], depth: Int = 2) {
        switch depth == 0 ? 0 : random.below(8) {
        case 0...3:
            let shape = random.pick(shapes)
            self = .shape(name: shape.name, shape.draw(&random))
        case 4: self = .not(ShapeTree(&random, shapes, depth: depth - 1))
        case 5, 6: self = .all((0..<2 + random.below(2)).map { _ in ShapeTree(&random, shapes, depth: depth - 1) })
        default: self = .any((0..<2 + random.below(2)).map { _ in ShapeTree(&random, shapes, depth: depth - 1) })
        }
    }

    var parts: [ShapeTree] {
        switch self {
        case .shape: []
        case .all(let parts), .any(let parts): parts
        case .not(let part): [part]
        }
    }

    /// The part at a place such as `0.1`; nil where there is none.
    func part(at place: [Int]) -> ShapeTree? {
        guard let first = place.first else { return self }
        return parts.indices.contains(first) ? parts[first].part(at: Array(place.dropFirst())) : nil
    }

    var predicate: Predicate<Thing> {
        switch self {
        case .shape(_, let condition): condition.predicate
        case .all(let parts): Predicate(all: parts.map(\.predicate))
        case .any(let parts): Predicate(any: parts.map(\.predicate))
        case .not(let part): Predicate(not: part.predicate)
        }
    }

    /// What Swift makes of it over plain values; nil where that is unknown.
    func matches(_ thing: PlainThing) -> Bool? {
        switch self {
        case .shape(_, let condition): condition.matches(thing)
        case .all(let parts): parts.reduce(true) { both($0, $1.matches(thing)) }
        case .any(let parts): parts.reduce(false) { either($0, $1.matches(thing)) }
        case .not(let part): opposite(part.matches(thing))
        }
    }
}

extension ShapeTree: CustomStringConvertible {
    var description: String {
        switch self {
        case .shape(let name, let condition):
            condition.values.isEmpty ? "“\(name)”" : "“\(name)” with \(condition.values.debugDescription)"
        case .all(let parts): "all(" + parts.map(\.description).joined(separator: ", ") + ")"
        case .any(let parts): "any(" + parts.map(\.description).joined(separator: ", ") + ")"
        case .not(let part): "not(\(part))"
        }
    }
}

/// A fetch at random: a condition, an order and a page.
struct ShapeCase {
    var tree: ShapeTree
    var order: SortShape
    var limit: Int?
    var offset: Int

    init(seed: UInt64, number: Int, shapes: [PredicateShape]) {
        var random = Random(seed: seed &* 1_000_003 &+ UInt64(number))
        tree = ShapeTree(&random, shapes)
        // Each shape's turn comes by itself now and then, not only by chance.
        if number % 3 == 0 {
            let shape = shapes[number / 3 % shapes.count]
            tree = .shape(name: shape.name, shape.draw(&random))
        }
        order = random.pick(SortShape.all)
        limit = random.oneIn(3) ? random.below(12) : nil
        offset = random.oneIn(4) ? random.below(8) : 0
    }

    /// Drops order and page.
    mutating func stripPage() {
        order = SortShape.all[0]
        (limit, offset) = (nil, 0)
    }

    var descriptor: FetchDescriptor<Thing> {
        var descriptor = FetchDescriptor<Thing>(predicate: tree.predicate, sortBy: order.descriptors())
        descriptor.fetchLimit = limit
        if offset > 0 { descriptor.fetchOffset = offset }
        return descriptor
    }

    /// The numbers of the things that the fetch shall give.
    func expected(_ things: [PlainThing]) -> [Int] {
        let found = order.sorted(things.filter { tree.matches($0) == true }).dropFirst(offset)
        return found.prefix(limit ?? .max).map(\.row.no)
    }
}

extension ShapeCase: CustomStringConvertible {
    var description: String {
        "\(tree), by \(order.name)" + (limit.map { ", limit \($0)" } ?? "") + (offset > 0 ? ", offset \(offset)" : "")
    }
}
