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
        /// The entities whose rows have it, by what their records carry; nil for all of the space.
        let numbers: Set<Int>?
        /// What the rows that are there get.
        let value: StoredValue
    }

    private(set) var newFields: [NewField] = []
    /// Indexes that have to be filled, by space.
    private(set) var newIndexes: [(space: Int, index: RecordIndex)] = []
    /// Spaces whose index of words has to be filled.
    private(set) var newWords: [Int] = []
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
        for name in old.entityNames.sorted() {
            guard let space = new.space(of: name) else {
                obstacles.append(Obstacle(entity: name, property: nil, detail: "the entity is gone"))
                continue
            }
            if old.space(of: name)?.entityName != space.entityName {
                obstacles.append(Obstacle(entity: name, property: nil, detail: "its superclass is another one"))
            }
        }
        for space in new.spaces {
            guard let before = old.space(of: space.entityName) else { continue }
            compare(before, space, old, new, schema)
        }
        comparePairs(old, new)
        let before = Set(old.tables.map(\.name))
        let after = Set(new.tables.map(\.name))
        newTables = new.tables.filter { !before.contains($0.name) }
        droppedTables = old.tables.map(\.name).filter { !after.contains($0) }
    }

    private mutating func compare(
        _ before: RecordSpace, _ space: RecordSpace, _ old: RecordSchema, _ new: RecordSchema, _ schema: Schema
    ) {
        func obstacle(_ field: RecordField, _ detail: String) {
            obstacles.append(Obstacle(entity: field.entityName, property: field.property, detail: detail))
        }
        func isSame(_ left: RecordField, _ right: RecordField) -> Bool {
            left.property == right.property && left.entityName == right.entityName
        }
        for field in before.fields where !space.fields.contains(where: { isSame($0, field) }) {
            obstacle(field, "the property is gone")
        }
        for field in space.fields {
            guard let known = before.fields.first(where: { isSame($0, field) }) else {
                add(field, to: space, before, schema.entitiesByName[field.entityName])
                continue
            }
            let target = field.destination.map { new.spaces[$0].entityName }
            if known.storage != field.storage || known.destination.map({ old.spaces[$0].entityName }) != target {
                obstacle(field, "the property's values are kept differently")
            } else if known.isRequired != field.isRequired {
                obstacle(field, "the property \(field.isRequired ? "must have" : "may lack") a value now")
            }
        }
        if let words = space.words, before.words?.table.name != words.table.name { newWords.append(space.index) }
        for index in space.indexes {
            let known = before.indexes.first { $0.table.name == index.table.name }
            if index.isUnique, known?.isUnique != true, !isOfNewClasses(index, space, before) {
                obstacles.append(
                    Obstacle(entity: space.entityName, property: index.properties, detail: "uniqueness is new"))
            } else if known == nil {
                newIndexes.append((space.index, index))
            }
        }
    }

    /// Whether an index is unique only for classes that were not there before, so that no stored rows can collide.
    private func isOfNewClasses(_ index: RecordIndex, _ space: RecordSpace, _ before: RecordSpace) -> Bool {
        // A property that only new classes have is missing in all rows.
        if index.fields.contains(where: { !before.holds(space.fields[$0].entityName) }) { return true }
        guard let kinds = index.uniqueKinds else { return false }
        return kinds.allSatisfy { !before.holds(space.entityName(ofKind: $0)) }
    }

    /// A property that is new; rows of its entity may be there already.
    private mutating func add(
        _ field: RecordField, to space: RecordSpace, _ before: RecordSpace, _ entity: Schema.Entity?
    ) {
        let value = entity?.attributesByName[field.property]?._storedDefault
        let property = entity?.storedProperties.first { $0.name == field.property }
        if before.holds(field.entityName), property?.isOptional == false, value == nil {
            obstacles.append(
                Obstacle(
                    entity: field.entityName, property: field.property,
                    detail: "the property is new and has neither a default value nor an optional type"))
        }
        let kinds = space.hierarchy?.numbers(below: field.entityName)
        newFields.append(
            NewField(
                space: space.index, field: field.number, numbers: kinds.map { Set($0.map { space.numbers[$0] }) },
                value: value ?? .null))
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
