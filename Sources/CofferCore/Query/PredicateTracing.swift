import Foundation

// What the expressions of predicates leave behind in a trace: their parts, and what their types do not say.

extension PredicateExpressions.Variable: TracedExpression {
    func trace(_ tracer: PredicateTracer) { tracer.add(key) }
}

extension PredicateExpressions.Value: TracedExpression {
    func trace(_ tracer: PredicateTracer) { tracer.add(CapturedValue.lowered(value, as: Output.self)) }
}

extension PredicateExpressions.CapturedModels: TracedExpression {
    func trace(_ tracer: PredicateTracer) { tracer.add(CapturedValue.lowered(value, as: Output.self)) }
}

extension PredicateExpressions.KeyPath: TracedExpression {
    func trace(_ tracer: PredicateTracer) {
        if Root.Output.self is any ForeignPredicateHolder.Type { return tracer.visit(root) }
        if let captured { return tracer.add(CapturedValue.lowered(any: captured)) }
        tracer.add(keyPath as AnyKeyPath)
        tracer.visit(root)
    }
}

extension PredicateExpressions.Equal: TracedExpression {
    func trace(_ tracer: PredicateTracer) {
        tracer.visit(lhs)
        tracer.visit(rhs)
    }
}

extension PredicateExpressions.NotEqual: TracedExpression {
    func trace(_ tracer: PredicateTracer) {
        tracer.visit(lhs)
        tracer.visit(rhs)
    }
}

extension PredicateExpressions.IntDivision: TracedExpression {
    func trace(_ tracer: PredicateTracer) {
        tracer.visit(lhs)
        tracer.visit(rhs)
    }
}

extension PredicateExpressions.IntRemainder: TracedExpression {
    func trace(_ tracer: PredicateTracer) {
        tracer.visit(lhs)
        tracer.visit(rhs)
    }
}

extension PredicateExpressions.FloatDivision: TracedExpression {
    func trace(_ tracer: PredicateTracer) {
        tracer.visit(lhs)
        tracer.visit(rhs)
    }
}

extension PredicateExpressions.Conjunction: TracedExpression {
    func trace(_ tracer: PredicateTracer) {
        tracer.visit(lhs)
        tracer.visit(rhs)
    }
}

extension PredicateExpressions.Disjunction: TracedExpression {
    func trace(_ tracer: PredicateTracer) {
        tracer.visit(lhs)
        tracer.visit(rhs)
    }
}

extension PredicateExpressions.NilCoalesce: TracedExpression {
    func trace(_ tracer: PredicateTracer) {
        tracer.visit(lhs)
        tracer.visit(rhs)
    }
}

extension PredicateExpressions.IntIsMultiple: TracedExpression {
    func trace(_ tracer: PredicateTracer) {
        tracer.visit(lhs)
        tracer.visit(rhs)
    }
}

extension PredicateExpressions.Concatenation: TracedExpression {
    func trace(_ tracer: PredicateTracer) {
        tracer.visit(lhs)
        tracer.visit(rhs)
    }
}

extension PredicateExpressions.OptionalCoalesce: TracedExpression {
    func trace(_ tracer: PredicateTracer) {
        tracer.visit(lhs)
        tracer.visit(rhs)
    }
}

extension PredicateExpressions.Comparison: TracedExpression {
    func trace(_ tracer: PredicateTracer) {
        switch op {
        case .lessThan: tracer.add(0)
        case .lessThanOrEqual: tracer.add(1)
        case .greaterThan: tracer.add(2)
        case .greaterThanOrEqual: tracer.add(3)
        @unknown default: tracer.abandon()
        }
        tracer.visit(lhs)
        tracer.visit(rhs)
    }
}

extension PredicateExpressions.Arithmetic: TracedExpression {
    func trace(_ tracer: PredicateTracer) {
        switch op {
        case .add: tracer.add(0)
        case .subtract: tracer.add(1)
        case .multiply: tracer.add(2)
        @unknown default: tracer.abandon()
        }
        tracer.visit(lhs)
        tracer.visit(rhs)
    }
}

