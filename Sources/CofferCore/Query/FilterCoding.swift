import Foundation

/// How the values of one Swift type look to a store, for a filter that needs the type's own behaviour: its `==`, its
/// `<`, its members, the elements of a collection of it.
///
/// Codings of one type are equal.
public final class FilterCoding: Hashable, @unchecked Sendable {
    /// The Swift type, without optionals.
    public let type: any Any.Type
    private let read: (StoredValue) -> Any?
    private let equality: ((Any, Any) -> Bool)?
    private let ordering: ((Any, Any) -> Bool)?

    /// The coding of a type; nil where a store can keep no values of it.
    public init?(_ type: any Any.Type) {
        let shape = _ValueShape(type)
        self.type = shape.wrapped
        switch shape.kind {
        case .scalar(let scalar): read = Self.scalarReader(scalar)
        case .rawValue(let raw, _): read = Self.rawReader(raw)
        case .codable(let codable): read = Self.codableReader(codable)
        case .toOne, .toMany, .transformable: return nil
        }
        equality = (shape.wrapped as? any Equatable.Type).map { Self.equality($0) }
        ordering = (shape.wrapped as? any Comparable.Type).map { Self.ordering($0) }
    }

    /// How values are kept; nil where as JSON text.
    public var storage: ScalarStorage? { FilterType(of: type).storage }

    /// How the elements of a collection are kept; nil where the type is none, or its elements are no scalars.
    public var elementStorage: ScalarStorage? {
        if case .values(let storage) = FilterType(of: type).kind { storage } else { nil }
    }

    /// The name of the type.
    public var name: String { String(describing: type) }

    public static func == (left: FilterCoding, right: FilterCoding) -> Bool { left.type == right.type }

    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(type)) }

    /// The Swift value of a stored one; nil where there is none or it is damaged.
    public func decode(_ value: StoredValue) -> Any? { value.isNull ? nil : read(value) }

    /// The elements of a stored collection; nil where it is none.
    public func elements(_ value: StoredValue) -> [StoredValue]? {
        guard let collection = decode(value) as? any StoredCollection else { return nil }
        return collection.storedElements()
    }

    /// Compares two decoded values by the type's own operators; false where the type has none.
    public func compare(_ comparison: FilterComparison, _ left: Any?, _ right: Any?) -> Bool {
        guard let left, let right else {
            let bothNil = left == nil && right == nil
            return comparison == .equal ? bothNil : comparison == .notEqual && !bothNil
        }
        return switch comparison {
        case .equal: equality?(left, right) ?? false
        case .notEqual: !(equality?(left, right) ?? false)
        case .less: ordering?(left, right) ?? false
        case .greater: ordering?(right, left) ?? false
        case .lessOrEqual: ordering.map { !$0(right, left) } ?? false
        case .greaterOrEqual: ordering.map { !$0(left, right) } ?? false
        }
    }

    /// Whether the type's order is that of its stored form, so that a store can compare by itself.
    ///
    /// True for scalars. An enumeration with raw values may order its cases as it likes: those that list their cases
    /// are tried out, others are taken for unordered.
    var storedOrderIsNatural: Bool {
        switch _ValueShape(type).kind {
        case .scalar: true
        case .rawValue: naturalCases
        default: false
        }
    }

    private var naturalCases: Bool {
        guard let cases = (type as? any CaseIterable.Type).map({ Self.cases($0) }), cases.count <= 64 else {
            return false
        }
        let stored = cases.map { StoredForm.value($0) ?? .null }
        return cases.indices.allSatisfy { i in
            cases.indices.allSatisfy { j in
                compare(.less, cases[i], cases[j]) == (ValueOrder.compare(stored[i], stored[j]) == .less)
            }
        }
    }

    private static func cases<C: CaseIterable>(_ type: C.Type) -> [Any] { C.allCases.map { $0 as Any } }

    private static func scalarReader<S: PersistentScalar>(_ type: S.Type) -> (StoredValue) -> Any? {
        { decodeScalar($0, S.self) }
    }

    private static func rawReader<R: RawRepresentable>(_ type: R.Type) -> (StoredValue) -> Any? {
        guard let raw = R.RawValue.self as? any PersistentScalar.Type else { return { _ in nil } }
        return { value in
            guard let raw = decodeScalar(value, raw) as? R.RawValue else { return nil }
            return R(rawValue: raw)
        }
    }

    private static func codableReader<C: Codable>(_ type: C.Type) -> (StoredValue) -> Any? {
        { value in
            guard case .text(var text) = value else { return nil }
            return try? text.withUTF8 { try CompositeCoding.decode(C.self, from: UnsafeRawBufferPointer($0)) }
        }
    }

    /// A scalar from its stored value, through a row of one cell.
    private static func decodeScalar<S: PersistentScalar>(_ value: StoredValue, _ type: S.Type) -> S? {
        let batch = RowBatch(entityName: "", width: 1, storeIdentifier: nil, capacity: 1)
        batch.appendRow(key: 0)
        batch.set(value, row: 0, slot: 0)
        return S._decode(batch.cell(row: 0, slot: 0), _RowReader(batch, row: 0, home: nil))
    }

    private static func equality<E: Equatable>(_ type: E.Type) -> (Any, Any) -> Bool {
        { left, right in
            guard let left = left as? E, let right = right as? E else { return false }
            return left == right
        }
    }

    private static func ordering<C: Comparable>(_ type: C.Type) -> (Any, Any) -> Bool {
        { left, right in
            guard let left = left as? C, let right = right as? C else { return false }
            return left < right
        }
    }
}

/// A collection of values that is kept as a JSON array.
protocol StoredCollection {
    static var elementType: any Any.Type { get }
    func storedElements() -> [StoredValue]?
}

extension Array: StoredCollection {
    static var elementType: any Any.Type { Element.self }
    func storedElements() -> [StoredValue]? { StoredForm.values(self) }
}

extension Set: StoredCollection {
    static var elementType: any Any.Type { Element.self }
    func storedElements() -> [StoredValue]? { StoredForm.values(Array(self)) }
}

extension String: StoredCollection {
    static var elementType: any Any.Type { Character.self }
    func storedElements() -> [StoredValue]? { StoredForm.values(Array(self)) }
}

extension FilterType {
    /// The type under which filters see the values of a Swift type.
    init(of type: any Any.Type) {
        let shape = _ValueShape(type)
        let kind: Kind =
            switch shape.kind {
            case .scalar(let scalar): .scalar(scalar._storage)
            case .rawValue(_, let raw): .scalar(raw._storage)
            case .toOne(let model): .link(entity: model._$descriptor.entityName)
            case .toMany(let model): .rows(entity: model._$descriptor.entityName)
            case .codable(let codable):
                if let collection = codable as? any StoredCollection.Type {
                    .values(FilterType(of: collection.elementType).storage)
                } else {
                    .composite
                }
            case .transformable: .opaque
            }
        self.init(kind, isOptional: shape.isOptional)
    }
}
