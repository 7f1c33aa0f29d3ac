import Foundation

// Predicates and expressions inside predicates.

/// A predicate or an expression that another one evaluates.
protocol LowerableFunction {
    /// What gives the result.
    var body: any PredicateExpression { get }
    /// The variables of the body.
    var parameters: [PredicateExpressions.VariableID] { get }
}

extension LowerableFunction {
    /// Lets the variables of the body stand for the arguments.
    private func bind(_ arguments: [LoweredValue], in scope: LoweringScope) {
        for (variable, argument) in zip(parameters, arguments) { scope.bind(variable, to: argument) }
    }

    /// Lowers the body with the arguments in place of its variables.
    func lower(_ arguments: [LoweredValue], in scope: LoweringScope) throws -> LoweredValue {
        bind(arguments, in: scope)
        return try scope.lower(body)
    }

    func lowerConjuncts(
        _ arguments: [LoweredValue], in scope: LoweringScope, into conjuncts: inout [FilterExpression]
    ) throws {
        bind(arguments, in: scope)
        try scope.lowerConjuncts(body, into: &conjuncts)
    }
}

extension Predicate: LowerableFunction {
    var body: any PredicateExpression { expression }

    var parameters: [PredicateExpressions.VariableID] {
        var parameters: [PredicateExpressions.VariableID] = []
        for variable in repeat each variable { parameters.append(variable.key) }
        return parameters
    }
}

extension Expression: LowerableFunction {
    var body: any PredicateExpression { expression }

    var parameters: [PredicateExpressions.VariableID] {
        var parameters: [PredicateExpressions.VariableID] = []
        for variable in repeat each variable { parameters.append(variable.key) }
        return parameters
    }
}

extension PredicateExpressions.ExpressionEvaluate: LowerableExpression, ConjunctiveExpression {
    func lower(in scope: LoweringScope) throws -> LoweredValue {
        try scope.lift(scope.lower(expression)) { lowered in
            guard case .function(let function) = lowered else {
                throw scope.unsupported("an expression that is no constant")
            }
            return try function.lower(arguments(scope), in: scope)
        }
    }

    func lowerConjuncts(in scope: LoweringScope, into conjuncts: inout [FilterExpression]) throws {
        guard case .function(let function) = try scope.lower(expression) else {
            return scope.append(try scope.condition(self), to: &conjuncts)
        }
        try function.lowerConjuncts(arguments(scope), in: scope, into: &conjuncts)
    }

    private func arguments(_ scope: LoweringScope) throws -> [LoweredValue] {
        var arguments: [LoweredValue] = []
        for part in repeat each input { arguments.append(try scope.lower(part)) }
        return arguments
    }
}