extension PredicateExpressions.UnaryMinus: TracedExpression {
    func trace(_ tracer: PredicateTracer) {
        tracer.visit(wrapped)
    }
}

extension PredicateExpressions.Negation: TracedExpression {
    func trace(_ tracer: PredicateTracer) {
        tracer.visit(wrapped)
    }
}

extension PredicateExpressions.Conditional: TracedExpression {
    func trace(_ tracer: PredicateTracer) {
        tracer.visit(test)
        tracer.visit(trueBranch)
        tracer.visit(falseBranch)
    }
}

extension PredicateExpressions.ConditionalCast: TracedExpression {
    func trace(_ tracer: PredicateTracer) {
        tracer.visit(input)
    }
}

extension PredicateExpressions.ForceCast: TracedExpression {
    func trace(_ tracer: PredicateTracer) {
        tracer.visit(input)
    }
}

extension PredicateExpressions.TypeCheck: TracedExpression {
    func trace(_ tracer: PredicateTracer) {
        tracer.visit(input)
    }
}

extension PredicateExpressions.NilLiteral: TracedExpression {
    func trace(_ tracer: PredicateTracer) {
    }
}

extension PredicateExpressions.OptionalFlatMap: TracedExpression {
    func trace(_ tracer: PredicateTracer) {
        tracer.add(variable.key)
        tracer.visit(wrapped)
        tracer.visit(transform)
    }
}

extension PredicateExpressions.ForcedUnwrap: TracedExpression {
    func trace(_ tracer: PredicateTracer) {
        tracer.visit(inner)
    }
}

extension PredicateExpressions.Range: TracedExpression {
    func trace(_ tracer: PredicateTracer) {
        tracer.visit(lower)
        tracer.visit(upper)
    }
}

extension PredicateExpressions.ClosedRange: TracedExpression {
    func trace(_ tracer: PredicateTracer) {
        tracer.visit(lower)
        tracer.visit(upper)
    }
}

extension PredicateExpressions.RangeExpressionContains: TracedExpression {
    func trace(_ tracer: PredicateTracer) {
        tracer.visit(range)
        tracer.visit(element)
    }
}

extension PredicateExpressions.SequenceContains: TracedExpression {
    func trace(_ tracer: PredicateTracer) {
        tracer.visit(sequence)
        tracer.visit(element)
    }
}

extension PredicateExpressions.SequenceContainsWhere: TracedExpression {
    func trace(_ tracer: PredicateTracer) {
        tracer.add(variable.key)
        tracer.visit(sequence)
        tracer.visit(test)
    }
}

extension PredicateExpressions.SequenceAllSatisfy: TracedExpression {
    func trace(_ tracer: PredicateTracer) {
        tracer.add(variable.key)
        tracer.visit(sequence)
        tracer.visit(test)
    }
}

extension PredicateExpressions.Filter: TracedExpression {
    func trace(_ tracer: PredicateTracer) {
        tracer.add(variable.key)
        tracer.visit(sequence)
        tracer.visit(filter)
    }
}

extension PredicateExpressions.SequenceMinimum: TracedExpression {
    func trace(_ tracer: PredicateTracer) {
        tracer.visit(elements)
    }
}

extension PredicateExpressions.SequenceMaximum: TracedExpression {
    func trace(_ tracer: PredicateTracer) {
        tracer.visit(elements)
    }
}

extension PredicateExpressions.SequenceMap: TracedExpression {
    func trace(_ tracer: PredicateTracer) {
        tracer.add(variable.key)
        tracer.visit(elements)
        tracer.visit(transform)
    }
}

extension PredicateExpressions.CollectionIndexSubscript: TracedExpression {
    func trace(_ tracer: PredicateTracer) {
        tracer.visit(wrapped)
        tracer.visit(index)
    }
}

extension PredicateExpressions.CollectionRangeSubscript: TracedExpression {
    func trace(_ tracer: PredicateTracer) {
        tracer.visit(wrapped)
        tracer.visit(range)
    }
}

extension PredicateExpressions.DictionaryKeySubscript: TracedExpression {
    func trace(_ tracer: PredicateTracer) {
        tracer.visit(wrapped)
        tracer.visit(key)
    }
}

