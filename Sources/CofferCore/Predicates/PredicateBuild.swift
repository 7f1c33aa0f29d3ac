import Foundation

// What the expansion of `#Predicate` calls. Each function makes one node, most of them Foundation's own. The compiler
// checks one call at a time, with the types of the parts known, so what is overloaded stays cheap.
//
// Overloads that turn a value into an optional are marked as disfavoured: they are for operands that would not fit
// otherwise, and literals should take the type of the other side as it is.

/// Makes a predicate from the expansion of `#Predicate`.
public func _predicate<Input>(
    _ body: (_PredicateBuild.Type, PredicateExpressions.Variable<Input>) -> any StandardPredicateExpression<Bool>
) -> Predicate<Input> {
    Predicate { wholePredicate(body(_PredicateBuild.self, $0), $0) }
}

/// Makes a predicate over a type that the macro names.
public func _predicate<Input>(
    _ type: Input.Type,
    _ body: (_PredicateBuild.Type, PredicateExpressions.Variable<Input>) -> any StandardPredicateExpression<Bool>
) -> Predicate<Input> {
    Predicate { wholePredicate(body(_PredicateBuild.self, $0), $0) }
}

/// Makes a predicate with several inputs.
public func _predicateOfSeveral<each Input>(
    body: (_PredicateBuild.Type, repeat PredicateExpressions.Variable<each Input>)
        -> any StandardPredicateExpression<Bool>
) -> Predicate<repeat each Input> {
    Predicate { (variable: repeat PredicateExpressions.Variable<each Input>) in
        wholePredicate(body(_PredicateBuild.self, repeat each variable), repeat each variable)
    }
}

/// Makes a predicate with several inputs, whose types the macro names.
public func _predicateOfSeveral<each Input>(
    _ type: repeat (each Input).Type,
    body: (_PredicateBuild.Type, repeat PredicateExpressions.Variable<each Input>)
        -> any StandardPredicateExpression<Bool>
) -> Predicate<repeat each Input> { _predicateOfSeveral(body: body) }

/// Makes an expression with several inputs.
public func _expressionOfSeveral<each Input, Output>(
    body: (_PredicateBuild.Type, repeat PredicateExpressions.Variable<each Input>)
        -> any StandardPredicateExpression<Output>
) -> Expression<repeat each Input, Output> {
    Expression { (variable: repeat PredicateExpressions.Variable<each Input>) in
        wholePredicate(body(_PredicateBuild.self, repeat each variable), repeat each variable)
    }
}

/// Makes an expression with several inputs, between types that the macro names.
public func _expressionOfSeveral<each Input, Output>(
    _ type: repeat (each Input).Type, output: Output.Type,
    body: (_PredicateBuild.Type, repeat PredicateExpressions.Variable<each Input>)
        -> any StandardPredicateExpression<Output>
) -> Expression<repeat each Input, Output> { _expressionOfSeveral(body: body) }

/// Makes an expression from the expansion of `#Expression`.
public func _expression<Input, Output>(
    _ body: (_PredicateBuild.Type, PredicateExpressions.Variable<Input>) -> any StandardPredicateExpression<Output>
) -> Expression<Input, Output> {
    Expression { wholePredicate(body(_PredicateBuild.self, $0), $0) }
}

/// Makes an expression over types that the macro names.
public func _expression<Input, Output>(
    _ type: Input.Type, _ output: Output.Type,
    _ body: (_PredicateBuild.Type, PredicateExpressions.Variable<Input>) -> any StandardPredicateExpression<Output>
) -> Expression<Input, Output> {
    Expression { wholePredicate(body(_PredicateBuild.self, $0), $0) }
}

/// The functions of which a predicate is put together.
public enum _PredicateBuild {
    // Not generic over the node: in a module that is bound to the main actor, a value's `Equatable` may be bound too, and
    // generic code could not take the node for sendable.

    /// The whole of a predicate that consists of Foundation's nodes.
    public static func root<Output>(
        _ expression: any StandardPredicateExpression<Output>
    ) -> any StandardPredicateExpression<Output> { expression }

    /// The whole of any other predicate.
    @_disfavoredOverload
    public static func root<Output>(
        _ expression: any PredicateExpression<Output> & Sendable
    ) -> any StandardPredicateExpression<Output> { PredicateRoot(expression) }

    // MARK: Values

    /// A captured value.
    public static func arg<T>(_ value: T) -> PredicateExpressions.Value<T> { PredicateExpressions.Value(value) }

    /// A captured model.
    public static func arg<M: PersistentModel>(_ model: M) -> PredicateExpressions.CapturedModels<M> {
        PredicateExpressions.CapturedModels(model)
    }

    /// A captured model, or none.
    public static func arg<M: PersistentModel>(_ model: M?) -> PredicateExpressions.CapturedModels<M?> {
        PredicateExpressions.CapturedModels(model)
    }

    /// Captured models.
    public static func arg<M: PersistentModel>(_ models: [M]) -> PredicateExpressions.CapturedModels<[M]> {
        PredicateExpressions.CapturedModels(models)
    }

