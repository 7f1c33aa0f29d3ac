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
        let (whole, part) = (try scope.whole(base), try scope.whole(other))
        if whole.type.storage == .text, part.type.storage == .text { return .value(.text(.contains, whole, part)) }
        let function = try scope.function("contains", .boolean, Base.Output.self, Other.Output.self) {
            $0.contains($1)
        }
        return .value(.call(function, [whole, part]))
    }
}

extension PredicateExpressions.SequenceStartsWith: LowerableExpression {
    func lower(in scope: LoweringScope) throws -> LoweredValue {
        let (whole, part) = (try scope.whole(base), try scope.whole(prefix))
        if whole.type.storage == .text, part.type.storage == .text { return .value(.text(.startsWith, whole, part)) }
        let function = try scope.function("starts", .boolean, Base.Output.self, Prefix.Output.self) {
            $0.starts(with: $1)
        }
        return .value(.call(function, [whole, part]))
    }
}

extension PredicateExpressions.StringContainsRegex: LowerableExpression {
    func lower(in scope: LoweringScope) throws -> LoweredValue {
        let text = try scope.value(subject)
        guard text.type.storage == .text, let pattern = (regex as? any CapturedExpression)?.captured,
            let pattern = pattern as? PredicateExpressions.PredicateRegex
        else { throw scope.unsupported("a regular expression over \(text.type)") }
        let function = FilterFunction("contains(/\(pattern)/)", .boolean, parameters: [.text]) { arguments in
            guard case .text(let text) = arguments[0] else { return nil }
            return .integer(text.contains(pattern) ? 1 : 0)
        }
        return .value(.call(function, [text]))
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
