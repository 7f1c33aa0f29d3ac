/// Puts a schema together from model classes.
struct SchemaBuilder {
    private(set) var entities: [Schema.Entity] = []
    private(set) var problems: [Schema.Problem] = []
    private var types: [ObjectIdentifier: any PersistentModel.Type] = [:]
    private var names: [String: any PersistentModel.Type] = [:]

    /// Takes in the classes, whatever they lead to and their superclasses.
    mutating func build(from roots: [any PersistentModel.Type]) {
        var queue = roots[...]
        while let type = queue.popFirst() {
            guard types.updateValue(type, forKey: ObjectIdentifier(type)) == nil else { continue }
            let name = Schema._entityName(of: type)
            if let known = names[name] {
                problems.append(
                    Schema.Problem(
                        .duplicateEntity, entity: name,
                        detail: "\(String(reflecting: known)) and \(String(reflecting: type)) have one name"))
                continue
            }
            names[name] = type
            queue += add(type, named: name)
        }
        problems += Self.link(entities)
        problems += SchemaInverses.resolve(entities)
    }

    /// Makes the entity of one class and answers the classes it leads to.
    private mutating func add(_ type: any PersistentModel.Type, named name: String) -> [any PersistentModel.Type] {
        var properties: [any SchemaProperty] = []
        var related: [any PersistentModel.Type] = []
        if let parent = Schema._superclassModel(of: type) { related.append(parent) }
        for metadata in type.schemaMetadata {
            let shape = _ValueShape(metadata.valueType)
            properties.append(Self.property(metadata, shape: shape))
            if let destination = shape.destination { related.append(destination) }
        }
        properties += type._$constraints
        let entity = Schema.Entity(name, properties: properties)
        entity._modelType = type
        entity.superentityName = Schema._superclassModel(of: type).map { Schema._entityName(of: $0) }
        entities.append(entity)
        return related
    }

    /// The schema's property for what the class says about it.
    private static func property(_ metadata: Schema.PropertyMetadata, shape: _ValueShape) -> any SchemaProperty {
        switch metadata.metadata {
        case let relationship as Schema.Relationship:
            return complete(relationship._copy(), metadata, shape)
        case let attribute as Schema.Attribute where shape.isRelationship:
            let relationship = Schema.Relationship(
                originalName: attribute._originalName, hashModifier: attribute.hashModifier)
            if attribute.isUnique { relationship.options = [.unique] }
            return complete(relationship, metadata, shape)
        case let attribute as Schema.Attribute:
            return complete(attribute, metadata, shape)
        case let other?:
            return other
        case nil where shape.isRelationship:
            return complete(Schema.Relationship(), metadata, shape)
        case nil:
            return complete(Schema.Attribute(), metadata, shape)
        }
    }

    private static func complete(
        _ relationship: Schema.Relationship, _ metadata: Schema.PropertyMetadata, _ shape: _ValueShape
    ) -> Schema.Relationship {
        relationship.name = metadata.name
        relationship.keypath = metadata.keypath
        relationship.valueType = metadata.valueType
        relationship.destination =
            shape.destination.map { Schema._entityName(of: $0) } ?? String(describing: shape.wrapped)
        return relationship
    }

    private static func complete(
        _ declared: Schema.Attribute, _ metadata: Schema.PropertyMetadata, _ shape: _ValueShape
    ) -> Schema.Attribute {
        let attribute = declared._copy(withMembers: StructureMembers.attributes(of: shape, declared.options))
        attribute.name = metadata.name
        attribute.valueType = metadata.valueType
        if attribute._default == nil { attribute._default = metadata._default }
        return attribute
    }

    /// Links entities to their superentities by name and hands properties down.
    static func link(_ entities: [Schema.Entity]) -> [Schema.Problem] {
        let byName = Dictionary(entities.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        var linked: Set<ObjectIdentifier> = []
        var problems: [Schema.Problem] = []

        func link(_ entity: Schema.Entity, below: [String]) {
            guard linked.insert(ObjectIdentifier(entity)).inserted, let name = entity.superentityName else { return }
            guard let parent = byName[name] else {
                problems.append(
                    Schema.Problem(
                        .unknownModelType, entity: entity.name, detail: "its superentity \(name) is not in the schema"))
                return
            }
            guard parent !== entity, !below.contains(name) else {
                problems.append(
                    Schema.Problem(.invalidSchema, entity: entity.name, detail: "it is its own superentity"))
                return
            }
            link(parent, below: below + [entity.name])
            entity.superentity = parent
        }

        for entity in entities { link(entity, below: []) }
        return problems
    }
}
