import Foundation

// Nil, conditionals and casts.

extension PredicateExpressions.OptionalFlatMap: LowerableExpression {
    func lower(in scope: LoweringScope) throws -> LoweredValue {
        let optional = try scope.lower(wrapped)
        let presence: FilterExpression?
        switch optional {
        case .row(let path):
            presence = .property(path)
            scope.bind(variable.key, to: .row(path.optional(false)))
        case .value(let value):
            presence = value
            scope.bind(variable.key, to: .value(value.present))
        case .sequence(let sequence):
            // An optional to-many relationship is never nil once it was stored; a link on the way may be.
            presence = sequence.presence
            scope.bind(variable.key, to: optional)
        case .nested(let outer, let value):
            presence = outer
            scope.bind(variable.key, to: .value(value))
        case .requiredRow, .list, .range, .function:
            presence = nil
            scope.bind(variable.key, to: optional)
        }
        let body = try scope.lower(transform)
        if Result.self is any _OptionalType.Type, let presence, presence.type.isOptional {
            return .nested(presence: presence, value: try scope.value(body, of: transform))
        }
        guard let presence, presence.type.isOptional else { return body }
        switch body {
        case .value(let value): return .value(value.whenPresent(presence))
        case .row(let path):
            if case .property(let start) = presence, start.isPrefix(of: path) { return .row(path.optional(true)) }
        case .sequence(let sequence) where sequence.presence != nil: return body
        default: break
        }
        throw scope.unsupported("a chain from an optional value to another row")
    }
}

extension FilterExpression {
    /// The same value where it is known not to be nil.
    var present: FilterExpression {
        switch self {
        case .property(let path): .property(path.optional(false))
        case .element(let variable, let type): .element(variable, type.optional(false))
        default: self
        }
    }

    /// This value where the other is not nil, otherwise nil; in its simplest form.
    func whenPresent(_ presence: FilterExpression) -> FilterExpression {
        nilWithNil(of: presence) ?? .ifPresent(presence, self)
    }

    /// The expression itself, where it is nil by its own nature whenever the other one is.
    private func nilWithNil(of presence: FilterExpression) -> FilterExpression? {
        if self == presence || self == presence.present { return presence }
        switch (self, presence) {
        case (.property(let path), .property(let start)) where start.isPrefix(of: path):
            return .property(path.optional(true))
        case (.member(let base, let member), _):
            return base.nilWithNil(of: presence).map { .member($0, member) }
        default: return nil
        }
    }
}

extension FilterSequence {
    /// The link whose nil makes the whole sequence nil, where there is one.
    var presence: FilterExpression? {
        guard case .rows(let path) = source, path.type.isOptional, path.steps.count > 1, let owner = path.owner
        else { return nil }
        return .property(
            FilterPath(
                variable: path.variable, steps: Array(path.links),
                type: FilterType(.link(entity: owner), isOptional: true)))
    }
}

extension PredicateExpressions.ForcedUnwrap: LowerableExpression {
    func lower(in scope: LoweringScope) throws -> LoweredValue {
        let optional = try scope.lower(inner)
        switch optional {
        case .row(let path):
            return .requiredRow(path.optional(false), requiring: .property(path))
        case .value(let value):
            return .value(value.type.isOptional ? .require(value, value) : value)
        case .sequence(let sequence):
            if sequence.presence == nil { return optional }
            throw scope.unsupported("a force-unwrapped relationship of an optional value")
        case .nested(let presence, let value):
            return .value(.require(presence, value))
        case .requiredRow, .list, .range, .function:
            return optional
        }
    }
}

extension PredicateExpressions.NilCoalesce: LowerableExpression {
    func lower(in scope: LoweringScope) throws -> LoweredValue {
        let optional = try scope.lower(lhs)
        let substitute = try scope.lower(rhs)
        if case .sequence = optional, case .list(let list) = substitute, list.values.isEmpty { return optional }
        if case .nested(let presence, let value) = optional {
            let isPresent = FilterExpression.compare(.notEqual, presence, .constant(.null, presence.type))
            return .value(.conditional(isPresent, value, try scope.value(substitute, of: rhs)))
        }
        let left = try scope.value(optional, of: lhs)
        let right = try scope.value(substitute, of: rhs)
        return .value(left.type.isOptional && !right.isNil ? .coalesce(left, right) : left)
    }
}

extension PredicateExpressions.Conditional: LowerableExpression {
    func lower(in scope: LoweringScope) throws -> LoweredValue {
        .value(.conditional(try scope.condition(test), try scope.value(trueBranch), try scope.value(falseBranch)))
    }
}

extension PredicateExpressions.TypeCheck: LowerableExpression {
    func lower(in scope: LoweringScope) throws -> LoweredValue {
        if Input.Output.self == Desired.self { return .value(.boolean(true)) }
        if let cast = try scope.cast(input, to: Desired.self) {
            return .value(
                scope.required(.compare(.notEqual, cast.value, .constant(.null, cast.value.type)), by: cast.requirement)
            )
        }
        throw scope.unsupported("\(Input.Output.self) is \(Desired.self)")
    }
}

extension PredicateExpressions.ConditionalCast: LowerableExpression {
    func lower(in scope: LoweringScope) throws -> LoweredValue {
        if Input.Output.self == Desired.self || Input.Output.self == Desired?.self { return try scope.lower(input) }
        if let cast = try scope.cast(input, to: Desired.self) {
            return cast.requirement.type.isOptional
                ? .requiredRow(cast.path, requiring: cast.requirement) : .row(cast.path)
        }
        throw scope.unsupported("\(Input.Output.self) as? \(Desired.self)")
    }
}

extension PredicateExpressions.ForceCast: LowerableExpression {
    func lower(in scope: LoweringScope) throws -> LoweredValue {
        if Input.Output.self == Desired.self { return try scope.lower(input) }
        if let cast = try scope.cast(input, to: Desired.self) {
            return .requiredRow(cast.path.optional(false), requiring: cast.value)
        }
        throw scope.unsupported("\(Input.Output.self) as! \(Desired.self)")
    }
}

/// A row seen as one of another class.
private struct LoweredCast {
    /// The row, or nil where it is of another class.
    let path: FilterPath
    /// What must not be nil; a constant where nothing has to be.
    let requirement: FilterExpression

    var value: FilterExpression { .property(path) }
}

extension LoweringScope {
    /// The cast of a row to a class of its hierarchy; nil where the expression is no row or the types are no models.
    ///
    /// - Throws: ``SwiftDataError/unsupportedPredicate`` where the input cannot be turned into a filter.
    fileprivate func cast<E: PredicateExpression>(_ input: E, to desired: any Any.Type) throws -> LoweredCast? {
        guard let from = _ValueShape(E.Output.self).wrapped as? any PersistentModel.Type,
            let to = _ValueShape(desired).wrapped as? any PersistentModel.Type
        else { return nil }
        let path: FilterPath
        let requirement: FilterExpression
        switch try lower(input) {
        case .row(let row): (path, requirement) = (row, .boolean(true))
        case .requiredRow(let row, let required): (path, requirement) = (row, required)
        default: return nil
        }
        // Every row of a class is one of its superclasses; a cast to any other class than one below finds nothing.
        if Schema._lineage(of: from).contains(where: { $0 == to }) {
            return LoweredCast(path: path.optional(path.type.isOptional), requirement: requirement)
        }
        let entity = to._$descriptor.entityName
        let type = FilterType(.link(entity: entity), isOptional: true)
        return LoweredCast(path: path.appending(.cast(to: entity), type), requirement: requirement)
    }
}
