import Foundation

// Quantifiers and collections.

extension _PredicateBuild {
    /// `sequence.contains(element)`
    public static func contains<S: PredicateExpression, E: PredicateExpression>(
        _ sequence: S, _ element: E
    ) -> PredicateExpressions.SequenceContains<S, E>
    where S.Output: Sequence, S.Output.Element: Equatable, E.Output == S.Output.Element {
        PredicateExpressions.SequenceContains(sequence: sequence, element: element)
    }

    /// `sequence.contains(element)`, where only the elements are optional.
    @_disfavoredOverload
    public static func contains<S: PredicateExpression, E: PredicateExpression>(
        _ sequence: S, _ element: E
    ) -> PredicateExpressions.SequenceContains<S, PredicateExpressions.Promoted<E>>
    where S.Output: Sequence, S.Output.Element: Equatable, E.Output? == S.Output.Element {
        PredicateExpressions.SequenceContains(
            sequence: sequence, element: PredicateExpressions.Promoted(element))
    }

    /// `text.contains(other)`
    public static func contains<T: PredicateExpression, U: PredicateExpression>(
        _ text: T, _ other: U
    ) -> PredicateExpressions.CollectionContainsCollection<T, U>
    where T.Output: StringProtocol, U.Output: StringProtocol {
        PredicateExpressions.CollectionContainsCollection(base: text, other: other)
    }

    /// `text.contains(regex)`
    public static func contains<T: PredicateExpression, R: PredicateExpression>(
        _ text: T, _ regex: R
    ) -> PredicateExpressions.StringContainsRegex<T, R>
    where
        T.Output: BidirectionalCollection, T.Output.SubSequence == Substring,
        R.Output == PredicateExpressions.PredicateRegex
    {
        PredicateExpressions.StringContainsRegex(subject: text, regex: regex)
    }

    /// `range.contains(element)`, of a range that is a sequence as well.
    public static func contains<S: PredicateExpression, E: PredicateExpression>(
        _ range: S, _ element: E
    ) -> PredicateExpressions.RangeExpressionContains<S, E>
    where S.Output: RangeExpression & Sequence, S.Output.Bound == E.Output, S.Output.Element == E.Output {
        PredicateExpressions.RangeExpressionContains(range: range, element: element)
    }

    /// `range.contains(element)`
    public static func contains<S: PredicateExpression, E: PredicateExpression>(
        _ range: S, _ element: E
    ) -> PredicateExpressions.RangeExpressionContains<S, E>
    where S.Output: RangeExpression, S.Output.Bound == E.Output {
        PredicateExpressions.RangeExpressionContains(range: range, element: element)
    }

    /// `sequence.contains { … }`
    public static func contains<S: PredicateExpression, T: PredicateExpression<Bool>>(
        _ sequence: S, where test: (PredicateExpressions.Variable<S.Output.Element>) -> T
    ) -> PredicateExpressions.SequenceContainsWhere<S, T> where S.Output: Sequence {
        PredicateExpressions.SequenceContainsWhere(sequence, builder: test)
    }

    /// `sequence.allSatisfy { … }`
    public static func allSatisfy<S: PredicateExpression, T: PredicateExpression<Bool>>(
        _ sequence: S, _ test: (PredicateExpressions.Variable<S.Output.Element>) -> T
    ) -> PredicateExpressions.SequenceAllSatisfy<S, T> where S.Output: Sequence {
        PredicateExpressions.SequenceAllSatisfy(sequence, builder: test)
    }

    /// `sequence.filter { … }`
    public static func filter<S: PredicateExpression, T: PredicateExpression<Bool>>(
        _ sequence: S, _ test: (PredicateExpressions.Variable<S.Output.Element>) -> T
    ) -> PredicateExpressions.Filter<S, T> where S.Output: Sequence {
        PredicateExpressions.Filter(sequence, test)
    }

    /// `elements.map { … }`
    public static func map<S: PredicateExpression, T: PredicateExpression>(
        _ sequence: S, _ transform: (PredicateExpressions.Variable<S.Output.Element>) -> T
    ) -> PredicateExpressions.SequenceMap<S, T> where S.Output: Sequence {
        PredicateExpressions.SequenceMap(sequence, transform)
    }

    /// `sequence.starts(with: prefix)`
    public static func starts<S: PredicateExpression, P: PredicateExpression>(
        _ sequence: S, with prefix: P
    ) -> PredicateExpressions.SequenceStartsWith<S, P>
    where
        S.Output: Sequence, P.Output: Sequence, S.Output.Element == P.Output.Element, S.Output.Element: Equatable
    {
        PredicateExpressions.SequenceStartsWith(base: sequence, prefix: prefix)
    }

    /// `sequence.min()`
    public static func min<S: PredicateExpression>(
        _ elements: S
    ) -> PredicateExpressions.SequenceMinimum<S> where S.Output: Sequence, S.Output.Element: Comparable {
        PredicateExpressions.SequenceMinimum(elements: elements)
    }

    /// `sequence.max()`
    public static func max<S: PredicateExpression>(
        _ elements: S
    ) -> PredicateExpressions.SequenceMaximum<S> where S.Output: Sequence, S.Output.Element: Comparable {
        PredicateExpressions.SequenceMaximum(elements: elements)
    }

    /// `collection[index]`
    public static func at<C: PredicateExpression, I: PredicateExpression>(
        _ collection: C, _ index: I
    ) -> PredicateExpressions.CollectionIndexSubscript<C, I>
    where C.Output: Collection, I.Output == C.Output.Index {
        PredicateExpressions.CollectionIndexSubscript(wrapped: collection, index: index)
    }

    /// `collection[range]`
    public static func at<C: PredicateExpression, R: PredicateExpression>(
        _ collection: C, _ range: R
    ) -> PredicateExpressions.CollectionRangeSubscript<C, R>
    where C.Output: Collection, R.Output == Range<C.Output.Index> {
        PredicateExpressions.CollectionRangeSubscript(wrapped: collection, range: range)
    }

    /// `dictionary[key]`
    public static func at<D: PredicateExpression, K: PredicateExpression, V>(
        _ dictionary: D, _ key: K
    ) -> PredicateExpressions.DictionaryKeySubscript<D, K, V> where D.Output == [K.Output: V] {
        PredicateExpressions.DictionaryKeySubscript(wrapped: dictionary, key: key)
    }

    /// `dictionary[key, default: value]`
    public static func at<D: PredicateExpression, K: PredicateExpression, V: PredicateExpression>(
        _ dictionary: D, _ key: K, default value: V
    ) -> PredicateExpressions.DictionaryKeyDefaultValueSubscript<D, K, V> where D.Output == [K.Output: V.Output] {
        PredicateExpressions.DictionaryKeyDefaultValueSubscript(wrapped: dictionary, key: key, default: value)
    }
}
