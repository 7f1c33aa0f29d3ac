import CofferCore

/// How the rows of one entity lie in a store: the fields of their records, their lists, indexes and tables.
///
/// A hierarchy of entities has one space. Its rows have a slot for every property of every entity, as the core's
/// `FlatHierarchy` lays them out, and one for the entity itself, which the record has in its header.
public final class RecordSpace: Sendable {
    /// Where a to-many relationship's rows are found.
    package enum ListPlace: Hashable, Sendable {
        /// The rows of another space whose link, by field, leads here.
        case inverse(space: Int, field: Int)
        /// Pairs, by index, seen from one of their sides.
        case pairs(Int, PairSide)
    }

    /// A to-many relationship.
    package struct List: Sendable {
        package let slot: Int
        package let property: String
        package let place: ListPlace
    }

    /// The place among the spaces of the schema.
    public let index: Int
    /// The entity, or the topmost of a hierarchy.
    public let entityName: String
    /// How the entities of a hierarchy lie in the space; nil for a space of one entity.
    public let hierarchy: FlatHierarchy?
    /// What records carry in their headers, by the place of the entity in the hierarchy.
    let numbers: [Int]
    /// The number of slots of a row.
    public let width: Int
    /// The fields in the order of the record.
    public let fields: [RecordField]
    /// The records by row key.
    public let rows: RecordTable
    /// Properties that no two rows have the same values of.
    let uniques: [RecordIndex]
    /// All indexes, those of the uniqueness constraints first.
    let indexes: [RecordIndex]
    /// The index of the words of its texts; nil where none is declared.
    let words: RecordWords?
    /// The to-many relationships by slot.
    package let lists: [List]
    /// The fields that are links.
    package let links: [RecordField]
    /// The slots that are part of a uniqueness constraint.
    let uniqueSlots: Set<Int>
    /// Whether a uniqueness constraint has a link in it, so that it takes the keys of other new rows to check it.
    let hasLinkInUnique: Bool
    /// Writes records of the space.
    let encoder: RecordEncoder
    /// Stands for the entity of a row in filters; nil for a space of one entity.
    let kindField: RecordField?
    /// The place of an entity in the hierarchy by what its records carry; −1 for none.
    let kinds: [Int]
    /// The field of each slot; −1 for none.
    private let fieldOfSlot: [Int]

    init(
        index: Int, root: Schema.Entity, hierarchy: FlatHierarchy?, numbers: [Int], fields: [RecordField],
        rows: RecordTable, indexes: [RecordIndex], words: RecordWords?,
        lists: [List]
    ) {
        self.index = index
        entityName = root.name
        self.hierarchy = hierarchy
        self.numbers = numbers
        width = hierarchy?.width ?? root.properties.count
        self.fields = fields
        self.rows = rows
        self.indexes = indexes
        self.words = words
        self.lists = lists
        uniques = indexes.filter(\.isUnique)
        links = fields.filter { $0.destination != nil }
        uniqueSlots = Set(uniques.flatMap { $0.fields.map { fields[$0].slot } })
        hasLinkInUnique = uniques.contains { $0.fields.contains { fields[$0].destination != nil } }
        var fieldOfSlot = [Int](repeating: -1, count: width)
        for field in fields where field.slot >= 0 { fieldOfSlot[field.slot] = field.number }
        self.fieldOfSlot = fieldOfSlot
        kindField = hierarchy.map { RecordField(kindSlot: $0.kindSlot, of: root) }
        var kinds = [Int](repeating: -1, count: (numbers.max() ?? 0) + 1)
        for (kind, number) in numbers.enumerated() { kinds[number] = kind }
        self.kinds = kinds
        encoder = RecordEncoder(numbers: numbers, kindSlot: hierarchy?.kindSlot, slots: fields.map(\.slot))
    }

    /// The field of a slot; nil where the property is not in the record.
    @inline(__always)
    public func field(ofSlot slot: Int) -> RecordField? {
        guard slot >= 0, slot < fieldOfSlot.count, fieldOfSlot[slot] >= 0 else { return nil }
        return fields[fieldOfSlot[slot]]
    }

    /// The place of a record's entity in the hierarchy; −1 for an entity that is none of it.
    @inline(__always)
    package func kind(of record: Record) -> Int {
        let number = record.entity
        return number < kinds.count ? kinds[number] : -1
    }

    /// The name of the entity at a place in the hierarchy.
    package func entityName(ofKind kind: Int) -> String {
        guard let hierarchy, hierarchy.entities.indices.contains(kind) else { return entityName }
        return hierarchy.entities[kind].name
    }

    /// Whether rows of an entity are in the space.
    func holds(_ entityName: String) -> Bool {
        entityName == self.entityName || hierarchy?.number(of: entityName) != nil
    }

    /// The entity that declares the property of a slot.
    package func entityName(ofSlot slot: Int) -> String {
        guard let hierarchy, hierarchy.properties.indices.contains(slot) else { return entityName }
        return hierarchy.properties[slot].entity.name
    }

    func list(ofSlot slot: Int) -> ListPlace? { lists.first { $0.slot == slot }?.place }
}

/// A table of values and row keys, by which rows are found and kept unique.
public struct RecordIndex: Sendable {
    /// The table that holds the index.
    public let table: RecordTable
    /// The fields whose values make the key, in order.
    let fields: [Int]
    let isUnique: Bool
    /// The names of the properties, for errors.
    let properties: String
    /// The entities for whose rows a constraint holds, by their places in the hierarchy; nil for all.
    var uniqueKinds: Range<Int>?
}

/// One end of the pairs that a relationship between many and many is made of.
package enum PairSide: Hashable, Sendable {
    /// The entity whose relationship the pairs were laid out for.
    case owner
    case member

    package var opposite: PairSide { self == .owner ? .member : .owner }
}

/// A relationship that is no link of one of its sides: pairs of rows.
package struct RecordPairs: Sendable {
    /// The spaces at both ends, by index.
    package let owner: Int
    package let member: Int
    /// The pairs as either end sees them; the same table where the relationship is its own inverse.
    package let ownerTable: RecordTable
    package let memberTable: RecordTable

    package func space(at side: PairSide) -> Int { side == .owner ? owner : member }
    package func table(at side: PairSide) -> RecordTable { side == .owner ? ownerTable : memberTable }
}
