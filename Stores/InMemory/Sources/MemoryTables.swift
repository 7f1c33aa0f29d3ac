import CofferCore

/// Everything a store holds: the tables, and the pairs between them. The store's lock guards it.
final class MemoryTables {
    let schema: MemorySchema
    let tables: [MemoryTable]
    let pairs: [PairSet]
    /// The links that lead to each table, by its index.
    let linksTo: [[LinkColumn]]
    private let byName: [String: Int]
    /// The hierarchies of the schema; nil where it has none.
    var hierarchies: FlatHierarchies? { schema.hierarchies }

    init(_ schema: MemorySchema, storeIdentifier: String) {
        self.schema = schema
        let tables = schema.tables.map {
            MemoryTable($0, space: .shared(entityName: $0.entityName, storeIdentifier: storeIdentifier))
        }
        self.tables = tables
        pairs = schema.pairs.map { PairSet($0) }
        linksTo = schema.tables.map { table in
            tables.flatMap(\.links).filter { $0.destination == table.index }
        }
        byName = schema.tableOfEntity
    }

    /// The table of an entity, which it may share with the others of its hierarchy; nil where the schema does not have it.
    func table(named name: String) -> MemoryTable? { byName[name].map { tables[$0] } }

    /// The table of a batch, which usually has the very identifier space that the table has.
    @inline(__always)
    func table(of batch: RowBatch) -> MemoryTable? {
        for table in tables where table.space === batch.space { return table }
        return table(named: batch.entityName)
    }

    /// Forgets all rows.
    func removeAll() {
        for table in tables { table.removeAll() }
        for set in pairs { set.removeAll() }
    }

    /// Closes the gaps of a table and tells everything that knows positions in it.
    func compact(_ table: MemoryTable) {
        guard let positions = table.compact() else { return }
        let count = table.rows.count
        for link in table.links { link.moveRows(positions, count: count) }
        for link in linksTo[table.layout.index] { link.moveOwners(positions, count: count) }
        for set in pairs { set.move(table: table.layout.index, positions, count: count) }
    }
}
