import Foundation

/// Turns Foundation's predicates into filters.
///
/// The nodes of a predicate are walked through ``LowerableExpression``, which each of Foundation's expression types is
/// given here. A node that has no counterpart among the filters fails by name.
enum PredicateLowering {
    /// The filter of a predicate.
    ///
    /// - Throws: ``SwiftDataError/unsupportedPredicate`` with the part that cannot be turned into a filter.
    static func filter<M: PersistentModel>(_ predicate: Predicate<M>) throws -> FilterExpression {
        let lowered = try parts(predicate)
        if let error = lowered.unsupported { throw error }
        return lowered.filter ?? .boolean(true)
    }

    /// What a predicate has become.
    struct Parts {
        /// What filters can say of it; nil for nothing.
        var filter: FilterExpression?
        /// Why the predicate asks for more than the filter says; nil where it does not.
        var unsupported: SwiftDataError?
    }

    /// The filter of those parts of a predicate, joined by `&&`, that have one.
    ///
    /// What has none is evaluated by its own means, for models that the filter lets through. That is done only where
    /// nothing in the predicate can stop the program over some value: what strangers' expressions do is their own, but
    /// arithmetic of Foundation's must not meet an overflow, nor a subscript a wrong index.
    ///
    /// - Throws: ``SwiftDataError/unsupportedPredicate`` with the part that has no filter, where it cannot be evaluated
    ///   either.
    static func parts<M: PersistentModel>(_ predicate: Predicate<M>) throws -> Parts {
        let entity = M._$descriptor.entityName
        let scope = LoweringScope(entityName: entity)
        let row = FilterPath(
            variable: .row(of: entity), steps: [], type: FilterType(.link(entity: entity)))
        scope.bind(predicate.variable.key, to: .row(row))
        var conjuncts: [FilterExpression] = []
        try scope.lowerConjuncts(predicate.expression, into: &conjuncts)
        let filter = FilterExpression.conjunction(conjuncts)
        guard let unsupported = scope.unsupportedConjunct else { return Parts(filter: filter ?? .boolean(true)) }
        if let hazard = scope.hazard {
            var error = unsupported
            error.detail =
                (error.detail.map { $0 + ", and " } ?? "")
                + "\(hazard) beside it could stop the program if the predicate evaluated itself"
            throw error
        }
        return Parts(filter: filter, unsupported: unsupported)
    }
}

/// An expression that can be turned into a part of a filter.
protocol LowerableExpression {
    func lower(in scope: LoweringScope) throws -> LoweredValue
}

/// A condition that is made of several, all of which must be true.
protocol ConjunctiveExpression {
    func lowerConjuncts(in scope: LoweringScope, into conjuncts: inout [FilterExpression]) throws
}

/// The state of one lowering: what the variables stand for.
final class LoweringScope {
    let entityName: String
    private var bindings: [PredicateExpressions.VariableID: LoweredValue] = [:]
    private var variableCount = 1
    private var depth = 0
    /// What could stop the program if the predicate evaluated itself.
    private(set) var hazard: String?
    /// Why a conjunct has no filter.
    private(set) var unsupportedConjunct: SwiftDataError?

    /// How deep expressions may be nested. Walking a tree takes stack, here and in every store.
    static let deepest = 1200

    init(entityName: String) { self.entityName = entityName }

    func bind(_ variable: PredicateExpressions.VariableID, to value: LoweredValue) { bindings[variable] = value }

    func binding(of variable: PredicateExpressions.VariableID) -> LoweredValue? { bindings[variable] }

    func newVariable(of entityName: String? = nil) -> FilterVariable {
        defer { variableCount += 1 }
        return FilterVariable(number: variableCount, entityName: entityName)
    }

    /// The error for a part that filters do not know.
    func unsupported(_ detail: String) -> SwiftDataError {
        SwiftDataError(.unsupportedPredicate, operation: .fetch, entity: entityName, detail: detail)
    }

    // MARK: Parts

    func lower(_ expression: any PredicateExpression) throws -> LoweredValue {
        try enter()
        defer { depth -= 1 }
        guard let lowerable = expression as? any LowerableExpression else {
            throw unsupported("\(Self.name(of: type(of: expression))), an expression that no filter knows")
        }
        if hazard == nil, lowerable is any HazardousExpression { hazard = Self.name(of: type(of: expression)) }
        return try lowerable.lower(in: self)
    }

    private func enter() throws {
        depth += 1
        if depth > Self.deepest {
            // Evaluating itself the predicate would go as deep.
            throw RefusedFetch(error: unsupported("more than \(Self.deepest) expressions inside one another"))
        }
    }

    /// Adds the conditions that a condition consists of; what has no filter is noted down and left out.
    func lowerConjuncts(_ expression: any PredicateExpression, into conjuncts: inout [FilterExpression]) throws {
        try enter()
        defer { depth -= 1 }
        if let conjunction = expression as? any ConjunctiveExpression {
            return try conjunction.lowerConjuncts(in: self, into: &conjuncts)
        }
        do {
            append(try condition(expression), to: &conjuncts)
        } catch let error as SwiftDataError where error == .unsupportedPredicate {
            if unsupportedConjunct == nil { unsupportedConjunct = error }
            // Parts behind the one that failed were not looked at, but their types are in that of the whole.
            if hazard == nil { hazard = Hazards.named(in: type(of: expression)) }
        }
    }

    /// Adds a condition, without a conjunction of its own.
    func append(_ condition: FilterExpression, to conjuncts: inout [FilterExpression]) {
        if case .all(let parts) = condition { conjuncts += parts } else { conjuncts.append(condition) }
    }

    /// An expression that gives a value; a row counts as its identifier.
    func value(_ expression: any PredicateExpression) throws -> FilterExpression {
        try value(lower(expression), of: expression)
    }

    func value(_ lowered: LoweredValue, of expression: any PredicateExpression) throws -> FilterExpression {
        switch lowered {
        case .value(let value): return value
        case .row(let path): return .property(path)
        case .wrapped(let wrapper, let inner): return wrapper(try value(inner, of: expression))
        case .choice(let test, let first, let second):
            return .conditional(test, try value(first, of: expression), try value(second, of: expression))
        case .object(let object):
            if case .value(let value)? = CapturedValue.lowered(any: object) { return value }
        case .sequence, .mapped, .list, .range, .function, .nested: break
        }
        throw unsupported("\(Self.name(of: type(of: expression))) as a value")
    }

    func condition(_ expression: any PredicateExpression) throws -> FilterExpression {
        try condition(lower(expression), of: expression)
    }

    func condition(_ lowered: LoweredValue, of expression: any PredicateExpression) throws -> FilterExpression {
        let condition = try value(lowered, of: expression)
        guard case .scalar(.boolean) = condition.type.kind else {
            throw unsupported("\(Self.name(of: type(of: expression))) as a condition")
        }
        return condition
    }

    /// The name of an expression's type without its generic arguments.
    static func name(of type: any Any.Type) -> String {
        String(describing: type).prefix { $0 != "<" }.description
    }
}
