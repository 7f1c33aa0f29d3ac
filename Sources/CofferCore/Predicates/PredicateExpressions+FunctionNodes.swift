import Foundation

// Functions of two values for which Foundation has no node.

extension PredicateExpressions {
    /// `isMultiple(of:)`
    public struct IntIsMultiple<LHS: PredicateExpression, RHS: PredicateExpression>: PredicateExpression
    where LHS.Output == RHS.Output, LHS.Output: BinaryInteger {
        /// A truth value.
        public typealias Output = Bool
        /// The number.
        public let lhs: LHS
        /// What it may be a multiple of.
        public let rhs: RHS

        init(lhs: LHS, rhs: RHS) {
            self.lhs = lhs
            self.rhs = rhs
        }

        /// Whether the number is a multiple.
        ///
        /// - Throws: whatever evaluating the sides throws.
        public func evaluate(_ bindings: PredicateBindings) throws -> Bool {
            try lhs.evaluate(bindings).isMultiple(of: rhs.evaluate(bindings))
        }
    }

    /// `+` of text or arrays.
    public struct Concatenation<LHS: PredicateExpression, RHS: PredicateExpression>: PredicateExpression
    where LHS.Output == RHS.Output, LHS.Output: RangeReplaceableCollection {
        /// The whole.
        public typealias Output = LHS.Output
        /// The beginning.
        public let lhs: LHS
        /// The end.
        public let rhs: RHS

        init(lhs: LHS, rhs: RHS) {
            self.lhs = lhs
            self.rhs = rhs
        }

        /// The two as one.
        ///
        /// - Throws: whatever evaluating the parts throws.
        public func evaluate(_ bindings: PredicateBindings) throws -> Output {
            try lhs.evaluate(bindings) + rhs.evaluate(bindings)
        }
    }

    /// `hasSuffix`
    public struct StringHasSuffix<Text: PredicateExpression, Suffix: PredicateExpression>: PredicateExpression
    where Text.Output: StringProtocol, Suffix.Output: StringProtocol {
        /// A truth value.
        public typealias Output = Bool
        /// The text.
        public let text: Text
        /// What it may end with.
        public let suffix: Suffix

        init(text: Text, suffix: Suffix) {
            self.text = text
            self.suffix = suffix
        }

        /// Whether the text ends so.
        ///
        /// - Throws: whatever evaluating the parts throws.
        public func evaluate(_ bindings: PredicateBindings) throws -> Bool {
            try text.evaluate(bindings).hasSuffix(suffix.evaluate(bindings))
        }
    }

    /// `localizedCaseInsensitiveContains`
    public struct StringLocalizedCaseInsensitiveContains<Text: PredicateExpression, Other: PredicateExpression>:
        PredicateExpression
    where Text.Output: StringProtocol, Other.Output: StringProtocol {
        /// A truth value.
        public typealias Output = Bool
        /// The text that is searched.
        public let text: Text
        /// The text that is looked for.
        public let other: Other

        init(text: Text, other: Other) {
            self.text = text
            self.other = other
        }

        /// Whether the text is found.
        ///
        /// - Throws: whatever evaluating the parts throws.
        public func evaluate(_ bindings: PredicateBindings) throws -> Bool {
            let text = TextNormalisation.normalised(String(try text.evaluate(bindings)))
            let other = TextNormalisation.normalised(String(try other.evaluate(bindings)))
            return text.localizedCaseInsensitiveContains(other)
        }
    }

    /// `localizedStandardCompare`
    public struct StringLocalizedStandardCompare<Text: PredicateExpression, Other: PredicateExpression>:
        PredicateExpression
    where Text.Output: StringProtocol, Other.Output: StringProtocol {
        /// An order.
        public typealias Output = ComparisonResult
        /// The text on the left.
        public let text: Text
        /// The text on the right.
        public let other: Other

        init(text: Text, other: Other) {
            self.text = text
            self.other = other
        }

        /// The order of the two.
        ///
        /// - Throws: whatever evaluating the parts throws.
        public func evaluate(_ bindings: PredicateBindings) throws -> ComparisonResult {
            try FilterTextOrder.localizedStandardCompare.compare(
                String(text.evaluate(bindings)), String(other.evaluate(bindings)))
        }
    }

    /// Another predicate, evaluated with values of this one.
    public struct InnerPredicate<Inner: PredicateExpression, each Argument: PredicateExpression>: PredicateExpression
    where Inner.Output == Predicate<repeat (each Argument).Output> {
        /// A truth value.
        public typealias Output = Bool
        /// The predicate.
        public let predicate: Inner
        /// What it is evaluated with.
        public let argument: (repeat each Argument)

        init(predicate: Inner, argument: repeat each Argument) {
            self.predicate = predicate
            self.argument = (repeat each argument)
        }

        /// Whether the predicate is true for the arguments.
        ///
        /// - Throws: whatever evaluating the parts throws.
        public func evaluate(_ bindings: PredicateBindings) throws -> Bool {
            try predicate.evaluate(bindings).evaluate(repeat try (each argument).evaluate(bindings))
        }
    }
}

extension PredicateExpressions.IntIsMultiple: Sendable where LHS: Sendable, RHS: Sendable {}
extension PredicateExpressions.Concatenation: Sendable where LHS: Sendable, RHS: Sendable {}
extension PredicateExpressions.StringHasSuffix: Sendable where Text: Sendable, Suffix: Sendable {}
extension PredicateExpressions.StringLocalizedCaseInsensitiveContains: Sendable
where Text: Sendable, Other: Sendable {}
extension PredicateExpressions.StringLocalizedStandardCompare: Sendable where Text: Sendable, Other: Sendable {}
extension PredicateExpressions.InnerPredicate: Sendable where Inner: Sendable, repeat each Argument: Sendable {}

extension PredicateExpressions.IntIsMultiple: CustomStringConvertible {
    /// The node with its parts.
    public var description: String { "IntIsMultiple(lhs: \(lhs), rhs: \(rhs))" }
}
extension PredicateExpressions.Concatenation: CustomStringConvertible {
    /// The node with its parts.
    public var description: String { "Concatenation(lhs: \(lhs), rhs: \(rhs))" }
}
extension PredicateExpressions.StringHasSuffix: CustomStringConvertible {
    /// The node with its parts.
    public var description: String { "StringHasSuffix(text: \(text), suffix: \(suffix))" }
}
extension PredicateExpressions.StringLocalizedCaseInsensitiveContains: CustomStringConvertible {
    /// The node with its parts.
    public var description: String { "StringLocalizedCaseInsensitiveContains(text: \(text), other: \(other))" }
}
extension PredicateExpressions.StringLocalizedStandardCompare: CustomStringConvertible {
    /// The node with its parts.
    public var description: String { "StringLocalizedStandardCompare(text: \(text), other: \(other))" }
}
extension PredicateExpressions.InnerPredicate: CustomStringConvertible {
    /// The node with its parts.
    public var description: String { "InnerPredicate(predicate: \(predicate), argument: \(argument))" }
}
