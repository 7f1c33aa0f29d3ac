/// Values worked out of many rows, in terms that no store has to know Swift types for: a sum, a largest value, the
/// distinct values of a property, or such values for each group of rows.
///
/// The meaning is that of a loop over plain objects:
///
/// - Nil is left out of every function but ``AggregateFunction/count`` of rows; it is a key like any other.
/// - Keys are told apart as Swift's `==` tells values apart, with one exception: not-a-number makes one group.
/// - A sum is that of the exact values, rounded once at the end; it does not depend on the order of the rows. See
///   ``AggregateSum``.
/// - The least and the largest value are the first and the last in the order in which a fetch sorts: not-a-number
///   stands behind all numbers.
public struct AggregatePlan: Hashable, Sendable {
    /// The rows that count. An order matters only where there is a page.
    public var rows: FetchPlan
    /// What the rows of a group have in common; without keys all rows are one group, which is there even if it is empty.
    public var keys: [FilterExpression]
    /// What is worked out for each group.
    public var columns: [AggregateColumn]
    /// The order of the groups; ties are in ascending order of their keys, the first key first.
    public var order: [AggregateOrder]
    /// The page of the groups.
    public var limit: Int?
    /// How many groups are left out at the beginning of the order.
    public var offset: Int
    /// Whether sums are wanted as ``AggregateSum``, to be added to; the plan has then neither order nor page.
    public var isPartial: Bool

    /// Makes a plan.
    ///
    /// - Parameters:
    ///   - rows: which rows count; the plan's own order and page say so where it has a limit or an offset.
    ///   - keys: what the rows are grouped by; none for one group of all rows.
    ///   - columns: what is worked out for each group.
    ///   - order: the order of the groups.
    ///   - limit: how many groups are wanted; nil for all.
    ///   - offset: how many are left out at the beginning.
    ///   - isPartial: whether sums are wanted as ``AggregateSum``.
    public init(
        rows: FetchPlan, keys: [FilterExpression] = [], columns: [AggregateColumn] = [], order: [AggregateOrder] = [],
        limit: Int? = nil, offset: Int = 0, isPartial: Bool = false
    ) {
        self.rows = rows
        self.keys = keys
        self.columns = columns
        self.order = order
        self.limit = limit
        self.offset = offset
        self.isPartial = isPartial
    }

    /// The same for other expressions; for stores that lay rows out differently.
    public func mapping(_ body: (FilterExpression) -> FilterExpression) -> AggregatePlan {
        var copy = self
        copy.keys = keys.map(body)
        copy.columns = columns.map { column in
            AggregateColumn(column.function, column.value.map(body), number: column.number)
        }
        return copy
    }

    /// All expressions that are worked out for each row.
    public var expressions: [FilterExpression] { keys + columns.compactMap(\.value) }

    /// Whether only rows are counted, all in one group.
    public var isMereCount: Bool {
        keys.isEmpty && columns.allSatisfy { $0.function == .count && $0.value == nil }
    }
}

/// What is done with the values of many rows.
public enum AggregateFunction: String, Hashable, Sendable {
    /// The number of values, or of rows.
    case count
    /// The sum; zero of no values.
    case sum
    /// The sum divided by the number; nil of no values.
    case average
    /// The least value; nil of no values.
    case min
    /// The largest value; nil of no values.
    case max
}

/// One value that is worked out of many rows.
public struct AggregateColumn: Hashable, Sendable {
    /// What is worked out.
    public var function: AggregateFunction
    /// The value of each row; nil where rows are counted.
    public var value: FilterExpression?
    /// The Swift type of the values, where they are added up.
    public var number: FilterNumber?

    /// Makes a column.
    ///
    /// - Parameters:
    ///   - function: what is worked out.
    ///   - value: the value of each row; nil where rows are counted.
    ///   - number: the Swift type of the values, where they are added up.
    public init(_ function: AggregateFunction, _ value: FilterExpression? = nil, number: FilterNumber? = nil) {
        self.function = function
        self.value = value
        self.number = number
    }
}

/// One key of the order of groups.
public struct AggregateOrder: Hashable, Sendable {
    /// What is compared.
    public enum Source: Hashable, Sendable {
        /// A key, by its place among the keys.
        case key(Int)
        /// A value, by its place among the columns.
        case column(Int)
    }

    /// What the groups are ordered by.
    public var source: Source
    /// Whether the greatest comes first.
    public var isDescending: Bool
    /// How values are compared.
    public var comparison: SortKey.Comparison

    /// Makes an order.
    ///
    /// - Parameters:
    ///   - source: what the groups are ordered by.
    ///   - isDescending: whether the greatest comes first.
    ///   - comparison: how values are compared.
    public init(_ source: Source, isDescending: Bool = false, comparison: SortKey.Comparison = .standard) {
        self.source = source
        self.isDescending = isDescending
        self.comparison = comparison
    }
}

/// A group of rows: its keys, and the values that were worked out for it.
public struct AggregateRow: Hashable, Sendable {
    /// One value of a group.
    public enum Value: Hashable, Sendable {
        /// A value as a store keeps such.
        ///
        /// A sum that is no number of its type any more is ``StoredValue/null``.
        case value(StoredValue)
        /// A sum that can be added to.
        case sum(AggregateSum)
    }

    /// What the rows of the group have in common, in the order of the plan's keys.
    public var keys: [StoredValue]
    /// What was worked out, in the order of the plan's columns.
    public var values: [Value]

    /// Makes the row of a group.
    ///
    /// - Parameters:
    ///   - keys: what the rows of the group have in common.
    ///   - values: what was worked out, one for each column of the plan.
    public init(keys: [StoredValue], values: [Value]) {
        self.keys = keys
        self.values = values
    }
}

extension AggregatePlan: CustomStringConvertible {
    /// The plan on one line: `Trip by $0.country: count, sum($0.cost) sort -1 limit 10`.
    public var description: String {
        var text = rows.description
        if !keys.isEmpty { text += " by " + keys.map(\.description).joined(separator: ", ") }
        if !columns.isEmpty { text += ": " + columns.map(\.description).joined(separator: ", ") }
        if !order.isEmpty { text += " order " + order.map(\.description).joined(separator: ", ") }
        if let limit { text += " limit \(limit)" }
        if offset > 0 { text += " offset \(offset)" }
        return text
    }
}

extension AggregateColumn: CustomStringConvertible {
    public var description: String { function.rawValue + (value.map { "(\($0))" } ?? "") }
}

extension AggregateOrder: CustomStringConvertible {
    public var description: String {
        let name =
            switch source {
            case .key(let index): "key \(index)"
            case .column(let index): "value \(index)"
            }
        return (isDescending ? "-" : "") + name + (comparison == .standard ? "" : " " + comparison.rawValue)
    }
}
