import Foundation

// Predicates and expressions inside predicates.

/// A predicate or an expression that another one evaluates.
protocol LowerableFunction {
    /// Lowers the body with the arguments in place of its variables.
    func lower(_ arguments: [LoweredValue], in scope: LoweringScope) throws -> LoweredValue
}

extension Predicate: LowerableFunction {
    func lower(_ arguments: [LoweredValue], in scope: LoweringScope) throws -> LoweredValue {
        var index = 0
        for variable in repeat each variable {
            if index < arguments.count { scope.bind(variable.key, to: arguments[index]) }
            index += 1
        }
        return try scope.lower(expression)
    }
}

extension Expression: LowerableFunction {
    func lower(_ arguments: [LoweredValue], in scope: LoweringScope) throws -> LoweredValue {
        var index = 0
        for variable in repeat each variable {
            if index < arguments.count { scope.bind(variable.key, to: arguments[index]) }
            index += 1
        }
        return try scope.lower(expression)
    }
}

extension PredicateExpressions.ExpressionEvaluate: LowerableExpression {
    func lower(in scope: LoweringScope) throws -> LoweredValue {
        guard case .function(let function) = try scope.lower(expression) else {
            throw scope.unsupported("an expression that is no constant")
        }
        var arguments: [LoweredValue] = []
        for part in repeat each input { arguments.append(try scope.lower(part)) }
        return try function.lower(arguments, in: scope)
    }
}
