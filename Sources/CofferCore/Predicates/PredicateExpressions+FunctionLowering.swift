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
        guard case .constant(.text(let part), _) = part,
            let member = FilterMember(
                \String.[containsInAnyCase: part], name: "localizedCaseInsensitiveContains(\(part.debugDescription))")
        else { throw scope.unsupported("localizedCaseInsensitiveContains of a value that is no constant") }
        return .value(.member(text, member))
    }
}

extension PredicateExpressions.StringLocalizedStandardCompare: LowerableExpression {
    func lower(in scope: LoweringScope) throws -> LoweredValue {
        let (text, part) = try scope.texts(text, other, for: "localizedStandardCompare")
        return .value(.textOrder(.localizedStandardCompare, text, part))
    }
}

extension PredicateExpressions.InnerPredicate: LowerableExpression {
    func lower(in scope: LoweringScope) throws -> LoweredValue {
        guard case .function(let function) = try scope.lower(predicate) else {
            throw scope.unsupported("a predicate that is no constant")
        }
        var arguments: [LoweredValue] = []
        for part in repeat each argument { arguments.append(try scope.lower(part)) }
        return try function.lower(arguments, in: scope)
    }
}
