import CofferCore

/// How two layouts differ: what can be done at once, and what cannot be done without a migration.
struct RecordDifference: CustomStringConvertible {
    /// A change that has to be migrated.
    struct Obstacle: Hashable {
        let entity: String?
        let property: String?
        let detail: String
    }

    /// A field that the records of an entity lack.
    struct NewField {
        let space: Int
        let field: Int
        /// What the rows that are there get.
        let value: StoredValue
    }

    private(set) var newFields: [NewField] = []
    /// Indexes that have to be filled, by space.
    private(set) var newIndexes: [(space: Int, index: RecordIndex)] = []
    /// Tables that are not needed any more, by name.
    private(set) var droppedTables: [String] = []
    private(set) var newTables: [RecordTable] = []
    private(set) var obstacles: [Obstacle] = []

    /// Whether the data can be used as it is.
    var isEmpty: Bool { newFields.isEmpty && newTables.isEmpty && droppedTables.isEmpty && obstacles.isEmpty }

    var description: String {
        let list =
            obstacles.map { "\([$0.entity, $0.property].compactMap { $0 }.joined(separator: ".")): \($0.detail)" }
            + newTables.map { "\($0.name) is new" } + droppedTables.map { "\($0) is gone" }
        return list.joined(separator: "; ")
    }

    /// Compares two layouts.
    ///
    /// - Parameter schema: the new schema, which knows the default values.
    init(from old: RecordSchema, to new: RecordSchema, of schema: Schema) {
        for space in old.spaces where new.space(of: space.entityName) == nil {
            obstacles.append(Obstacle(entity: space.entityName, property: nil, detail: "the entity is gone"))
        }
        for space in new.spaces {
            guard let before = old.space(of: space.entityName) else { continue }
            compare(before, space, old, new, schema.entitiesByName[space.entityName])
        }
        comparePairs(old, new)
        let before = Set(old.tables.map(\.name))
        let after = Set(new.tables.map(\.name))
        newTables = new.tables.filter { !before.contains($0.name) }
        droppedTables = old.tables.map(\.name).filter { !after.contains($0) }
    }

    private mutating func compare(
        _ before: RecordSpace, _ space: RecordSpace, _ old: RecordSchema, _ new: RecordSchema, _ entity: Schema.Entity?
    ) {
        func obstacle(_ property: String?, _ detail: String) {
            obstacles.append(Obstacle(entity: space.entityName, property: property, detail: detail))
        }
        let names = Set(space.fields.map(\.property))
        for field in before.fields where !names.contains(field.property) {
            obstacle(field.property, "the property is gone")
        }
        for field in space.fields {
            guard let known = before.fields.first(where: { $0.property == field.property }) else {
                let value = entity?.attributesByName[field.property]?._storedDefault
                if field.isRequired, value == nil {
                    obstacle(
                        field.property, "the property is new and has neither a default value nor an optional type")
                }
                newFields.append(NewField(space: space.index, field: field.number, value: value ?? .null))
                continue
            }
            let target = field.destination.map { new.spaces[$0].entityName }
            if known.storage != field.storage || known.destination.map({ old.spaces[$0].entityName }) != target {
                obstacle(field.property, "the property's values are kept differently")
            } else if known.isRequired != field.isRequired {
                obstacle(field.property, "the property \(field.isRequired ? "must have" : "may lack") a value now")
            }
        }
        for index in space.indexes {
            let known = before.indexes.first { $0.table.name == index.table.name }
            if index.isUnique, known?.isUnique != true {
                obstacle(index.properties, "uniqueness is new")
            } else if known == nil {
                newIndexes.append((space.index, index))
            }
        }
    }

    private mutating func comparePairs(_ old: RecordSchema, _ new: RecordSchema) {
        for pairs in old.pairs {
            let now = new.pairs.first { $0.ownerTable.name == pairs.ownerTable.name }
            guard case .pairs(let entity, let property) = pairs.ownerTable.role else { continue }
            if now == nil || now?.memberTable.name != pairs.memberTable.name {
                obstacles.append(
                    Obstacle(
                        entity: entity, property: property,
                        detail: "the relationship is gone or leads back another way"))
            } else if let now, new.spaces[now.member].entityName != old.spaces[pairs.member].entityName {
                obstacles.append(
                    Obstacle(entity: entity, property: property, detail: "the relationship leads elsewhere"))
            }
        }
    }
}
