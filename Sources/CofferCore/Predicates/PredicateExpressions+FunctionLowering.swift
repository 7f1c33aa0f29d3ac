import Foundation

extension PredicateExpressions.IntIsMultiple: LowerableExpression {
    func lower(in scope: LoweringScope) throws -> LoweredValue {
        let (number, divisor) = (try scope.value(lhs), try scope.value(rhs))
        func literal(_ value: LHS.Output) -> FilterExpression {
            .constant(StoredForm.value(value) ?? .null, FilterType(of: LHS.Output.self))
        }
        func equal(_ left: FilterExpression, _ right: FilterExpression) throws -> FilterExpression {
            try scope.comparison(.equal, left, right, as: LHS.Output.self)
        }
        guard case .value(let remainder) = try scope.arithmetic(.remainder, lhs, rhs, as: LHS.Output.self) else {
            throw scope.unsupported("isMultiple(of:) of \(LHS.Output.self)")
        }
        let zero = literal(0)
        // Zero is a multiple of zero, and everything is one of minus one, though neither has a remainder in Swift.
        if divisor == zero { return .value(try equal(number, zero)) }
        let isMultiple = try equal(remainder, zero)
        let minusOne = LHS.Output(exactly: -1).map(literal)
        if case .constant = divisor { return .value(divisor == minusOne ? .boolean(true) : isMultiple) }
        let unlessMinusOne = try minusOne.map { FilterExpression.any([try equal(divisor, $0), isMultiple]) }
        return .value(.conditional(try equal(divisor, zero), try equal(number, zero), unlessMinusOne ?? isMultiple))
    }
}

extension PredicateExpressions.StringHasSuffix: LowerableExpression {
    func lower(in scope: LoweringScope) throws -> LoweredValue {
        let (text, part) = try scope.texts(text, suffix, for: "hasSuffix")
        return .value(.text(.endsWith, text, part))
    }
}

extension PredicateExpressions.StringLocalizedCaseInsensitiveContains: LowerableExpression {
    func lower(in scope: LoweringScope) throws -> LoweredValue {
        let (text, part) = try scope.texts(text, other, for: "localizedCaseInsensitiveContains")
        return .value(.call(.containsInAnyCase, [text, part]))
    }
}

extension PredicateExpressions.StringLocalizedStandardCompare: LowerableExpression {
    func lower(in scope: LoweringScope) throws -> LoweredValue {
        let (text, part) = try scope.texts(text, other, for: "localizedStandardCompare")
        return .value(.textOrder(.localizedStandardCompare, text, part))
    }
}

extension PredicateExpressions.InnerPredicate: LowerableExpression, ConjunctiveExpression {
    func lower(in scope: LoweringScope) throws -> LoweredValue {
        try scope.lift(scope.lower(predicate)) { lowered in
            guard case .function(let function) = lowered else {
                throw scope.unsupported("a predicate that is no constant")
            }
            return try function.lower(arguments(scope), in: scope)
        }
    }

    func lowerConjuncts(in scope: LoweringScope, into conjuncts: inout [FilterExpression]) throws {
        guard case .function(let function) = try scope.lower(predicate) else {
            return scope.append(try scope.condition(self), to: &conjuncts)
        }
        try function.lowerConjuncts(arguments(scope), in: scope, into: &conjuncts)
    }

    private func arguments(_ scope: LoweringScope) throws -> [LoweredValue] {
        var arguments: [LoweredValue] = []
        for part in repeat each argument { arguments.append(try scope.lower(part)) }
        return arguments
    }
}

extension PredicateExpressions.Concatenation: LowerableExpression {
    func lower(in scope: LoweringScope) throws -> LoweredValue {
        let (left, right) = (try scope.whole(lhs), try scope.whole(rhs))
        if left.type.storage == .text, right.type.storage == .text {
            return .value(.call(.joinedText, [left, right]))
        }
        let type = FilterType(of: Output.self)
        let function = try scope.function("joined", type, Output.self, Output.self) { $0 + $1 }
        return .value(.call(function, [left, right]))
    }
}
