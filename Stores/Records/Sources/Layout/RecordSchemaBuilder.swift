import CofferCore

/// Lays a schema out.
struct RecordSchemaBuilder {
    private let schema: Schema
    /// The entities that have spaces: those of hierarchies are the topmost.
    private let roots: [Schema.Entity]
    private let numbering: RecordNumbering
    private var pairsOfProperty: [String: (index: Int, side: PairSide)] = [:]
    let hierarchies: FlatHierarchies?
    /// The space of each entity, by index.
    private(set) var spaceOfEntity: [String: Int] = [:]
    private(set) var tables = [RecordSchema.metadata, RecordSchema.history]
    private(set) var spaces: [RecordSpace] = []
    private(set) var pairs: [RecordPairs] = []

    /// One property of a space.
    private struct Property {
        let slot: Int
        let entity: Schema.Entity
        let property: any SchemaProperty
        let isOfAll: Bool
    }

    /// Everything is laid out by name, so that the order of declaration makes no difference.
    init(_ schema: Schema, _ numbering: RecordNumbering) {
        self.schema = schema
        self.numbering = numbering
        hierarchies = FlatHierarchies(schema)
        roots = schema.entities.filter { $0.superentity == nil }.sorted { $0.name < $1.name }
        for (index, root) in roots.enumerated() {
            for entity in root.subtree { spaceOfEntity[entity.name] = index }
        }
    }

    /// The longest name of an entity. The next key of its rows is kept under it, and keys are limited to 511 bytes.
    private static let longestName = 400

    mutating func build() throws {
        for root in roots {
            guard !root.name.isEmpty, root.name.utf8.count <= Self.longestName else {
                let length = root.name.utf8.count
                throw SwiftDataError(
                    .unsupportedFeature, operation: .open,
                    entity: length == 0 ? nil : String(root.name.prefix(40)) + "…",
                    detail: "the name of an entity has 1 to \(Self.longestName) bytes here, and this one has \(length)")
            }
            for entity in root.subtree { try layPairs(of: entity) }
        }
        for index in roots.indices { spaces.append(try laySpace(index)) }
        // Names that no class has, with the signs in them that tell tables apart.
        var names: Set<String> = []
        for table in tables where !names.insert(table.name).inserted {
            // Both sides of a relationship that is its own inverse have one table.
            if tables.contains(where: { $0 !== table && $0.name == table.name }) {
                throw SwiftDataError(
                    .invalidSchema, operation: .open, entity: entityName(of: table.role),
                    detail: "two tables of the store would have the same name")
            }
        }
    }

    private func entityName(of role: RecordTable.Role) -> String? {
        switch role {
        case .metadata, .history: nil
        case .rows(let entity), .index(let entity, _), .words(let entity, _), .links(let entity, _),
            .pairs(let entity, _):
            entity
        }
    }

    /// Whether a table of this name would be one of the store's own, or the one that such a name gives way to.
    private static func isReserved(_ name: String) -> Bool {
        name.hasPrefix("_") && ["coffer", "coffer_history"].contains(name.drop { $0 == "_" })
    }

    private mutating func table(_ name: String, _ role: RecordTable.Role) -> RecordTable {
        let name = Self.isReserved(name) ? "_" + name : name
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
        if let index = spaceOfEntity[relationship.destination] { return index }
        throw failure(
            .invalidRelationship, entity, relationship.name,
            "it leads to \(relationship.destination), which is not in the store's schema")
    }

    /// The relationship on the other side, whichever of the two names the other, and the entity that declares it.
    private func inverse(
        of relationship: Schema.Relationship, in entity: Schema.Entity
    ) -> (entity: Schema.Entity, relationship: Schema.Relationship)? {
        for other in schema.entitiesByName[relationship.destination]?.lineage ?? [] {
            let own = other.storedProperties.compactMap { $0 as? Schema.Relationship }
            let found =
                relationship.inverseName.map { name in own.first { $0.name == name } }
                ?? own.first { $0.inverseName == relationship.name && $0.destination == entity.name }
            if let found { return (other, found) }
        }
        return nil
    }

