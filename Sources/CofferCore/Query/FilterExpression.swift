/// The filter of a ``FetchPlan``: an expression over property slots, which gives a Boolean for each row.
///
/// The meaning is Swift's, in every store: nil equals nil and nothing else, `!=` is the opposite of `==`, a
/// floating-point number that is none equals nothing, text is equal by canonical equivalence and ordered by scalars.
/// Constants have the stored form.
///
/// What would stop a Swift program — force-unwrapping nil, integer overflow, an index out of range — makes the result
/// *unknown* instead. Unknown passes through operators; `false && unknown` is false and `true || unknown` true, in
/// either order. A quantifier is a chain of `||` or `&&` over its elements; whatever else depends on an element for
/// which a condition is unknown, its sequence's number of elements for instance, is unknown as well. A row whose filter
/// is unknown does not match.
public indirect enum FilterExpression: Hashable, Sendable {
    /// A value that is known beforehand.
    case constant(StoredValue, FilterType)
    /// A row's attribute or link, or the row itself.
    case property(FilterPath)
    /// An element of a collection of values, inside a quantifier.
    case element(FilterVariable, FilterType)
    /// Something that is derived from a value by a Swift key path: a struct's member, for instance. Nil of nil.
    case member(FilterExpression, FilterMember)

    /// A comparison of two values of the same kind. Nil can only be told equal or not.
    case compare(FilterComparison, FilterExpression, FilterExpression)
    /// A comparison by the Swift type's own operators, where the stored form would not do.
    case compareCoded(FilterComparison, FilterExpression, FilterExpression, FilterCoding)
    /// Whether all conditions are true; true where there are none.
    case all([FilterExpression])
    /// Whether one condition is true; false where there are none.
    case any([FilterExpression])
    /// Whether a condition is false; unknown where it is unknown.
    case not(FilterExpression)

    /// Arithmetic in a Swift type. Unknown where Swift would stop: at an overflow, at a division by zero.
    case arithmetic(FilterOperator, FilterExpression, FilterExpression, FilterNumber)
    /// The number with the other sign; unknown where that does not fit.
    case negative(FilterExpression, FilterNumber)

    /// `left ?? right`
    case coalesce(FilterExpression, FilterExpression)
    /// `test ? first : second`
    case conditional(FilterExpression, FilterExpression, FilterExpression)
    /// The second expression where the first has a value, otherwise nil: optional chaining and `flatMap`.
    case ifPresent(FilterExpression, FilterExpression)
    /// The second expression where the first has a value, otherwise unknown: `!`.
    case require(FilterExpression, FilterExpression)

    /// Whether the sequence has elements.
    case exists(FilterSequence)
    /// Whether all elements of the sequence meet the condition.
    case every(FilterSequence, FilterExpression)
    /// The number of elements.
    case count(FilterSequence)
    /// Whether an element equals the value.
    case includes(FilterSequence, FilterExpression)

    /// What the expression gives for one element of the sequence, for which the sequence's variable stands in it.
    case pick(FilterSequence, FilterPick, FilterExpression)
    /// The smallest or largest value that the expression gives for the elements, nil where there are none. By the order
    /// of the stored form, or that of a Swift type. Of values that are equal the first counts.
    case extremum(FilterSequence, FilterExtreme, FilterExpression, FilterCoding?)
    /// What a function gives; unknown where an argument is.
    case call(FilterFunction, [FilterExpression])

    /// A test of the first text with the second.
    case text(FilterTextTest, FilterExpression, FilterExpression)
    /// The number of characters.
    case length(FilterExpression)
    /// How the first text compares with the second: −1, 0 or 1.
    case textOrder(FilterTextOrder, FilterExpression, FilterExpression)
    /// Whether texts, taken together, are what a full-text query looks for; nil among them has no words. The query is text
    /// that ``FullTextQuery`` reads.
    case fullText([FilterExpression], FilterExpression)

    /// A condition that is always true, or never.
    public static func boolean(_ value: Bool) -> FilterExpression {
        .constant(.integer(value ? 1 : 0), .boolean)
    }

    /// What the expression gives.
    public var type: FilterType {
        switch self {
        case .constant(_, let type), .element(_, let type): type
        case .property(let path): path.type
        case .member(let base, let member): member.type.optional(member.type.isOptional || base.type.isOptional)
        case .compare, .compareCoded, .all, .any, .not, .exists, .every, .includes, .text, .fullText: .boolean
        case .arithmetic(_, _, _, let number), .negative(_, let number): FilterType(.scalar(number.storage))
        case .coalesce(let left, let right):
            FilterType(left.type.kind, isOptional: left.type.isOptional && right.type.isOptional)
        case .conditional(_, let first, let second):
            FilterType(
                first.isNil ? second.type.kind : first.type.kind,
                isOptional: first.type.isOptional || second.type.isOptional)
        case .ifPresent(let value, let body):
            body.type.optional(body.type.isOptional || value.type.isOptional)
        case .require(let value, let body): value == body ? body.type.optional(false) : body.type
        case .length(let text): .integer.optional(text.type.isOptional)
        case .count, .textOrder: .integer
        case .pick(_, let pick, let body): body.type.optional(body.type.isOptional || pick.mayBeNil)
        case .extremum(_, _, let value, _): value.type.optional()
        case .call(let function, _): function.type
        }
    }

    /// Whether this is the constant nil.
    public var isNil: Bool {
        if case .constant(.null, _) = self { true } else { false }
    }

    /// The constant truth of the expression; nil where it depends on the row.
    public var constantTruth: Bool? {
        if case .constant(.integer(let bit), let type) = self, type == .boolean { bit != 0 } else { nil }
    }
}

/// How two values are compared.
public enum FilterComparison: String, Hashable, Sendable {
    /// The same value; nil is the same as nil.
    case equal = "=="
    /// Another value.
    case notEqual = "!="
    /// In front, in the order of the type.
    case less = "<"
    /// In front or the same.
    case lessOrEqual = "<="
    /// Behind.
    case greater = ">"
    /// Behind or the same.
    case greaterOrEqual = ">="

    /// The comparison that gives the same with the sides changed.
    public var mirrored: FilterComparison {
        switch self {
        case .equal, .notEqual: self
        case .less: .greater
        case .lessOrEqual: .greaterOrEqual
        case .greater: .less
        case .greaterOrEqual: .lessOrEqual
        }
    }
}

/// Tests of text, by characters unless said otherwise.
public enum FilterTextTest: String, Hashable, Sendable {
    /// The other text stands somewhere in it.
    case contains
    /// It begins with the other text.
    case startsWith
    /// It ends with the other text.
    case endsWith
    /// Without regard to case and marks, in the current locale.
    case localizedStandardContains
}

/// Orders of text that give a `ComparisonResult`.
public enum FilterTextOrder: String, Hashable, Sendable {
    /// Without regard to case.
    case caseInsensitiveCompare
    /// In the order of the current locale.
    case localizedCompare
    /// In the order of a file manager: by locale, digits as numbers.
    case localizedStandardCompare
}
