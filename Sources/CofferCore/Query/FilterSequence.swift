/// What a quantifier goes through: related rows, the values of a stored collection, or captured values; or only those
/// of them that meet conditions.
public struct FilterSequence: Hashable, Sendable {
    /// Where the elements come from.
    public indirect enum Source: Hashable, Sendable {
        /// The rows of a to-many relationship. A path that meets nil gives none.
        case rows(FilterPath)
        /// The elements of a collection that is kept as a JSON array; nil has none.
        case stored(FilterExpression, FilterCoding)
        /// Values captured by the predicate.
        case captured(FilterList)
        /// Those of the elements of a sequence that stand from one offset up to, but not including, another; unknown
        /// where the sequence is shorter. The variable is that of the sequence.
        case slice(FilterSequence, FilterExpression, FilterExpression)
    }

    /// Where the elements come from.
    public let source: Source
    /// What stands for an element in the conditions.
    public let variable: FilterVariable
    /// What elements must meet to count, all of it.
    public var conditions: [FilterExpression]

    /// Makes a sequence.
    ///
    /// - Parameters:
    ///   - source: where the elements come from.
    ///   - variable: what stands for an element in the conditions.
    ///   - conditions: what elements must meet to count, all of it.
    public init(_ source: Source, variable: FilterVariable, conditions: [FilterExpression] = []) {
        self.source = source
        self.variable = variable
        self.conditions = conditions
    }

    /// The to-many relationship whose rows these are; nil for values.
    public var path: FilterPath? {
        switch source {
        case .rows(let path): path
        case .slice(let whole, _, _): whole.path
        case .stored, .captured: nil
        }
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
            case .slice(let whole, let lower, let upper): "\(whole)[\(lower)..<\(upper)]"
            }
        if conditions.isEmpty { return name }
        return name + "{" + conditions.map(\.description).joined(separator: "; ") + "}"
    }
}
