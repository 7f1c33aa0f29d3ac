import Foundation

// Numbers, text, and predicates inside predicates.

extension _PredicateBuild {
    // MARK: Arithmetic

    /// `left + right`
    public static func add<L: PredicateExpression, R: PredicateExpression>(
        _ left: L, _ right: R
    ) -> PredicateExpressions.Arithmetic<L, R> where L.Output == R.Output, L.Output: Numeric {
        PredicateExpressions.Arithmetic(lhs: left, rhs: right, op: .add)
    }

    /// `left + right`, of text or of arrays.
    public static func add<L: PredicateExpression, R: PredicateExpression>(
        _ left: L, _ right: R
    ) -> PredicateExpressions.Concatenation<L, R>
    where L.Output == R.Output, L.Output: RangeReplaceableCollection {
        PredicateExpressions.Concatenation(lhs: left, rhs: right)
    }

    /// `left - right`
    public static func subtract<L: PredicateExpression, R: PredicateExpression>(
        _ left: L, _ right: R
    ) -> PredicateExpressions.Arithmetic<L, R> where L.Output == R.Output, L.Output: Numeric {
        PredicateExpressions.Arithmetic(lhs: left, rhs: right, op: .subtract)
    }

    /// `left * right`
    public static func multiply<L: PredicateExpression, R: PredicateExpression>(
        _ left: L, _ right: R
    ) -> PredicateExpressions.Arithmetic<L, R> where L.Output == R.Output, L.Output: Numeric {
        PredicateExpressions.Arithmetic(lhs: left, rhs: right, op: .multiply)
    }

    /// `left / right`, of integers.
    public static func divide<L: PredicateExpression, R: PredicateExpression>(
        _ left: L, _ right: R
    ) -> PredicateExpressions.IntDivision<L, R> where L.Output == R.Output, L.Output: BinaryInteger {
        PredicateExpressions.IntDivision(lhs: left, rhs: right)
    }

    /// `left / right`, of floating-point numbers.
    public static func divide<L: PredicateExpression, R: PredicateExpression>(
        _ left: L, _ right: R
    ) -> PredicateExpressions.FloatDivision<L, R> where L.Output == R.Output, L.Output: FloatingPoint {
        PredicateExpressions.FloatDivision(lhs: left, rhs: right)
    }

    /// `left % right`
    public static func remainder<L: PredicateExpression, R: PredicateExpression>(
        _ left: L, _ right: R
    ) -> PredicateExpressions.IntRemainder<L, R> where L.Output == R.Output, L.Output: BinaryInteger {
        PredicateExpressions.IntRemainder(lhs: left, rhs: right)
    }

    /// `-value`
    public static func negate<E: PredicateExpression>(
        _ value: E
    ) -> PredicateExpressions.UnaryMinus<E> where E.Output: SignedNumeric { PredicateExpressions.UnaryMinus(value) }

    /// `left.isMultiple(of: right)`
    public static func isMultiple<L: PredicateExpression, R: PredicateExpression>(
        _ left: L, _ right: R
    ) -> PredicateExpressions.IntIsMultiple<L, R> where L.Output == R.Output, L.Output: BinaryInteger {
        PredicateExpressions.IntIsMultiple(lhs: left, rhs: right)
    }

    /// `abs(value)` of an integer, whose least value has no counterpart.
    public static func abs<E: PredicateExpression>(
        _ value: E
    ) -> PredicateExpressions.PartialFunction<E, E.Output> where E.Output: FixedWidthInteger & SignedInteger {
        PredicateExpressions.PartialFunction(value, "abs", \.absoluteValue)
    }

    /// `abs(value)` of a floating-point number.
    public static func abs<E: PredicateExpression>(
        _ value: E
    ) -> PredicateExpressions.Function<E, E.Output> where E.Output: FloatingPoint {
        PredicateExpressions.Function(value, "abs", \.magnitudeOfOwnType)
    }

    /// The smaller one of two values; the first of equal ones.
    public static func smaller<L: PredicateExpression, R: PredicateExpression>(
        _ left: L, _ right: R
    ) -> PredicateExpressions.Conditional<PredicateExpressions.Comparison<R, L>, R, L>
    where L.Output == R.Output, L.Output: Comparable {
        PredicateExpressions.Conditional(test: less(right, left), trueBranch: right, falseBranch: left)
    }

    /// The larger one of two values; the second of equal ones.
    public static func larger<L: PredicateExpression, R: PredicateExpression>(
        _ left: L, _ right: R
    ) -> PredicateExpressions.Conditional<PredicateExpressions.Comparison<R, L>, R, L>
    where L.Output == R.Output, L.Output: Comparable {
        PredicateExpressions.Conditional(test: greaterOrEqual(right, left), trueBranch: right, falseBranch: left)
    }

    // MARK: Conversions

    /// `N(value)` from integer to integer.
    public static func number<N: FixedWidthInteger & SendableMetatype, E: PredicateExpression>(
        _ type: N.Type, _ value: E
    ) -> PredicateExpressions.PartialFunction<E, N> where E.Output: BinaryInteger {
        PredicateExpressions.PartialFunction(value, "\(N.self)", \.[exactly: NumberType<N>()])
    }

    /// `N(value)` from floating-point number to integer, without the fraction.
    public static func number<N: FixedWidthInteger & SendableMetatype, E: PredicateExpression>(
        _ type: N.Type, _ value: E
    ) -> PredicateExpressions.PartialFunction<E, N> where E.Output: BinaryFloatingPoint {
        PredicateExpressions.PartialFunction(value, "\(N.self)", \.[truncated: NumberType<N>()])
    }