    private mutating func layPairs(of entity: Schema.Entity) throws {
        let lists = entity.storedProperties.compactMap { $0 as? Schema.Relationship }
            .filter { !$0.isToOneRelationship }
        for relationship in lists.sorted(by: { $0.name < $1.name }) {
            let member = try destination(of: relationship, in: entity)
            let inverse = inverse(of: relationship, in: entity)
            let path = "\(entity.name).\(relationship.name)"
            if inverse?.relationship.isToOneRelationship == true || pairsOfProperty[path] != nil { continue }
            let other = inverse.map { "\($0.entity.name).\($0.relationship.name)" }
            pairsOfProperty[path] = (pairs.count, .owner)
            if let other, other != path { pairsOfProperty[other] = (pairs.count, .member) }
            let role = RecordTable.Role.pairs(entity: entity.name, property: relationship.name)
            let ownerTable = table("\(entity.name)+\(relationship.name)", role)
            var memberTable = ownerTable
            if other != path {
                let name = inverse.map { "\($0.entity.name)+\($0.relationship.name)" } ?? "-\(ownerTable.name)"
                memberTable = table(name, role)
            }
            pairs.append(
                RecordPairs(
                    owner: spaceOfEntity[entity.name] ?? 0, member: member, ownerTable: ownerTable,
                    memberTable: memberTable))
        }
    }

    // MARK: Spaces

    private func properties(_ root: Schema.Entity, _ hierarchy: FlatHierarchy?) -> [Property] {
        if let hierarchy {
            return hierarchy.properties.map {
                Property(slot: $0.slot, entity: $0.entity, property: $0.property, isOfAll: $0.isOfAll)
            }
        }
        return root.properties.enumerated().map { Property(slot: $0, entity: root, property: $1, isOfAll: true) }
    }

    private func fieldNames(_ root: Schema.Entity) -> [String] { numbering.entities[root.name]?.fields ?? [] }

    private mutating func laySpace(_ index: Int) throws -> RecordSpace {
        let root = roots[index]
        let hierarchy = hierarchies?.hierarchy(of: root.name)
        let properties = properties(root, hierarchy)
        let rows = table(root.name, .rows(entity: root.name))
        let fields = try layFields(of: root, properties)
        var lists: [RecordSpace.List] = []
        for place in properties where !place.property.isTransient {
            guard let relationship = place.property as? Schema.Relationship, !relationship.isToOneRelationship
            else { continue }
            if let list = try layList(relationship, place.entity) {
                lists.append(RecordSpace.List(slot: place.slot, property: relationship.name, place: list))
            }
        }
        var indexes: [RecordIndex] = []
        for entity in hierarchy?.entities ?? [root] {
            try layIndexes(entity.uniquenessConstraints, isUnique: true, of: entity, fields, hierarchy, &indexes)
        }
        for entity in hierarchy?.entities ?? [root] {
            try layIndexes(entity.indices, isUnique: false, of: entity, fields, hierarchy, &indexes)
        }
        let numbers = (hierarchy?.entities ?? [root]).map { numbering.entities[$0.name]?.number ?? 0 }
        return RecordSpace(
            index: index, root: root, hierarchy: hierarchy, numbers: numbers, fields: fields, rows: rows,
            indexes: indexes, words: try layWords(of: root, fields, hierarchy), lists: lists)
    }

    private func layList(
        _ relationship: Schema.Relationship, _ entity: Schema.Entity
    ) throws -> RecordSpace.ListPlace? {
        if let pairs = pairsOfProperty["\(entity.name).\(relationship.name)"] {
            return .pairs(pairs.index, pairs.side)
        }
        guard let inverse = inverse(of: relationship, in: entity) else { return nil }
        let child = try destination(of: relationship, in: entity)
        let name = RecordNumbering.fieldName(inverse.relationship.name, of: inverse.entity)
        return fieldNames(roots[child]).firstIndex(of: name).map { .inverse(space: child, field: $0) }
    }

