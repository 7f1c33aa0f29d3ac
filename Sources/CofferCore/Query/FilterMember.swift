/// What a Swift key path leads to from a stored value: a member of a `Codable` structure, or a property that is worked
/// out, of any value.
///
/// A store that cannot work it out by itself has the core do so; the stored value is decoded and the key path applied.
public final class FilterMember: Hashable, @unchecked Sendable {
    /// The key path, from the type of the stored value, without optionals.
    public let keyPath: AnyKeyPath
    /// The name, for printing.
    public let name: String
    /// What the key path gives.
    public let type: FilterType
    private let coding: FilterCoding

    /// Nil where the key path begins or ends at a type that cannot be stored.
    ///
    /// - Parameter name: nil for the key path's own.
    init?(_ keyPath: AnyKeyPath, name: String? = nil) {
        let types = Swift.type(of: keyPath)
        guard let coding = FilterCoding(types.rootType) else { return nil }
        let type = FilterType(of: types.valueType)
        switch type.kind {
        case .scalar, .values, .composite: break
        case .link, .rows, .opaque: return nil
        }
        self.coding = coding
        self.type = type
        self.keyPath = keyPath
        self.name = name ?? Self.name(of: keyPath)
    }

    public static func == (left: FilterMember, right: FilterMember) -> Bool { left.keyPath == right.keyPath }

    public func hash(into hasher: inout Hasher) { hasher.combine(keyPath) }

    /// How the values it begins at are kept; nil where as JSON text.
    public var baseStorage: ScalarStorage? { coding.storage }

    /// The member of a stored value; nil of nil.
    public func apply(_ value: StoredValue) -> StoredValue {
        guard let whole = coding.decode(value), let part = whole[keyPath: keyPath] else { return .null }
        return StoredForm.value(part) ?? .null
    }

    /// The key path's text without its root, or its types where the program keeps no names.
    private static func name(of keyPath: AnyKeyPath) -> String {
        let text = keyPath.debugDescription
        guard let dot = text.firstIndex(of: "."), !text.contains("<") else { return "member" }
        return String(text[text.index(after: dot)...])
    }
}
