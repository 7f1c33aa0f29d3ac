/// Says how a persisted property is kept: unique, under an earlier name, outside the row, through a transformer.
///
/// ```swift
/// @Attribute(.unique, originalName: "title") var name: String
/// @Attribute(.externalStorage) var photo: Data?
/// ```
///
/// - Parameters:
///   - options: What is special about the property.
///   - originalName: The name under which an earlier version of the schema knew the property. Migration carries the
///     values over.
///   - hashModifier: Text that makes the property count as changed, although its name and type are the same.
@attached(peer)
public macro Attribute(
    _ options: Schema.Attribute.Option..., originalName: String? = nil, hashModifier: String? = nil
) = #externalMacro(module: "CofferMacros", type: "AttributeMacro")

/// Says how a property refers to other models: what deletion does, how many there may be, which property leads back.
///
/// ```swift
/// @Relationship(deleteRule: .cascade, inverse: \Stop.trip) var stops: [Stop] = []
/// ```
///
/// Name the inverse on one of the two sides only; Swift cannot resolve two marks that name each other.
///
/// - Parameters:
///   - options: What is special about the relationship.
///   - deleteRule: What deleting this model does to the models that the property refers to.
///   - minimumModelCount: The least number of models; zero means no limit.
///   - maximumModelCount: The greatest number of models; zero means no limit.
///   - originalName: The name under which an earlier version of the schema knew the property.
///   - inverse: The property of the other model that refers back.
///   - hashModifier: Text that makes the property count as changed, although its name and type are the same.
@attached(peer)
public macro Relationship(
    _ options: Schema.Relationship.Option..., deleteRule: Schema.Relationship.DeleteRule = .nullify,
    minimumModelCount: Int? = 0, maximumModelCount: Int? = 0, originalName: String? = nil,
    inverse: AnyKeyPath? = nil, hashModifier: String? = nil
) = #externalMacro(module: "CofferMacros", type: "RelationshipMacro")

/// Keeps a stored property of a model out of the store.
///
/// The property needs an initial value or an optional type, because a fetched model has no other source for it.
///
/// ```swift
/// @Transient var isExpanded = false
/// ```
@attached(peer)
public macro Transient() = #externalMacro(module: "CofferMacros", type: "TransientMacro")
