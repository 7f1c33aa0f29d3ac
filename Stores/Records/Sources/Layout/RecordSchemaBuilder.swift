import CofferCore

/// Lays a schema out.
struct RecordSchemaBuilder {
    private let entities: [Schema.Entity]
    private let byName: [String: Int]
    private let numbering: RecordNumbering
    private var pairsOfProperty: [String: (index: Int, side: PairSide)] = [:]
    private(set) var tables = [RecordSchema.metadata]
    private(set) var spaces: [RecordSpace] = []
    private(set) var pairs: [RecordPairs] = []

    /// Everything is laid out by name, so that the order of declaration makes no difference.
    init(_ schema: Schema, _ numbering: RecordNumbering) {
        entities = schema.entities.sorted { $0.name < $1.name }
        byName = Dictionary(entities.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
        self.numbering = numbering
    }

    mutating func build() throws {
        for entity in entities where entity.superentityName != nil || !entity.subentities.isEmpty {
            throw failure(
                .unsupportedFeature, entity, nil, "stores of records do not keep subclasses of models yet")
        }
        for index in entities.indices { try layPairs(of: index) }
        for index in entities.indices { spaces.append(try laySpace(index)) }
    }

    private mutating func table(_ name: String, _ role: RecordTable.Role) -> RecordTable {
        // Engines limit names; what tells long ones apart is kept.
        let limit = 200
        let short =
            name.utf8.count <= limit
            ? name
            : String(decoding: name.utf8.prefix(limit), as: UTF8.self) + "~"
                + String(Array(name.utf8).withUnsafeBytes { IndexKey.hash($0) }, radix: 36)
        let table = RecordTable(name: short, role: role, index: tables.count)
        tables.append(table)
        return table
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
        let lists = entity.properties.compactMap { $0 as? Schema.Relationship }.filter { !$0.isToOneRelationship }
        for relationship in lists.sorted(by: { $0.name < $1.name }) {
            let member = try destination(of: relationship, in: entity)
            let inverse = inverse(of: relationship, in: entity)
            let path = "\(entity.name).\(relationship.name)"
            if inverse?.isToOneRelationship == true || pairsOfProperty[path] != nil { continue }
            let other = inverse.map { "\(entities[member].name).\($0.name)" }
            pairsOfProperty[path] = (pairs.count, .owner)
            if let other, other != path { pairsOfProperty[other] = (pairs.count, .member) }
            let role = RecordTable.Role.pairs(entity: entity.name, property: relationship.name)
            let ownerTable = table("\(entity.name)+\(relationship.name)", role)
            var memberTable = ownerTable
            if other != path {
                let name = inverse.map { "\(entities[member].name)+\($0.name)" } ?? "-\(ownerTable.name)"
                memberTable = table(name, role)
            }
            pairs.append(RecordPairs(owner: index, member: member, ownerTable: ownerTable, memberTable: memberTable))
        }
    }

    // MARK: Spaces

    private mutating func laySpace(_ index: Int) throws -> RecordSpace {
        let entity = entities[index]
        let properties = entity.properties
        let rows = table(entity.name, .rows(entity: entity.name))
        let fields = try layFields(of: entity)
        var lists: [RecordSpace.List] = []
        for (slot, property) in properties.enumerated() {
            guard let relationship = property as? Schema.Relationship, !relationship.isToOneRelationship,
                !property.isTransient
            else { continue }
            if let pairs = pairsOfProperty["\(entity.name).\(relationship.name)"] {
                lists.append(
                    RecordSpace.List(
                        slot: slot, property: relationship.name, place: .pairs(pairs.index, pairs.side)))
            } else if let inverse = inverse(of: relationship, in: entity) {
                let child = try destination(of: relationship, in: entity)
                let names = numbering.entities[entities[child].name]?.fields ?? []
                if let field = names.firstIndex(of: inverse.name) {
                    lists.append(
                        RecordSpace.List(
                            slot: slot, property: relationship.name, place: .inverse(space: child, field: field)))
                }
            }
        }
        return RecordSpace(
            index: index, entityName: entity.name, number: numbering.entities[entity.name]?.number ?? 0,
            width: properties.count, fields: fields, rows: rows, indexes: try layIndexes(of: entity, fields),
            lists: lists)
    }

    private mutating func layFields(of entity: Schema.Entity) throws -> [RecordField] {
        let properties = entity.properties
        return try (numbering.entities[entity.name]?.fields ?? []).enumerated().map { number, name in
            let slot = properties.firstIndex { $0.name == name && RecordNumbering.isField($0) }
            guard let slot else {
                throw failure(.unknownSchema, entity, name, "the store has the property, and the schema has not")
            }
            if let relationship = properties[slot] as? Schema.Relationship {
                let destination = try destination(of: relationship, in: entity)
                let role = RecordTable.Role.links(entity: entity.name, property: name)
                return RecordField(
                    number: number, slot: slot, relationship: relationship, destination: destination,
                    links: table("\(entity.name)>\(name)", role))
            }
            guard let attribute = properties[slot] as? Schema.Attribute else {
                throw failure(.unsupportedValueType, entity, name, "it is neither an attribute nor a relationship")
            }
            return RecordField(number: number, slot: slot, attribute: attribute)
        }
    }

    private mutating func layIndexes(of entity: Schema.Entity, _ fields: [RecordField]) throws -> [RecordIndex] {
        if let list = entity._rtreeIndices.sorted(by: { $0.lexicographicallyPrecedes($1) }).first {
            throw failure(
                .unsupportedFeature, entity, list.joined(separator: ", "), "stores of records have no R-tree indexes")
        }
        var indexes: [RecordIndex] = []
        func add(_ lists: [[String]], isUnique: Bool, _ code: SwiftDataError.Code) throws {
            for names in lists.sorted(by: { $0.lexicographicallyPrecedes($1) }) {
                let numbers = try names.map { name in
                    if let field = fields.first(where: { $0.property == name }) { return field.number }
                    throw failure(code, entity, name, "it has no value of its own in the store")
                }
                if indexes.contains(where: { $0.fields == numbers }) { continue }
                indexes.append(
                    RecordIndex(
                        table: table(
                            "\(entity.name).\(names.joined(separator: ","))",
                            .index(entity: entity.name, properties: names)),
                        fields: numbers, isUnique: isUnique, properties: names.joined(separator: ", ")))
            }
        }
        try add(entity.uniquenessConstraints, isUnique: true, .invalidUniqueness)
        try add(entity.indices, isUnique: false, .invalidIndex)
        return indexes
    }
}
