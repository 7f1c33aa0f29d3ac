import CofferCore

/// How a schema lies in memory: a table for each entity, or hierarchy of entities, and pairs for each to-many relationship
/// without a to-one side.
struct MemorySchema: Sendable {
    private(set) var tables: [TableLayout] = []
    private(set) var pairs: [PairLayout] = []
    /// The table of each entity, by index.
    private(set) var tableOfEntity: [String: Int] = [:]
    /// The hierarchies of the schema; nil where it has none.
    let hierarchies: FlatHierarchies?

    /// The entity of each table; that of a hierarchy is the topmost.
    private let entities: [Schema.Entity]
    private let byName: [String: Schema.Entity]
    private var pairsOfProperty: [String: (index: Int, side: PairSide)] = [:]

    /// One property of a table.
    private struct Property {
        let slot: Int
        let entity: Schema.Entity
        let property: any SchemaProperty
        let isOfAll: Bool
    }

    /// The layout of a schema.
    ///
    /// - Throws: ``SwiftDataError`` for what the store cannot keep; the error names entity and property.
    init(_ schema: Schema) throws {
        hierarchies = FlatHierarchies(schema)
        entities = schema.entities.filter { $0.superentity == nil }
        byName = schema.entitiesByName
        for (index, root) in entities.enumerated() {
            for entity in root.subtree { tableOfEntity[entity.name] = index }
        }
        for entity in schema.entities { try layPairs(of: entity) }
        for index in entities.indices { tables.append(try layTable(index)) }
    }

    private func failure(
        _ code: SwiftDataError.Code, _ entity: Schema.Entity, _ property: String?, _ detail: String
    ) -> SwiftDataError {
        SwiftDataError(code, operation: .open, entity: entity.name, property: property, detail: detail)
    }

    // MARK: Relationships

    private func destination(of relationship: Schema.Relationship, in entity: Schema.Entity) throws -> Int {
        if let index = tableOfEntity[relationship.destination] { return index }
        throw failure(
            .invalidRelationship, entity, relationship.name,
            "it leads to \(relationship.destination), which is not in the store's schema")
    }

    /// The relationship on the other side, whichever of the two names the other, and the entity that declares it.
    private func inverse(
        of relationship: Schema.Relationship, in entity: Schema.Entity
    ) -> (entity: Schema.Entity, relationship: Schema.Relationship)? {
        for other in byName[relationship.destination]?.lineage ?? [] {
            let own = other.storedProperties.compactMap { $0 as? Schema.Relationship }
            let found =
                relationship.inverseName.map { name in own.first { $0.name == name } }
                ?? own.first { $0.inverseName == relationship.name && $0.destination == entity.name }
            if let found { return (other, found) }
        }
        return nil
    }

    private mutating func layPairs(of entity: Schema.Entity) throws {
        for case let relationship as Schema.Relationship in entity.storedProperties
        where !relationship.isToOneRelationship {
            let member = try destination(of: relationship, in: entity)
            let inverse = inverse(of: relationship, in: entity)
            let path = "\(entity.name).\(relationship.name)"
            if inverse?.relationship.isToOneRelationship == true || pairsOfProperty[path] != nil { continue }
            let other = inverse.map { "\($0.entity.name).\($0.relationship.name)" }
            pairsOfProperty[path] = (pairs.count, .owner)
            if let other, other != path { pairsOfProperty[other] = (pairs.count, .member) }
            pairs.append(
                PairLayout(owner: tableOfEntity[entity.name] ?? 0, member: member, isMirrored: other == path))
        }
    }

    // MARK: Tables

    private func properties(_ root: Schema.Entity, _ hierarchy: FlatHierarchy?) -> [Property] {
        if let hierarchy {
            return hierarchy.properties.map {
                Property(slot: $0.slot, entity: $0.entity, property: $0.property, isOfAll: $0.isOfAll)
            }
        }
        return root.properties.enumerated().map { Property(slot: $0, entity: root, property: $1, isOfAll: true) }
    }

