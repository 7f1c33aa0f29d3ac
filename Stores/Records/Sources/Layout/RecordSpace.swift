import CofferCore

/// How the rows of one entity lie in a store: the fields of their records, their lists, indexes and tables.
public final class RecordSpace: Sendable {
    /// Where a to-many relationship's rows are found.
    enum ListPlace: Hashable, Sendable {
        /// The rows of another space whose link, by field, leads here.
        case inverse(space: Int, field: Int)
        /// Pairs, by index, seen from one of their sides.
        case pairs(Int, PairSide)
    }

    /// A to-many relationship.
    struct List: Sendable {
        let slot: Int
        let property: String
        let place: ListPlace
    }

    /// The place among the spaces of the schema.
    public let index: Int
    public let entityName: String
    /// What the records carry in their header.
    public let number: Int
    /// The number of property slots of a row.
    public let width: Int
    /// The fields in the order of the record.
    public let fields: [RecordField]
    /// The records by row key.
    public let rows: RecordTable
    /// Properties that no two rows have the same values of.
    let uniques: [RecordIndex]
    /// All indexes, those of the uniqueness constraints first.
    let indexes: [RecordIndex]
    /// The to-many relationships by slot.
    let lists: [List]
    /// The fields that are links.
    let links: [RecordField]
    /// The slots that are part of a uniqueness constraint.
    let uniqueSlots: Set<Int>
    /// Whether a uniqueness constraint has a link in it, so that it takes the keys of other new rows to check it.
    let hasLinkInUnique: Bool
    /// Writes records of the space.
    let encoder: RecordEncoder
    /// The field of each slot; −1 for none.
    private let fieldOfSlot: [Int]

    init(
        index: Int, entityName: String, number: Int, width: Int, fields: [RecordField], rows: RecordTable,
        indexes: [RecordIndex], lists: [List]
    ) {
        self.index = index
        self.entityName = entityName
        self.number = number
        self.width = width
        self.fields = fields
        self.rows = rows
        self.indexes = indexes
        self.lists = lists
        uniques = indexes.filter(\.isUnique)
        links = fields.filter { $0.destination != nil }
        uniqueSlots = Set(uniques.flatMap { $0.fields.map { fields[$0].slot } })
        hasLinkInUnique = uniques.contains { $0.fields.contains { fields[$0].destination != nil } }
        var fieldOfSlot = [Int](repeating: -1, count: width)
        for field in fields where field.slot >= 0 { fieldOfSlot[field.slot] = field.number }
        self.fieldOfSlot = fieldOfSlot
        encoder = RecordEncoder(entity: number, slots: fields.map(\.slot))
    }

    /// The field of a slot; nil where the property is not in the record.
    @inline(__always)
    public func field(ofSlot slot: Int) -> RecordField? {
        guard slot >= 0, slot < fieldOfSlot.count, fieldOfSlot[slot] >= 0 else { return nil }
        return fields[fieldOfSlot[slot]]
    }

    func list(ofSlot slot: Int) -> ListPlace? { lists.first { $0.slot == slot }?.place }
}

/// A table of values and row keys, by which rows are found and kept unique.
public struct RecordIndex: Sendable {
    public let table: RecordTable
    /// The fields whose values make the key, in order.
    let fields: [Int]
    let isUnique: Bool
    /// The names of the properties, for errors.
    let properties: String
}

/// One end of the pairs that a relationship between many and many is made of.
enum PairSide: Hashable, Sendable {
    /// The entity whose relationship the pairs were laid out for.
    case owner
    case member

    var opposite: PairSide { self == .owner ? .member : .owner }
}

/// A relationship that is no link of one of its sides: pairs of rows.
struct RecordPairs: Sendable {
    /// The spaces at both ends, by index.
    let owner: Int
    let member: Int
    /// The pairs as either end sees them; the same table where the relationship is its own inverse.
    let ownerTable: RecordTable
    let memberTable: RecordTable

    func space(at side: PairSide) -> Int { side == .owner ? owner : member }
    func table(at side: PairSide) -> RecordTable { side == .owner ? ownerTable : memberTable }
}