    private mutating func layFields(of root: Schema.Entity, _ properties: [Property]) throws -> [RecordField] {
        var known: [String: Property] = [:]
        for place in properties where RecordNumbering.isField(place.property) {
            known[RecordNumbering.fieldName(place.property.name, of: place.entity)] = place
        }
        return try fieldNames(root).enumerated().map { number, name in
            guard let property = known[name] else {
                throw failure(.unknownSchema, root, name, "the store has the property, and the schema has not")
            }
            let place = RecordField.Place(
                number: number, slot: property.slot, entity: property.entity, isOfAll: property.isOfAll)
            switch property.property {
            case let relationship as Schema.Relationship:
                let destination = try destination(of: relationship, in: property.entity)
                let role = RecordTable.Role.links(entity: property.entity.name, property: relationship.name)
                return RecordField(
                    place, relationship: relationship, destination: destination,
                    links: table("\(property.entity.name)>\(relationship.name)", role),
                    partner: partner(of: relationship, in: property.entity, destination))
            case let attribute as Schema.Attribute: return RecordField(place, attribute: attribute)
            default:
                throw failure(.unsupportedValueType, root, name, "it is neither an attribute nor a relationship")
            }
        }
    }

    /// The field of the to-one relationship on the other side.
    private func partner(
        of relationship: Schema.Relationship, in entity: Schema.Entity, _ destination: Int
    ) -> Int? {
        guard let inverse = inverse(of: relationship, in: entity), inverse.relationship.isToOneRelationship
        else { return nil }
        let name = RecordNumbering.fieldName(inverse.relationship.name, of: inverse.entity)
        return fieldNames(roots[destination]).firstIndex(of: name)
    }

    // MARK: Indexes

    /// The index of the words of all texts that the entities of a space declare. Its name says which, so that it is
    /// another table when the declaration changes.
    private mutating func layWords(
        of root: Schema.Entity, _ fields: [RecordField], _ hierarchy: FlatHierarchy?
    ) throws -> RecordWords? {
        var numbers: Set<Int> = []
        for entity in hierarchy?.entities ?? [root] {
            for name in entity.fullText {
                let slot =
                    hierarchy.map { $0.slot(of: name, in: entity.name) }
                    ?? entity.properties.firstIndex { $0.name == name }
                guard let field = fields.first(where: { $0.slot == slot }), field.storage == .text else {
                    throw failure(.invalidIndex, entity, name, "it has no text of its own in the store")
                }
                numbers.insert(field.number)
            }
        }
        if numbers.isEmpty { return nil }
        let sorted = numbers.sorted()
        let names = fieldNames(root)
        let properties = sorted.map { names[$0] }
        let role = RecordTable.Role.words(entity: root.name, properties: properties)
        return RecordWords(table: table("\(root.name)~\(properties.joined(separator: ","))", role), fields: sorted)
    }

    /// Adds the constraints or indexes that an entity declares.
    private mutating func layIndexes(
        _ lists: [[String]], isUnique: Bool, of entity: Schema.Entity, _ fields: [RecordField],
        _ hierarchy: FlatHierarchy?, _ indexes: inout [RecordIndex]
    ) throws {
        if let list = entity._rtreeIndices.sorted(by: { $0.lexicographicallyPrecedes($1) }).first {
            throw failure(
                .unsupportedFeature, entity, list.joined(separator: ", "), "stores of records have no R-tree indexes")
        }
        for names in lists.sorted(by: { $0.lexicographicallyPrecedes($1) }) {
            let numbers = try names.map { name in
                let slot =
                    hierarchy.map { $0.slot(of: name, in: entity.name) }
                    ?? entity.properties.firstIndex { $0.name == name }
                if let field = fields.first(where: { $0.slot == slot }) { return field.number }
                throw failure(
                    isUnique ? .invalidUniqueness : .invalidIndex, entity, name,
                    "it has no value of its own in the store")
            }
            // Rows of other entities have no values of an entity's own properties; those of inherited ones they have.
            var kinds: Range<Int>?
            if isUnique, let hierarchy, entity !== hierarchy.root,
                numbers.allSatisfy({ fields[$0].entityName != entity.name })
            {
                kinds = hierarchy.numbers(below: entity.name)
            }
            let isThere = indexes.contains {
                $0.fields == numbers && (!isUnique || $0.isUnique && ($0.uniqueKinds == nil || $0.uniqueKinds == kinds))
            }
            if isThere { continue }
            let table = table(
                "\(entity.name).\(names.joined(separator: ","))", .index(entity: entity.name, properties: names))
            indexes.append(
                RecordIndex(
                    table: table, fields: numbers, isUnique: isUnique, properties: names.joined(separator: ", "),
                    uniqueKinds: kinds))
        }
    }
}
