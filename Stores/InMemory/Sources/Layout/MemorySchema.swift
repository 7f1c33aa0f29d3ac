import CofferCore

/// How a schema lies in memory: a table for each entity, and pairs for each to-many relationship without a to-one side.
struct MemorySchema: Sendable {
    private(set) var tables: [TableLayout] = []
    private(set) var pairs: [PairLayout] = []

    private let entities: [Schema.Entity]
    private let byName: [String: Int]
    private var pairsOfProperty: [String: (index: Int, side: PairSide)] = [:]

    /// The layout of a schema.
    ///
    /// - Throws: ``SwiftDataError`` for what the store cannot keep; the error names entity and property.
    init(_ schema: Schema) throws {
        entities = schema.entities
        byName = Dictionary(entities.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
        for entity in entities where entity.superentityName != nil || !entity.subentities.isEmpty {
            throw SwiftDataError(
                .unsupportedFeature, operation: .open, entity: entity.name,
                detail: "the in-memory store does not keep subclasses of models yet")
        }
        for index in entities.indices { try layPairs(of: index) }
        for index in entities.indices { tables.append(try layTable(index)) }
    }

    private func failure(
        _ code: SwiftDataError.Code, _ entity: Schema.Entity, _ property: String?, _ detail: String
    ) -> SwiftDataError {
        SwiftDataError(code, operation: .open, entity: entity.name, property: property, detail: detail)
    }

    // MARK: Relationships

    private func destination(of relationship: Schema.Relationship, in entity: Schema.Entity) throws -> Int {
        if let index = byName[relationship.destination] { return index }
        throw failure(
            .invalidRelationship, entity, relationship.name,
            "it leads to \(relationship.destination), which is not in the store's schema")
    }

    /// The relationship on the other side, whichever of the two names the other.
    private func inverse(of relationship: Schema.Relationship, in entity: Schema.Entity) -> Schema.Relationship? {
        guard let index = byName[relationship.destination] else { return nil }
        let others = entities[index].properties.compactMap { $0 as? Schema.Relationship }
        if let name = relationship.inverseName { return others.first { $0.name == name } }
        return others.first { $0.inverseName == relationship.name && $0.destination == entity.name }
    }

    private mutating func layPairs(of index: Int) throws {
        let entity = entities[index]
        for case let relationship as Schema.Relationship in entity.properties
        where !relationship.isToOneRelationship {
            let member = try destination(of: relationship, in: entity)
            let inverse = inverse(of: relationship, in: entity)
            let path = "\(entity.name).\(relationship.name)"
            if inverse?.isToOneRelationship == true || pairsOfProperty[path] != nil { continue }
            let other = inverse.map { "\(entities[member].name).\($0.name)" }
            pairsOfProperty[path] = (pairs.count, .owner)
            if let other, other != path { pairsOfProperty[other] = (pairs.count, .member) }
            pairs.append(PairLayout(owner: index, member: member, isMirrored: other == path))
        }
    }

    // MARK: Tables

    private func layTable(_ index: Int) throws -> TableLayout {
        let entity = entities[index]
        let properties = entity.properties
        var columns: [MemoryColumn] = []
        var lists: [(slot: Int, place: TableLayout.ListPlace)] = []
        for (slot, property) in properties.enumerated() where !property.isTransient {
            switch property {
            case let attribute as Schema.Attribute:
                columns.append(MemoryColumn(slot: slot, attribute: attribute))
            case let relationship as Schema.Relationship:
                let destination = try destination(of: relationship, in: entity)
                if relationship.isToOneRelationship {
                    var column = MemoryColumn(slot: slot, relationship: relationship, destination: destination)
                    if let inverse = inverse(of: relationship, in: entity), inverse.isToOneRelationship {
                        column.partner = entities[destination].properties.firstIndex { $0.name == inverse.name }
                    }
                    columns.append(column)
                } else if let pairs = pairsOfProperty["\(entity.name).\(relationship.name)"] {
                    lists.append((slot, .pairs(pairs.index, pairs.side)))
                } else if let inverse = inverse(of: relationship, in: entity),
                    let link = entities[destination].properties.firstIndex(where: { $0.name == inverse.name })
                {
                    lists.append((slot, .inverse(table: destination, slot: link)))
                }
            default: break
            }
        }
        if let list = entity._rtreeIndices.sorted(by: { $0.lexicographicallyPrecedes($1) }).first {
            throw failure(
                .unsupportedFeature, entity, list.joined(separator: ", "), "the in-memory store has no R-tree indexes")
        }
        func slots(_ names: [String], _ code: SwiftDataError.Code) throws -> [Int] {
            try names.map { name in
                if let column = columns.first(where: { $0.property == name }) { return column.slot }
                throw failure(code, entity, name, "it has no value of its own in the store")
            }
        }
        let uniques = try entity.uniquenessConstraints.map { names in
            let slots = try slots(names, .invalidUniqueness)
            return TableLayout.Unique(
                slots: slots, properties: names.joined(separator: ", "),
                hasLink: columns.contains { $0.destination != nil && slots.contains($0.slot) })
        }
        return TableLayout(
            index: index, entityName: entity.name, width: properties.count, columns: columns, lists: lists,
            uniques: uniques, indexes: try entity.indices.map { try slots($0, .invalidIndex) })
    }
}
