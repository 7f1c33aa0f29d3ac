import Foundation

// Quantifiers, collections and ranges.

extension LoweringScope {
    /// What to quantify over; nil where the value is no collection that filters know.
    func sequence(_ lowered: LoweredValue, of type: any Any.Type) -> FilterSequence? {
        switch lowered {
        case .sequence(let sequence): return sequence
        case .list(let list): return FilterSequence(.captured(list), variable: newVariable())
        case .value(let value):
            guard let coding = FilterCoding(type), coding.type is any StoredCollection.Type else { return nil }
            return FilterSequence(.stored(value, coding), variable: newVariable())
        default: return nil
        }
    }

    /// Lowers what is made of the elements of a collection.
    ///
    /// - Parameter body: gets the sequence, and what an element is.
    func elements<E: PredicateExpression>(
        _ expression: E, _ body: (FilterSequence, LoweredValue) throws -> LoweredValue
    ) throws -> LoweredValue {
        try lift(lower(expression)) { lowered in
            if case .mapped(let sequence, let value) = lowered { return try body(sequence, .value(value)) }
            guard let sequence = sequence(lowered, of: E.Output.self) else {
                throw unsupported("\(Self.name(of: E.self)) as a collection")
            }
            return try body(sequence, element(of: sequence))
        }
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
        case .slice(let whole, _, _):
            return element(of: whole)
        }
    }

    /// One element of a sequence.
    func picked(_ element: LoweredValue, of sequence: FilterSequence, _ pick: FilterPick) -> LoweredValue {
        guard case .value(let value) = element else { return .wrapped(.pick(sequence, pick), element) }
        let picked = FilterExpression.pick(sequence, pick, value)
        if !value.type.isOptional || !pick.mayBeNil { return .value(picked) }
        let presence = FilterExpression.pick(sequence, pick, .boolean(true))
        return .nested(presence: presence, value: picked)
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
        guard let lower, let upper else { return .value(.all(conditions)) }
        if case .constant = lower, case .constant = upper { return .value(.all(conditions)) }
        // Swift knows no range that ends before it begins.
        let isRange = try comparison(.lessOrEqual, lower, upper, as: V.self)
        let nothing = FilterExpression.constant(.null, FilterType.boolean.optional())
        return .value(.require(.conditional(isRange, .boolean(true), nothing), .all(conditions)))
    }
}

extension PredicateExpressions.SequenceContains: LowerableExpression {
    func lower(in scope: LoweringScope) throws -> LoweredValue {
        try scope.lift(scope.lower(sequence)) { whole in
            let value = try scope.whole(element)
            if let found = try scope.containment(whole, value, as: RHS.Output.self) { return found }
            if case .value(let text) = whole, text.type.storage == .text, value.type.storage == .text {
                return .value(.text(.contains, text, value))
            }
            if case .mapped(let sequence, let one) = whole {
                let same = try scope.comparison(.equal, one, value, as: RHS.Output.self)
                return .value(.exists(sequence.where(same)))
            }
            if let sequence = scope.sequence(whole, of: LHS.Output.self) {
                return try contains(value, in: sequence, scope)
            }
            let collection = try scope.value(whole, of: sequence)
            let function = try scope.function("contains", .boolean, LHS.Output.self, RHS.Output.self) {
                $0.contains($1)
            }
            return .value(.call(function, [collection, value]))
        }
    }

    private func contains(
        _ value: FilterExpression, in sequence: FilterSequence, _ scope: LoweringScope
    ) throws -> LoweredValue {
        switch (sequence.source, value.type.kind) {
        case (.stored, .scalar), (.captured, .scalar), (.captured, .link):
            return .value(.includes(sequence, value))
        default:
            let one = try scope.value(scope.element(of: sequence), of: element)
            return .value(.exists(sequence.where(try scope.comparison(.equal, one, value, as: RHS.Output.self))))
        }
    }
}

extension PredicateExpressions.SequenceContainsWhere: LowerableExpression {
    func lower(in scope: LoweringScope) throws -> LoweredValue {
        if let objects = scope.objects(sequence) {
            return .value(.any(try scope.expand(objects, as: variable.key) { try scope.condition(test) }))
        }
        return try scope.elements(sequence) { elements, element in
            scope.bind(variable.key, to: element)
            return .value(.exists(elements.where(try scope.condition(test))))
        }
    }
}

extension PredicateExpressions.SequenceAllSatisfy: LowerableExpression {
    func lower(in scope: LoweringScope) throws -> LoweredValue {
        if let objects = scope.objects(sequence) {
            return .value(.all(try scope.expand(objects, as: variable.key) { try scope.condition(test) }))
        }
        return try scope.elements(sequence) { elements, element in
            scope.bind(variable.key, to: element)
            return .value(.every(elements, try scope.condition(test)))
        }
    }
}

extension PredicateExpressions.Filter: LowerableExpression {
    func lower(in scope: LoweringScope) throws -> LoweredValue {
        try scope.elements(sequence) { elements, element in
            scope.bind(variable.key, to: element)
            let rest = elements.where(try scope.condition(filter))
            guard case .value(let value) = element else { return .sequence(rest) }
            if case .element(elements.variable, _) = value { return .sequence(rest) }
            return .mapped(rest, value)
        }
    }
}

extension LoweringScope {
    /// Captured things that filters cannot hold, or whose properties they cannot ask for: models, for instance.
    fileprivate func objects<E: PredicateExpression>(_ expression: E) -> [Any]? {
        guard let captured = (expression as? any CapturedExpression)?.captured,
            let collection = _flatten(captured) as? any Collection
        else { return nil }
        func objects<C: Collection>(_ collection: C) -> [Any]? {
            switch _ValueShape(C.Element.self).kind {
            case .toOne, .transformable: Array(collection) as [Any]
            case .scalar, .rawValue, .codable, .toMany: nil
            }
        }
        return objects(collection)
    }

    /// A condition for each of some captured things.
    fileprivate func expand(
        _ objects: [Any], as variable: PredicateExpressions.VariableID, _ condition: () throws -> FilterExpression
    ) throws -> [FilterExpression] {
        try objects.map { object in
            bind(variable, to: .object(object))
            return try condition()
        }
    }

    /// A range's bounds.
    func range(
        _ lower: any PredicateExpression, _ upper: any PredicateExpression, includesUpper: Bool
    ) throws -> LoweredValue {
        .range(lower: try value(lower), upper: try value(upper), includesUpper: includesUpper)
    }
}

extension PredicateExpressions.Range: LowerableExpression {
    func lower(in scope: LoweringScope) throws -> LoweredValue { try scope.range(lower, upper, includesUpper: false) }
}

extension PredicateExpressions.ClosedRange: LowerableExpression {
    func lower(in scope: LoweringScope) throws -> LoweredValue { try scope.range(lower, upper, includesUpper: true) }
}

extension PredicateExpressions.RangeExpressionContains: LowerableExpression {
    func lower(in scope: LoweringScope) throws -> LoweredValue {
        let element = try scope.value(self.element)
        return try scope.lift(scope.lower(range)) { range in
            if let found = try scope.containment(range, element, as: Element.Output.self) { return found }
            throw scope.unsupported("a range of type \(RangeExpression.Output.self)")
        }
    }
}
