import Foundation

// Variables, captured values and key paths.

extension PredicateExpressions.Variable: LowerableExpression {
    func lower(in scope: LoweringScope) throws -> LoweredValue {
        guard let value = scope.binding(of: key) else { throw scope.unsupported("a variable of another predicate") }
        return value
    }
}

extension PredicateExpressions.NilLiteral: LowerableExpression {
    func lower(in scope: LoweringScope) throws -> LoweredValue {
        .value(.constant(.null, FilterType(of: Wrapped.self).optional()))
    }
}

extension PredicateExpressions.Value: LowerableExpression {
    func lower(in scope: LoweringScope) throws -> LoweredValue {
        CapturedValue.lowered(value, as: Output.self) ?? .object(value)
    }
}

/// What becomes of a captured value.
enum CapturedValue {
    /// The same for a value whose type only it knows itself.
    static func lowered(any value: Any) -> LoweredValue? {
        func lowered<V>(_ value: V) -> LoweredValue? { self.lowered(value, as: V.self) ?? .object(value) }
        return lowered(value)
    }

    /// Nil where filters cannot hold values of the type.
    static func lowered<V>(_ value: V, as type: V.Type) -> LoweredValue? {
        let shape = _ValueShape(V.self)
        if shape.wrapped == PersistentIdentifier.self { return identifier(value, isOptional: shape.isOptional) }
        switch shape.kind {
        case .scalar, .rawValue:
            guard let stored = StoredForm.value(value) else { return nil }
            return .value(.constant(stored, FilterType(of: V.self)))
        case .toOne:
            return identifier(value, isOptional: shape.isOptional)
        case .toMany, .codable, .transformable:
            guard let whole = _flatten(value) else { return .value(.constant(.null, FilterType(of: V.self))) }
            if let range = whole as? any CapturedRange { return range.lowered }
            if let function = whole as? any LowerableFunction { return .function(function) }
            if let collection = whole as? any CapturedCollection, let list = collection.list { return .list(list) }
            if let text = whole as? any StringProtocol { return text.lowered }
            if case .transformable = shape.kind, let collection = whole as? any Collection {
                return collection.list.map { .list($0) }
            }
            guard case .codable = shape.kind, let stored = StoredForm.value(whole) else { return nil }
            return .value(.constant(stored, FilterType(of: V.self)))
        }
    }

    private static func identifier(_ value: Any, isOptional: Bool) -> LoweredValue? {
        guard let stored = StoredForm.value(value) else { return nil }
        let entity = if case .reference(let identifier) = stored { identifier.entityName } else { "" }
        return .value(.constant(stored, FilterType(.link(entity: entity), isOptional: isOptional)))
    }
}

/// A collection that a predicate may capture to look values up in.
protocol CapturedCollection {
    var list: FilterList? { get }
}

extension Array: CapturedCollection {
    var list: FilterList? {
        guard let values = StoredForm.values(self) else { return nil }
        return FilterList(values, elementType: Self.filterElementType)
    }

    fileprivate static var filterElementType: FilterType {
        let shape = _ValueShape(Element.self)
        if shape.wrapped == PersistentIdentifier.self {
            return FilterType(.link(entity: ""), isOptional: shape.isOptional)
        }
        return FilterType(of: Element.self)
    }
}

extension Set: CapturedCollection {
    var list: FilterList? { Array(self).list }
}

extension ContiguousArray: CapturedCollection {
    var list: FilterList? { Array(self).list }
}

extension ArraySlice: CapturedCollection {
    var list: FilterList? { Array(self).list }
}

extension Collection {
    /// The elements of a collection that is kept as no value itself: the keys of a dictionary, for instance.
    fileprivate var list: FilterList? { Array(self).list }
}

extension StringProtocol {
    fileprivate var lowered: LoweredValue { .value(.constant(String(self)._stored, FilterType(of: String.self))) }
}

/// A range that a predicate may capture.
protocol CapturedRange {
    var lowered: LoweredValue? { get }
}

private func bound<B>(_ value: B) -> FilterExpression? {
    StoredForm.value(value).map { .constant($0, FilterType(of: B.self)) }
}

extension Range: CapturedRange {
    var lowered: LoweredValue? {
        guard let lower = bound(lowerBound), let upper = bound(upperBound) else { return nil }
        return .range(lower: lower, upper: upper, includesUpper: false)
    }
}

extension ClosedRange: CapturedRange {
    var lowered: LoweredValue? {
        guard let lower = bound(lowerBound), let upper = bound(upperBound) else { return nil }
        return .range(lower: lower, upper: upper, includesUpper: true)
    }
}

extension PartialRangeFrom: CapturedRange {
    var lowered: LoweredValue? { bound(lowerBound).map { .range(lower: $0, upper: nil, includesUpper: false) } }
}

extension PartialRangeThrough: CapturedRange {
    var lowered: LoweredValue? { bound(upperBound).map { .range(lower: nil, upper: $0, includesUpper: true) } }
}

extension PartialRangeUpTo: CapturedRange {
    var lowered: LoweredValue? { bound(upperBound).map { .range(lower: nil, upper: $0, includesUpper: false) } }
}
