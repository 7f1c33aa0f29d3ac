import Foundation

// Comparisons, connectives and arithmetic.

extension LoweringScope {
    /// A comparison of two expressions of one Swift type.
    func comparison<V>(
        _ comparison: FilterComparison, _ left: any PredicateExpression, _ right: any PredicateExpression,
        as type: V.Type
    ) throws -> LoweredValue {
        let lowered = try lower(left)
        let other = try lower(right)
        if case .nested(let presence, let value) = lowered,
            let nested = try nestedComparison(comparison, presence, value, other, right, as: V.self)
        {
            return .value(nested)
        }
        return .value(try self.comparison(comparison, operand(lowered, left), operand(other, right), as: V.self))
    }

    func comparison<V>(
        _ comparison: FilterComparison, _ left: FilterExpression, _ right: FilterExpression, as type: V.Type
    ) throws -> FilterExpression {
        let isEquality = comparison == .equal || comparison == .notEqual
        if left.isNil || right.isNil { return .compare(comparison, left, right) }
        switch (left.type.kind, right.type.kind) {
        case (.scalar, .scalar):
            if let simple = truth(comparison, left, right) ?? truth(comparison, right, left) { return simple }
            if isEquality || V.self is any PersistentScalar.Type { return .compare(comparison, left, right) }
            guard let coding = FilterCoding(V.self) else { break }
            return coding.storedOrderIsNatural
                ? .compare(comparison, left, right) : .compareCoded(comparison, left, right, coding)
        case (.link, .link) where isEquality:
            return .compare(comparison, left, right)
        case (.composite, .composite), (.values, .values), (.values, .composite), (.composite, .values):
            guard let coding = FilterCoding(V.self) else { break }
            return .compareCoded(comparison, left, right, coding)
        default: break
        }
        throw unsupported("\(left.type) \(comparison.rawValue) \(right.type)")
    }

    /// `condition == true` and its like, where the condition is never nil.
    private func truth(
        _ comparison: FilterComparison, _ condition: FilterExpression, _ constant: FilterExpression
    ) -> FilterExpression? {
        guard let truth = constant.constantTruth, condition.type == .boolean else { return nil }
        switch comparison {
        case .equal: return truth ? condition : .not(condition)
        case .notEqual: return truth ? .not(condition) : condition
        default: return nil
        }
    }

    /// An optional of an optional compared with the outer nil, or with a value; nil for any other comparison.
    private func nestedComparison<V>(
        _ comparison: FilterComparison, _ presence: FilterExpression, _ value: FilterExpression,
        _ other: LoweredValue, _ expression: any PredicateExpression, as type: V.Type
    ) throws -> FilterExpression? {
        let isNil = FilterExpression.compare(.equal, presence, .constant(.null, presence.type))
        if expression is any NilExpression { return comparison == .equal ? isNil : .not(isNil) }
        let other = try operand(other, expression)
        // A nil on the other side could be the outer or the inner one.
        if other.type.isOptional || comparison != .equal && comparison != .notEqual { return nil }
        let isSame = try self.comparison(.equal, value, other, as: V.self)
        let isEqual = FilterExpression.conditional(isNil, .boolean(false), isSame)
        return comparison == .equal ? isEqual : .not(isEqual)
    }

    /// An operand of a comparison; captured collections become single values here.
    private func operand(_ lowered: LoweredValue, _ expression: any PredicateExpression) throws -> FilterExpression {
        if case .list = lowered, let whole = (expression as? any CapturedWhole)?.whole { return whole }
        return try value(lowered, of: expression)
    }
}

/// The literal nil.
private protocol NilExpression {}
extension PredicateExpressions.NilLiteral: NilExpression {}

/// A captured value that can be compared as a whole though it is a collection.
private protocol CapturedWhole {
    var whole: FilterExpression? { get }
}

extension PredicateExpressions.Value: CapturedWhole {
    fileprivate var whole: FilterExpression? {
        guard let codable = value as? any Codable, let text = try? CompositeCoding.encode(codable) else { return nil }
        return .constant(.text(text), FilterType(of: Output.self))
    }
}

