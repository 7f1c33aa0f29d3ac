import CSQLite
import CofferCore

extension SQLiteStore {
    /// Works values out of rows in SQLite, groups included; no row is handed out.
    ///
    /// - Throws: what SQLite refuses, as `SwiftDataError` with the file.
    public func aggregate(_ plan: AggregatePlan) throws -> [AggregateRow] {
        _ = try table(of: plan.rows.entityName, .fetch)
        guard plan.mergesKeys, !plan.isPartial else { return try rows(of: plan) }
        // SQLite tells the bits of not-a-numbers apart.
        var partial = plan
        partial.isPartial = true
        let table = AggregateTable(plan)
        table.add(try rows(of: partial))
        return table.rows()
    }

    private func rows(of plan: AggregatePlan) throws -> [AggregateRow] {
        let compiled = try SQLAggregate.compile(plan, layout, storeIdentifier: identifier)
        var rows: [AggregateRow] = []
        try read(.fetch, entity: plan.rows.entityName, restart: { rows.removeAll() }) { connection in
            try connection.installSumFunctions()
            let statement = try prepare(compiled.text, compiled.query, connection)
            defer { statement.finish() }
            for (index, number) in compiled.page.enumerated() {
                statement.bind(number, at: Int32(compiled.query.bindings.count + index + 1))
            }
            while try statement.step() {
                var column: Int32 = 0
                var row = AggregateRow(keys: [], values: [])
                for field in compiled.keys {
                    row.keys.append(self.value(statement, column, field))
                    column += 1
                }
                for field in compiled.values {
                    row.values.append(try value(of: statement, column, field))
                    column += 1
                }
                rows.append(row)
            }
        }
        return rows
    }

    private func value(
        of statement: SQLiteStatement, _ column: Int32, _ field: SQLAggregate.Field
    ) throws -> AggregateRow.Value {
        guard case .partialSum = field else { return .value(value(statement, column, field)) }
        guard let sum = AggregateSum(encoded: statement.blob(column)) else {
            throw SwiftDataError(.storeFailure, detail: "SQLite gave no sum back")
        }
        return .sum(sum)
    }

    private func value(_ statement: SQLiteStatement, _ column: Int32, _ field: SQLAggregate.Field) -> StoredValue {
        switch field {
        case .count, .partialSum: return statement.value(column, .integer, isReal: false)
        case .sum(let number): return statement.value(column, number.storage, isReal: number.storage == .real)
        case .average(let number):
            return statement.value(column, number == .decimal ? .decimal : .real, isReal: number != .decimal)
        case .value(let type):
            if case .link(let entity) = type.kind, !statement.isNull(column) {
                let space = _IdentifierSpace.shared(entityName: entity, storeIdentifier: identifier)
                return .reference(PersistentIdentifier(_space: space, key: statement.integer(column)))
            }
            return statement.value(column, type.storage, isReal: type.storage == .real || type.storage == .date)
        }
    }
}

extension AggregatePlan {
    /// Whether keys may be equal that SQLite keeps apart.
    fileprivate var mergesKeys: Bool { keys.contains { $0.type.storage == .real || $0.type.storage == .date } }
}

extension SQLiteStatement {
    /// The bytes of a column.
    func blob(_ column: Int32) -> [UInt8] {
        let count = Int(sqlite3_column_bytes(handle, column))
        guard let bytes = sqlite3_column_blob(handle, column) else { return [] }
        return [UInt8](UnsafeRawBufferPointer(start: bytes, count: count))
    }

    /// A column in the stored form; what a blob means follows from the storage.
    fileprivate func value(_ column: Int32, _ storage: ScalarStorage?, isReal: Bool) -> StoredValue {
        switch sqlite3_column_type(handle, column) {
        case SQLITE_INTEGER:
            let number = sqlite3_column_int64(handle, column)
            return isReal ? .real(Double(number)) : .integer(number)
        case SQLITE_FLOAT: return .real(sqlite3_column_double(handle, column))
        case SQLITE_TEXT: return .text(text(column) ?? "")
        case SQLITE_BLOB:
            let bytes = blob(column)
            guard bytes.count == 8, isReal || storage == .unsigned else { return .blob(bytes) }
            let word = bytes.reduce(0) { $0 << 8 | UInt64($1) }
            return isReal ? .real(Double(bitPattern: word)) : .unsigned(word)
        default: return .null
        }
    }
}
