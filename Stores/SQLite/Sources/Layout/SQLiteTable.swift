import CofferCore

/// The table of one entity; in a hierarchy of entities, what one of them sees of their common table.
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
        /// The entities whose rows it holds; empty for all rows of the table.
        var entities: [String] = []

        /// The condition for a row to be in the index; nil for all rows.
        var condition: String? { entities.isEmpty ? nil : SQLiteTable.condition(entities) }
    }

    /// What a table knows of the hierarchy that lies in it.
    struct Hierarchy: Sendable {
        /// The table of the topmost entity, by index.
        let root: Int
        /// The entity and those below it: their tables by index, the entity's own first.
        let below: [Int]
        /// The names of the same.
        let names: [String]
        /// How many entities lie in the table.
        let count: Int
        /// The name of the index by entity.
        let indexName: String
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
    /// Those of the indexes that no superclass has declared.
    let ownIndexes: [Index]
    /// Nil where all rows of the table are of one entity.
    let hierarchy: Hierarchy?

    /// The name of the key's column.
    static let keyName = "_pk"
    /// The name of the column that holds the name of a row's entity, in the table of a hierarchy.
    static let entityName = "_entity"

    /// The condition that a row be of one of some entities.
    static func condition(_ names: [String], of alias: String = "") -> String {
        let column = (alias.isEmpty ? "" : alias + ".") + entityName
        let list = names.map(SQLiteName.literal)
        return list.count == 1 ? "\(column) = \(list[0])" : "\(column) IN (\(list.joined(separator: ", ")))"
    }

    init(
        index: Int, entityName: String, name: String, columns: [SQLiteColumn], places: [Place], indexes: [Index],
        ownIndexes: [Index], hierarchy: Hierarchy?
    ) {
        self.index = index
        self.entityName = entityName
        self.name = name
        self.slotCount = places.count
        self.columns = columns
        self.places = places
        self.indexes = indexes
        self.ownIndexes = ownIndexes
        self.hierarchy = hierarchy
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

    /// The table of the topmost entity, by index: what rows and keys belong to.
    var root: Int { hierarchy?.root ?? index }
    /// Whether the table is one of the file, not what a subclass sees of another.
    var isRoot: Bool { root == index }
    /// How many entities there are below the table's own.
    var subentityCount: Int { hierarchy.map { $0.below.count - 1 } ?? 0 }
    /// Their names.
    var subentityNames: [String] { hierarchy.map { Array($0.names.dropFirst()) } ?? [] }

    /// The condition that a row be one that a plan covers; nil where all rows of the table are.
    func condition(for plan: FetchPlan, alias: String) -> String? {
        guard let hierarchy, plan.subentityNames.count + 1 < hierarchy.count else { return nil }
        return Self.condition([plan.entityName] + plan.subentityNames, of: alias)
    }

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
    /// Whether the relationship is its own inverse: each pair then has two rows, one for each direction.
    let isMutual: Bool
    /// The property of the owner that the table keeps.
    let ownerProperty: String

    var quoted: String { SQLiteName.quoted(name) }

    func column(_ side: Side) -> String { side == .owner ? "owner" : "member" }
    func otherColumn(_ side: Side) -> String { side == .owner ? "member" : "owner" }
    func position(_ side: Side) -> String { side == .owner ? "position" : "inverse_position" }
    func table(beyond side: Side) -> Int { side == .owner ? member : owner }
}