extension PredicateExpressions.Equal: LowerableExpression {
    func lower(in scope: LoweringScope) throws -> LoweredValue {
        try scope.comparison(.equal, lhs, rhs, as: LHS.Output.self)
    }
}

extension PredicateExpressions.NotEqual: LowerableExpression {
    func lower(in scope: LoweringScope) throws -> LoweredValue {
        try scope.comparison(.notEqual, lhs, rhs, as: LHS.Output.self)
    }
}

extension PredicateExpressions.Comparison: LowerableExpression {
    func lower(in scope: LoweringScope) throws -> LoweredValue {
        let comparison: FilterComparison =
            switch op {
            case .lessThan: .less
            case .lessThanOrEqual: .lessOrEqual
            case .greaterThan: .greater
            case .greaterThanOrEqual: .greaterOrEqual
            @unknown default: throw scope.unsupported("the comparison \(op)")
            }
        return try scope.comparison(comparison, lhs, rhs, as: LHS.Output.self)
    }
}

extension PredicateExpressions.Conjunction: LowerableExpression, ConjunctiveExpression {
    func lower(in scope: LoweringScope) throws -> LoweredValue {
        var conditions: [FilterExpression] = []
        for condition in [try scope.condition(lhs), try scope.condition(rhs)] {
            scope.append(condition, to: &conditions)
        }
        return .value(.all(conditions))
    }

    func lowerConjuncts(in scope: LoweringScope, into conjuncts: inout [FilterExpression]) throws {
        try scope.lowerConjuncts(lhs, into: &conjuncts)
        try scope.lowerConjuncts(rhs, into: &conjuncts)
    }
}

extension PredicateExpressions.Disjunction: LowerableExpression {
    func lower(in scope: LoweringScope) throws -> LoweredValue {
        var conditions: [FilterExpression] = []
        for condition in [try scope.condition(lhs), try scope.condition(rhs)] {
            if case .any(let parts) = condition { conditions += parts } else { conditions.append(condition) }
        }
        return .value(.any(conditions))
    }
}

extension PredicateExpressions.Negation: LowerableExpression {
    func lower(in scope: LoweringScope) throws -> LoweredValue {
        let condition = try scope.condition(wrapped)
        if case .not(let inner) = condition { return .value(inner) }
        return .value(.not(condition))
    }
}

extension LoweringScope {
    func arithmetic<V>(
        _ symbol: FilterOperator, _ left: any PredicateExpression, _ right: any PredicateExpression, as type: V.Type
    ) throws -> LoweredValue {
        guard let number = FilterNumber(V.self) else { throw unsupported("arithmetic on \(V.self)") }
        return .value(.arithmetic(symbol, try value(left), try value(right), number))
    }
}

extension PredicateExpressions.Arithmetic: LowerableExpression {
    func lower(in scope: LoweringScope) throws -> LoweredValue {
        let symbol: FilterOperator =
            switch op {
            case .add: .add
            case .subtract: .subtract
            case .multiply: .multiply
            @unknown default: throw scope.unsupported("the operator \(op)")
            }
        return try scope.arithmetic(symbol, lhs, rhs, as: LHS.Output.self)
    }
}

extension PredicateExpressions.IntDivision: LowerableExpression {
    func lower(in scope: LoweringScope) throws -> LoweredValue {
        try scope.arithmetic(.divide, lhs, rhs, as: LHS.Output.self)
    }
}

extension PredicateExpressions.IntRemainder: LowerableExpression {
    func lower(in scope: LoweringScope) throws -> LoweredValue {
        try scope.arithmetic(.remainder, lhs, rhs, as: LHS.Output.self)
    }
}

extension PredicateExpressions.FloatDivision: LowerableExpression {
    func lower(in scope: LoweringScope) throws -> LoweredValue {
        try scope.arithmetic(.divide, lhs, rhs, as: LHS.Output.self)
    }
}

extension PredicateExpressions.UnaryMinus: LowerableExpression {
    func lower(in scope: LoweringScope) throws -> LoweredValue {
        guard let number = FilterNumber(Wrapped.Output.self) else {
            throw scope.unsupported("the sign of \(Wrapped.Output.self)")
        }
        return .value(.negative(try scope.value(wrapped), number))
    }
}
