import Foundation

/// The members of an encoded property.
enum _PropertyCodingKeys: String, CodingKey {
    case kind, name, originalName, type, isOptional, form, options, hashModifier, hasDefault, defaultValue, properties
    case destination, isToMany, deleteRule, inverse, minimumCount, maximumCount
}

/// The type of a property as an encoded schema keeps it: by name, with the form in which stores keep its values.
struct _EncodedType: Hashable, Sendable {
    /// How a store keeps values of the type.
    enum Form: String, Codable, Sendable {
        /// As they are; ``name`` is that of a scalar type.
        case scalar
        /// As the raw value; ``raw`` names its type.
        case rawValue
        /// In the coded form, member by member where the store can.
        case codable
        /// In the coded form, closed to filters (``Schema/Attribute/Option/codable``).
        case opaque
        /// As a value transformer makes them.
        case transformable
        /// As a reference to one other row, or several.
        case relationship
    }

    var name: String
    var form: Form
    /// The scalar type of the raw value.
    var raw: String?
    var isOptional: Bool

    init(_ shape: _ValueShape, isOptional: Bool, isTransformable: Bool, isOpaque: Bool) {
        self.name = String(describing: shape.wrapped)
        self.isOptional = isOptional
        if isTransformable {
            form = .transformable
        } else if isOpaque {
            form = .opaque
        } else {
            switch shape.kind {
            case .scalar(let type):
                form = .scalar
                name = _ScalarNames.name(of: type)
            case .rawValue(_, let raw):
                form = .rawValue
                self.raw = _ScalarNames.name(of: raw)
            case .codable: form = .codable
            case .toOne, .toMany: form = .relationship
            case .transformable: form = .transformable
            }
        }
    }

    init(from values: KeyedDecodingContainer<_PropertyCodingKeys>) throws {
        name = try values.decode(String.self, forKey: .type)
        isOptional = try values.decodeIfPresent(Bool.self, forKey: .isOptional) ?? false
        let form = try values.decodeIfPresent(String.self, forKey: .form) ?? Form.scalar.rawValue
        if form.hasPrefix("rawValue:") {
            self.form = .rawValue
            raw = String(form.dropFirst("rawValue:".count))
        } else if let form = Form(rawValue: form) {
            self.form = form
        } else {
            throw DecodingError.dataCorruptedError(
                forKey: .form, in: values, debugDescription: "\(form) is no form of a stored value")
        }
    }

    func encode(to values: inout KeyedEncodingContainer<_PropertyCodingKeys>) throws {
        try values.encode(name, forKey: .type)
        if isOptional { try values.encode(true, forKey: .isOptional) }
        switch form {
        case .scalar: break
        case .rawValue: try values.encode("rawValue:" + (raw ?? "String"), forKey: .form)
        default: try values.encode(form.rawValue, forKey: .form)
        }
    }

    /// The scalar type in which a store keeps values of this type, or nil when it is none.
    var scalarType: (any PersistentScalar.Type)? {
        switch form {
        case .scalar: _ScalarNames.type(named: name)
        case .rawValue: raw.flatMap { _ScalarNames.type(named: $0) }
        default: nil
        }
    }

    /// The Swift type where the name is that of a scalar, else a stand-in.
    var swiftType: any Any.Type {
        var type: any Any.Type = _UnknownType.self
        if form == .scalar, let scalarType { type = scalarType }
        return isOptional ? Self.optional(type) : type
    }

    static func optional(_ type: any Any.Type) -> any Any.Type {
        func wrap<T>(_ type: T.Type) -> any Any.Type { T?.self }
        return _openExistential(type, do: wrap)
    }
}

/// The default value of an attribute: a value, or an expression that gives one.
///
/// Shared by copies of the attribute, so that an expression is evaluated once for all of them.
final class _DefaultValue: @unchecked Sendable {
    private let make: () -> Any?
    private let lock = NSLock()
    private var known: Any??
    /// Whether the value was given as such.
    let isExplicit: Bool

    init(explicit value: Any) {
        make = { _flatten(value) }
        known = .some(_flatten(value))
        isExplicit = true
    }

    init(expression: @escaping () -> Any) {
        make = { _flatten(expression()) }
        isExplicit = false
    }

    /// A default of which a file only says that it exists.
    private init() {
        make = { nil }
        isExplicit = false
    }

    /// The value; an expression is evaluated once.
    var value: Any? {
        lock.lock()
        defer { lock.unlock() }
        if let known { return known }
        let value = make()
        known = .some(value)
        return value
    }

    /// The value of the expression, evaluated anew: each row of a migration can have a `UUID()` of its own.
    func fresh() -> Any? { make() }

    func encode(to values: inout KeyedEncodingContainer<_PropertyCodingKeys>, type: _EncodedType) throws {
        try values.encode(true, forKey: .hasDefault)
        guard isExplicit, let scalar = value as? any PersistentScalar & Codable,
            _ScalarNames.name(of: Swift.type(of: scalar)) == type.name
        else { return }
        try values.encode(scalar, forKey: .defaultValue)
    }

    static func decode(
        from values: KeyedDecodingContainer<_PropertyCodingKeys>, type: _EncodedType
    ) throws -> _DefaultValue? {
        guard try values.decodeIfPresent(Bool.self, forKey: .hasDefault) == true else { return nil }
        guard values.contains(.defaultValue),
            let scalar = _ScalarNames.type(named: type.name) as? any Codable.Type
        else { return _DefaultValue() }
        return _DefaultValue(explicit: try values.decode(scalar, forKey: .defaultValue))
    }
}

/// One attribute or relationship of an entity, with the tag that tells which.
struct _EncodedProperty: Codable {
    let property: any SchemaProperty

    init(_ property: any SchemaProperty) { self.property = property }

    private enum Kind: String, Codable {
        case attribute, composite, relationship
    }

    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: _PropertyCodingKeys.self)
        switch try values.decode(Kind.self, forKey: .kind) {
        case .attribute: property = try Schema.Attribute(from: decoder)
        case .composite: property = try Schema.CompositeAttribute(from: decoder)
        case .relationship: property = try Schema.Relationship(from: decoder)
        }
    }

    func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: _PropertyCodingKeys.self)
        let kind: Kind =
            switch property {
            case is Schema.CompositeAttribute: .composite
            case is Schema.Relationship: .relationship
            default: .attribute
            }
        try values.encode(kind, forKey: .kind)
        try property.encode(to: encoder)
    }
}
