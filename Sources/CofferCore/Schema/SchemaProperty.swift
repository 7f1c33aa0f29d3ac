/// Something a model class declares about its data: an attribute, a relationship, an index or a constraint.
///
/// A schema's entities list their properties as values of this type; ask ``isAttribute`` and ``isRelationship``, or
/// cast to ``Schema/Attribute`` and ``Schema/Relationship``.
public protocol SchemaProperty: Codable, Hashable {
    /// The property's name in the model class.
    var name: String { get set }
    /// The name under which older versions of the schema know the property; equal to ``name`` unless it was renamed.
    var originalName: String { get set }
    /// The declared Swift type, optionals included.
    var valueType: any Any.Type { get set }
    /// Whether this is an attribute, a value kept in the model's own row.
    var isAttribute: Bool { get }
    /// Whether this is a relationship to other models.
    var isRelationship: Bool { get }
    /// Whether the value lives in memory only.
    var isTransient: Bool { get }
    /// Whether the property may have no value.
    var isOptional: Bool { get }
    /// Whether no two models may have the same value.
    var isUnique: Bool { get }
}

extension SchemaProperty {
    /// False unless the type says otherwise.
    public var isAttribute: Bool { false }
    /// False unless the type says otherwise.
    public var isRelationship: Bool { false }
    /// False unless the type says otherwise.
    public var isTransient: Bool { false }
    /// Whether ``valueType`` is an optional.
    public var isOptional: Bool { valueType is any _OptionalType.Type }
}

extension SchemaProperty {
    /// Whether two properties of any kind are equal.
    func _isEqual(to other: any SchemaProperty) -> Bool {
        guard let other = other as? Self else { return false }
        return self == other
    }
}

/// A property that speaks about other properties: ``Schema/Index``, ``Schema/Unique`` and ``Schema/FullText``.
protocol _ConstraintProperty: SchemaProperty {
    /// The key paths of each index or constraint, and whether it is to be an R-tree.
    var _keyPaths: [(paths: [AnyKeyPath], isRTree: Bool)] { get }
    /// Whether the property demands uniqueness rather than an index.
    static var _isUniqueness: Bool { get }
    /// Whether the property asks for full-text search.
    static var _isFullText: Bool { get }
}

extension _ConstraintProperty {
    static var _isFullText: Bool { false }
}
