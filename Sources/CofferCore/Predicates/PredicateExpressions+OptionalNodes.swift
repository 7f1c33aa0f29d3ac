import Foundation

// Swift makes optionals of values by itself; among expressions that takes a node.

extension PredicateExpressions {
    /// A value as an optional.
    public struct Promoted<Wrapped: PredicateExpression>: PredicateExpression {
        /// The value, or nil; never nil here.
        public typealias Output = Wrapped.Output?
        /// The value.
        public let wrapped: Wrapped

        init(_ wrapped: Wrapped) { self.wrapped = wrapped }

        /// The value.
        ///
        /// - Throws: whatever evaluating it throws.
        public func evaluate(_ bindings: PredicateBindings) throws -> Wrapped.Output? {
            try wrapped.evaluate(bindings)
        }
    }

    /// Whether an optional has a value, of whatever type.
    public struct HasValue<Optional: PredicateExpression, Wrapped>: PredicateExpression
    where Optional.Output == Wrapped? {
        /// A truth value.
        public typealias Output = Bool
        /// The optional.
        public let optional: Optional

        init(_ optional: Optional) { self.optional = optional }

        /// Whether there is a value.
        ///
        /// - Throws: whatever evaluating the optional throws.
        public func evaluate(_ bindings: PredicateBindings) throws -> Bool {
            switch try optional.evaluate(bindings) {
            case .some: true
            case .none: false
            }
        }
    }

    /// `??` with an optional on its right side too.
    public struct OptionalCoalesce<LHS: PredicateExpression, RHS: PredicateExpression, Wrapped>: PredicateExpression
    where LHS.Output == Wrapped?, RHS.Output == Wrapped? {
        /// One of the two values, or nil.
        public typealias Output = Wrapped?
        /// What is taken unless it is nil.
        public let lhs: LHS
        /// What is taken otherwise.
        public let rhs: RHS

        init(lhs: LHS, rhs: RHS) {
            self.lhs = lhs
            self.rhs = rhs
        }

        /// The first value that is there.
        ///
        /// - Throws: whatever evaluating the sides throws.
        public func evaluate(_ bindings: PredicateBindings) throws -> Wrapped? {
            try lhs.evaluate(bindings) ?? rhs.evaluate(bindings)
        }
    }
}

extension PredicateExpressions.Promoted: Sendable where Wrapped: Sendable {}
extension PredicateExpressions.HasValue: Sendable where Optional: Sendable {}
extension PredicateExpressions.OptionalCoalesce: Sendable where LHS: Sendable, RHS: Sendable {}

extension PredicateExpressions.Promoted: CustomStringConvertible {
    /// The node with its part.
    public var description: String { "Promoted(\(wrapped))" }
}

extension PredicateExpressions.HasValue: CustomStringConvertible {
    /// The node with its part.
    public var description: String { "HasValue(\(optional))" }
}

extension PredicateExpressions.OptionalCoalesce: CustomStringConvertible {
    /// The node with its parts.
    public var description: String { "OptionalCoalesce(lhs: \(lhs), rhs: \(rhs))" }
}

extension PredicateExpressions.Promoted: LowerableExpression {
    func lower(in scope: LoweringScope) throws -> LoweredValue {
        let lowered = try scope.lower(wrapped)
        // What a captured value is compared with decides nothing, but the plan should say the type.
        if case .value(.constant(let value, let type)) = lowered { return .value(.constant(value, type.optional())) }
        return lowered
    }
}

extension PredicateExpressions.HasValue: LowerableExpression {
    func lower(in scope: LoweringScope) throws -> LoweredValue {
        .value(try scope.presence(of: scope.lower(optional)))
    }
}

extension PredicateExpressions.OptionalCoalesce: LowerableExpression {
    func lower(in scope: LoweringScope) throws -> LoweredValue {
        let (optional, substitute) = (try scope.lower(lhs), try scope.lower(rhs))
        if case .value(let left) = optional, case .value(let right) = substitute {
            return .value(left.type.isOptional && !right.isNil ? .coalesce(left, right) : left)
        }
        if substitute.isNil { return optional }
        let isPresent = try scope.presence(of: optional)
        return isPresent.constantTruth == true ? optional : scope.choice(isPresent, optional, substitute)
    }
}
