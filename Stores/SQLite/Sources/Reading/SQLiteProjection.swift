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
    /// The number of slots.
    let width: Int
    /// Whether every slot has a column.
    let isComplete: Bool
    /// What rows of each of several entities have, in the order of the plan's entities; nil for rows of one entity.
    private let members: [Member]?

    /// What rows of one of several entities have.
    private struct Member: Sendable {
        let name: String
        /// The columns, by their places behind that of the entity's name.
        let fields: [(column: Int32, field: Field)]
    }

    /// A projection of all columns, or of those of the slots.
    ///
    /// - Parameter below: the entities below the table's own whose rows are wanted as well.
    static func of(
        _ table: SQLiteTable, _ layout: SQLiteSchema, below: [String], slots: [Int]? = nil
    ) -> SQLiteProjection {
        below.isEmpty
            ? SQLiteProjection(table, slots: slots)
            : SQLiteProjection([table] + below.compactMap { layout.table(of: $0) }, slots: slots)
    }

    /// A projection for rows of several entities, the first of them that of the plan.
    private init(_ entities: [SQLiteTable], slots: [Int]?) {
        let table = entities[0]
        let wanted = slots.map(Set.init)
        var names: [String] = []
        var places: [String: Int32] = [:]
        members = entities.map { member in
            let columns = member.columns.filter { wanted?.contains($0.slot) ?? true }
            return Member(
                name: member.entityName,
                fields: columns.map { column in
                    let place = places[column.name] ?? Int32(names.count)
                    if places.updateValue(place, forKey: column.name) == nil { names.append(column.name) }
                    return (place, Self.field(column, isWhole: slots == nil))
                })
        }
        fields = []
        list = ([SQLiteTable.entityName] + names).map { ", \(table.quoted).\(SQLiteName.quoted($0))" }.joined()
        queryColumns = ([SQLiteTable.entityName] + names).map { SQLQuery.column($0) }
        lists = table.listSlots.filter { wanted?.contains($0) ?? false }
        width = table.slotCount
        isComplete = false
    }

    /// - Parameter isWhole: whether whole rows are read, whose files are left for later.
    private static func field(_ column: SQLiteColumn, isWhole: Bool) -> Field {
        Field(
            slot: Int32(column.slot), kind: column.kind,
            integerKind: column.kind == .reference ? .reference : .integer,
            isLeftOut: column.isExternal && isWhole)
    }

    private init(_ table: SQLiteTable, slots: [Int]?) {
        members = nil
        let wanted = slots.map(Set.init)
        let columns = table.columns.filter { wanted?.contains($0.slot) ?? true }
        fields = columns.map { Self.field($0, isWhole: slots == nil) }
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
    func append(_ statement: OpaquePointer, first: Int32, key: Int64, to batch: RowBatch) throws {
        if let members { return try append(statement, first: first, key: key, to: batch, members) }
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

    /// The same for a row of one of several entities, which the first column names.
    ///
    /// - Throws: ``SwiftDataError/corruptStore`` for an entity that the schema does not have.
    private func append(
        _ statement: OpaquePointer, first: Int32, key: Int64, to batch: RowBatch, _ members: [Member]
    ) throws {
        let name = UnsafeRawBufferPointer(
            start: sqlite3_column_blob(statement, first), count: Int(sqlite3_column_bytes(statement, first)))
        guard let index = members.firstIndex(where: { $0.name.utf8.elementsEqual(name) }) else {
            throw SwiftDataError(
                .corruptStore,
                detail: "a row is of the entity “\(String(decoding: name, as: UTF8.self))”, which the schema lacks")
        }
        let row = batch._appendRow(key: key)
        row.initialize(repeating: RowCell(.absent), count: batch.width)
        batch.setEntity(index, ofRow: batch.count - 1)
        for (column, field) in members[index].fields {
            row[Int(field.slot)] = Self.cell(statement, first &+ 1 &+ column, field, batch)
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