extension PredicateExpressions.DictionaryKeyDefaultValueSubscript: TracedExpression {
    func trace(_ tracer: PredicateTracer) {
        tracer.visit(wrapped)
        tracer.visit(key)
        tracer.visit(self.default)
    }
}

extension PredicateExpressions.CollectionContainsCollection: TracedExpression {
    func trace(_ tracer: PredicateTracer) {
        tracer.visit(base)
        tracer.visit(other)
    }
}

extension PredicateExpressions.SequenceStartsWith: TracedExpression {
    func trace(_ tracer: PredicateTracer) {
        tracer.visit(base)
        tracer.visit(prefix)
    }
}

extension PredicateExpressions.StringLocalizedStandardContains: TracedExpression {
    func trace(_ tracer: PredicateTracer) {
        tracer.visit(root)
        tracer.visit(other)
    }
}

extension PredicateExpressions.StringCaseInsensitiveCompare: TracedExpression {
    func trace(_ tracer: PredicateTracer) {
        tracer.visit(root)
        tracer.visit(other)
    }
}

extension PredicateExpressions.StringLocalizedCompare: TracedExpression {
    func trace(_ tracer: PredicateTracer) {
        tracer.visit(root)
        tracer.visit(other)
    }
}

extension PredicateExpressions.StringHasSuffix: TracedExpression {
    func trace(_ tracer: PredicateTracer) {
        tracer.visit(text)
        tracer.visit(suffix)
    }
}

extension PredicateExpressions.StringLocalizedCaseInsensitiveContains: TracedExpression {
    func trace(_ tracer: PredicateTracer) {
        tracer.visit(text)
        tracer.visit(other)
    }
}

extension PredicateExpressions.StringLocalizedStandardCompare: TracedExpression {
    func trace(_ tracer: PredicateTracer) {
        tracer.visit(text)
        tracer.visit(other)
    }
}

extension PredicateExpressions.Promoted: TracedExpression {
    func trace(_ tracer: PredicateTracer) {
        tracer.visit(wrapped)
    }
}

extension PredicateExpressions.HasValue: TracedExpression {
    func trace(_ tracer: PredicateTracer) {
        tracer.visit(optional)
    }
}

extension PredicateExpressions.Function: TracedExpression {
    func trace(_ tracer: PredicateTracer) {
        tracer.add(keyPath as AnyKeyPath)
        tracer.visit(input)
    }
}

extension PredicateExpressions.PartialFunction: TracedExpression {
    func trace(_ tracer: PredicateTracer) {
        tracer.add(keyPath as AnyKeyPath)
        tracer.visit(input)
    }
}

extension PredicateExpressions.CapturedChoice: TracedExpression {
    func trace(_ tracer: PredicateTracer) {
        switch taken {
        case .first(let expression):
            tracer.add(0)
            tracer.visit(expression)
        case .second(let expression):
            tracer.add(1)
            tracer.visit(expression)
        }
    }
}

extension PredicateExpressions.ExpressionEvaluate: TracedExpression {
    func trace(_ tracer: PredicateTracer) {
        tracer.visit(expression)
        for part in repeat each input { tracer.visit(part) }
    }
}

extension PredicateExpressions.InnerPredicate: TracedExpression {
    func trace(_ tracer: PredicateTracer) {
        tracer.visit(predicate)
        for part in repeat each argument { tracer.visit(part) }
    }
}

extension PredicateRoot: TracedExpression {
    func trace(_ tracer: PredicateTracer) { tracer.visit(whole) }
}

extension PredicateComposition: TracedExpression {
    func trace(_ tracer: PredicateTracer) {
        tracer.add(kind == .all ? 0 : kind == .any ? 1 : 2)
        for part in repeat each variable { tracer.visit(part) }
        tracer.add(UInt(predicates.count))
        for predicate in predicates { predicate.trace(tracer) }
    }
}

extension LowerableFunction {
    /// The parameters and the body.
    func trace(_ tracer: PredicateTracer) {
        for variable in parameters { tracer.add(variable) }
        tracer.visit(body)
    }
}
