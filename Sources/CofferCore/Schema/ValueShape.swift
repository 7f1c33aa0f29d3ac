import Foundation

/// What the type of a property is to a store, found out at run time from the type itself.
///
/// Metatypes are immutable; the compiler only asks whether their conformances belong to an actor, which is nothing that
/// the core calls them for.
public enum _ValueKind: @unchecked Sendable {
    /// A type that stores keep as a value of their own: a number, text, a date, bytes…
    case scalar(any PersistentScalar.Type)
    /// A type that is kept as its raw value, usually an enumeration.
    case rawValue(any (RawRepresentable & Codable).Type, raw: any PersistentScalar.Type)
    /// Any other `Codable` type: a struct, an array of values, an enumeration with associated values.
    case codable(any Codable.Type)
    /// One model.
    case toOne(any PersistentModel.Type)
    /// Several models, kept as an array.
    case toMany(any PersistentModel.Type)
    /// A type that only a value transformer can turn into something a store keeps.
    case transformable
}

/// A property's type taken apart: what it holds and whether it may hold nothing.
///
/// `Optional<Optional<Int>>` has the same shape as `Optional<Int>`: stores know a single kind of nothing.
public struct _ValueShape: Sendable {
    /// What the type is once optionals are taken off.
    public let kind: _ValueKind
    /// Whether the type is an optional.
    public let isOptional: Bool
    /// The type without its optionals.
    public let wrapped: any Any.Type

    /// Takes a type apart.
    ///
    /// Complexity: a few casts of metatypes; do it once per property, not once per value.
    public init(_ type: any Any.Type) {
        var wrapped = type
        var isOptional = false
        while let optional = wrapped as? any _OptionalType.Type {
            isOptional = true
            wrapped = optional._wrappedType
        }
        self.isOptional = isOptional
        self.wrapped = wrapped
        self.kind = Self.kind(of: wrapped)
    }

    /// Whether the type is a model or an array of models.
    public var isRelationship: Bool { destination != nil }

    /// The type of the related models.
    public var destination: (any PersistentModel.Type)? {
        switch kind {
        case .toOne(let model), .toMany(let model): model
        default: nil
        }
    }

    private static func kind(of type: any Any.Type) -> _ValueKind {
        if let scalar = type as? any PersistentScalar.Type { return .scalar(scalar) }
        if let model = type as? any PersistentModel.Type { return .toOne(model) }
        if let models = type as? any RelationshipCollection.Type { return .toMany(element(of: models)) }
        if let raw = type as? any (RawRepresentable & Codable).Type, let value = rawType(of: raw) {
            return .rawValue(raw, raw: value)
        }
        if let codable = type as? any Codable.Type { return .codable(codable) }
        return .transformable
    }

    private static func element<C: RelationshipCollection>(of type: C.Type) -> any PersistentModel.Type {
        C.PersistentElement.self
    }

    private static func rawType<R: RawRepresentable>(of type: R.Type) -> (any PersistentScalar.Type)? {
        R.RawValue.self as? any PersistentScalar.Type
    }
}

/// What lets an optional be recognised and opened without knowing what it wraps.
protocol _OptionalType {
    static var _wrappedType: any Any.Type { get }
    var _flattened: Any? { get }
}

extension Optional: _OptionalType {
    static var _wrappedType: any Any.Type { Wrapped.self }

    /// The value without any of its optionals, or nil when one of them is empty.
    var _flattened: Any? {
        guard let value = self else { return nil }
        if let inner = value as? any _OptionalType { return inner._flattened }
        return value
    }
}

/// A value without its optionals: nil inside `Any` becomes a plain nil.
func _flatten(_ value: Any) -> Any? {
    if let optional = value as? any _OptionalType { return optional._flattened }
    return value
}

/// The names by which an encoded schema knows the scalar types.
enum _ScalarNames {
    /// The scalar type of that name, or nil.
    static func type(named name: String) -> (any PersistentScalar.Type)? { byName[name] }

    /// The stable name of a scalar type; aliases of the platform do not show.
    static func name(of type: any PersistentScalar.Type) -> String { String(describing: type) }

    private static let byName: [String: any PersistentScalar.Type] = {
        let types: [any PersistentScalar.Type] = [
            Bool.self, Int.self, Int8.self, Int16.self, Int32.self, Int64.self,
            UInt.self, UInt8.self, UInt16.self, UInt32.self, UInt64.self,
            Double.self, Float.self, String.self, Character.self,
            Date.self, Data.self, UUID.self, URL.self, Decimal.self,
        ]
        return Dictionary(uniqueKeysWithValues: types.map { (name(of: $0), $0) })
    }()
}

/// Stands for a property's type in a schema that was read from a file and names a type this program need not have.
///
/// The name of the type and the form in which it is stored survive; see ``Schema/Attribute/valueTypeName``.
public enum _UnknownType: Sendable {}
