import CofferCore

/// Deletes by filter, inside the transaction of a save.
///
/// Where nothing has to be known of the rows once they are gone, one statement deletes them. Otherwise their keys are
/// read first. Either way the delete rules are followed by key.
struct SQLiteBatchDeleter {
    typealias Rows = DeletionRules.Rows

    private let batch: SQLiteBatch
    private let deleter: SQLiteDeleter
    private let rules: DeletionRules
    private var store: SQLiteStore { batch.store }

    init(_ store: SQLiteStore, _ connection: SQLiteConnection, _ deleter: SQLiteDeleter) {
        batch = SQLiteBatch(store: store, connection: connection)
        self.deleter = deleter
        rules = DeletionRules(store.schema)
    }

    /// Deletes rows, or finds them.
    ///
    /// - Parameter gone: rows that the same save deletes otherwise.
    /// - Returns: all rows that go, and those of them that are still there for the deleter to take.
    func run(_ deletes: [RowBatchDelete], besides gone: [Rows]) throws -> (all: [Rows], waiting: [Rows]) {
        var waiting = Roots()
        var done = Roots()
        var simple: [(delete: RowBatchDelete, table: SQLiteTable)] = []
        for delete in deletes {
            let table = try store.table(of: delete.plan.entityName, .save)
            // What a later filter asks for must still be there.
            if isSimple(delete, table), deletes.count == 1 || delete.plan.filter == nil {
                simple.append((delete, table))
            } else {
                try find(delete, table, &waiting)
            }
        }
        for (delete, table) in simple {
            let keys = try self.delete(delete, table)
            deleter.note(keys, of: table)
            done.add(table.entityName, keys)
        }
        let more = try rules.cascade(from: waiting.rows + done.rows, besides: gone, over: links)
        return (waiting.rows + done.rows + more, waiting.rows + more)
    }

    private var links: SQLiteRowLinks { SQLiteRowLinks(layout: store.layout, deleter: deleter) }

    private func isSimple(_ delete: RowBatchDelete, _ table: SQLiteTable) -> Bool {
        delete.besides.isEmpty && table.hierarchy == nil && !table.columns.contains(where: \.isExternal)
            && !rules.needsOwnLinks(of: table.entityName)
            && store.recorder.preservedSlots(of: table.entityName).isEmpty
    }

    /// Deletes the rows of a filter by one statement.
    private func delete(_ delete: RowBatchDelete, _ table: SQLiteTable) throws -> [Int64] {
        let query = try self.query(delete)
        let source = "\(table.quoted) AS \(SQLQuery.alias)"
        var conditions = query.condition.map { [$0] } ?? []
        if query.from != source {
            conditions = ["\(query.key) IN (\(query.select([query.key])))"]
        }
        conditions += SQLiteBatch.exception(delete.except, after: query.bindings.count)
        // Without a condition SQLite would empty the table without saying of which rows.
        let condition = conditions.isEmpty ? "1" : conditions.joined(separator: " AND ")
        return try batch.keys(
            touchedBy: batch.statement(
                "DELETE FROM \(source) WHERE \(condition)", query.bindings, except: delete.except))
    }

    /// Reads the keys of the rows of a filter.
    private func find(_ delete: RowBatchDelete, _ table: SQLiteTable, _ roots: inout Roots) throws {
        for rows in delete.besides { roots.add(rows.entityName, rows.keys) }
        let query = try self.query(delete)
        let entity = table.hierarchy == nil ? [] : [SQLQuery.column(SQLiteTable.entityName)]
        let conditions =
            (query.condition.map { [$0] } ?? []) + SQLiteBatch.exception(delete.except, after: query.bindings.count)
        let statement = try batch.statement(
            "SELECT \(([query.key] + entity).joined(separator: ", ")) FROM \(query.from)"
                + (conditions.isEmpty ? "" : " WHERE " + conditions.joined(separator: " AND ")),
            query.bindings, except: delete.except)
        defer { statement.finish() }
        var found: [String: [Int64]] = [:]
        if entity.isEmpty {
            var keys: [Int64] = []
            while try statement.step() { keys.append(statement.integer(0)) }
            found[table.entityName] = keys
        } else {
            while try statement.step() { found[statement.text(1) ?? "", default: []].append(statement.integer(0)) }
        }
        for (name, keys) in found { roots.add(name, keys) }
    }

    private func query(_ delete: RowBatchDelete) throws -> SQLQuery {
        try SQLQuery.compile(
            delete.plan, store.layout, storeIdentifier: store.identifier, isOrdered: false)
    }

    /// Rows by entity, each once.
    private struct Roots {
        private var keys: [String: [Int64]] = [:]

        mutating func add(_ entityName: String, _ more: [Int64]) {
            if more.isEmpty { return }
            let known = keys.removeValue(forKey: entityName)
            keys[entityName] = SQLiteStatement.ascending(known.map { $0 + more } ?? more)
        }

        var rows: [Rows] { keys.sorted { $0.key < $1.key }.map { ($0.key, $0.value) } }
    }
}

/// The links in the file, as delete rules follow them.
struct SQLiteRowLinks: RowLinks {
    let layout: SQLiteSchema
    let deleter: SQLiteDeleter

    func linked(to rows: DeletionRules.Rows, _ slot: Int, of destination: String) throws -> [Int64] {
        guard let table = layout.table(of: rows.entityName), table.places.indices.contains(slot) else { return [] }
        let key = SQLiteTable.keyName
        let keys = SQLiteStatement.ascending(rows.keys)
        switch table.places[slot] {
        case .column(let index):
            // Nothing at the end of a link reads as zero, which is nobody's key.
            return try deleter.rows(keys, table.quoted, key, table.columns[index].quoted).lazy.map(\.other)
                .filter { $0 > 0 }
        case .inverse(let child, let column):
            let table = layout.tables[child]
            return try deleter.rows(keys, table.quoted, table.columns[column].quoted, key).map(\.other)
        case .join(let index, let side):
            let join = layout.joins[index]
            return try deleter.rows(keys, join.quoted, join.column(side), join.otherColumn(side)).map(\.other)
        case .none: return []
        }
    }

    func divide(_ keys: [Int64], below entityName: String) throws -> [DeletionRules.Rows] {
        guard let table = layout.table(of: entityName), table.hierarchy != nil else { return [(entityName, keys)] }
        return try deleter.entities(of: SQLiteStatement.ascending(keys), table)
    }
}
