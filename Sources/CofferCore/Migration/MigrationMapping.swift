/// Where each entity and each property of a schema has its values from in another one.
struct MigrationMapping {
    /// One entity of the new schema.
    struct EntityMap {
        let target: Schema.Entity
        let source: Schema.Entity
        /// By slot of the new entity.
        var properties: [PropertyMap] = []
        /// Stored properties of the old entity that have no place in the new one.
        var lost: [(slot: Int, property: any SchemaProperty)] = []
    }

    /// Where a property has its values from.
    enum Origin {
        /// Nowhere: a list without members, a value that is in no store.
        case nothing
        /// New; rows get the default value, or nothing.
        case new
        /// From an attribute, by slot.
        case attribute(Int, CellConversion)
        /// From a to-one relationship, by slot.
        case link(Int)
        /// From a to-one relationship, by slot, whose row is the only one of a list.
        case listOfLink(Int)
        /// From a to-many relationship, by slot.
        case list(Int)
        /// From a to-many relationship, by slot, of which rows have one member at most.
        case linkOfList(Int)
        /// From lists of the rows that it leads to: an entity of the old schema, and the slot of the list.
        case inverse(entity: String, slot: Int)
    }

    struct PropertyMap {
        let slot: Int
        let property: any SchemaProperty
        var origin: Origin
        /// Of a to-one relationship whose other side is to-one, and was not its other side before: where the links of that
        /// side stand. A row may have its link there alone.
        var pair: (entity: String, slot: Int)?
    }

    let source: Schema
    let target: Schema
    private(set) var entities: [EntityMap] = []
    /// Entities of the old schema that the new one does not have.
    private(set) var gone: [Schema.Entity] = []
    /// Whether what cannot be carried over is left to the program, which gives the rows values afterwards.
    let isLenient: Bool
    private let renames: [String: String]

    /// Finds out how rows get from one schema to another.
    ///
    /// - Parameters:
    ///   - renames: the old names of entities that have new ones, by the new ones.
    ///   - isLenient: whether what cannot be carried over is left to the program.
    /// - Throws: ``SwiftDataError/unknownSchema`` that names the entity and the property that cannot be mapped.
    init(
        from source: Schema, to target: Schema, renames: [String: String] = [:], isLenient: Bool = false
    ) throws {
        self.isLenient = isLenient
        self.source = source
        self.target = target
        self.renames = renames
        var known: Set<String> = []
        for entity in target.entities.sorted(by: { $0.name < $1.name }) {
            guard let old = oldEntity(of: entity) else { continue }
            guard known.insert(old.name).inserted else {
                throw Self.problem(entity.name, nil, "two entities have their rows from \(old.name)")
            }
            entities.append(EntityMap(target: entity, source: old))
        }
        gone = source.entities.filter { !known.contains($0.name) }.sorted { $0.name < $1.name }
        try checkRoots()
        for index in entities.indices { try mapProperties(&entities[index]) }
    }

    /// The old entity that an entity's rows are of.
    func oldEntity(of entity: Schema.Entity) -> Schema.Entity? {
        if let old = source.entitiesByName[entity.name] { return old }
        guard let name = renames[entity.name], target.entitiesByName[name] == nil else { return nil }
        return source.entitiesByName[name]
    }

    /// The rows of a hierarchy have keys of one run, so that only one old run may go into a new one.
    private func checkRoots() throws {
        var roots: [String: String] = [:]
        for map in entities {
            let (old, new) = (map.source.rootEntity.name, map.target.rootEntity.name)
            if let known = roots[new], known != old {
                throw Self.problem(
                    map.target.name, nil,
                    "its superclass is another one, and rows of \(known) and \(old) may have the same keys")
            }
            roots[new] = old
        }
    }

    /// The name of the run of keys that the rows of a new entity came from; nil where there are none.
    func oldRoot(of entityName: String) -> String? {
        guard let root = target.entitiesByName[entityName]?.rootEntity else { return nil }
        return entities.first { $0.target.rootEntity.name == root.name }?.source.rootEntity.name
    }

    // MARK: Properties

    private func mapProperties(_ map: inout EntityMap) throws {
        let old = map.source.properties
        var used: Set<Int> = []
        for (slot, property) in map.target.properties.enumerated() {
            if property.isTransient {
                map.properties.append(PropertyMap(slot: slot, property: property, origin: .nothing))
                continue
            }
            let found = Self.oldSlot(of: property, among: old)
            if let found { used.insert(found) }
            let origin = try origin(of: property, map, found)
            var mapped = PropertyMap(slot: slot, property: property, origin: origin)
            if let relationship = property as? Schema.Relationship, case .link = origin,
                relationship.isNewPair(of: map.target, in: target, from: source, as: map.source),
                case .inverse(let entity, let slot)? = oldInverse(of: relationship)
            {
                mapped.pair = (entity, slot)
            }
            map.properties.append(mapped)
        }
        for (slot, property) in old.enumerated() where !used.contains(slot) && !property.isTransient {
            if let relationship = property as? Schema.Relationship, isKept(relationship) { continue }
            map.lost.append((slot, property))
        }
    }

