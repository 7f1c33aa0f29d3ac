import Foundation

// Single elements of collections, and what is worked out of all of them.

extension LoweringScope {
    /// A collection, or anything else, as one value.
    func whole(_ expression: any PredicateExpression) throws -> FilterExpression {
        try whole(lower(expression), of: expression)
    }

    func whole(_ lowered: LoweredValue, of expression: any PredicateExpression) throws -> FilterExpression {
        if case .list = lowered, let codable = (expression as? any CapturedExpression)?.captured as? any Codable,
            let text = try? CompositeCoding.encode(codable)
        {
            return .constant(.text(text), FilterType(of: Swift.type(of: codable)))
        }
        return try value(lowered, of: expression)
    }

    /// A function of two stored values by what Swift does with them.
    ///
    /// - Parameter body: is called with values of the program.
    func function<A, B, R>(
        _ name: String, _ type: FilterType, _ first: A.Type, _ second: B.Type, _ body: @escaping (A, B) -> R
    ) throws -> FilterFunction {
        guard let (left, right) = FilterCoding.pair(A.self, B.self) else {
            throw unsupported("\(name) of \(A.self) and \(B.self)")
        }
        let types = [ObjectIdentifier(A.self), ObjectIdentifier(B.self)]
        return FilterFunction(name, type, parameters: [left.storage, right.storage], identity: types) { arguments in
            guard let left = left.decode(arguments[0]) as? A, let right = right.decode(arguments[1]) as? B else {
                return nil
            }
            return StoredForm.value(body(left, right))
        }
    }

    /// The order by which values of a type are compared: nil for that of their stored form.
    fileprivate func ordering(of type: any Any.Type) throws -> FilterCoding? {
        guard let coding = FilterCoding(type) else { throw unsupported("the order of \(type)") }
        return coding.storedOrderIsNatural ? nil : coding
    }

    fileprivate func extremum<E: PredicateExpression>(
        _ elements: E, of type: any Any.Type, _ extreme: FilterExtreme
    ) throws -> LoweredValue {
        let coding = try ordering(of: type)
        return try self.elements(elements) { sequence, element in
            .value(.extremum(sequence, extreme, try value(element, of: elements), coding))
        }
    }
}

extension FilterCoding {
    fileprivate static func pair(_ first: any Any.Type, _ second: any Any.Type) -> (FilterCoding, FilterCoding)? {
        guard let first = FilterCoding(first), let second = FilterCoding(second) else { return nil }
        return (first, second)
    }
}

extension PredicateExpressions.SequenceMinimum: LowerableExpression {
    func lower(in scope: LoweringScope) throws -> LoweredValue {
        try scope.extremum(elements, of: Elements.Output.Element.self, .minimum)
    }
}

extension PredicateExpressions.SequenceMaximum: LowerableExpression {
    func lower(in scope: LoweringScope) throws -> LoweredValue {
        try scope.extremum(elements, of: Elements.Output.Element.self, .maximum)
    }
}

extension PredicateExpressions.CollectionIndexSubscript: LowerableExpression {
    func lower(in scope: LoweringScope) throws -> LoweredValue {
        let index = try scope.value(self.index)
        return try scope.lift(scope.lower(wrapped)) { lowered in
            if Index.Output.self == Int.self {
                if case .mapped(let sequence, let value) = lowered {
                    return scope.picked(.value(value), of: sequence, .at(index))
                }
                if let sequence = scope.sequence(lowered, of: Wrapped.Output.self) {
                    return scope.picked(scope.element(of: sequence), of: sequence, .at(sequence.offset(of: index)))
                }
            }
            let collection = try scope.value(lowered, of: wrapped)
            let type = FilterType(of: Output.self)
            let function = try scope.function("[]", type, Wrapped.Output.self, Index.Output.self) { whole, index in
                // A function's result that is no stored value counts as unknown.
                whole.indices.contains(index) ? whole[index] as Any : NoElement() as Any
            }
            return .value(.call(function, [collection, index]))
        }
    }
}

/// Stands for an element where there is none.
private struct NoElement {}

extension FilterSequence {
    /// The offset of an index: a slice keeps the indexes of the whole.
    fileprivate func offset(of index: FilterExpression) -> FilterExpression {
        guard case .slice(_, let lower, _) = source, conditions.isEmpty else { return index }
        return .arithmetic(.subtract, index, lower, .int)
    }
}

extension PredicateExpressions.CollectionRangeSubscript: LowerableExpression {
    func lower(in scope: LoweringScope) throws -> LoweredValue {
        guard case .range(let lower?, let upper?, false) = try scope.lower(range), Wrapped.Output.Index.self == Int.self
        else { throw scope.unsupported("a subscript with a range of \(Wrapped.Output.Index.self)") }
        return try scope.lift(scope.lower(wrapped)) { lowered in
            guard let sequence = scope.sequence(lowered, of: Wrapped.Output.self) else {
                throw scope.unsupported("a part of \(Wrapped.Output.self)")
            }
            let slice = FilterSequence.Source.slice(sequence, sequence.offset(of: lower), sequence.offset(of: upper))
            return .sequence(FilterSequence(slice, variable: sequence.variable))
        }
    }
}

// MARK: Dictionaries

extension LoweringScope {
    /// The value that a dictionary has for a key, or nil.
    fileprivate func lookUp<D: PredicateExpression, K: PredicateExpression, Key: Hashable, Value>(
        _ key: K, in dictionary: D, _ keyType: Key.Type, _ valueType: Value.Type
    ) throws -> FilterExpression {
        let type = FilterType(of: Value.self)
        guard !type.isOptional, FilterCoding(Value.self) != nil, let keys = FilterCoding(Key.self) else {
            throw unsupported("a look-up in \([Key: Value].self)")
        }
        let key = try whole(key)
        if let captured = (dictionary as? any CapturedExpression)?.captured as? [Key: Value] {
            let function = FilterFunction("[:]", type.optional(), parameters: [keys.storage]) { arguments in
                guard let key = keys.decode(arguments[0]) as? Key else { return nil }
                return captured[key].map { StoredForm.value($0) } ?? .null
            }
            return .call(function, [key])
        }
        let function = try function("[:]", type.optional(), [Key: Value].self, Key.self) { $0[$1] }
        return .call(function, [try whole(dictionary), key])
    }
}

extension PredicateExpressions.DictionaryKeySubscript: LowerableExpression {
    func lower(in scope: LoweringScope) throws -> LoweredValue {
        .value(try scope.lookUp(key, in: wrapped, Key.Output.self, Value.self))
    }
}

extension PredicateExpressions.DictionaryKeyDefaultValueSubscript: LowerableExpression {
    func lower(in scope: LoweringScope) throws -> LoweredValue {
        let found = try scope.lookUp(key, in: wrapped, Key.Output.self, Default.Output.self)
        return .value(.coalesce(found, try scope.whole(self.default)))
    }
}
