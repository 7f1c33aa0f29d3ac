import CSQLite
import CofferCore

/// The store's history: a table with a row for each save, which the `sqlite3` shell can read.
enum SQLiteHistory {
    static let tableName = "_coffer_history"
    /// The name of the entry in `_coffer` with the greatest number that was deleted.
    static let startName = "history start"

    private static let creation = """
        CREATE TABLE IF NOT EXISTS \(tableName) (
            number INTEGER PRIMARY KEY,
            time TEXT NOT NULL,
            author TEXT,
            bundle TEXT NOT NULL,
            process TEXT NOT NULL,
            changes TEXT NOT NULL
        )
        """

    /// Makes the table where it is not there yet, in the transaction of a save.
    static func prepare(_ connection: SQLiteConnection) throws { try connection.execute(creation) }

    private static func exists(_ connection: SQLiteConnection) throws -> Bool {
        try connection.integer("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = '\(tableName)'") != nil
    }

    // MARK: Writing

    /// Adds a transaction, and gives it its number.
    static func append(_ transaction: StoredTransaction, _ connection: SQLiteConnection) throws -> Int64 {
        let statement = try connection.statement(
            """
            INSERT INTO \(tableName) (number, time, author, bundle, process, changes)
            VALUES (1 + max(
                ifnull((SELECT max(number) FROM \(tableName)), 0),
                ifnull((SELECT value FROM \(SQLiteMetadata.tableName) WHERE name = '\(startName)'), 0)),
                ?1, ?2, ?3, ?4, ?5)
            """)
        defer { statement.finish() }
        try bind(transaction, to: statement)
        try statement.run()
        // `RETURNING` would have SQLite make a table for the answer, each time.
        return sqlite3_last_insert_rowid(connection.handle)
    }

    /// Adds transactions under the numbers that they have.
    static func add(_ transactions: [StoredTransaction], start: Int64, _ connection: SQLiteConnection) throws {
        try prepare(connection)
        let statement = try connection.statement(
            "INSERT INTO \(tableName) (number, time, author, bundle, process, changes) VALUES (?6, ?1, ?2, ?3, ?4, ?5)")
        defer { statement.finish() }
        for transaction in transactions {
            try bind(transaction, to: statement)
            statement.bind(transaction.number, at: 6)
            try statement.run()
        }
        if start > 0 { try raiseStart(to: start, connection) }
    }

    /// Binds all but the number.
    private static func bind(_ transaction: StoredTransaction, to statement: SQLiteStatement) throws {
        try statement.bind(transaction.timeText, at: 1)
        if let author = transaction.author { try statement.bind(author, at: 2) } else { statement.bindNull(at: 2) }
        try statement.bind(transaction.bundleIdentifier, at: 3)
        try statement.bind(transaction.processIdentifier, at: 4)
        try statement.bind(transaction.changesText, at: 5)
    }

    /// Deletes transactions and moves the start on, so that their numbers are not given out again.
    static func forget(_ numbers: KeyRanges, _ connection: SQLiteConnection) throws {
        guard try exists(connection), let last = numbers.ranges.last?.upperBound else { return }
        let greatest = try connection.integer("SELECT max(number) FROM \(tableName)") ?? 0
        let delete = try connection.statement("DELETE FROM \(tableName) WHERE number BETWEEN ?1 AND ?2")
        for range in numbers.ranges {
            delete.bind(range.lowerBound, at: 1)
            delete.bind(range.upperBound, at: 2)
            try delete.run()
        }
        try raiseStart(to: min(last, greatest), connection)
    }

    /// Deletes all transactions, and the number that the removal of all rows would have had: whoever has read up to here
    /// misses something from now on.
    static func removeAll(_ connection: SQLiteConnection) throws {
        try prepare(connection)
        let last = try latest(connection, start: start(connection))
        try connection.execute("DELETE FROM \(tableName)")
        try raiseStart(to: try StoredTransaction.number(after: last), connection)
    }

