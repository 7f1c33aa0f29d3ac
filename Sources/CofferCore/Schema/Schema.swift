/// What a program's models look like to a store: entities with their attributes, relationships and constraints.
///
/// A schema is made from model classes and takes in whatever they lead to through relationships, and superclasses:
///
/// ```swift
/// let schema = Schema([Trip.self])        // Trip, and Stop through `Trip.stops`
/// schema.entity(for: Trip.self)?.attributesByName["name"]
/// ```
///
/// Subclasses are not reached that way; list them. Making a schema never fails: what is wrong with the models is listed
/// in ``problems``, and ``validate()`` throws it, which opening a container does for you.
///
/// A schema may be used from any isolation. Its entities and their properties are objects that can be changed while a
/// schema is put together by hand; do not change them once a container uses it.
///
/// Two schemas are equal when version and entities are, in whatever order these were listed.
public final class Schema: Codable, Hashable, CustomDebugStringConvertible, Sendable {
    /// The version of the encoded form that this version of Coffer writes.
    public static let schemaEncodingVersion = Version(1, 0, 0)

    /// The version of the encoded form that the schema was read from, or would be written in.
    public let encodingVersion: Version
    /// The version of the models.
    public let version: Version
    /// The entities: those listed, in that order, then those they lead to.
    public let entities: [Entity]
    /// The entities by name. Of several with one name, which is a problem, the first.
    public let entitiesByName: [String: Entity]
    /// What was found while the schema was put together; the other problems are looked for when asked.
    let _buildProblems: [Problem]

    init(entities: [Entity], version: Version, encodingVersion: Version, problems: [Problem]) {
        self.entities = entities
        self.entitiesByName = Dictionary(entities.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        self.version = version
        self.encodingVersion = encodingVersion
        self._buildProblems = problems
    }

    /// Makes a schema without entities.
    public convenience init() {
        self.init(entities: [], version: Version(1, 0, 0), encodingVersion: Self.schemaEncodingVersion, problems: [])
    }

    /// Makes a schema of entities put together by hand.
    ///
    /// Entities that name a superentity in the list are linked to it.
    public convenience init(_ entities: Entity..., version: Version = Version(1, 0, 0)) {
        let problems = SchemaBuilder.link(entities)
        self.init(
            entities: entities, version: version, encodingVersion: Self.schemaEncodingVersion, problems: problems)
    }

    /// Makes a schema of model classes and whatever they lead to.
    ///
    /// - Parameters:
    ///   - types: the classes to start from.
    ///   - version: the version of the models.
    public convenience init(_ types: any PersistentModel.Type..., version: Version = Version(1, 0, 0)) {
        self.init(types, version: version)
    }

    /// Makes a schema of model classes and whatever they lead to.
    ///
    /// Complexity: grows with the number of properties; relationships are compared only where two entities refer to
    /// each other.
    ///
    /// - Parameters:
    ///   - types: the classes to start from.
    ///   - version: the version of the models.
    public convenience init(_ types: [any PersistentModel.Type], version: Version = Version(1, 0, 0)) {
        var builder = SchemaBuilder()
        builder.build(from: types)
        self.init(
            entities: builder.entities, version: version, encodingVersion: Self.schemaEncodingVersion,
            problems: builder.problems)
    }

    /// Makes the schema of a released version.
    public convenience init(versionedSchema: any VersionedSchema.Type) {
        self.init(versionedSchema.models, version: versionedSchema.versionIdentifier)
    }

    // MARK: Looking up

    /// The entity of a model class, found by the class's name; nil when the schema has none.
    public func entity<M: PersistentModel>(for type: M.Type) -> Entity? {
        entitiesByName[Self.entityName(for: type)]
    }

    /// The name of a model class's entity: the bare name of the class, whatever it is nested in.
    public static func entityName<M: PersistentModel>(for type: M.Type) -> String {
        String(describing: type)
    }

    /// The same, for a class that is known as a value only.
    static func _entityName(of type: any PersistentModel.Type) -> String { String(describing: type) }

    /// The model class of an entity; nil when there is no such entity, or it was not made from a class.
    func _modelType(named name: String) -> (any PersistentModel.Type)? { entitiesByName[name]?._modelType }

    // MARK: Equality and text

    /// Compares version and entities.
    public static func == (left: Schema, right: Schema) -> Bool {
        left === right || (left.version == right.version && left.entitiesByName == right.entitiesByName)
    }

    /// Hashes part of what `==` compares.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(version)
        hasher.combine(Set(entitiesByName.keys))
    }

    /// The schema with an entity's properties to a line.
    public var debugDescription: String {
        (["Schema \(version)"] + entities.map { $0.debugDescription }).joined(separator: "\n")
    }
}
