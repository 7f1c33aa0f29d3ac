import Foundation

// Quantifiers, collections and ranges.

extension LoweringScope {
    /// What to quantify over; nil where the value is no collection that filters know.
    func sequence(_ lowered: LoweredValue, of type: any Any.Type) -> FilterSequence? {
        switch lowered {
        case .sequence(let sequence): return sequence
        case .list(let list): return FilterSequence(.captured(list), variable: newVariable())
        case .value(let value):
            guard case .values = value.type.kind, let coding = FilterCoding(type) else { return nil }
            return FilterSequence(.stored(value, coding), variable: newVariable())
        case .row, .requiredRow, .range, .function, .nested: return nil
        }
    }

    func sequence<E: PredicateExpression>(_ expression: E) throws -> FilterSequence {
        if let sequence = sequence(try lower(expression), of: E.Output.self) { return sequence }
        throw unsupported("\(Self.name(of: E.self)) as a collection")
    }

    /// What stands for an element of a sequence.
    func element(of sequence: FilterSequence) -> LoweredValue {
        switch sequence.source {
        case .rows:
            let entity = sequence.variable.entityName ?? ""
            return .row(FilterPath(variable: sequence.variable, steps: [], type: FilterType(.link(entity: entity))))
        case .stored(_, let coding):
            let type = (coding.type as? any StoredCollection.Type).map { FilterType(of: $0.elementType) }
            return .value(.element(sequence.variable, type ?? FilterType(.composite)))
        case .captured(let list):
            return .value(.element(sequence.variable, list.elementType))
        }
    }

    /// Whether a value lies in a range.
    func containment<V>(
        _ range: LoweredValue, _ element: FilterExpression, as type: V.Type
    ) throws -> LoweredValue? {
        guard case .range(let lower, let upper, let includesUpper) = range else { return nil }
        var conditions: [FilterExpression] = []
        if let lower { conditions.append(try comparison(.greaterOrEqual, element, lower, as: V.self)) }
        if let upper {
            conditions.append(try comparison(includesUpper ? .lessOrEqual : .less, element, upper, as: V.self))
        }
        return .value(.all(conditions))
    }
}

extension PredicateExpressions.SequenceContains: LowerableExpression {
    func lower(in scope: LoweringScope) throws -> LoweredValue {
        let whole = try scope.lower(sequence)
        let value = try scope.value(element)
        if let found = try scope.containment(whole, value, as: RHS.Output.self) { return found }
        if case .value(let text) = whole, text.type.storage == .text, value.type.storage == .text {
            return .value(.text(.contains, text, value))
        }
        guard let sequence = scope.sequence(whole, of: LHS.Output.self) else {
            throw scope.unsupported("contains of \(LHS.Output.self)")
        }
        let one = scope.element(of: sequence)
        switch (sequence.source, value.type.kind) {
        case (.rows, _):
            let same = try scope.comparison(.equal, scope.value(one, of: element), value, as: RHS.Output.self)
            return .value(.exists(sequence.where(same)))
        case (_, .scalar), (.captured, .link):
            return .value(.includes(sequence, value))
        default:
            let same = try scope.comparison(.equal, scope.value(one, of: element), value, as: RHS.Output.self)
            return .value(.exists(sequence.where(same)))
        }
    }
}

extension PredicateExpressions.SequenceContainsWhere: LowerableExpression {
    func lower(in scope: LoweringScope) throws -> LoweredValue {
        let elements = try scope.sequence(sequence)
        scope.bind(variable.key, to: scope.element(of: elements))
        return .value(.exists(elements.where(try scope.condition(test))))
    }
}

extension PredicateExpressions.SequenceAllSatisfy: LowerableExpression {
    func lower(in scope: LoweringScope) throws -> LoweredValue {
        let elements = try scope.sequence(sequence)
        scope.bind(variable.key, to: scope.element(of: elements))
        return .value(.every(elements, try scope.condition(test)))
    }
}

extension PredicateExpressions.Filter: LowerableExpression {
    func lower(in scope: LoweringScope) throws -> LoweredValue {
        let elements = try scope.sequence(sequence)
        scope.bind(variable.key, to: scope.element(of: elements))
        return .sequence(elements.where(try scope.condition(filter)))
    }
}

extension PredicateExpressions.Range: LowerableExpression {
    func lower(in scope: LoweringScope) throws -> LoweredValue {
        .range(lower: try scope.value(lower), upper: try scope.value(upper), includesUpper: false)
    }
}

extension PredicateExpressions.ClosedRange: LowerableExpression {
    func lower(in scope: LoweringScope) throws -> LoweredValue {
        .range(lower: try scope.value(lower), upper: try scope.value(upper), includesUpper: true)
    }
}

extension PredicateExpressions.RangeExpressionContains: LowerableExpression {
    func lower(in scope: LoweringScope) throws -> LoweredValue {
        let range = try scope.lower(self.range)
        if let found = try scope.containment(range, scope.value(element), as: Element.Output.self) { return found }
        throw scope.unsupported("a range of type \(RangeExpression.Output.self)")
    }
}
