/// The statements of one table that a connection needs most often.
final class SQLiteTableStatements {
    /// One row by its key, all columns.
    var byKey: SQLiteStatement?
    var insert: SQLiteStatement?
    /// The same for as many rows as go into one statement.
    var insertBlock: SQLiteStatement?
    var delete: SQLiteStatement?
}

extension SQLiteConnection {
    /// The kept statements of a table.
    @inline(__always)
    func statements(of table: SQLiteTable) -> SQLiteTableStatements {
        if table.index < byTable.count { return byTable[table.index] }
        return growStatements(to: table.index)
    }

    @inline(never)
    private func growStatements(to index: Int) -> SQLiteTableStatements {
        while byTable.count <= index { byTable.append(SQLiteTableStatements()) }
        return byTable[index]
    }
}
