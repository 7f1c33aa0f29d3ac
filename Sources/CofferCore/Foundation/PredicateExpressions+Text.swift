#if !canImport(Darwin)
import Foundation

// `#Predicate` expands `$0.name.localizedStandardContains("x")` into a call of `build_localizedStandardContains`, which
// open Foundation lacks. These are the functions and nodes that its macro knows by name.

extension PredicateExpressions {
    /// Whether text contains other text, as a search field of a file manager finds it: without regard to case and
    /// diacritics, in the current locale.
    public struct StringLocalizedStandardContains<Root: PredicateExpression, Other: PredicateExpression>:
        PredicateExpression
    where Root.Output: StringProtocol, Other.Output: StringProtocol {
        /// A truth value.
        public typealias Output = Bool
        /// The text that is searched.
        public let root: Root
        /// The text that is looked for.
        public let other: Other

        /// Makes a node.
        public init(root: Root, other: Other) {
            self.root = root
            self.other = other
        }

        /// Whether the text is found.
        ///
        /// - Throws: whatever evaluating the parts throws.
        public func evaluate(_ bindings: PredicateBindings) throws -> Bool {
            let text = TextNormalisation.normalised(String(try root.evaluate(bindings)))
            let other = TextNormalisation.normalised(String(try other.evaluate(bindings)))
            return text.localizedStandardContains(other)
        }
    }

    /// How text compares with other text when case does not count.
    public struct StringCaseInsensitiveCompare<Root: PredicateExpression, Other: PredicateExpression>:
        PredicateExpression
    where Root.Output: StringProtocol, Other.Output: StringProtocol {
        /// An order.
        public typealias Output = ComparisonResult
        /// The text on the left.
        public let root: Root
        /// The text on the right.
        public let other: Other

        /// Makes a node.
        public init(root: Root, other: Other) {
            self.root = root
            self.other = other
        }

        /// The order of the two.
        ///
        /// - Throws: whatever evaluating the parts throws.
        public func evaluate(_ bindings: PredicateBindings) throws -> ComparisonResult {
            try FilterTextOrder.caseInsensitiveCompare.compare(
                String(root.evaluate(bindings)), String(other.evaluate(bindings)))
        }
    }

    /// How text compares with other text by the rules of the current locale.
    public struct StringLocalizedCompare<Root: PredicateExpression, Other: PredicateExpression>: PredicateExpression
    where Root.Output: StringProtocol, Other.Output: StringProtocol {
        /// An order.
        public typealias Output = ComparisonResult
        /// The text on the left.
        public let root: Root
        /// The text on the right.
        public let other: Other

        /// Makes a node.
        public init(root: Root, other: Other) {
            self.root = root
            self.other = other
        }

        /// The order of the two.
        ///
        /// - Throws: whatever evaluating the parts throws.
        public func evaluate(_ bindings: PredicateBindings) throws -> ComparisonResult {
            try FilterTextOrder.localizedCompare.compare(
                String(root.evaluate(bindings)), String(other.evaluate(bindings)))
        }
    }

    /// What `#Predicate` makes of `localizedStandardContains`.
    public static func build_localizedStandardContains<Root, Other>(
        _ root: Root, _ other: Other
    ) -> StringLocalizedStandardContains<Root, Other> {
        StringLocalizedStandardContains(root: root, other: other)
    }

    /// What `#Predicate` makes of `caseInsensitiveCompare`.
    public static func build_caseInsensitiveCompare<Root, Other>(
        _ root: Root, _ other: Other
    ) -> StringCaseInsensitiveCompare<Root, Other> {
        StringCaseInsensitiveCompare(root: root, other: other)
    }

    /// What `#Predicate` makes of `localizedCompare`.
    public static func build_localizedCompare<Root, Other>(
        _ root: Root, _ other: Other
    ) -> StringLocalizedCompare<Root, Other> {
        StringLocalizedCompare(root: root, other: other)
    }
}

extension PredicateExpressions.StringLocalizedStandardContains: Codable where Root: Codable, Other: Codable {}
extension PredicateExpressions.StringLocalizedStandardContains: Sendable where Root: Sendable, Other: Sendable {}
extension PredicateExpressions.StringLocalizedStandardContains: StandardPredicateExpression
where Root: StandardPredicateExpression, Other: StandardPredicateExpression {}

extension PredicateExpressions.StringCaseInsensitiveCompare: Codable where Root: Codable, Other: Codable {}
extension PredicateExpressions.StringCaseInsensitiveCompare: Sendable where Root: Sendable, Other: Sendable {}
extension PredicateExpressions.StringCaseInsensitiveCompare: StandardPredicateExpression
where Root: StandardPredicateExpression, Other: StandardPredicateExpression {}

extension PredicateExpressions.StringLocalizedCompare: Codable where Root: Codable, Other: Codable {}
extension PredicateExpressions.StringLocalizedCompare: Sendable where Root: Sendable, Other: Sendable {}
extension PredicateExpressions.StringLocalizedCompare: StandardPredicateExpression
where Root: StandardPredicateExpression, Other: StandardPredicateExpression {}

extension PredicateExpressions.StringLocalizedStandardContains: CustomStringConvertible {
    /// The node with its parts.
    public var description: String { "StringLocalizedStandardContains(root: \(root), other: \(other))" }
}
extension PredicateExpressions.StringCaseInsensitiveCompare: CustomStringConvertible {
    /// The node with its parts.
    public var description: String { "StringCaseInsensitiveCompare(root: \(root), other: \(other))" }
}
extension PredicateExpressions.StringLocalizedCompare: CustomStringConvertible {
    /// The node with its parts.
    public var description: String { "StringLocalizedCompare(root: \(root), other: \(other))" }
}
#endif
