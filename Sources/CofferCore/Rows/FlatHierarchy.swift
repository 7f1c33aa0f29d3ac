/// How the rows of a class hierarchy lie in one table: every property of every class has a flat slot of its own, and
/// one more says of which entity a row is.
///
/// The slots of the classes themselves overlap: two subclasses both count on from the last slot of their superclass. The
/// flat ones do not; slots of other classes are absent in a row.
public struct FlatHierarchy: Sendable {
    /// One property of the flat table.
    public struct Property: @unchecked Sendable {
        /// The property's place in rows of the flat table.
        public let slot: Int
        /// The entity that declares it.
        public let entity: Schema.Entity
        /// The property as it is declared.
        public let property: any SchemaProperty
        /// Whether every row of the table has the property; otherwise only those of some subentities do.
        public let isOfAll: Bool
    }

    /// The topmost entity.
    public let root: Schema.Entity
    /// All entities, in the order of ``Schema/Entity/subtree``: the number of a row's entity is its place here. An
    /// entity and those below it have consecutive numbers.
    public let entities: [Schema.Entity]
    /// All properties by flat slot.
    public let properties: [Property]
    /// The slot that holds the number of a row's entity.
    public var kindSlot: Int { properties.count }
    /// The number of flat slots.
    public var width: Int { properties.count + 1 }

    private let numbers: [String: Int]
    /// The flat slots by the slots of each entity.
    private let slots: [[Int]]
    /// The end of the numbers of each entity and those below it.
    private let ends: [Int]

    /// Lays out the hierarchy below an entity that has no superentity.
    public init(_ root: Schema.Entity) {
        self.root = root
        let entities = root.subtree
        let numbers = Dictionary(
            entities.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
        var properties: [Property] = []
        var slots: [[Int]] = []
        for entity in entities {
            var own = entity.superentity.flatMap { numbers[$0.name] }.map { slots[$0] } ?? []
            for property in entity.storedProperties {
                own.append(properties.count)
                properties.append(
                    Property(
                        slot: properties.count, entity: entity, property: property, isOfAll: entity === root))
            }
            slots.append(own)
        }
        self.entities = entities
        self.numbers = numbers
        self.properties = properties
        self.slots = slots
        ends = entities.enumerated().map { $0 + $1.subtree.count }
    }

    /// The number of an entity; nil where it is none of the hierarchy.
    public func number(of entityName: String) -> Int? { numbers[entityName] }

    /// The numbers of an entity and of those below it.
    public func numbers(below entityName: String) -> Range<Int>? {
        number(of: entityName).map { $0..<ends[$0] }
    }

    /// The flat slots of an entity's own slots.
    public func slots(of entityName: String) -> [Int] { number(of: entityName).map { slots[$0] } ?? [] }

    /// The flat slot of a property by name, seen from an entity.
    public func slot(of property: String, in entityName: String) -> Int? {
        slots(of: entityName).first { properties[$0].property.name == property }
    }

    // MARK: Rows

    /// Rows of one entity as rows of the table, under the same keys.
    ///
    /// - Parameters:
    ///   - batch: rows in the entity's own slots.
    ///   - areNew: whether the rows are new; a changed row does not say what stays.
    ///   - space: of the table's rows.
    /// - Throws: ``SwiftDataError/missingRequiredValue`` for a row without a value that its entity demands, which the
    ///   table cannot.
    /// - Complexity: O(*cells*).
    public func flatten(_ batch: RowBatch, areNew: Bool, space: _IdentifierSpace) throws -> RowBatch {
        guard let number = number(of: batch.entityName), slots[number].count == batch.width else {
            throw SwiftDataError(
                .storeFailure, entity: batch.entityName,
                detail: "its rows have \(batch.width) values, and the schema has "
                    + "\(slots(of: batch.entityName).count) properties")
        }
        let slots = slots[number]
        let required = slots.indices.filter { slot in
            let property = properties[slots[slot]]
            let isList = (property.property as? Schema.Relationship).map { !$0.isToOneRelationship } ?? false
            return !property.isOfAll && !property.property.isOptional && !property.property.isTransient && !isList
        }
        let flat = RowBatch(space: space, width: width, capacity: max(batch.count, 1))
        for row in 0..<batch.count {
            for slot in required {
                let kind = batch.cell(row: row, slot: slot).kind
                if kind == .null || areNew && kind == .absent {
                    throw SwiftDataError(
                        .missingRequiredValue, entity: batch.entityName,
                        property: properties[slots[slot]].property.name)
                }
            }
            let new = flat.appendRow(key: batch.key(ofRow: row))
            for slot in slots.indices {
                let cell = batch.cell(row: row, slot: slot)
                if cell.kind != .absent { flat.set(cell, copying: batch, row: new, slot: slots[slot]) }
            }
            if areNew { flat.set(.integer(Int64(number)), row: new, slot: kindSlot) }
        }
        return flat
    }

    /// Takes rows of the table apart again, for the batch of one plan.
    public struct Reader: Sendable {
        /// What to copy of a row, by the number of its entity: from the flat slot to the entity's own.
        private let copies: [[(from: Int, to: Int)]?]
        private let indexes: [Int]
        private let kindSlot: Int
        private let isMixed: Bool

        /// - Parameters:
        ///   - plan: as the context made it.
        ///   - hierarchy: the hierarchy of the plan's entity.
        ///   - isStored: whether the flat slot holds something in the table.
        public init(_ plan: FetchPlan, _ hierarchy: FlatHierarchy, isStored: (Int) -> Bool) {
            var copies: [[(from: Int, to: Int)]?] = Array(repeating: nil, count: hierarchy.entities.count)
            var indexes = Array(repeating: 0, count: hierarchy.entities.count)
            let wanted = plan.slots.map(Set.init)
            for (index, name) in ([plan.entityName] + plan.subentityNames).enumerated() {
                guard let number = hierarchy.number(of: name) else { continue }
                indexes[number] = index
                copies[number] = hierarchy.slots[number].enumerated().compactMap { own, flat in
                    (wanted?.contains(own) ?? true) && isStored(flat) ? (from: flat, to: own) : nil
                }
            }
            self.copies = copies
            self.indexes = indexes
            kindSlot = hierarchy.kindSlot
            isMixed = !plan.subentityNames.isEmpty
        }

        /// Appends a run of the table's rows to the batch of the plan; rows of entities that it does not cover are left
        /// out.
        ///
        /// - Complexity: O(*cells*).
        public func append(_ rows: RowBatch, _ run: Range<Int>, to batch: RowBatch) {
            for row in run {
                let number = Int(rows.cell(row: row, slot: kindSlot).integer)
                guard let copies = copies[number] else { continue }
                let new = batch.appendRow(key: rows.key(ofRow: row))
                if isMixed { batch.setEntity(indexes[number], ofRow: new) }
                for copy in copies where copy.to < batch.width {
                    batch.set(rows.cell(row: row, slot: copy.from), copying: rows, row: new, slot: copy.to)
                }
            }
        }
    }
}
