import Foundation

/// The order in which fetches sort stored values: nil first, then numbers, not-a-number last of them, text by scalars,
/// bytes, links.
enum StoredOrder {
    /// Negative where the left value comes first, zero where neither does.
    static func compare(_ left: StoredValue, _ right: StoredValue) -> Int {
        switch (left, right) {
        case (.integer(let a), .integer(let b)): return order(a, b)
        case (.real(let a), .real(let b)):
            if a < b { return -1 }
            if a > b { return 1 }
            return a == b ? 0 : order(a.isNaN ? 1 : 0, b.isNaN ? 1 : 0)
        case (.text(let a), .text(let b)): return order(a, b)
        case (.unsigned(let a), .unsigned(let b)): return order(a, b)
        case (.blob(let a), .blob(let b)): return a == b ? 0 : a.lexicographicallyPrecedes(b) ? -1 : 1
        case (.reference(let a), .reference(let b)): return order(a, b)
        default: return order(rank(left), rank(right))
        }
    }

    /// The same with a comparison of text of its own.
    static func compare(_ left: StoredValue, _ right: StoredValue, _ comparison: SortKey.Comparison) -> Int {
        if let order = comparison.textOrder, case .text(let a) = left, case .text(let b) = right {
            return order.compare(a, b).rawValue
        }
        return compare(left, right)
    }

    private static func rank(_ value: StoredValue) -> Int {
        switch value {
        case .null: 0
        case .integer: 1
        case .unsigned: 2
        case .real(let number): number.isNaN ? 4 : 3
        case .text: 5
        case .blob: 6
        case .reference, .references: 7
        }
    }

    @inline(__always)
    private static func order<T: Comparable>(_ left: T, _ right: T) -> Int { left < right ? -1 : left == right ? 0 : 1 }
}
