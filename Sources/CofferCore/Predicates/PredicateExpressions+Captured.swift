import Foundation

// What Foundation has no node for because its macro takes every captured value for `Codable` and `Sendable`.

extension PredicateExpressions {
    /// A captured model, an optional one, or a collection of models.
    ///
    /// Models belong to their context, so they are not sendable; a predicate uses no more of them than who they are.
    public struct CapturedModels<Output>: PredicateExpression, @unchecked Sendable {
        /// What was captured.
        public let value: Output

        init(_ value: Output) { self.value = value }

        /// What was captured.
        public func evaluate(_ bindings: PredicateBindings) -> Output { value }
    }

    /// One of two expressions, decided by captured values when the predicate was made.
    public struct CapturedChoice<First: PredicateExpression, Second: PredicateExpression>: PredicateExpression
    where First.Output == Second.Output {
        /// What the expression gives.
        public typealias Output = First.Output
        /// The expression that was taken.
        public let taken: Taken

        /// Either one of the two.
        public enum Taken {
            /// The first one.
            case first(First)
            /// The second one.
            case second(Second)
        }

        init(first: First) { taken = .first(first) }
        init(second: Second) { taken = .second(second) }

        /// The value of the expression that was taken.
        ///
        /// - Throws: whatever evaluating it throws.
        public func evaluate(_ bindings: PredicateBindings) throws -> Output {
            switch taken {
            case .first(let expression): try expression.evaluate(bindings)
            case .second(let expression): try expression.evaluate(bindings)
            }
        }
    }
}

extension PredicateExpressions.CapturedChoice.Taken: Sendable where First: Sendable, Second: Sendable {}
extension PredicateExpressions.CapturedChoice: Sendable where First: Sendable, Second: Sendable {}

extension PredicateExpressions.CapturedModels: CustomStringConvertible {
    /// The type, and which objects they are: what a model says of itself may be the same for two of them.
    public var description: String {
        let models: [any PersistentModel] =
            switch value {
            case let model as any PersistentModel: [model]
            case let models as [any PersistentModel]: models
            case let models as any Sequence: models.compactMap { $0 as? any PersistentModel }
            default: []
            }
        let objects = models.map { "\(UInt(bitPattern: ObjectIdentifier($0)))" }.joined(separator: ", ")
        return "CapturedModels<\(Output.self)>(\(objects))"
    }
}

extension PredicateExpressions.CapturedChoice: CustomStringConvertible {
    /// The expression that was taken.
    public var description: String {
        switch taken {
        case .first(let expression): "\(expression)"
        case .second(let expression): "\(expression)"
        }
    }
}

extension PredicateExpressions.CapturedModels: LowerableExpression {
    func lower(in scope: LoweringScope) throws -> LoweredValue {
        CapturedValue.lowered(value, as: Output.self) ?? .object(value)
    }
}

extension PredicateExpressions.CapturedChoice: LowerableExpression {
    func lower(in scope: LoweringScope) throws -> LoweredValue {
        switch taken {
        case .first(let expression): try scope.lower(expression)
        case .second(let expression): try scope.lower(expression)
        }
    }
}

/// The whole of a predicate with nodes that Foundation's predicates do not take: they ask for `Codable`.
struct PredicateRoot<Output>: StandardPredicateExpression, NeverCoded {
    let whole: any PredicateExpression<Output> & Sendable

    init(_ whole: any PredicateExpression<Output> & Sendable) { self.whole = whole }

    func evaluate(_ bindings: PredicateBindings) throws -> Output { try whole.evaluate(bindings) }
}

extension PredicateRoot: LowerableExpression, ConjunctiveExpression {
    func lower(in scope: LoweringScope) throws -> LoweredValue { try scope.lower(whole) }

    func lowerConjuncts(in scope: LoweringScope, into conjuncts: inout [FilterExpression]) throws {
        try scope.lowerConjuncts(whole, into: &conjuncts)
    }
}

extension PredicateRoot: CustomStringConvertible {
    /// The predicate itself.
    var description: String { "\(whole)" }
}
