import CofferCore

/// Where a store keeps things, as the compiler of queries needs to know it.
protocol SQLLayout {
    /// The table of an entity; nil where the store does not keep it.
    func table(named entityName: String) -> SQLTable?
}

/// The table of an entity.
struct SQLTable {
    /// Where the values of a property are.
    enum Place: Hashable {
        /// In no table.
        case none
        /// In a column.
        case column(String)
        /// In a column, or in a file that the column names: SQL can tell no more than whether there is one.
        case external(String)
        /// In a column that holds the key of a row of another entity.
        case link(String, entity: String)
        /// In another entity's table, by the column that holds this row's key there.
        case children(entity: String, column: String, position: String?)
        /// In a table of its own that holds the keys of both sides.
        case members(entity: String, table: String, owner: String, member: String, position: String?)
    }

    /// The table's name, not quoted.
    var name: String
    /// The column with the rows' keys.
    var keyColumn: String
    /// The places by property slot.
    var places: [Place]
    /// The columns by which an index begins.
    var indexedColumns: Set<String>
    /// The index of the words of the table's texts.
    var fullText: SQLiteFullText?
    /// Nil where all rows of the table are of one entity.
    var hierarchy: Hierarchy?

    /// What an entity sees of the table of its hierarchy.
    struct Hierarchy {
        /// The column with the name of a row's entity.
        var entityColumn: String
        /// The entity and those below it.
        var names: [String]
        /// How many entities lie in the table.
        var count: Int
        /// The columns of the entity's own properties, which are empty in the rows of entities that are not below it.
        var ownColumns: Set<String>

        /// The condition that a row be of the entity; nil where all rows are.
        func condition(of alias: String) -> String? {
            names.count == count ? nil : SQLiteTable.condition(names, of: alias)
        }
    }

    init(
        name: String, keyColumn: String = "_pk", places: [Place], indexedColumns: Set<String> = [],
        fullText: SQLiteFullText? = nil, hierarchy: Hierarchy? = nil
    ) {
        self.name = name
        self.keyColumn = keyColumn
        self.places = places
        self.indexedColumns = indexedColumns
        self.fullText = fullText
        self.hierarchy = hierarchy
    }
}
