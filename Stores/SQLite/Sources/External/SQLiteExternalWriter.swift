import CofferCore

/// What a save does to the files of large values. It runs within the save's transaction, which one process at a time
/// has.
final class SQLiteExternalWriter {
    let changes: ExternalFileChanges
    private let connection: SQLiteConnection

    init(_ files: ExternalFiles, _ connection: SQLiteConnection) {
        changes = ExternalFileChanges(files)
        self.connection = connection
    }

    /// Rows with names in the place of large values.
    ///
    /// - Parameter isNew: whether the rows are to be inserted, and have no files yet.
    func moveOut(_ batch: RowBatch, _ table: SQLiteTable, isNew: Bool) throws -> RowBatch {
        let columns = table.columns.filter(\.isExternal)
        if columns.isEmpty { return batch }
        var known: (row: Int, names: [String?]) = (-1, [])
        return try changes.moveOut(batch, slots: columns.map(\.slot)) { row, slot in
            if isNew { return nil }
            if known.row != row { known = (row, try names(of: batch.key(ofRow: row), table, columns)) }
            return columns.firstIndex { $0.slot == slot }.flatMap { known.names[$0] }
        }
    }

    /// Has the files of rows removed that are to be deleted.
    func dropFiles(of rows: [(entityName: String, keys: [Int64])], _ layout: SQLiteSchema) throws {
        for (entityName, keys) in rows {
            guard let table = layout.table(of: entityName), table.columns.contains(where: \.isExternal) else {
                continue
            }
            for key in keys { try dropFiles(of: key, table) }
        }
    }

    /// Has the files of a row removed that is to be deleted or written over.
    func dropFiles(of key: Int64, _ table: SQLiteTable) throws {
        let columns = table.columns.filter(\.isExternal)
        if columns.isEmpty { return }
        for case let name? in try names(of: key, table, columns) { changes.drop(name) }
    }

    private func names(of key: Int64, _ table: SQLiteTable, _ columns: [SQLiteColumn]) throws -> [String?] {
        let list = columns.map { "CASE typeof(\($0.quoted)) WHEN 'text' THEN \($0.quoted) END" }
        let statement = try connection.statement(
            "SELECT \(list.joined(separator: ", ")) FROM \(table.quoted) WHERE \(SQLiteTable.keyName) = ?1")
        defer { statement.reset() }
        statement.bind(key, at: 1)
        guard try statement.step() else { return columns.map { _ in nil } }
        return columns.indices.map { statement.text(Int32($0)) }
    }
}
