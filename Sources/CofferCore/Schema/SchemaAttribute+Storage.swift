import Foundation

extension Schema.Attribute {
    /// How a store keeps the attribute's values; the same for an attribute that was read from a file.
    ///
    /// Values kept through their `Codable` are text, those that a value transformer makes are bytes.
    public var _storage: ScalarStorage {
        if isTransformable { return .blob }
        return encodedType.scalarType?._storage ?? .text
    }

    /// The scalar type that a store keeps the values in; nil of values that are kept coded, as text, and of those that a
    /// transformer makes.
    public var _scalarType: (any PersistentScalar.Type)? { isTransformable ? nil : encodedType.scalarType }
    /// Whether the values are kept in their coded form, which is JSON text; the same for an attribute that was read from a
    /// file.
    public var _isCoded: Bool { !isTransformable && encodedType.scalarType == nil }

    /// Whether a store with files may keep large values of the attribute in files of their own: only of one that is
    /// kept as bytes.
    public var _isExternal: Bool { options.contains(.externalStorage) && _storage == .blob }

    /// The default value as a store keeps it; nil where there is none, or where it has no stored form.
    public var _storedDefault: StoredValue? { stored(defaultValue) }

    /// The same, with an expression evaluated anew: each row of a migration can have a `UUID()` of its own.
    var _freshStoredDefault: StoredValue? { stored(_default?.fresh()) }

    /// A value that stands for one which the program gives later; nil where none can be made up.
    var _storedPlaceholder: StoredValue? {
        func empty<T>(_ type: T.Type) -> Any? { EmptyValue.make(type) }
        return stored(_openExistential(_valueShape.wrapped, do: empty))
    }

    private func stored(_ value: Any?) -> StoredValue? {
        guard let value else { return nil }
        if isTransformable { return nil }
        if let scalar = value as? any PersistentScalar { return scalar._stored }
        if let raw = value as? any RawRepresentable, encodedType.form == .rawValue {
            func stored<R: RawRepresentable>(_ value: R) -> StoredValue? {
                (value.rawValue as? any PersistentScalar)?._stored
            }
            return stored(raw)
        }
        guard let codable = value as? any Encodable else { return nil }
        return (try? CompositeCoding.encode(codable)).map { .text($0) }
    }
}
