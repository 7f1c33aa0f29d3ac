import CSQLite
import CofferCore

// Fetches with a filter, an order or a page, and counts: SQLite does all of it.

extension SQLiteStore {
    public func countRows(_ plan: FetchPlan) throws -> Int {
        let (query, text) = try queries.statement(
            plan, layout, storeIdentifier: identifier, isOrdered: false, result: .count
        ) { $0.count() }
        return try read(.fetch, entity: plan.entityName) { connection in
            let statement = try prepare(text, query, connection)
            defer { statement.finish() }
            return try statement.step() ? Int(statement.integer(0)) : 0
        }
    }

    public func filterHandedBack(_ plan: FetchPlan) -> FilterDivision {
        SQLQuery.divide(plan, layout, storeIdentifier: identifier)
    }

    public func fetchKeys(_ plan: FetchPlan) throws -> [Int64] {
        let (query, text) = try queries.statement(plan, layout, storeIdentifier: identifier, result: .keys) {
            $0.select([$0.key])
        }
        return try read(.fetch, entity: plan.entityName) { connection in
            let statement = try prepare(text, query, connection)
            defer { statement.finish() }
            var keys: [Int64] = []
            while try statement.step() { keys.append(statement.integer(0)) }
            return keys
        }
    }

    func fetchCompiled(
        _ plan: FetchPlan, _ table: SQLiteTable, _ connection: SQLiteConnection, into batch: RowBatch,
        _ blocks: RowBlocks? = nil
    ) throws {
        let projection = projection(of: table, plan)
        let (query, text) = try queries.statement(
            plan, layout, storeIdentifier: identifier, result: .rows(plan.slots)
        ) { query in
            query.select([query.key] + (query.owner.map { [$0] } ?? []) + projection.queryColumns)
        }
        let statement = try prepare(text, query, connection)
        let isRelated = query.owner != nil
        func read() throws {
            defer { statement.finish() }
            let first = batch.count
            if isRelated {
                while try statement.step() {
                    try projection.append(statement.handle, first: 2, key: statement.integer(0), to: batch)
                    batch.owners.append(statement.integer(1))
                }
            } else {
                while try statement.step() {
                    try projection.append(statement.handle, first: 1, key: statement.integer(0), to: batch)
                    if let blocks, batch.count >= blocks.size { try blocks.hand(on: batch) }
                }
            }
            try fillLists(projection, table, connection, batch, from: first)
        }
        if projection.lists.isEmpty { return try read() }
        try connection.snapshot(read)
    }

    /// Takes full batches while a fetch goes on.
    struct RowBlocks {
        let size: Int
        let body: (RowBatch) throws -> Void

        func hand(on batch: RowBatch) throws {
            try body(batch)
            batch.removeAll()
        }
    }

    public func fetchBlocks(
        _ plan: FetchPlan, into batch: RowBatch, of size: Int, _ body: (RowBatch) throws -> Void
    ) throws {
        let table = try table(of: plan.entityName, .fetch)
        // A read that may have to start anew cannot hand anything on before its end.
        guard configuration.allowsSave, projection(of: table, plan).lists.isEmpty else {
            try fetchRows(plan, into: batch)
            if batch.count > 0 { try body(batch) }
            batch.removeAll()
            return
        }
        try withoutActuallyEscaping(body) { body in
            let blocks = RowBlocks(size: size) { batch in
                try self.fillExternals(plan, table, batch, from: 0)
                try body(batch)
            }
            try read(.fetch, entity: plan.entityName) { connection in
                if case .related(let owner, let slot, let owners) = plan.scope, plan.isPlain, plan.isWhole(of: table) {
                    try fetchRelated(owner, slot, owners, plan, table, connection, into: batch, blocks)
                } else if case .keys(let keys) = plan.scope, plan.isPlain {
                    try fetch(keys, plan, table, connection, into: batch)
                } else {
                    try fetchCompiled(plan, table, connection, into: batch, blocks)
                }
                if batch.count > 0 { try blocks.hand(on: batch) }
            }
        }
    }

    /// The statement of a query, with its values bound.
    func prepare(
        _ sql: String, _ query: SQLQuery, _ connection: SQLiteConnection
    ) throws -> SQLiteStatement {
        try connection.installFunctions()
        let statement = try connection.statement(sql)
        for (index, binding) in query.bindings.enumerated() {
            let code = binding.bind(to: statement.handle, at: Int32(index + 1))
            if code != SQLITE_OK { throw SQLiteConnection.failure(of: connection.handle) }
        }
        return statement
    }
}
