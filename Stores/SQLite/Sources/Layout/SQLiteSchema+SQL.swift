import CofferCore

// The statements that lay a schema out in a file.

extension SQLiteSchema {
    /// Everything, in an order in which it can be run.
    var creation: [String] {
        tables.flatMap { table in
            [createTable(table)] + table.indexes.map { Self.createIndex($0, on: table) }
                + table.columns.compactMap { Self.createPlaceIndex($0, on: table) }
        } + joins.flatMap { createJoin($0) }
    }

    /// One table with its columns; its indexes are made separately.
    func createTable(_ table: SQLiteTable) -> String {
        var lines = ["\(SQLiteName.quoted(SQLiteTable.keyName)) INTEGER PRIMARY KEY"]
        lines += table.columns.map { columnDefinition($0) }
        lines += table.columns.compactMap { $0.quotedPosition }.map { "\($0) INTEGER" }
        return "CREATE TABLE \(table.quoted) (\n    \(lines.joined(separator: ",\n    "))\n)"
    }

    /// A column with its constraints, as in `CREATE TABLE` and `ALTER TABLE … ADD COLUMN`.
    ///
    /// - Parameter defaultLiteral: what rows that exist already get.
    func columnDefinition(_ column: SQLiteColumn, defaultLiteral: String? = nil) -> String {
        var text = "\(column.quoted) \(column.declaredType)"
        if column.isRequired { text += " NOT NULL" }
        if let defaultLiteral { text += " DEFAULT \(defaultLiteral)" }
        if let destination = column.destination {
            text += " REFERENCES \(tables[destination].quoted)(\(SQLiteName.quoted(SQLiteTable.keyName)))"
            // Checked at the commit, so that rows may refer to each other in a circle.
            text += column.isRequired ? "" : " ON DELETE SET NULL"
            text += " DEFERRABLE INITIALLY DEFERRED"
        }
        return text
    }

    static func createIndex(_ index: SQLiteTable.Index, on table: SQLiteTable) -> String {
        let columns = index.columns.map { table.columns[$0].quoted }.joined(separator: ", ")
        return "CREATE \(index.isUnique ? "UNIQUE " : "")INDEX \(SQLiteName.quoted(index.name)) "
            + "ON \(table.quoted) (\(columns))"
    }

    /// The index of the rows that have a place in a list, usually none: a list that is put back into the order of its
    /// rows' keys has to find them. Nil for a column without places.
    static func createPlaceIndex(_ column: SQLiteColumn, on table: SQLiteTable) -> String? {
        guard let position = column.quotedPosition, let name = column.placeIndexName else { return nil }
        return "CREATE INDEX \(SQLiteName.quoted(name)) ON \(table.quoted) "
            + "(\(column.quoted)) WHERE \(position) IS NOT NULL"
    }

    /// A join table and the index that leads from its members to their owners.
    func createJoin(_ join: SQLiteJoinTable) -> [String] {
        let key = SQLiteName.quoted(SQLiteTable.keyName)
        func end(_ name: String, _ table: Int) -> String {
            "\(name) INTEGER NOT NULL REFERENCES \(tables[table].quoted)(\(key)) "
                + "ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED"
        }
        var lines = [end("owner", join.owner), end("member", join.member), "position INTEGER"]
        if join.isTwoSided { lines.append("inverse_position INTEGER") }
        lines.append("PRIMARY KEY (owner, member)")
        return [
            "CREATE TABLE \(join.quoted) (\n    \(lines.joined(separator: ",\n    "))\n) WITHOUT ROWID",
            "CREATE INDEX \(SQLiteName.quoted(join.indexName)) ON \(join.quoted) (member, owner)",
        ]
    }
}
