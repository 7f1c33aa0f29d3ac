import CofferCore

/// What the schema says of one entity, in slots.
struct TableLayout: Sendable {
    /// Where a to-many relationship's rows are found.
    enum ListPlace: Hashable, Sendable {
        /// The rows of another table whose link, the slot of a column, leads here.
        case inverse(table: Int, slot: Int)
        /// A set of pairs, by index, seen from one of its sides.
        case pairs(Int, PairSide)
    }

    /// Properties that no two rows have the same values of.
    struct Unique: Sendable {
        let slots: [Int]
        let properties: String
        /// Whether a link is among them.
        let hasLink: Bool
        /// The entity that declares the constraint.
        let entityName: String
        /// The entities whose rows it holds for, by their numbers in the kind slot; nil for all rows of the table.
        var kinds: (slot: Int, numbers: Range<Int64>)?

        /// A hash of a row's values; nil where one is missing, or where the constraint is none of the row's.
        func hash(_ rows: RowBatch, row: Int) -> UInt32? {
            if let kinds, !kinds.numbers.contains(rows.cell(row: row, slot: kinds.slot).integer) { return nil }
            return CellHash.hash(rows, row: row, slots: slots)
        }
    }

    let index: Int
    let entityName: String
    /// The number of property slots.
    let width: Int
    /// The columns in slot order.
    let columns: [MemoryColumn]
    /// The to-many relationships by slot.
    let lists: [(slot: Int, place: ListPlace)]
    let uniques: [Unique]
    /// The slots of each index that the schema asks for.
    let indexes: [[Int]]
    /// How the entities of a hierarchy lie in the table; nil for a table of one entity.
    let hierarchy: FlatHierarchy?

    /// The columns that are links.
    let links: [MemoryColumn]
    /// The column of each slot, by its index in ``columns``; −1 for none.
    private let columnOfSlot: [Int]
    /// The slots that are part of a uniqueness constraint.
    let uniqueSlots: Set<Int>
    /// Whether a uniqueness constraint has a link in it, so that it takes the keys of other new rows to check it.
    let hasLinkInUnique: Bool

    init(
        index: Int, entityName: String, width: Int, columns: [MemoryColumn], lists: [(slot: Int, place: ListPlace)],
        uniques: [Unique], indexes: [[Int]], hierarchy: FlatHierarchy? = nil
    ) {
        self.index = index
        self.entityName = entityName
        self.width = width
        self.columns = columns
        self.lists = lists
        self.uniques = uniques
        self.indexes = indexes
        self.hierarchy = hierarchy
        links = columns.filter { $0.destination != nil }
        var columnOfSlot = [Int](repeating: -1, count: width)
        for (index, column) in columns.enumerated() { columnOfSlot[column.slot] = index }
        self.columnOfSlot = columnOfSlot
        uniqueSlots = Set(uniques.flatMap(\.slots))
        hasLinkInUnique = uniques.contains(where: \.hasLink)
    }

    /// The slots of all columns; nil where that is every slot.
    var storedSlots: [Int]? { columns.count == width ? nil : columns.map(\.slot) }

    func column(ofSlot slot: Int) -> MemoryColumn? {
        guard columnOfSlot.indices.contains(slot), columnOfSlot[slot] >= 0 else { return nil }
        return columns[columnOfSlot[slot]]
    }

    /// The name of a row's own entity.
    func entityName(of position: Int, in rows: RowBatch) -> String {
        guard let hierarchy else { return entityName }
        let number = Int(rows.cell(row: position, slot: hierarchy.kindSlot).integer)
        return hierarchy.entities.indices.contains(number) ? hierarchy.entities[number].name : entityName
    }

    func list(ofSlot slot: Int) -> ListPlace? { lists.first { $0.slot == slot }?.place }
}

/// One end of the pairs that a relationship between many and many is made of.
enum PairSide: Hashable, Sendable {
    /// The entity whose relationship the pairs were laid out for.
    case owner
    case member

    var opposite: PairSide { self == .owner ? .member : .owner }
}

/// A relationship that is no link of one of its sides: pairs of rows.
struct PairLayout: Hashable, Sendable {
    /// The tables at both ends, by index.
    let owner: Int
    let member: Int
    /// Whether the relationship is its own inverse: a pair is there in both directions or in none.
    let isMirrored: Bool

    func table(at side: PairSide) -> Int { side == .owner ? owner : member }
}
