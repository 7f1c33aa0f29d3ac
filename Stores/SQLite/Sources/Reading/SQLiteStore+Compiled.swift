import CSQLite
import CofferCore

extension SQLiteStore {
    public func countRows(_ plan: FetchPlan) throws -> Int {
        let table = try table(of: plan.entityName, .fetch)
        return try read(.fetch, entity: plan.entityName) { connection in
            let statement = try connection.statement("SELECT count(*) FROM \(table.quoted)")
            defer { statement.reset() }
            return try statement.step() ? Int(statement.integer(0)) : 0
        }
    }

    public func fetchKeys(_ plan: FetchPlan) throws -> [Int64] {
        let table = try table(of: plan.entityName, .fetch)
        return try read(.fetch, entity: plan.entityName) { connection in
            let statement = try connection.statement("SELECT _pk FROM \(table.quoted)")
            defer { statement.reset() }
            var keys: [Int64] = []
            while try statement.step() { keys.append(statement.integer(0)) }
            return keys
        }
    }

    func fetchCompiled(
        _ plan: FetchPlan, _ table: SQLiteTable, _ connection: SQLiteConnection, into batch: RowBatch
    ) throws {
        let projection = projection(of: table, plan.slots)
        let key = "\(table.quoted).\(SQLiteTable.keyName)"
        let statement = try connection.statement(
            "SELECT \(key)\(projection.list) FROM \(table.quoted) ORDER BY \(key)")
        defer { statement.reset() }
        while try statement.step() {
            projection.append(statement.handle, first: 1, key: statement.integer(0), to: batch)
        }
    }
}
