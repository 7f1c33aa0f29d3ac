import CSQLite
import CofferCore

/// Binds cells of a batch's rows to a statement, straight from the batch's memory.
///
/// What there is to know of a column is looked up once for a batch; a row then takes one call of SQLite's for each
/// cell and no allocation.
struct SQLiteBinder {
    /// One column and the parameter it is bound to.
    struct Field {
        let slot: Int
        let parameter: Int32
        let accepted: UInt16
        /// The rows that a link may lead to; nil for an attribute.
        let targets: SQLiteTargets?
    }

    let fields: [Field]
    private let table: SQLiteTable

    /// A binder of columns to consecutive parameters.
    ///
    /// - Parameters:
    ///   - columns: indexes of the table's columns.
    ///   - first: the parameter of the first of them.
    ///   - targets: the rows that links may lead to, by table.
    init(_ table: SQLiteTable, columns: [Int], first: Int32, targets: [SQLiteTargets]) {
        self.table = table
        fields = columns.enumerated().map { offset, index in
            let column = table.columns[index]
            return Field(
                slot: column.slot, parameter: first + Int32(offset), accepted: column.acceptedCells,
                targets: column.destination.map { targets[$0] })
        }
    }

    /// Binds one row's cells.
    ///
    /// The statement refers to the batch's memory until it is bound anew or its bindings are cleared.
    ///
    /// - Parameter shift: how far behind the binder's own parameters those of the row are.
    @inline(__always)
    func bind(
        _ cells: UnsafePointer<RowCell>, _ heap: UnsafePointer<UInt8>, to statement: OpaquePointer, shift: Int32 = 0
    ) throws {
        try fields.withUnsafeBufferPointer { fields in
            for field in fields {
                let cell = cells[field.slot]
                if field.accepted & (1 << UInt16(cell.kind.rawValue)) == 0 { throw mismatch(field, cell) }
                try bind(cell, field, heap, to: statement, shift: shift)
            }
        }
    }

    /// Binds one cell.
    @inline(__always)
    func bind(
        _ cell: RowCell, _ field: Field, _ heap: UnsafePointer<UInt8>, to statement: OpaquePointer, shift: Int32 = 0
    ) throws {
        let parameter = field.parameter &+ shift
        let code: Int32
        switch cell.kind {
        case .integer:
            code = sqlite3_bind_int64(statement, parameter, cell.integer)
        case .real:
            code =
                cell.real.isNaN
                ? Self.bindBytes(of: cell.bits, statement, parameter)
                : sqlite3_bind_double(statement, parameter, cell.real)
        case .text:
            let bytes = UnsafeRawPointer(heap + Int(truncatingIfNeeded: cell.bits))
            code = sqlite3_bind_text64(
                statement, parameter, bytes.assumingMemoryBound(to: CChar.self), UInt64(cell.length), nil,
                UInt8(SQLITE_UTF8))
        case .blob:
            code = sqlite3_bind_blob64(
                statement, parameter, heap + Int(truncatingIfNeeded: cell.bits), UInt64(cell.length), nil)
        case .absent, .null:
            code = sqlite3_bind_null(statement, parameter)
        case .reference:
            code = sqlite3_bind_int64(statement, parameter, try target(of: cell, field))
        case .unsigned:
            code = Self.bindBytes(of: cell.bits, statement, parameter)
        case .references, .identifier, .identifiers:
            throw mismatch(field, cell)
        }
        if code != SQLITE_OK { throw refused(field, code) }
    }

    /// The permanent key of a link's target.
    @inline(__always)
    private func target(of cell: RowCell, _ field: Field) throws -> Int64 {
        if let targets = field.targets, let key = try targets.find(cell.integer) { return key }
        throw SwiftDataError(
            .invalidRelationship, entity: table.entityName, property: property(field),
            detail: "it leads to a model that is neither stored nor saved along")
    }

    /// Binds eight bytes in big-endian order, a copy.
    private static func bindBytes(of number: UInt64, _ statement: OpaquePointer, _ parameter: Int32) -> Int32 {
        withUnsafeBytes(of: number.bigEndian) {
            sqlite3_bind_blob(statement, parameter, $0.baseAddress, 8, SQLiteStatement.copied)
        }
    }

    // MARK: Errors

    private func property(_ field: Field) -> String? {
        table.columns.first { $0.slot == field.slot }?.property
    }

    @inline(never)
    private func mismatch(_ field: Field, _ cell: RowCell) -> SwiftDataError {
        let isMissing = cell.kind == .null || cell.kind == .absent
        return SwiftDataError(
            isMissing ? .missingRequiredValue : .valueEncoding, entity: table.entityName, property: property(field),
            detail: isMissing ? nil : "a cell of the kind \(cell.kind) does not fit the column")
    }

    @inline(never)
    private func refused(_ field: Field, _ code: Int32) -> SwiftDataError {
        SwiftDataError(
            code == SQLITE_TOOBIG ? .valueTooLarge : .storeFailure, entity: table.entityName,
            property: property(field), detail: "SQLite took no value: \(String(cString: sqlite3_errstr(code)))")
    }
}
