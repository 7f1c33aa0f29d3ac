import Foundation

// Predicates that are put together at run time. Foundation's macro takes one closure, which the compiler gives up on
// from about six conditions on; several small predicates have no such limit.

extension Predicate {
    /// A predicate that is true where all of the given ones are; of none, true for everything.
    ///
    /// ```swift
    /// var conditions = [#Predicate<Trip> { $0.days > 3 }]
    /// if let city { conditions.append(#Predicate { $0.city == city }) }
    /// let trips = try context.fetch(FetchDescriptor(predicate: Predicate(all: conditions)))
    /// ```
    public init(all predicates: [Predicate<repeat each Input>]) {
        self.init { (variable: repeat PredicateExpressions.Variable<each Input>) in
            wholePredicate(
                PredicateComposition(.all, predicates, repeat each variable), repeat each variable)
        }
    }

    /// A predicate that is true where one of the given ones is; of none, true for nothing.
    public init(any predicates: [Predicate<repeat each Input>]) {
        self.init { (variable: repeat PredicateExpressions.Variable<each Input>) in
            wholePredicate(
                PredicateComposition(.any, predicates, repeat each variable), repeat each variable)
        }
    }

    /// A predicate that is true where the given one is not.
    public init(not predicate: Predicate<repeat each Input>) {
        self.init { (variable: repeat PredicateExpressions.Variable<each Input>) in
            wholePredicate(
                PredicateComposition(.none, [predicate], repeat each variable), repeat each variable)
        }
    }
}

/// How the parts of a composed predicate make the whole.
enum PredicateCompositionKind { case all, any, none }

/// Several predicates in one, as a node of a predicate.
struct PredicateComposition<each Input>: StandardPredicateExpression {
    typealias Output = Bool

    let kind: PredicateCompositionKind
    let predicates: [Predicate<repeat each Input>]
    let variable: (repeat PredicateExpressions.Variable<each Input>)

    init(
        _ kind: PredicateCompositionKind, _ predicates: [Predicate<repeat each Input>],
        _ variable: repeat PredicateExpressions.Variable<each Input>
    ) {
        self.kind = kind
        self.predicates = predicates
        self.variable = (repeat each variable)
    }

    func evaluate(_ bindings: PredicateBindings) throws -> Bool {
        func value<T>(_ variable: PredicateExpressions.Variable<T>) throws -> T { try variable.evaluate(bindings) }
        for predicate in predicates {
            let isTrue = try predicate.evaluate(repeat try value(each variable))
            switch kind {
            case .all: if !isTrue { return false }
            case .any: if isTrue { return true }
            case .none: if isTrue { return false }
            }
        }
        return kind != .any
    }

    // Expressions must be `Codable`; a predicate is not, on Linux.

    init(from decoder: any Decoder) throws {
        throw DecodingError.dataCorrupted(
            DecodingError.Context(
                codingPath: decoder.codingPath, debugDescription: "a composed predicate cannot be decoded"))
    }

    func encode(to encoder: any Encoder) throws {
        throw EncodingError.invalidValue(
            self,
            EncodingError.Context(
                codingPath: encoder.codingPath, debugDescription: "a composed predicate cannot be encoded"))
    }
}

extension PredicateComposition: LowerableExpression, ConjunctiveExpression {
    func lowerConjuncts(in scope: LoweringScope, into conjuncts: inout [FilterExpression]) throws {
        guard kind == .all else { return scope.append(try scope.condition(self), to: &conjuncts) }
        for predicate in predicates {
            try predicate.lowerConjuncts(arguments(scope), in: scope, into: &conjuncts)
        }
    }

    private func arguments(_ scope: LoweringScope) throws -> [LoweredValue] {
        var arguments: [LoweredValue] = []
        for variable in repeat each variable { arguments.append(try scope.lower(variable)) }
        return arguments
    }

    func lower(in scope: LoweringScope) throws -> LoweredValue {
        let arguments = try arguments(scope)
        let conditions = try predicates.map { predicate in
            try scope.condition(predicate.lower(arguments, in: scope), of: predicate.expression)
        }
        switch kind {
        case .all: return .value(conditions.count == 1 ? conditions[0] : .all(conditions))
        case .any: return .value(conditions.count == 1 ? conditions[0] : .any(conditions))
        case .none: return .value(.not(.any(conditions)))
        }
    }
}

extension PredicateComposition: CustomStringConvertible {
    /// The parts; a predicate's own description and equality of descriptors rest on it.
    var description: String { "PredicateComposition(\(kind), \(predicates))" }
}
