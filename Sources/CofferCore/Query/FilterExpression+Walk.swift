extension FilterExpression {
    /// Whether the filter looks at other rows than the tested one.
    public var followsLinks: Bool {
        var found = false
        walk { expression in
            switch expression {
            case .property(let path): found = found || path.steps.count > 1
            case .exists(let sequence), .every(let sequence, _), .count(let sequence), .includes(let sequence, _):
                if case .rows = sequence.source { found = true }
            default: break
            }
        }
        return found
    }

    /// The slots of the tested row that the filter reads: what a row must carry to be filtered in memory. To-many
    /// relationships, which rows need not carry, are left out.
    public var slots: Set<Int> {
        var slots: Set<Int> = []
        walk { expression in
            switch expression {
            case .property(let path):
                if path.variable.number == 0, let first = path.steps.first { slots.insert(first.slot) }
            case .exists(let sequence), .every(let sequence, _), .count(let sequence), .includes(let sequence, _):
                if case .rows(let path) = sequence.source, path.variable.number == 0, path.steps.count > 1 {
                    slots.insert(path.steps[0].slot)
                }
            default: break
            }
        }
        return slots
    }

    /// Visits the expression and everything in it.
    func walk(_ visit: (FilterExpression) -> Void) {
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
        case .every(let sequence, let test), .includes(let sequence, let test):
            Self.walk(sequence, visit)
            test.walk(visit)
        }
    }

    private static func walk(_ sequence: FilterSequence, _ visit: (FilterExpression) -> Void) {
        if case .stored(let expression, _) = sequence.source { expression.walk(visit) }
        sequence.conditions.forEach { $0.walk(visit) }
    }
}
