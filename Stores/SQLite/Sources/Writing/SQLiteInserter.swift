import CofferCore

/// Inserts the rows of a batch into their table, several with one statement.
///
/// SQLite takes about as long to begin and end a statement as to write a row of a few columns.
struct SQLiteInserter {
    private let connection: SQLiteConnection
    private let table: SQLiteTable
    private let binder: SQLiteBinder
    /// How many parameters a row has.
    private let width: Int32
    /// How many rows a full statement has.
    private let block: Int

    /// More rows to a statement bring little, and make a text that takes longer to compile.
    private static let largestBlock = 32
    /// SQLite can be built to take no more parameters than this.
    private static let parameters = 999

    init(_ table: SQLiteTable, _ connection: SQLiteConnection, targets: [SQLiteTargets]) {
        self.connection = connection
        self.table = table
        binder = SQLiteBinder(table, columns: Array(table.columns.indices), first: 2, targets: targets)
        width = Int32(table.columns.count + 1)
        block = min(Self.largestBlock, max(1, Self.parameters / Int(width)))
    }

    /// Inserts rows under keys.
    ///
    /// - Parameter isLeftOut: for rows that go onto others, by row; empty for none.
    func insert(_ batch: RowBatch, keys: [Int64], isLeftOut: [Bool]) throws {
        var row = 0
        if isLeftOut.isEmpty, block > 1, batch.count >= block {
            let statement = try statement(rows: block)
            defer { statement.finish() }
            while row + block <= batch.count {
                for offset in 0..<block { try bind(batch, row + offset, keys, to: statement, at: offset) }
                try statement.run()
                row += block
            }
        }
        if row == batch.count { return }
        let statement = try statement(rows: 1)
        defer { statement.finish() }
        while row < batch.count {
            if isLeftOut.isEmpty || !isLeftOut[row] {
                try bind(batch, row, keys, to: statement, at: 0)
                try statement.run()
            }
            row += 1
        }
    }

    @inline(__always)
    private func bind(
        _ batch: RowBatch, _ row: Int, _ keys: [Int64], to statement: SQLiteStatement, at offset: Int
    ) throws {
        let shift = Int32(truncatingIfNeeded: offset) &* width
        statement.bind(keys[row], at: 1 &+ shift)
        try binder.bind(batch._cells(ofRow: row), batch._heap, to: statement.handle, shift: shift)
    }

    private func statement(rows: Int) throws -> SQLiteStatement {
        let kept = connection.statements(of: table)
        if let statement = rows == 1 ? kept.insert : kept.insertBlock { return statement }
        var columns = [SQLiteTable.keyName] + table.columns.map(\.quoted)
        var end = ")"
        if table.hierarchy != nil {
            columns.append(SQLiteTable.entityName)
            end = ", \(SQLiteName.literal(table.entityName)))"
        }
        let values = (0..<rows).map { row in
            let first = row * Int(width) + 1
            return "(" + (first..<first + Int(width)).map { "?\($0)" }.joined(separator: ", ") + end
        }
        let statement = try connection.statement(
            "INSERT INTO \(table.quoted) (\(columns.joined(separator: ", "))) VALUES \(values.joined(separator: ", "))")
        if rows == 1 { kept.insert = statement } else { kept.insertBlock = statement }
        return statement
    }
}
