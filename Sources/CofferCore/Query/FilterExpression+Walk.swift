extension FilterExpression {
    /// Whether the filter looks at other rows than the tested one.
    public var followsLinks: Bool {
        var found = false
        walk { expression in
            switch expression {
            case .property(let path): found = found || path.leadsElsewhere
            default: if expression.sequence?.path != nil { found = true }
            }
        }
        return found
    }

    /// The entities of the rows that the filter looks at beside the tested one, as the relationships name them.
    var linkedEntities: Set<String> {
        var entities: Set<String> = []
        walk { expression in
            switch expression {
            case .property(let path):
                if path.leadsElsewhere { entities.formUnion(path.links.compactMap(\.destination)) }
            default:
                if let path = expression.sequence?.path { entities.formUnion(path.steps.compactMap(\.destination)) }
            }
        }
        return entities
    }

    /// The slots of the tested row that the filter reads: what a row must carry to be filtered in memory. To-many
    /// relationships, which rows need not carry, are left out.
    public var slots: Set<Int> {
        var slots: Set<Int> = []
        walk { expression in
            switch expression {
            case .property(let path):
                if path.variable.number == 0, let first = path.reads.first { slots.insert(first.slot) }
            default:
                if let path = expression.sequence?.path, path.variable.number == 0, path.reads.count > 1 {
                    slots.insert(path.reads[0].slot)
                }
            }
        }
        return slots
    }

    /// What the expression itself goes through, if it does.
    public var sequence: FilterSequence? {
        switch self {
        case .exists(let sequence), .every(let sequence, _), .count(let sequence), .includes(let sequence, _),
            .pick(let sequence, _, _), .extremum(let sequence, _, _, _):
            sequence
        default: nil
        }
    }

    /// Visits the expression and everything in it.
    public func walk(_ visit: (FilterExpression) -> Void) {
        visit(self)
        switch self {
        case .constant, .property, .element: break
        case .member(let base, _), .negative(let base, _), .not(let base), .length(let base): base.walk(visit)
        case .compare(_, let left, let right), .compareCoded(_, let left, let right, _),
            .arithmetic(_, let left, let right, _), .coalesce(let left, let right), .ifPresent(let left, let right),
            .require(let left, let right), .text(_, let left, let right), .textOrder(_, let left, let right):
            left.walk(visit)
            right.walk(visit)
        case .all(let conditions), .any(let conditions): conditions.forEach { $0.walk(visit) }
        case .conditional(let test, let first, let second):
            test.walk(visit)
            first.walk(visit)
            second.walk(visit)
        case .exists(let sequence), .count(let sequence): Self.walk(sequence, visit)
        case .every(let sequence, let test), .includes(let sequence, let test), .extremum(let sequence, _, let test, _):
            Self.walk(sequence, visit)
            test.walk(visit)
        case .pick(let sequence, let pick, let body):
            Self.walk(sequence, visit)
            if case .at(let index) = pick { index.walk(visit) }
            body.walk(visit)
        case .call(_, let arguments): arguments.forEach { $0.walk(visit) }
        }
    }

    private static func walk(_ sequence: FilterSequence, _ visit: (FilterExpression) -> Void) {
        switch sequence.source {
        case .rows, .captured: break
        case .stored(let expression, _): expression.walk(visit)
        case .slice(let whole, let lower, let upper):
            walk(whole, visit)
            lower.walk(visit)
            upper.walk(visit)
        }
        sequence.conditions.forEach { $0.walk(visit) }
    }
}

extension FilterExpression {
    /// The same filter with other paths.
    ///
    /// - Parameter body: gives the path that stands for a given one.
    public func mappingPaths(_ body: (FilterPath) -> FilterPath) -> FilterExpression {
        rebuilt(path: body, constant: { _ in nil })
    }

    /// The same filter with other constants.
    ///
    /// - Parameter body: gives what stands in a constant's place, of the same kind; nil for the constant itself.
    func replacing(_ body: (TracedConstant) -> TracedConstant?) -> FilterExpression {
        rebuilt(path: { $0 }, constant: body)
    }

    private func rebuilt(
        path body: (FilterPath) -> FilterPath, constant: (TracedConstant) -> TracedConstant?
    ) -> FilterExpression {
        func map(_ expression: FilterExpression) -> FilterExpression {
            expression.rebuilt(path: body, constant: constant)
        }
        func map(_ sequence: FilterSequence) -> FilterSequence {
            let source: FilterSequence.Source =
                switch sequence.source {
                case .rows(let path): .rows(body(path))
                case .stored(let expression, let coding): .stored(map(expression), coding)
                case .captured(let list):
                    if case .list(let other)? = constant(.list(list)) { .captured(other) } else { .captured(list) }
                case .slice(let whole, let lower, let upper): .slice(map(whole), map(lower), map(upper))
                }
            return FilterSequence(source, variable: sequence.variable, conditions: sequence.conditions.map(map))
        }
        return switch self {
        case .element: self
        case .constant(let value, let type):
            if case .value(let other)? = constant(.value(value)) { .constant(other, type) } else { self }
        case .property(let path): .property(body(path))
        case .member(let base, let member): .member(map(base), member)
        case .compare(let comparison, let left, let right): .compare(comparison, map(left), map(right))
        case .compareCoded(let comparison, let left, let right, let coding):
            .compareCoded(comparison, map(left), map(right), coding)
        case .all(let conditions): .all(conditions.map(map))
        case .any(let conditions): .any(conditions.map(map))
        case .not(let condition): .not(map(condition))
        case .arithmetic(let symbol, let left, let right, let number):
            .arithmetic(symbol, map(left), map(right), number)
        case .negative(let value, let number): .negative(map(value), number)
        case .coalesce(let left, let right): .coalesce(map(left), map(right))
        case .conditional(let test, let first, let second): .conditional(map(test), map(first), map(second))
        case .ifPresent(let value, let body): .ifPresent(map(value), map(body))
        case .require(let value, let body): .require(map(value), map(body))
        case .exists(let sequence): .exists(map(sequence))
        case .every(let sequence, let test): .every(map(sequence), map(test))
        case .count(let sequence): .count(map(sequence))
        case .includes(let sequence, let value): .includes(map(sequence), map(value))
        case .pick(let sequence, .at(let index), let value): .pick(map(sequence), .at(map(index)), map(value))
        case .pick(let sequence, let pick, let value): .pick(map(sequence), pick, map(value))
        case .extremum(let sequence, let extreme, let value, let coding):
            .extremum(map(sequence), extreme, map(value), coding)
        case .call(let function, let arguments): .call(function, arguments.map(map))
        case .text(let test, let left, let right): .text(test, map(left), map(right))
        case .length(let text): .length(map(text))
        case .textOrder(let order, let left, let right): .textOrder(order, map(left), map(right))
        }
    }
}
