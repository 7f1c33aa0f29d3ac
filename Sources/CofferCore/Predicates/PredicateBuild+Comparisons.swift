import Foundation

// `==`, `<` and their like. Two sides of one type, or one side optional and the other not.

extension _PredicateBuild {
    /// `left == right`
    public static func equal<L: PredicateExpression, R: PredicateExpression>(
        _ left: L, _ right: R
    ) -> PredicateExpressions.Equal<L, R> where L.Output == R.Output, L.Output: Equatable {
        PredicateExpressions.Equal(lhs: left, rhs: right)
    }

    /// `left == right`, where only the right side is optional.
    @_disfavoredOverload
    public static func equal<L: PredicateExpression, R: PredicateExpression>(
        _ left: L, _ right: R
    ) -> PredicateExpressions.Equal<PredicateExpressions.Promoted<L>, R>
    where L.Output? == R.Output, L.Output: Equatable {
        PredicateExpressions.Equal(lhs: PredicateExpressions.Promoted(left), rhs: right)
    }

    /// `left == right`, where only the left side is optional.
    @_disfavoredOverload
    public static func equal<L: PredicateExpression, R: PredicateExpression>(
        _ left: L, _ right: R
    ) -> PredicateExpressions.Equal<L, PredicateExpressions.Promoted<R>>
    where L.Output == R.Output?, R.Output: Equatable {
        PredicateExpressions.Equal(lhs: left, rhs: PredicateExpressions.Promoted(right))
    }

    /// `left != right`
    public static func notEqual<L: PredicateExpression, R: PredicateExpression>(
        _ left: L, _ right: R
    ) -> PredicateExpressions.NotEqual<L, R> where L.Output == R.Output, L.Output: Equatable {
        PredicateExpressions.NotEqual(lhs: left, rhs: right)
    }

    /// `left != right`, where only the right side is optional.
    @_disfavoredOverload
    public static func notEqual<L: PredicateExpression, R: PredicateExpression>(
        _ left: L, _ right: R
    ) -> PredicateExpressions.NotEqual<PredicateExpressions.Promoted<L>, R>
    where L.Output? == R.Output, L.Output: Equatable {
        PredicateExpressions.NotEqual(lhs: PredicateExpressions.Promoted(left), rhs: right)
    }

    /// `left != right`, where only the left side is optional.
    @_disfavoredOverload
    public static func notEqual<L: PredicateExpression, R: PredicateExpression>(
        _ left: L, _ right: R
    ) -> PredicateExpressions.NotEqual<L, PredicateExpressions.Promoted<R>>
    where L.Output == R.Output?, R.Output: Equatable {
        PredicateExpressions.NotEqual(lhs: left, rhs: PredicateExpressions.Promoted(right))
    }

    // MARK: Nil

    /// `value == nil`
    public static func isNil<E: PredicateExpression, W: Equatable>(
        _ value: E
    ) -> PredicateExpressions.Equal<E, PredicateExpressions.NilLiteral<W>> where E.Output == W? {
        PredicateExpressions.Equal(lhs: value, rhs: PredicateExpressions.NilLiteral())
    }

    /// `value == nil`, where values of the type cannot be compared.
    @_disfavoredOverload
    public static func isNil<E: PredicateExpression, W>(
        _ value: E
    ) -> PredicateExpressions.Negation<PredicateExpressions.HasValue<E, W>> where E.Output == W? {
        PredicateExpressions.Negation(PredicateExpressions.HasValue(value))
    }

    /// `value != nil`
    public static func isNotNil<E: PredicateExpression, W: Equatable>(
        _ value: E
    ) -> PredicateExpressions.NotEqual<E, PredicateExpressions.NilLiteral<W>> where E.Output == W? {
        PredicateExpressions.NotEqual(lhs: value, rhs: PredicateExpressions.NilLiteral())
    }

    /// `value != nil`, where values of the type cannot be compared.
    @_disfavoredOverload
    public static func isNotNil<E: PredicateExpression, W>(
        _ value: E
    ) -> PredicateExpressions.HasValue<E, W> where E.Output == W? { PredicateExpressions.HasValue(value) }

    // MARK: Order

    /// `left < right`
    public static func less<L: PredicateExpression, R: PredicateExpression>(
        _ left: L, _ right: R
    ) -> PredicateExpressions.Comparison<L, R> where L.Output == R.Output, L.Output: Comparable {
        PredicateExpressions.Comparison(lhs: left, rhs: right, op: .lessThan)
    }

    /// `left <= right`
    public static func lessOrEqual<L: PredicateExpression, R: PredicateExpression>(
        _ left: L, _ right: R
    ) -> PredicateExpressions.Comparison<L, R> where L.Output == R.Output, L.Output: Comparable {
        PredicateExpressions.Comparison(lhs: left, rhs: right, op: .lessThanOrEqual)
    }

    /// `left > right`
    public static func greater<L: PredicateExpression, R: PredicateExpression>(
        _ left: L, _ right: R
    ) -> PredicateExpressions.Comparison<L, R> where L.Output == R.Output, L.Output: Comparable {
        PredicateExpressions.Comparison(lhs: left, rhs: right, op: .greaterThan)
    }

    /// `left >= right`
    public static func greaterOrEqual<L: PredicateExpression, R: PredicateExpression>(
        _ left: L, _ right: R
    ) -> PredicateExpressions.Comparison<L, R> where L.Output == R.Output, L.Output: Comparable {
        PredicateExpressions.Comparison(lhs: left, rhs: right, op: .greaterThanOrEqual)
    }

    // MARK: Ranges and patterns

    /// `lower..<upper`
    public static func range<L: PredicateExpression, R: PredicateExpression>(
        _ lower: L, _ upper: R
    ) -> PredicateExpressions.Range<L, R> where L.Output == R.Output, L.Output: Comparable {
        PredicateExpressions.Range(lower: lower, upper: upper)
    }

    /// `lower...upper`
    public static func closedRange<L: PredicateExpression, R: PredicateExpression>(
        _ lower: L, _ upper: R
    ) -> PredicateExpressions.ClosedRange<L, R> where L.Output == R.Output, L.Output: Comparable {
        PredicateExpressions.ClosedRange(lower: lower, upper: upper)
    }

    /// `range ~= value`
    public static func matches<L: PredicateExpression, R: PredicateExpression>(
        _ range: L, _ value: R
    ) -> PredicateExpressions.RangeExpressionContains<L, R>
    where L.Output: RangeExpression, L.Output.Bound == R.Output {
        PredicateExpressions.RangeExpressionContains(range: range, element: value)
    }

    /// `pattern ~= value`
    public static func matches<L: PredicateExpression, R: PredicateExpression>(
        _ pattern: L, _ value: R
    ) -> PredicateExpressions.Equal<L, R> where L.Output == R.Output, L.Output: Equatable {
        PredicateExpressions.Equal(lhs: pattern, rhs: value)
    }
}
