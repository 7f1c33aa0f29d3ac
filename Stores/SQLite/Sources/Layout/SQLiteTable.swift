import CofferCore

/// The table of one entity.
final class SQLiteTable: @unchecked Sendable {
    /// Where a property's values are.
    enum Place: Hashable, Sendable {
        /// Nowhere: the property lives in memory only.
        case none
        /// In a column of the table, by index.
        case column(Int)
        /// A list of the rows of another table whose link, a column by index, leads here.
        case inverse(table: Int, column: Int)
        /// A list in a join table, by index, seen from one of its sides.
        case join(Int, SQLiteJoinTable.Side)
    }

    /// An index over columns, by their indexes.
    struct Index: Hashable, Sendable {
        let name: String
        let columns: [Int]
        let isUnique: Bool
    }

    let index: Int
    let entityName: String
    let name: String
    /// The number of property slots.
    let slotCount: Int
    /// The columns of attributes and links, in slot order.
    let columns: [SQLiteColumn]
    /// Where each slot's values are.
    let places: [Place]
    let indexes: [Index]

    /// The name of the key's column.
    static let keyName = "_pk"

    init(
        index: Int, entityName: String, name: String, columns: [SQLiteColumn], places: [Place], indexes: [Index]
    ) {
        self.index = index
        self.entityName = entityName
        self.name = name
        self.slotCount = places.count
        self.columns = columns
        self.places = places
        self.indexes = indexes
        quoted = SQLiteName.quoted(name)
        uniques = indexes.filter(\.isUnique)
        listSlots = places.indices.filter { slot in
            switch places[slot] {
            case .inverse, .join: true
            case .none, .column: false
            }
        }
    }

    /// The table's name as it stands in SQL text.
    let quoted: String
    /// The indexes that no two rows may agree on.
    let uniques: [Index]
    /// The slots that hold a list.
    let listSlots: [Int]

    /// The column of a slot; nil where its values are in no column of the table.
    func column(ofSlot slot: Int) -> SQLiteColumn? {
        guard places.indices.contains(slot), case .column(let index) = places[slot] else { return nil }
        return columns[index]
    }
}

/// The table of a to-many relationship that has no to-one side.
struct SQLiteJoinTable: Hashable, Sendable {
    /// Which end of the join a row is at.
    enum Side: Hashable, Sendable {
        /// The entity the table is named for.
        case owner
        case member
    }

    let index: Int
    let name: String
    /// The name of the index that leads from members to owners.
    let indexName: String
    /// The tables at both ends, by index.
    let owner: Int
    let member: Int
    /// Whether the members have a list of their owners too.
    let isTwoSided: Bool
    /// The property of the owner that the table keeps.
    let ownerProperty: String

    var quoted: String { SQLiteName.quoted(name) }

    func column(_ side: Side) -> String { side == .owner ? "owner" : "member" }
    func otherColumn(_ side: Side) -> String { side == .owner ? "member" : "owner" }
    func position(_ side: Side) -> String { side == .owner ? "position" : "inverse_position" }
    func table(beyond side: Side) -> Int { side == .owner ? member : owner }
}
