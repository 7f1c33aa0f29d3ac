import Foundation

// Optionals and types.

extension _PredicateBuild {
    /// `value!`
    public static func unwrap<E: PredicateExpression, W>(
        _ value: E
    ) -> PredicateExpressions.ForcedUnwrap<E, W> where E.Output == W? { PredicateExpressions.ForcedUnwrap(value) }

    /// `left ?? right`
    public static func coalesce<L: PredicateExpression, R: PredicateExpression>(
        _ left: L, _ right: R
    ) -> PredicateExpressions.NilCoalesce<L, R> where L.Output == R.Output? {
        PredicateExpressions.NilCoalesce(lhs: left, rhs: right)
    }

    /// `left ?? right`, both optional.
    @_disfavoredOverload
    public static func coalesce<L: PredicateExpression, R: PredicateExpression, W>(
        _ left: L, _ right: R
    ) -> PredicateExpressions.OptionalCoalesce<L, R, W> where L.Output == W?, R.Output == W? {
        PredicateExpressions.OptionalCoalesce(lhs: left, rhs: right)
    }

    /// `value?.…` and `flatMap`, where what follows gives no optional.
    public static func chain<E: PredicateExpression, W, R: PredicateExpression>(
        _ value: E, _ body: (PredicateExpressions.Variable<W>) -> R
    ) -> PredicateExpressions.OptionalFlatMap<E, W, R, R.Output> where E.Output == W? {
        PredicateExpressions.OptionalFlatMap(value, body)
    }

    /// `value?.…` and `flatMap`, where what follows gives an optional.
    public static func chain<E: PredicateExpression, W, R: PredicateExpression, Result>(
        _ value: E, _ body: (PredicateExpressions.Variable<W>) -> R
    ) -> PredicateExpressions.OptionalFlatMap<E, W, R, Result> where E.Output == W?, R.Output == Result? {
        PredicateExpressions.OptionalFlatMap(value, body)
    }

    /// `value.map { … }`: an optional of whatever the body gives.
    public static func map<E: PredicateExpression, W, R: PredicateExpression>(
        _ value: E, _ body: (PredicateExpressions.Variable<W>) -> R
    ) -> PredicateExpressions.OptionalFlatMap<E, W, R, R.Output> where E.Output == W? {
        PredicateExpressions.OptionalFlatMap(value, body)
    }

    /// `if let … { first } else { second }`
    public static func ifLet<E: PredicateExpression, W, A: PredicateExpression, B: PredicateExpression>(
        _ value: E, _ first: (PredicateExpressions.Variable<W>) -> A, _ second: B
    ) -> PredicateExpressions.NilCoalesce<PredicateExpressions.OptionalFlatMap<E, W, A, A.Output>, B>
    where E.Output == W?, A.Output == B.Output {
        PredicateExpressions.NilCoalesce(lhs: PredicateExpressions.OptionalFlatMap(value, first), rhs: second)
    }

    /// `value is T`
    public static func isType<E: PredicateExpression, T>(
        _ value: E, _ type: T.Type
    ) -> PredicateExpressions.TypeCheck<E, T> { PredicateExpressions.TypeCheck(value) }

    /// `value as? T`
    public static func cast<E: PredicateExpression, T>(
        _ value: E, _ type: T.Type
    ) -> PredicateExpressions.ConditionalCast<E, T> { PredicateExpressions.ConditionalCast(value) }

    /// `value as! T`
    public static func forceCast<E: PredicateExpression, T>(
        _ value: E, _ type: T.Type
    ) -> PredicateExpressions.ForceCast<E, T> { PredicateExpressions.ForceCast(value) }

    /// `value as T`, where it is one.
    public static func typed<E: PredicateExpression>(_ value: E, _ type: E.Output.Type) -> E { value }

    /// `value as T?`, where it is a `T`.
    @_disfavoredOverload
    public static func typed<E: PredicateExpression>(
        _ value: E, _ type: E.Output?.Type
    ) -> PredicateExpressions.Promoted<E> { PredicateExpressions.Promoted(value) }
}