    /// Whether the other side of a relationship is still there and says the same.
    private func isKept(_ relationship: Schema.Relationship) -> Bool {
        guard let inverse = relationship.inverseName else { return false }
        return entities.contains { map in
            guard
                map.source.lineage.contains(where: { $0.name == relationship.destination })
                    || map.source.name == relationship.destination
            else { return false }
            return map.target.properties.contains {
                guard let slot = Self.oldSlot(of: $0, among: map.source.properties) else { return false }
                return map.source.properties[slot].name == inverse
            }
        }
    }

    /// The slot that a property had.
    ///
    /// A property keeps its `originalName` long after the migration that it was written for. So a property of the same
    /// name that says the same of itself is the property already.
    static func oldSlot(of property: any SchemaProperty, among old: [any SchemaProperty]) -> Int? {
        let same = old.firstIndex { $0.name == property.name }
        if property.originalName == property.name { return same }
        if let same, old[same].originalName == property.originalName { return same }
        return old.firstIndex { $0.name == property.originalName } ?? same
    }

    private func origin(of property: any SchemaProperty, _ map: EntityMap, _ slot: Int?) throws -> Origin {
        func problem(_ detail: String) -> SwiftDataError { Self.problem(map.target.name, property.name, detail) }
        if let relationship = property as? Schema.Relationship {
            return try origin(of: relationship, map, slot)
        }
        guard let attribute = property as? Schema.Attribute else { return .nothing }
        guard let slot else { return .new }
        let old = map.source.properties[slot]
        if old.isTransient { return .new }
        guard let before = old as? Schema.Attribute else {
            if isLenient { return .new }
            throw problem("it was a relationship and is a value now, which takes a stage of a migration plan")
        }
        guard let conversion = CellConversion.between(before, attribute) else {
            if isLenient { return .new }
            throw problem(
                "the property's values are kept differently: \(before.valueTypeName) was its type, which takes a stage "
                    + "of a migration plan")
        }
        return .attribute(slot, conversion)
    }

    private func origin(of relationship: Schema.Relationship, _ map: EntityMap, _ slot: Int?) throws -> Origin {
        func problem(_ detail: String) -> SwiftDataError { Self.problem(map.target.name, relationship.name, detail) }
        guard let slot else {
            if relationship.isToOneRelationship, let inverse = oldInverse(of: relationship) { return inverse }
            return relationship.isToOneRelationship ? .new : .nothing
        }
        guard let before = map.source.properties[slot] as? Schema.Relationship else {
            if isLenient { return relationship.isToOneRelationship ? .new : .nothing }
            throw problem("it was a value and is a relationship now, which takes a stage of a migration plan")
        }
        guard let destination = target.entitiesByName[relationship.destination],
            oldRoot(of: relationship.destination) == source.entitiesByName[before.destination]?.rootEntity.name,
            isWiderOrSame(destination, than: before.destination)
        else { throw problem("the relationship leads elsewhere; it led to \(before.destination)") }
        switch (before.isToOneRelationship, relationship.isToOneRelationship) {
        case (true, true): return .link(slot)
        case (true, false): return .listOfLink(slot)
        case (false, true): return .linkOfList(slot)
        case (false, false): return .list(slot)
        }
    }

    /// Whether every row of an old entity that is still there is of an entity or of one below it.
    private func isWiderOrSame(_ entity: Schema.Entity, than old: String) -> Bool {
        let below = Set(entity.subtree.map(\.name))
        return entities.allSatisfy { map in
            !map.source.lineage.contains { $0.name == old } || below.contains(map.target.name)
        }
    }

    /// Where the rows of a to-one relationship stand that is new, while its other side was there: in lists.
    private func oldInverse(of relationship: Schema.Relationship) -> Origin? {
        guard let name = relationship.inverseName,
            let other = entities.first(where: { $0.target.name == relationship.destination }),
            let property = other.target._relationship(named: name),
            let slot = Self.oldSlot(of: property, among: other.source.properties),
            other.source.properties[slot] is Schema.Relationship
        else { return nil }
        return .inverse(entity: other.source.name, slot: slot)
    }

    static func problem(_ entity: String, _ property: String?, _ detail: String) -> SwiftDataError {
        SwiftDataError(
            .unknownSchema, entity: entity, property: property,
            detail: "the store was made with another schema, and \(detail)")
    }

    static func lostRows(_ count: Int, of entity: Schema.Entity) -> SwiftDataError {
        problem(
            entity.name, nil,
            "it has \(count) rows of this model, which the program does not have: list its class (subclasses are not "
                + "found by themselves), or take the model away with a stage of a migration plan")
    }
}