    /// The slot of a property in its table.
    private func slot(of name: String, in entity: Schema.Entity) -> Int? {
        if let hierarchy = hierarchies?.hierarchy(of: entity.name) {
            return hierarchy.slot(of: name, in: entity.name)
        }
        return entity.properties.firstIndex { $0.name == name }
    }

    private func layTable(_ index: Int) throws -> TableLayout {
        let root = entities[index]
        let hierarchy = hierarchies?.hierarchy(of: root.name)
        let properties = properties(root, hierarchy)
        var columns: [MemoryColumn] = []
        var lists: [(slot: Int, place: TableLayout.ListPlace)] = []
        for place in properties where !place.property.isTransient {
            let (slot, entity) = (place.slot, place.entity)
            switch place.property {
            case let attribute as Schema.Attribute:
                columns.append(
                    MemoryColumn(slot: slot, attribute: attribute, of: entity, isOfAll: place.isOfAll))
            case let relationship as Schema.Relationship:
                let destination = try destination(of: relationship, in: entity)
                if relationship.isToOneRelationship {
                    var column = MemoryColumn(
                        slot: slot, relationship: relationship, of: entity, destination: destination,
                        isOfAll: place.isOfAll)
                    if let other = inverse(of: relationship, in: entity), other.relationship.isToOneRelationship {
                        column.partner = self.slot(of: other.relationship.name, in: other.entity)
                    }
                    columns.append(column)
                } else if let pairs = pairsOfProperty["\(entity.name).\(relationship.name)"] {
                    lists.append((slot, .pairs(pairs.index, pairs.side)))
                } else if let inverse = inverse(of: relationship, in: entity),
                    let link = self.slot(of: inverse.relationship.name, in: inverse.entity)
                {
                    lists.append((slot, .inverse(table: destination, slot: link)))
                }
            default: break
            }
        }
        if let hierarchy { columns.append(MemoryColumn(kindSlot: hierarchy.kindSlot, of: root)) }
        var uniques: [TableLayout.Unique] = []
        var indexes: [[Int]] = []
        for entity in hierarchy?.entities ?? [root] {
            try layConstraints(of: entity, hierarchy, columns, &uniques, &indexes)
        }
        return TableLayout(
            index: index, entityName: root.name, width: hierarchy?.width ?? properties.count, columns: columns,
            lists: lists, uniques: uniques, indexes: indexes, hierarchy: hierarchy)
    }

    /// Adds the constraints and indexes that an entity declares.
    private func layConstraints(
        of entity: Schema.Entity, _ hierarchy: FlatHierarchy?, _ columns: [MemoryColumn],
        _ uniques: inout [TableLayout.Unique], _ indexes: inout [[Int]]
    ) throws {
        if let list = entity._rtreeIndices.sorted(by: { $0.lexicographicallyPrecedes($1) }).first {
            throw failure(
                .unsupportedFeature, entity, list.joined(separator: ", "), "the in-memory store has no R-tree indexes")
        }
        func slots(_ names: [String], _ code: SwiftDataError.Code) throws -> [Int] {
            try names.map { name in
                if let slot = slot(of: name, in: entity), columns.contains(where: { $0.slot == slot }) { return slot }
                throw failure(code, entity, name, "it has no value of its own in the store")
            }
        }
        for names in entity.uniquenessConstraints {
            let slots = try slots(names, .invalidUniqueness)
            var unique = TableLayout.Unique(
                slots: slots, properties: names.joined(separator: ", "),
                hasLink: columns.contains { $0.destination != nil && slots.contains($0.slot) },
                entityName: entity.name)
            // Rows of other classes have no values of the class's own properties; those of inherited ones they have.
            if let hierarchy, entity !== hierarchy.root,
                slots.allSatisfy({ hierarchy.properties[$0].entity !== entity }),
                let numbers = hierarchy.numbers(below: entity.name)
            {
                unique.kinds = (hierarchy.kindSlot, Int64(numbers.lowerBound)..<Int64(numbers.upperBound))
            }
            uniques.append(unique)
        }
        for names in entity.indices {
            let slots = try slots(names, .invalidIndex)
            if !indexes.contains(slots) || hierarchy == nil { indexes.append(slots) }
        }
    }
}
