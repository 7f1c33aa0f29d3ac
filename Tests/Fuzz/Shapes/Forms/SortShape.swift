import Coffer
import Foundation

/// An order, as sort descriptors and as a comparison of plain values: negative where the left comes first.
public struct SortShape: Sendable {
    public let name: String
    let descriptors: @Sendable () -> [SortDescriptor<Thing>]
    let compare: @Sendable (PlainThing, PlainThing) -> Int

    /// Sorts; rows that are equal stay in order.
    func sorted(_ things: [PlainThing]) -> [PlainThing] {
        things.enumerated().sorted { left, right in
            let order = compare(left.element, right.element)
            return order == 0 ? left.offset < right.offset : order < 0
        }.map(\.element)
    }

    /// Nil first, as Foundation sorts; not-a-number behind all numbers.
    private static func order<T: Comparable>(_ left: T?, _ right: T?) -> Int {
        guard let left, let right else { return (left == nil ? 0 : 1) - (right == nil ? 0 : 1) }
        if left < right { return -1 }
        if right < left { return 1 }
        if left == right { return 0 }
        return (left == left ? 0 : 1) - (right == right ? 0 : 1)
    }

    private static func order(_ left: String?, _ right: String?, by compare: (String, String) -> ComparisonResult)
        -> Int
    {
        guard let left, let right else { return (left == nil ? 0 : 1) - (right == nil ? 0 : 1) }
        return left == right ? 0 : compare(left, right).rawValue
    }

    private static func by<T: Comparable & SendableMetatype>(
        _ name: String, _ path: KeyPath<Thing, T> & Sendable, _ value: @escaping @Sendable (PlainThing) -> T
    ) -> [SortShape] {
        [
            SortShape(name: name, descriptors: { [SortDescriptor(path)] }, compare: { order(value($0), value($1)) }),
            SortShape(
                name: "-" + name, descriptors: { [SortDescriptor(path, order: .reverse)] },
                compare: { order(value($1), value($0)) }),
        ]
    }

    private static func by<T: Comparable & SendableMetatype>(
        _ name: String, _ path: KeyPath<Thing, T?> & Sendable, _ value: @escaping @Sendable (PlainThing) -> T?
    ) -> [SortShape] {
        [
            SortShape(name: name, descriptors: { [SortDescriptor(path)] }, compare: { order(value($0), value($1)) }),
            SortShape(
                name: "-" + name, descriptors: { [SortDescriptor(path, order: .reverse)] },
                compare: { order(value($1), value($0)) }),
        ]
    }

    public static let all: [SortShape] = composed + simple

    private static let composed: [SortShape] = [
        SortShape(name: "none", descriptors: { [] }, compare: { _, _ in 0 }),
        SortShape(
            name: "level, -count, name",
            descriptors: {
                [SortDescriptor(\.level), SortDescriptor(\.count, order: .reverse), SortDescriptor(\.name)]
            },
            compare: { a, b in
                [order(a.level, b.level), order(b.count, a.count), order(a.name, b.name)].first { $0 != 0 } ?? 0
            }),
        SortShape(
            name: "owner.boss.name, -price",
            descriptors: { [SortDescriptor(\.owner?.boss?.name), SortDescriptor(\.price, order: .reverse)] },
            compare: { a, b in
                [order(a.owner?.boss?.name, b.owner?.boss?.name), order(b.price, a.price)].first { $0 != 0 } ?? 0
            }),
        SortShape(
            name: "name as listed",
            descriptors: { [SortDescriptor(\.name, comparator: .localizedStandard)] },
            compare: { a, b in order(a.name, b.name) { $0.composed.localizedStandardCompare($1.composed) } }),
        SortShape(
            name: "-note in locale",
            descriptors: { [SortDescriptor(\.note, comparator: .localized, order: .reverse)] },
            compare: { a, b in order(b.note, a.note) { $0.composed.localizedCompare($1.composed) } }),
    ]

    private static let simple: [SortShape] = {
        var list: [SortShape] = []
        list += by("count", \.count) { $0.count }
        list += by("size", \.size) { $0.size }
        list += by("small", \.small) { $0.small }
        list += by("big", \.big) { $0.big }
        list += by("price", \.price) { $0.price }
        list += by("rating", \.rating) { $0.rating }
        list += by("ratio", \.ratio) { $0.ratio }
        list += by("made", \.made) { $0.made }
        list += by("due", \.due) { $0.due }
        list += by("mass", \.mass) { $0.mass }
        list += by("name", \.name) { $0.name }
        list += by("note", \.note) { $0.note }
        list += by("code", \.code) { $0.code }
        list += by("level", \.level) { $0.level }
        list += by("base.x", \.base.x) { $0.base.x }
        list += by("owner.age", \.owner?.age) { $0.owner?.age }
        list += by("owner.city", \.owner?.city) { $0.owner?.city }
        return list
    }()
}
