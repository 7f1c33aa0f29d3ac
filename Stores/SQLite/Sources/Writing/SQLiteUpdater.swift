import CSQLite
import CofferCore

/// Writes changed rows: of each row the columns that it has, with one statement for each set of columns.
final class SQLiteUpdater {
    /// A set of columns, by index.
    private struct Columns: Hashable {
        var low: UInt64 = 0
        /// From the 64th on; empty for nearly every table.
        var high: [UInt64] = []

        var isEmpty: Bool { low == 0 && high.allSatisfy { $0 == 0 } }

        @inline(__always)
        mutating func insert(_ index: Int) {
            if index < 64 {
                low |= 1 << UInt64(index)
            } else {
                let word = index / 64 - 1
                while high.count <= word { high.append(0) }
                high[word] |= 1 << UInt64(index % 64)
            }
        }

        func contains(_ index: Int) -> Bool {
            if index < 64 { return low & (1 << UInt64(index)) != 0 }
            let word = index / 64 - 1
            return word < high.count && high[word] & (1 << UInt64(index % 64)) != 0
        }
    }

    /// The statement of one set of columns of one table.
    private struct Shape {
        let statement: SQLiteStatement
        let binder: SQLiteBinder
    }

    private let connection: SQLiteConnection
    private let targets: [SQLiteTargets]
    private var shapes: [Int: [Columns: Shape]] = [:]
    private var last: (table: Int, columns: Columns, shape: Shape)?

    init(_ connection: SQLiteConnection, _ targets: [SQLiteTargets]) {
        self.connection = connection
        self.targets = targets
    }

    deinit {
        for shape in shapes.values.flatMap(\.values) { shape.statement.finish() }
    }

    // MARK: Batches

    /// A row whose turn comes later.
    private typealias Pending = (batch: RowBatch, row: Int, table: SQLiteTable)

    /// Writes all rows.
    func update(_ batches: [(batch: RowBatch, table: SQLiteTable)]) throws {
        try update(batches, only: nil)
    }

    /// Writes only the columns that are part of a uniqueness constraint, except links to rows that are not yet stored.
    func updateUniques(_ batches: [(batch: RowBatch, table: SQLiteTable)]) throws {
        try update(batches) { table, column, cell in
            guard table.uniques.contains(where: { $0.columns.contains(column) }) else { return false }
            return cell.kind != .reference || cell.integer >= 0
        }
    }

    /// Writes rows. A row that would take a unique value which another row of the save has yet to give up waits.
    private func update(
        _ batches: [(batch: RowBatch, table: SQLiteTable)], only filter: ((SQLiteTable, Int, RowCell) -> Bool)?
    ) throws {
        var waiting: [Pending] = []
        for (batch, table) in batches {
            for row in 0..<batch.count {
                do {
                    try update(batch, row, table, key: batch.key(ofRow: row), only: filter)
                } catch let failure as SQLiteFailure where failure.isUniqueConflict {
                    waiting.append((batch, row, table))
                }
            }
        }
        var failure: SQLiteFailure?
        while !waiting.isEmpty {
            let before = waiting.count
            waiting = try waiting.filter { pending in
                do {
                    try update(
                        pending.batch, pending.row, pending.table, key: pending.batch.key(ofRow: pending.row),
                        only: filter)
                    return false
                } catch let conflict as SQLiteFailure where conflict.isUniqueConflict {
                    failure = conflict
                    return true
                }
            }
            if waiting.count == before { break }
        }
        guard !waiting.isEmpty, let failure else { return }
        // What is left waits in a circle, as two rows that swap a value do, or takes a value that somebody keeps.
        guard waiting.count > 1 else { throw failure }
        for pending in waiting { try park(pending) }
        for pending in waiting {
            try update(
                pending.batch, pending.row, pending.table, key: pending.batch.key(ofRow: pending.row),
                only: filter)
        }
    }

    /// Gives a row's changed unique columns a value that no row has, until its turn comes.
    private func park(_ pending: Pending) throws {
        let (batch, row, table) = pending
        let unique = Set(table.uniques.flatMap(\.columns))
        let columns = unique.sorted().filter { batch.cell(row: row, slot: table.columns[$0].slot).kind != .absent }
        let sets = columns.map { "\(table.columns[$0].quoted) = ?2" }.joined(separator: ", ")
        let statement = try connection.statement(
            "UPDATE \(table.quoted) SET \(sets) WHERE \(SQLiteTable.keyName) = ?1")
        statement.bind(batch.key(ofRow: row), at: 1)
        try statement.bind(.blob(Array("coffer parked \(batch.key(ofRow: row))".utf8)), at: 2)
        try statement.run()
        statement.finish()
    }

    // MARK: Rows

    /// Writes an inserted row onto one that exists.
    func replace(_ batch: RowBatch, _ row: Int, _ table: SQLiteTable, key: Int64) throws {
        try update(batch, row, table, key: key, only: nil)
    }

    private func update(
        _ batch: RowBatch, _ row: Int, _ table: SQLiteTable, key: Int64,
        only filter: ((SQLiteTable, Int, RowCell) -> Bool)?
    ) throws {
        let cells = batch._cells(ofRow: row)
        var columns = Columns()
        for (index, column) in table.columns.enumerated() {
            let cell = cells[column.slot]
            if cell.kind == .absent { continue }
            if let filter, !filter(table, index, cell) { continue }
            columns.insert(index)
        }
        if columns.isEmpty { return }
        let shape: Shape
        if let last, last.table == table.index, last.columns == columns {
            shape = last.shape
        } else {
            shape = try self.shape(of: columns, table)
            last = (table.index, columns, shape)
        }
        shape.statement.bind(key, at: 1)
        try shape.binder.bind(cells, batch._heap, to: shape.statement.handle)
        try shape.statement.run()
        if sqlite3_changes(connection.handle) == 0 {
            throw SwiftDataError(
                .modelNotFound, entity: table.entityName, detail: "a changed row was deleted by somebody else")
        }
    }

    private func shape(of columns: Columns, _ table: SQLiteTable) throws -> Shape {
        if let shape = shapes[table.index]?[columns] { return shape }
        let indexes = table.columns.indices.filter { columns.contains($0) }
        var sets: [String] = []
        for (offset, index) in indexes.enumerated() {
            let column = table.columns[index]
            sets.append("\(column.quoted) = ?\(offset + 2)")
            if let position = column.quotedPosition {
                // A row that goes to another owner leaves its place in the old one's list.
                sets.append("\(position) = CASE WHEN \(column.quoted) IS ?\(offset + 2) THEN \(position) END")
            }
        }
        let shape = Shape(
            statement: try connection.statement(
                "UPDATE \(table.quoted) SET \(sets.joined(separator: ", ")) WHERE \(SQLiteTable.keyName) = ?1"),
            binder: SQLiteBinder(table, columns: indexes, first: 2, targets: targets))
        shapes[table.index, default: [:]][columns] = shape
        return shape
    }
}
