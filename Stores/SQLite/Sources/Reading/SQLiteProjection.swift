import CSQLite
import CofferCore

/// Which columns of a table a fetch reads, and into which cells of a row.
struct SQLiteProjection: Sendable {
    /// One column.
    struct Field: Sendable {
        let slot: Int32
        let kind: SQLiteColumn.Kind
        /// What an integer is in a cell: a number, or the key of a row.
        let integerKind: CellKind
        /// Whether text is the name of a file that is not read yet.
        let isLeftOut: Bool
    }

    /// The columns in the order in which they are selected.
    let fields: [Field]
    /// Their names, each after a comma.
    let list: String
    /// Their names in a compiled query.
    let queryColumns: [String]
    /// The slots of lists, which no column of the table holds.
    let lists: [Int]
    /// The slots in which names of files have to be replaced by what the files hold.
    let externals: [Int]
    /// The number of slots.
    let width: Int
    /// Whether every slot has a column.
    let isComplete: Bool

    /// A projection of all columns, or of those of the slots.
    init(_ table: SQLiteTable, slots: [Int]? = nil) {
        let wanted = slots.map(Set.init)
        let columns = table.columns.filter { wanted?.contains($0.slot) ?? true }
        fields = columns.map {
            Field(
                slot: Int32($0.slot), kind: $0.kind, integerKind: $0.kind == .reference ? .reference : .integer,
                isLeftOut: $0.isExternal && slots == nil)
        }
        externals = slots == nil ? [] : columns.filter(\.isExternal).map(\.slot)
        list = columns.map { ", \(table.quoted).\($0.quoted)" }.joined()
        queryColumns = columns.map { SQLQuery.column($0.name) }
        lists = wanted == nil ? [] : table.listSlots.filter { wanted?.contains($0) ?? false }
        width = table.slotCount
        isComplete = columns.count == table.slotCount
    }

    /// Appends the statement's row to a batch.
    ///
    /// Text is taken as bytes: asking for it as text would make SQLite copy it to put a NUL behind it.
    ///
    /// - Parameter first: the index of the first of the projection's columns in the statement.
    @inline(__always)
    func append(_ statement: OpaquePointer, first: Int32, key: Int64, to batch: RowBatch) {
        let row = batch._appendRow(key: key)
        if !isComplete { row.initialize(repeating: RowCell(.absent), count: width) }
        fields.withUnsafeBufferPointer { fields in
            var column = first
            for field in fields {
                row[Int(field.slot)] = Self.cell(statement, column, field, batch)
                column &+= 1
            }
        }
    }

    @inline(__always)
    private static func cell(
        _ statement: OpaquePointer, _ column: Int32, _ field: Field, _ batch: RowBatch
    ) -> RowCell {
        let value = sqlite3_column_value(statement, column)
        switch sqlite3_value_type(value) {
        case SQLITE_INTEGER:
            let number = sqlite3_value_int64(value)
            // Written by another program: Coffer's own numbers of this kind are never integers.
            if field.kind == .real { return RowCell(.real, bits: Double(number).bitPattern) }
            return RowCell(field.integerKind, bits: UInt64(bitPattern: number))
        case SQLITE_FLOAT:
            return RowCell(.real, bits: sqlite3_value_double(value).bitPattern)
        case SQLITE_TEXT:
            if field.isLeftOut { return RowCell(.absent) }
            let bytes = sqlite3_value_blob(value)
            return batch._append(.text, bytes, Int(sqlite3_value_bytes(value)))
        case SQLITE_NULL:
            return RowCell(.null)
        default:
            let bytes = sqlite3_value_blob(value)
            let length = Int(sqlite3_value_bytes(value))
            if length == 8, let bytes, field.kind == .real || field.kind == .unsigned {
                let number = UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self))
                return RowCell(field.kind == .real ? .real : .unsigned, bits: number)
            }
            return batch._append(.blob, bytes, length)
        }
    }
}