    /// A captured set of models.
    public static func arg<M: PersistentModel>(_ models: Set<M>) -> PredicateExpressions.CapturedModels<Set<M>> {
        PredicateExpressions.CapturedModels(models)
    }

    /// A captured regular expression.
    public static func arg<O>(_ regex: Regex<O>) -> PredicateExpressions.Value<PredicateExpressions.PredicateRegex> {
        PredicateExpressions.build_Arg(regex)
    }

    /// A property.
    ///
    /// A key path to a property that is bound to an actor is no sendable one, but there is nothing in it that could be
    /// shared: using it is what has to happen on the actor.
    public static func get<Root: PredicateExpression, Value>(
        _ root: Root, _ keyPath: KeyPath<Root.Output, Value>
    ) -> PredicateExpressions.KeyPath<Root, Value> {
        typealias Shared = KeyPath<Root.Output, Value> & Sendable
        return PredicateExpressions.KeyPath(root: root, keyPath: unsafeBitCast(keyPath, to: Shared.self))
    }

    // MARK: Connectives

    /// `left && right`
    public static func and<L: PredicateExpression<Bool>, R: PredicateExpression<Bool>>(
        _ left: L, _ right: R
    ) -> PredicateExpressions.Conjunction<L, R> { PredicateExpressions.Conjunction(lhs: left, rhs: right) }

    /// `left || right`
    public static func or<L: PredicateExpression<Bool>, R: PredicateExpression<Bool>>(
        _ left: L, _ right: R
    ) -> PredicateExpressions.Disjunction<L, R> { PredicateExpressions.Disjunction(lhs: left, rhs: right) }

    /// `!condition`
    public static func not<E: PredicateExpression<Bool>>(_ condition: E) -> PredicateExpressions.Negation<E> {
        PredicateExpressions.Negation(condition)
    }

    /// `test ? first : second`
    public static func choose<T: PredicateExpression<Bool>, A: PredicateExpression, B: PredicateExpression>(
        _ test: T, _ first: A, _ second: B
    ) -> PredicateExpressions.Conditional<T, A, B> where A.Output == B.Output {
        PredicateExpressions.Conditional(test: test, trueBranch: first, falseBranch: second)
    }

    /// `test ? first : second`, where the second is optional and the first is not.
    @_disfavoredOverload
    public static func choose<T: PredicateExpression<Bool>, A: PredicateExpression, B: PredicateExpression>(
        _ test: T, _ first: A, _ second: B
    ) -> PredicateExpressions.Conditional<T, PredicateExpressions.Promoted<A>, B> where A.Output? == B.Output {
        PredicateExpressions.Conditional(
            test: test, trueBranch: PredicateExpressions.Promoted(first), falseBranch: second)
    }

    /// `test ? first : second`, where the first is optional and the second is not.
    @_disfavoredOverload
    public static func choose<T: PredicateExpression<Bool>, A: PredicateExpression, B: PredicateExpression>(
        _ test: T, _ first: A, _ second: B
    ) -> PredicateExpressions.Conditional<T, A, PredicateExpressions.Promoted<B>> where A.Output == B.Output? {
        PredicateExpressions.Conditional(
            test: test, trueBranch: first, falseBranch: PredicateExpressions.Promoted(second))
    }

    /// `test ? value : nil`, where the value is optional by itself.
    public static func orNil<T: PredicateExpression<Bool>, A: PredicateExpression, W>(
        _ test: T, _ value: A
    ) -> PredicateExpressions.Conditional<T, A, PredicateExpressions.NilLiteral<W>> where A.Output == W? {
        PredicateExpressions.Conditional(
            test: test, trueBranch: value, falseBranch: PredicateExpressions.NilLiteral())
    }

    /// `test ? value : nil`
    @_disfavoredOverload
    public static func orNil<T: PredicateExpression<Bool>, A: PredicateExpression>(
        _ test: T, _ value: A
    )
        -> PredicateExpressions.Conditional<
            T, PredicateExpressions.Promoted<A>, PredicateExpressions.NilLiteral<A.Output>
        >
    {
        PredicateExpressions.Conditional(
            test: test, trueBranch: PredicateExpressions.Promoted(value),
            falseBranch: PredicateExpressions.NilLiteral())
    }

    // MARK: What is decided when the predicate is made

    /// One of two expressions, by a captured condition; the other one is not even made.
    public static func pick<A: PredicateExpression, B: PredicateExpression>(
        _ condition: Bool, _ first: () -> A, _ second: () -> B
    ) -> PredicateExpressions.CapturedChoice<A, B> where A.Output == B.Output {
        condition
            ? PredicateExpressions.CapturedChoice(first: first())
            : PredicateExpressions.CapturedChoice(second: second())
    }

    /// One of two expressions, by whether a captured value is there.
    public static func pick<T, A: PredicateExpression, B: PredicateExpression>(
        unwrapping value: T?, _ first: (T) -> A, _ second: () -> B
    ) -> PredicateExpressions.CapturedChoice<A, B> where A.Output == B.Output {
        guard let value else { return PredicateExpressions.CapturedChoice(second: second()) }
        return PredicateExpressions.CapturedChoice(first: first(value))
    }
}
