import CofferCore

/// Updates by filter, inside the transaction of a save.
struct SQLiteBatchUpdater {
    private let batch: SQLiteBatch
    private var store: SQLiteStore { batch.store }

    init(_ store: SQLiteStore, _ connection: SQLiteConnection) {
        batch = SQLiteBatch(store: store, connection: connection)
    }

    /// Sets the values of the rows of a filter by one statement.
    ///
    /// - Returns: the rows' keys.
    /// - Throws: ``SwiftDataError/valueOutOfRange`` where an expression has no value for one of the rows, which takes a
    ///   statement of its own to find out; ``DataStoreError/preferInMemoryFilter`` for what SQL cannot say.
    func update(_ update: RowBatchUpdate) throws -> [Int64] {
        let table = try store.table(of: update.plan.entityName, .save)
        guard let layout = store.layout.table(named: update.plan.entityName), table.hierarchy == nil else {
            throw DataStoreError.preferInMemoryFilter
        }
        let compiler = SQLCompiler(store.layout, storeIdentifier: store.identifier)
        let root = SQLFrame(alias: SQLQuery.alias, table: layout)
        compiler.frames[0] = root
        let values = try update.assignments.map { assignment in
            guard let column = table.column(ofSlot: assignment.slot), !column.isExternal, column.destination == nil
            else { throw DataStoreError.preferInMemoryFilter }
            return (column: column, value: try compiler.value(assignment.value))
        }
        if !root.joinText.isEmpty || values.contains(where: { $0.value.isAmbiguous }) {
            throw DataStoreError.preferInMemoryFilter
        }
        let source = "\(table.quoted) AS \(SQLQuery.alias)"
        var conditions: [String] = []
        if let filter = update.plan.filter {
            let condition = try compiler.filter(filter)
            conditions.append(
                root.joinText.isEmpty
                    ? condition
                    : "\(root.key) IN (SELECT \(root.key) FROM \(source)\(root.joinText) WHERE \(condition))")
        }
        conditions += SQLiteBatch.exception(update.except, after: compiler.bindings.count)
        let condition = conditions.isEmpty ? "1" : conditions.joined(separator: " AND ")
        // An expression may name a value that only the other statement needs: both have all parameters.
        func run(_ sql: String) throws -> SQLiteStatement {
            try batch.statement(sql, compiler.bindings, except: update.except)
        }
        let sets = values.map { "\($0.column.quoted) = \($0.value.sql)" }
        for (column, value) in values {
            guard let isUnknown = Self.unknown(value) else { continue }
            let statement = try run(
                "SELECT 1 FROM \(source) WHERE (\(condition)) AND (\(isUnknown)) "
                    + Self.mention(compiler.bindings.count) + "LIMIT 1")
            defer { statement.finish() }
            if try statement.step() {
                throw SwiftDataError.noValue(entity: table.entityName, property: column.property)
            }
        }
        return try batch.keys(
            touchedBy: run(
                "UPDATE \(source) SET \(sets.joined(separator: ", ")) WHERE (\(condition)) "
                    + Self.mention(compiler.bindings.count)))
    }

    /// Mentions the last of some parameters, so that a statement has them all.
    private static func mention(_ count: Int) -> String { count == 0 ? "" : "AND (?\(count) IS NULL OR 1) " }

    /// The condition that a value is unknown; nil where it never is.
    private static func unknown(_ value: SQLCompiler.Value) -> String? {
        var conditions = value.guards.map { "(\($0)) IS NOT TRUE" }
        if value.mayBeUnknown, !value.type.isOptional { conditions.append("(\(value.sql)) IS NULL") }
        return conditions.isEmpty ? nil : conditions.joined(separator: " OR ")
    }
}
