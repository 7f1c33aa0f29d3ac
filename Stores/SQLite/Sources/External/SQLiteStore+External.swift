import CSQLite
import CofferCore

extension SQLiteSchema {
    /// Whether large values of some attribute lie in files of their own.
    var hasExternals: Bool { tables.contains { $0.columns.contains(where: \.isExternal) } }

    /// The names of all files that rows refer to.
    func externalNames(_ connection: SQLiteConnection) throws -> Set<String> {
        var names: Set<String> = []
        for table in tables {
            for column in table.columns where column.isExternal {
                let statement = try SQLiteStatement(
                    "SELECT \(column.quoted) FROM \(table.quoted) WHERE typeof(\(column.quoted)) = 'text'",
                    on: connection.handle)
                while try statement.step() {
                    if let name = statement.text(0) { names.insert(name) }
                }
            }
        }
        return names
    }
}

extension SQLiteStore {
    /// Puts what files hold into the place of their names.
    ///
    /// - Throws: ``SwiftDataError`` that names the property and the file.
    func fillExternals(_ plan: FetchPlan, _ table: SQLiteTable, _ batch: RowBatch, from first: Int) throws {
        guard let externals, let slots = plan.slots, first < batch.count else { return }
        let tables = [table] + plan.subentityNames.compactMap { layout.table(of: $0) }
        for (index, table) in tables.enumerated() {
            for column in table.columns where column.isExternal && slots.contains(column.slot) {
                for row in first..<batch.count
                where batch.entityIndex(ofRow: row) == index && batch.cell(row: row, slot: column.slot).kind == .text {
                    do {
                        try fill(batch, row, column, table, externals)
                    } catch let error as SwiftDataError {
                        throw error.adding(
                            operation: .load, store: place.name, entity: table.entityName, property: column.property)
                    }
                }
            }
        }
    }

    private func fill(
        _ batch: RowBatch, _ row: Int, _ column: SQLiteColumn, _ table: SQLiteTable, _ files: ExternalFiles
    ) throws {
        var name = String(decoding: batch.bytes(of: batch.cell(row: row, slot: column.slot)), as: UTF8.self)
        while true {
            do {
                return try files.read(name) { batch.setBlob($0, row: row, slot: column.slot) }
            } catch let error as SwiftDataError where error.code == .externalFileMissing {
                // A save may have given the row another value since it was read.
                switch try currentValue(of: batch.key(ofRow: row), column, table) {
                case .text(let current) where current != name: name = current
                case .text: throw error
                case let value?: return batch.set(value, row: row, slot: column.slot)
                case nil: return batch.set(RowCell(.absent), row: row, slot: column.slot)
                }
            }
        }
    }

    /// What the row's column has now; nil where the row is gone.
    private func currentValue(of key: Int64, _ column: SQLiteColumn, _ table: SQLiteTable) throws -> StoredValue? {
        try read(.load, entity: table.entityName) { connection in
            let batch = RowBatch(
                entityName: table.entityName, width: table.slotCount, storeIdentifier: identifier, capacity: 1)
            let plan = FetchPlan(entityName: table.entityName, slots: [column.slot])
            try fetch([key], plan, table, connection, into: batch)
            return batch.count == 0 ? nil : batch.value(of: batch.cell(row: 0, slot: column.slot))
        }
    }
}

/// Removes the files that no row refers to: what a process left behind that stopped in the middle of a save.
///
/// It runs when a store is opened, and only if nobody is writing: a save writes its files within its transaction, so
/// that while no transaction is open, every file without a row is nobody's.
struct SQLiteExternalSweep {
    private let files: ExternalFiles
    private let layout: SQLiteSchema

    init(_ files: ExternalFiles, _ layout: SQLiteSchema) {
        self.files = files
        self.layout = layout
    }

    /// Removes what there is to remove. A failure leaves it for the next opening.
    ///
    /// Complexity: nothing where there are no files; otherwise O(*files and rows with such an attribute*).
    func run(_ connection: SQLiteConnection) {
        if files.names().isEmpty { return }
        let found = try? connection.whileNobodyWrites {
            let referenced = try layout.externalNames(connection)
            return files.names().filter { !referenced.contains($0) }
        }
        // Nobody refers to them again: a name is never used twice.
        if let names = found.flatMap({ $0 }), !names.isEmpty, connection.bringsToDisk() { files.remove(names) }
    }
}

extension ExternalFiles {
    /// Puts the values of a column that lie in files into the column itself, for an attribute that is not kept in files
    /// any more.
    func moveIn(_ column: SQLiteColumn, of table: SQLiteTable, _ connection: SQLiteConnection) throws {
        let list = try SQLiteStatement(
            "SELECT \(SQLiteTable.keyName), \(column.quoted) FROM \(table.quoted) "
                + "WHERE typeof(\(column.quoted)) = 'text'", on: connection.handle)
        var rows: [(key: Int64, name: String)] = []
        while try list.step() {
            if let name = list.text(1) { rows.append((list.integer(0), name)) }
        }
        let update = try SQLiteStatement(
            "UPDATE \(table.quoted) SET \(column.quoted) = ?2 WHERE \(SQLiteTable.keyName) = ?1",
            on: connection.handle)
        for (key, name) in rows {
            try read(name) { bytes in
                update.bind(key, at: 1)
                sqlite3_bind_blob64(update.handle, 2, bytes.baseAddress, UInt64(bytes.count), nil)
                try update.run()
            }
        }
        update.finish()
    }
}
