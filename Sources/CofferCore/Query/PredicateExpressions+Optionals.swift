import Foundation

// Nil and conditionals.

extension PredicateExpressions.OptionalFlatMap: LowerableExpression {
    func lower(in scope: LoweringScope) throws -> LoweredValue {
        let optional = try scope.lower(wrapped)
        if Result.self is any _OptionalType.Type, case .wrapped = optional {
            throw scope.unsupported("an optional of an optional, of an element or another row")
        }
        return try scope.lift(optional) { try chain(from: $0, scope) }
    }

    private func chain(from optional: LoweredValue, _ scope: LoweringScope) throws -> LoweredValue {
        var presence: FilterExpression?
        switch optional {
        case .row(let path):
            presence = .property(path)
            scope.bind(variable.key, to: .row(path.optional(false)))
        case .value(let value):
            if value.isNil { return .value(.constant(.null, FilterType(of: Result.self).optional())) }
            presence = value
            scope.bind(variable.key, to: .value(value.present))
        case .sequence(let sequence):
            // An optional to-many relationship is never nil once it was stored; a link on the way may be.
            presence = sequence.presence
            scope.bind(variable.key, to: .sequence(sequence.present))
        case .nested(let outer, let value):
            presence = outer
            scope.bind(variable.key, to: .value(value))
        case .mapped, .list, .range, .function, .object, .wrapped, .choice:
            scope.bind(variable.key, to: optional)
        }
        let body = try scope.lower(transform)
        guard let presence, presence.type.isOptional else { return body }
        if Result.self is any _OptionalType.Type {
            return .nested(presence: presence, value: try scope.value(body, of: transform))
        }
        if case .value(let value) = body { return .value(value.whenPresent(presence)) }
        if case .property(let start) = presence {
            switch body {
            case .row(let path) where start.isPrefix(of: path): return .row(path.optional(true))
            case .sequence(let sequence):
                if case .rows(let path) = sequence.source, start.isPrefix(of: path) {
                    let rows = path.optional(true)
                    return .sequence(
                        FilterSequence(.rows(rows), variable: sequence.variable, conditions: sequence.conditions))
                }
            default: break
            }
        }
        return .wrapped(.ifPresent(presence), body)
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
        if !presence.type.isOptional { return self }
        return nilWithNil(of: presence) ?? .ifPresent(presence, self)
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

extension PredicateExpressions.ForcedUnwrap: LowerableExpression {
    func lower(in scope: LoweringScope) throws -> LoweredValue { scope.forced(try scope.lower(inner)) }
}

extension PredicateExpressions.NilCoalesce: LowerableExpression {
    func lower(in scope: LoweringScope) throws -> LoweredValue {
        let optional = try scope.lower(lhs)
        let substitute = try scope.lower(rhs)
        switch (optional, substitute) {
        case (.value(let left), .value(let right)):
            return .value(left.type.isOptional && !right.isNil ? .coalesce(left, right) : left)
        case (.sequence, .list(let list)) where list.values.isEmpty: return optional
        default: break
        }
        let isPresent = try scope.presence(of: optional)
        if isPresent.constantTruth == true { return optional }
        return scope.choice(isPresent, scope.forced(optional), substitute)
    }
}

extension PredicateExpressions.Conditional: LowerableExpression {
    func lower(in scope: LoweringScope) throws -> LoweredValue {
        scope.choice(try scope.condition(test), try scope.lower(trueBranch), try scope.lower(falseBranch))
    }
}