    /// `N(value)` from integer to floating-point number.
    public static func number<N: BinaryFloatingPoint & SendableMetatype, E: PredicateExpression>(
        _ type: N.Type, _ value: E
    ) -> PredicateExpressions.Function<E, N> where E.Output: BinaryInteger {
        PredicateExpressions.Function(value, "\(N.self)", \.[rounded: NumberType<N>()])
    }

    /// `N(value)` from floating-point number to floating-point number.
    public static func number<N: BinaryFloatingPoint & SendableMetatype, E: PredicateExpression>(
        _ type: N.Type, _ value: E
    ) -> PredicateExpressions.Function<E, N> where E.Output: BinaryFloatingPoint {
        PredicateExpressions.Function(value, "\(N.self)", \.[rounded: NumberType<N>()])
    }

    /// `N(text)`, nil where the text is no number.
    public static func number<N: LosslessStringConvertible & SendableMetatype, E: PredicateExpression<String>>(
        _ type: N.Type, _ text: E
    ) -> PredicateExpressions.Function<E, N?> {
        PredicateExpressions.Function(text, "\(N.self)", \.[parsed: NumberType<N>()])
    }

    // MARK: Text

    /// `text.lowercased()`
    public static func lowercased<E: PredicateExpression<String>>(
        _ text: E
    ) -> PredicateExpressions.Function<E, String> {
        PredicateExpressions.Function(text, "lowercased", \.lowercasedText)
    }

    /// `text.uppercased()`
    public static func uppercased<E: PredicateExpression<String>>(
        _ text: E
    ) -> PredicateExpressions.Function<E, String> {
        PredicateExpressions.Function(text, "uppercased", \.uppercasedText)
    }

    /// `text.hasPrefix(prefix)`
    public static func hasPrefix<T: PredicateExpression, P: PredicateExpression>(
        _ text: T, _ prefix: P
    ) -> PredicateExpressions.SequenceStartsWith<T, P> where T.Output: StringProtocol, P.Output: StringProtocol {
        PredicateExpressions.SequenceStartsWith(base: text, prefix: prefix)
    }

    /// `text.hasSuffix(suffix)`
    public static func hasSuffix<T: PredicateExpression, S: PredicateExpression>(
        _ text: T, _ suffix: S
    ) -> PredicateExpressions.StringHasSuffix<T, S> where T.Output: StringProtocol, S.Output: StringProtocol {
        PredicateExpressions.StringHasSuffix(text: text, suffix: suffix)
    }

    /// `text.localizedStandardContains(other)`
    public static func localizedStandardContains<T: PredicateExpression, U: PredicateExpression>(
        _ text: T, _ other: U
    ) -> PredicateExpressions.StringLocalizedStandardContains<T, U>
    where T.Output: StringProtocol, U.Output: StringProtocol {
        PredicateExpressions.build_localizedStandardContains(text, other)
    }

    /// `text.localizedCaseInsensitiveContains(other)`
    public static func localizedCaseInsensitiveContains<T: PredicateExpression, U: PredicateExpression>(
        _ text: T, _ other: U
    ) -> PredicateExpressions.StringLocalizedCaseInsensitiveContains<T, U>
    where T.Output: StringProtocol, U.Output: StringProtocol {
        PredicateExpressions.StringLocalizedCaseInsensitiveContains(text: text, other: other)
    }

    /// `text.caseInsensitiveCompare(other)`
    public static func caseInsensitiveCompare<T: PredicateExpression, U: PredicateExpression>(
        _ text: T, _ other: U
    ) -> PredicateExpressions.StringCaseInsensitiveCompare<T, U>
    where T.Output: StringProtocol, U.Output: StringProtocol {
        PredicateExpressions.build_caseInsensitiveCompare(text, other)
    }

    /// `text.localizedCompare(other)`
    public static func localizedCompare<T: PredicateExpression, U: PredicateExpression>(
        _ text: T, _ other: U
    ) -> PredicateExpressions.StringLocalizedCompare<T, U>
    where T.Output: StringProtocol, U.Output: StringProtocol {
        PredicateExpressions.build_localizedCompare(text, other)
    }

    /// `text.localizedStandardCompare(other)`
    public static func localizedStandardCompare<T: PredicateExpression, U: PredicateExpression>(
        _ text: T, _ other: U
    ) -> PredicateExpressions.StringLocalizedStandardCompare<T, U>
    where T.Output: StringProtocol, U.Output: StringProtocol {
        PredicateExpressions.StringLocalizedStandardCompare(text: text, other: other)
    }

    // MARK: Other predicates

    /// `predicate.evaluate(value, …)`
    public static func evaluate<P: PredicateExpression, each A: PredicateExpression>(
        _ predicate: P, _ argument: repeat each A
    ) -> PredicateExpressions.InnerPredicate<P, repeat each A>
    where P.Output == Predicate<repeat (each A).Output> {
        PredicateExpressions.InnerPredicate(predicate: predicate, argument: repeat each argument)
    }

    /// `expression.evaluate(value, …)`
    public static func evaluate<E: PredicateExpression, each A: PredicateExpression, Output>(
        _ expression: E, _ argument: repeat each A
    ) -> PredicateExpressions.ExpressionEvaluate<E, repeat each A, Output>
    where E.Output == Expression<repeat (each A).Output, Output> {
        PredicateExpressions.ExpressionEvaluate(expression: expression, input: repeat each argument)
    }
}
