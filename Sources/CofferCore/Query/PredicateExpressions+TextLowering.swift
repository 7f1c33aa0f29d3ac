import Foundation

// Tests and orders of text.

extension LoweringScope {
    /// The operands of an operation on text.
    func texts(
        _ left: any PredicateExpression, _ right: any PredicateExpression, for operation: String
    ) throws -> (FilterExpression, FilterExpression) {
        let (left, right) = (try value(left), try value(right))
        guard left.type.storage == .text, right.type.storage == .text else {
            throw unsupported("\(operation) of \(left.type) and \(right.type)")
        }
        return (left, right)
    }
}

extension PredicateExpressions.CollectionContainsCollection: LowerableExpression {
    func lower(in scope: LoweringScope) throws -> LoweredValue {
        let (text, part) = try scope.texts(base, other, for: "contains")
        return .value(.text(.contains, text, part))
    }
}

extension PredicateExpressions.SequenceStartsWith: LowerableExpression {
    func lower(in scope: LoweringScope) throws -> LoweredValue {
        let (text, part) = try scope.texts(base, prefix, for: "starts(with:)")
        return .value(.text(.startsWith, text, part))
    }
}

extension PredicateExpressions.StringLocalizedStandardContains: LowerableExpression {
    func lower(in scope: LoweringScope) throws -> LoweredValue {
        let (text, part) = try scope.texts(root, other, for: "localizedStandardContains")
        return .value(.text(.localizedStandardContains, text, part))
    }
}

extension PredicateExpressions.StringCaseInsensitiveCompare: LowerableExpression {
    func lower(in scope: LoweringScope) throws -> LoweredValue {
        let (text, part) = try scope.texts(root, other, for: "caseInsensitiveCompare")
        return .value(.textOrder(.caseInsensitiveCompare, text, part))
    }
}

extension PredicateExpressions.StringLocalizedCompare: LowerableExpression {
    func lower(in scope: LoweringScope) throws -> LoweredValue {
        let (text, part) = try scope.texts(root, other, for: "localizedCompare")
        return .value(.textOrder(.localizedCompare, text, part))
    }
}
