import CofferCore

extension SQLiteSchema: SQLLayout {
    /// The table of an entity, as the compiler of queries sees it.
    func table(named entityName: String) -> SQLTable? { table(of: entityName).map { queryTables[$0.index] } }

    /// All tables as the compiler of queries sees them.
    static func queryTables(
        _ tables: [SQLiteTable], _ joins: [SQLiteJoinTable], _ fullTexts: [String: SQLiteFullText]
    ) -> [SQLTable] {
        tables.map { table in
            let places = table.places.map { place -> SQLTable.Place in
                switch place {
                case .none:
                    return .none
                case .column(let index):
                    let column = table.columns[index]
                    guard let destination = column.destination else {
                        return column.isExternal ? .external(column.name) : .column(column.name)
                    }
                    return .link(column.name, entity: tables[destination].entityName)
                case .inverse(let child, let index):
                    let link = tables[child].columns[index]
                    return .children(
                        entity: tables[child].entityName, column: link.name, position: link.positionName)
                case .join(let index, let side):
                    let join = joins[index]
                    return .members(
                        entity: tables[join.table(beyond: side)].entityName, table: join.name,
                        owner: join.column(side), member: join.otherColumn(side), position: join.position(side))
                }
            }
            let indexed = table.indexes.compactMap { $0.columns.first.map { table.columns[$0].name } }
            return SQLTable(
                name: table.name, keyColumn: SQLiteTable.keyName, places: places, indexedColumns: Set(indexed),
                fullText: fullTexts[tables[table.root].entityName],
                hierarchy: table.hierarchy.map { hierarchy in
                    SQLTable.Hierarchy(
                        entityColumn: SQLiteTable.entityName, names: hierarchy.names, count: hierarchy.count,
                        ownColumns: Set(table.columns.lazy.filter { !$0.isInherited }.map(\.name)))
                })
        }
    }
}
