import Foundation

/// Turns Foundation's predicates into filters.
///
/// The nodes of a predicate are walked through ``LowerableExpression``, which each of Foundation's expression types is
/// given here. A node that has no counterpart among the filters fails by name, and the caller then evaluates the
/// predicate itself, over models.
///
/// Cost: a few microseconds for a predicate of a few terms, which is less than a store takes to run it; hence no cache.
enum PredicateLowering {
    /// The filter of a predicate.
    ///
    /// - Throws: ``SwiftDataError/unsupportedPredicate`` with the part that cannot be turned into a filter.
    static func filter<M: PersistentModel>(_ predicate: Predicate<M>) throws -> FilterExpression {
        let entity = M._$descriptor.entityName
        let scope = LoweringScope(entityName: entity)
        let row = FilterPath(
            variable: .row(of: entity), steps: [], type: FilterType(.link(entity: entity)))
        scope.bind(predicate.variable.key, to: .row(row))
        return try scope.condition(predicate.expression)
    }

    /// An expression over a model as one over its row.
    ///
    /// - Throws: ``SwiftDataError/unsupportedPredicate`` with the part that cannot be put so.
    static func value<M: PersistentModel, Output>(_ expression: Expression<M, Output>) throws -> FilterExpression {
        let entity = M._$descriptor.entityName
        let scope = LoweringScope(entityName: entity)
        let row = FilterPath(variable: .row(of: entity), steps: [], type: FilterType(.link(entity: entity)))
        scope.bind(expression.variable.key, to: .row(row))
        return try scope.value(expression.expression)
    }
}

/// An expression that can be turned into a part of a filter.
protocol LowerableExpression {
    func lower(in scope: LoweringScope) throws -> LoweredValue
}

/// What an expression has become.
enum LoweredValue {
    /// A value.
    case value(FilterExpression)
    /// A row: the tested one, a linked one, or an element of a to-many relationship.
    case row(FilterPath)
    /// A row that must be there: nil on the way makes the result unknown.
    case requiredRow(FilterPath, requiring: FilterExpression)
    /// Elements to quantify over.
    case sequence(FilterSequence)
    /// Captured values, not yet quantified over.
    case list(FilterList)
    /// A range; nil where it has no bound on a side.
    case range(lower: FilterExpression?, upper: FilterExpression?, includesUpper: Bool)
    /// An optional of an optional: nil where the presence is, otherwise the value, which may be nil itself.
    case nested(presence: FilterExpression, value: FilterExpression)
    /// Another predicate or expression.
    case function(any LowerableFunction)
}

/// The state of one lowering: what the variables stand for.
final class LoweringScope {
    let entityName: String
    private var bindings: [PredicateExpressions.VariableID: LoweredValue] = [:]
    private var variableCount = 1

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
        guard let expression = expression as? any LowerableExpression else {
            throw unsupported("\(Self.name(of: type(of: expression))) cannot be stored as a filter")
        }
        return try expression.lower(in: self)
    }

    /// An expression that gives a value; a row counts as its identifier.
    func value(_ expression: any PredicateExpression) throws -> FilterExpression {
        try value(lower(expression), of: expression)
    }

    func value(_ lowered: LoweredValue, of expression: any PredicateExpression) throws -> FilterExpression {
        switch lowered {
        case .value(let value): value
        case .row(let path): .property(path)
        case .requiredRow(let path, let requirement): required(.property(path), by: requirement)
        case .sequence, .list, .range, .function, .nested:
            throw unsupported("\(Self.name(of: type(of: expression))) is compared as a whole")
        }
    }

    func condition(_ expression: any PredicateExpression) throws -> FilterExpression {
        try condition(lower(expression), of: expression)
    }

    func condition(_ lowered: LoweredValue, of expression: any PredicateExpression) throws -> FilterExpression {
        let condition = try value(lowered, of: expression)
        guard case .scalar(.boolean) = condition.type.kind else {
            throw unsupported("\(Self.name(of: type(of: expression))) is no condition")
        }
        return condition
    }

    /// The second value where the first is not nil, otherwise unknown.
    func required(_ body: FilterExpression, by requirement: FilterExpression) -> FilterExpression {
        requirement.type.isOptional ? .require(requirement, body) : body
    }

    /// The name of an expression's type without its generic arguments.
    static func name(of type: any Any.Type) -> String {
        String(describing: type).prefix { $0 != "<" }.description
    }
}
