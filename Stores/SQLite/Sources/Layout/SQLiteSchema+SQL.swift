import CofferCore

// The statements that lay a schema out in a file.

extension SQLiteSchema {
    /// Everything, in an order in which it can be run.
    var creation: [String] {
        tables.filter(\.isRoot).flatMap { creation(of: $0) } + joins.flatMap { createJoin($0) }
            + fullTexts.values.map(\.creation).sorted()
    }

    /// A table with its indexes.
    func creation(of table: SQLiteTable) -> [String] {
        let members = members(of: table)
        return [createTable(table)] + [Self.createEntityIndex(table)].compactMap { $0 }
            + members.flatMap { member in member.ownIndexes.map { Self.createIndex($0, on: member) } }
            + members.flatMap { member in
                Self.ownColumns(member).compactMap { Self.createPlaceIndex($0, on: member) }
            }
    }

    /// What all entities see of a table, the topmost first.
    func members(of table: SQLiteTable) -> [SQLiteTable] {
        table.hierarchy.map { $0.below.map { tables[$0] } } ?? [table]
    }

    /// The columns that no superclass has.
    static func ownColumns(_ table: SQLiteTable) -> [SQLiteColumn] { table.columns.filter { !$0.isInherited } }

    /// The index by entity, for fetches of subclasses; nil for a table of one entity.
    static func createEntityIndex(_ table: SQLiteTable) -> String? {
        table.hierarchy.map {
            "CREATE INDEX \(SQLiteName.quoted($0.indexName)) ON \(table.quoted) (\(SQLiteTable.entityName))"
        }
    }

    /// One table with its columns; its indexes are made separately.
    func createTable(_ table: SQLiteTable) -> String {
        let columns = members(of: table).flatMap { Self.ownColumns($0) }
        var lines = ["\(SQLiteName.quoted(SQLiteTable.keyName)) INTEGER PRIMARY KEY"]
        if table.hierarchy != nil { lines.append("\(SQLiteTable.entityName) TEXT NOT NULL") }
        lines += columns.map { columnDefinition($0) }
        lines += columns.compactMap { $0.quotedPosition }.map { "\($0) INTEGER" }
        return "CREATE TABLE \(table.quoted) (\n    \(lines.joined(separator: ",\n    "))\n)"
    }

    /// A column with its constraints, as in `CREATE TABLE` and `ALTER TABLE … ADD COLUMN`.
    ///
    /// - Parameter defaultLiteral: what rows that exist already get.
    func columnDefinition(_ column: SQLiteColumn, defaultLiteral: String? = nil) -> String {
        var text = "\(column.quoted) \(column.declaredType)"
        // Rows of other classes have nothing there; those that need a value are looked after by the writer.
        if column.isRequired, !column.isOfSubclass { text += " NOT NULL" }
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
            + "ON \(table.quoted) (\(columns))" + (index.condition.map { " WHERE \($0)" } ?? "")
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