    private static func start(_ connection: SQLiteConnection) throws -> Int64 {
        let entry = try connection.statement("SELECT value FROM \(SQLiteMetadata.tableName) WHERE name = ?1")
        defer { entry.finish() }
        try entry.bind(startName, at: 1)
        return try entry.step() ? entry.integer(0) : 0
    }

    private static func latest(_ connection: SQLiteConnection, start: Int64) throws -> Int64 {
        max(start, try connection.integer("SELECT max(number) FROM \(tableName)") ?? 0)
    }

    private static func raiseStart(to number: Int64, _ connection: SQLiteConnection) throws {
        let statement = try connection.statement(
            "INSERT INTO \(SQLiteMetadata.tableName) (name, value) VALUES ('\(startName)', ?1) "
                + "ON CONFLICT (name) DO UPDATE SET value = max(value, excluded.value)")
        statement.bind(number, at: 1)
        try statement.run()
    }

    // MARK: Reading

    /// Reads a part of the history, which is empty where nothing was saved yet.
    static func read(_ query: HistoryQuery, _ connection: SQLiteConnection) throws -> StoredHistory {
        guard try exists(connection) else { return StoredHistory() }
        var history = StoredHistory()
        history.start = try start(connection)
        history.latest = try latest(connection, start: history.start)
        let author = query.author == nil ? "" : " AND author IS ?3"
        let changes = query.isBrief ? "NULL" : "changes"
        let statement = try connection.statement(
            "SELECT number, time, author, bundle, process, \(changes) FROM \(tableName) "
                + "WHERE number > ?1 AND number <= ?2\(author) ORDER BY number"
                + (query.isNewestFirst ? " DESC" : "") + " LIMIT ?4")
        defer { statement.finish() }
        statement.bind(query.after ?? -1, at: 1)
        statement.bind(query.through ?? .max, at: 2)
        if case .named(let name)? = query.author { try statement.bind(name, at: 3) }
        statement.bind(Int64(query.limit ?? -1), at: 4)
        while try statement.step() {
            history.transactions.append(
                try StoredTransaction(
                    number: statement.integer(0), timeText: statement.text(1) ?? "", author: statement.text(2),
                    bundleIdentifier: statement.text(3) ?? "", processIdentifier: statement.text(4) ?? "",
                    changesText: query.isBrief ? nil : statement.text(5) ?? ""))
        }
        return history
    }
}

extension SQLiteStore {
    public func history(_ query: HistoryQuery) throws -> StoredHistory {
        try read(.history) { connection in try connection.snapshot { try SQLiteHistory.read(query, connection) } }
    }

    public func forgetHistory(_ numbers: KeyRanges) throws {
        try write(.history) { connection in
            try connection.transaction { try SQLiteHistory.forget(numbers, connection) }
        }
    }

    public func importHistory(_ transactions: [StoredTransaction], start: Int64) throws {
        try write(.history) { connection in
            try connection.transaction { try SQLiteHistory.add(transactions, start: start, connection) }
        }
    }

    /// The values of rows that outlive them, before the rows are deleted.
    func preserved(
        of deleted: [(entityName: String, keys: [Int64])], _ connection: SQLiteConnection
    ) throws -> [RowBatch] {
        guard recorder.preservesValues else { return [] }
        return try deleted.compactMap { entityName, keys in
            let slots = recorder.preservedSlots(of: entityName)
            if slots.isEmpty || keys.isEmpty { return nil }
            let table = try table(of: entityName, .save)
            let plan = FetchPlan(entityName: entityName, scope: .keys(keys), slots: slots)
            let batch = RowBatch(entityName: entityName, width: table.slotCount, storeIdentifier: identifier)
            try fetch(keys, plan, table, connection, into: batch)
            try fillExternals(plan, table, batch, from: 0)
            return batch
        }
    }
}
