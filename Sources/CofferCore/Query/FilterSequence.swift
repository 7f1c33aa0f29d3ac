/// What a quantifier goes through: related rows, the values of a stored collection, or captured values; or only those
/// of them that meet conditions.
public struct FilterSequence: Hashable, Sendable {
    /// Where the elements come from.
    public enum Source: Hashable, Sendable {
        /// The rows of a to-many relationship. A path that meets nil gives none.
        case rows(FilterPath)
        /// The elements of a collection that is kept as a JSON array; nil has none.
        case stored(FilterExpression, FilterCoding)
        /// Values captured by the predicate.
        case captured(FilterList)
    }

    public let source: Source
    /// What stands for an element in the conditions.
    public let variable: FilterVariable
    /// What elements must meet to count, all of it.
    public var conditions: [FilterExpression]

    public init(_ source: Source, variable: FilterVariable, conditions: [FilterExpression] = []) {
        self.source = source
        self.variable = variable
        self.conditions = conditions
    }

    /// The sequence of those elements that meet one more condition.
    public func `where`(_ condition: FilterExpression) -> FilterSequence {
        var copy = self
        copy.conditions.append(condition)
        return copy
    }
}

extension FilterSequence: CustomStringConvertible {
    /// The source, and the conditions in braces: `$0.stops{$1.days > 3}`.
    public var description: String {
        let name =
            switch source {
            case .rows(let path): path.description
            case .stored(let expression, _): expression.operand
            case .captured(let list): list.description
            }
        if conditions.isEmpty { return name }
        return name + "{" + conditions.map(\.description).joined(separator: "; ") + "}"
    }
}
