import CofferCore

/// Gives out keys, each once in a file's life.
///
/// The file keeps one counter for each entity. A store takes a run of keys at a time from it, in the transaction of a
/// save, so that small saves need not write the counter each time; what is left when the store is closed is never used.
/// Several stores on one file have runs of their own.
///
/// Used by the thread that is writing.
final class SQLiteKeys: @unchecked Sendable {
    /// The keys that are free to use, by table.
    private struct Run {
        var next: Int64 = 1
        var end: Int64 = 1
        /// How many to take in advance the next time.
        var advance: Int64 = 16
    }

    private static let largestAdvance: Int64 = 1024

    private var runs: [Run]
    private var saved: [Run] = []
    private let names: [String]

    init(_ layout: SQLiteSchema) {
        runs = Array(repeating: Run(), count: layout.tables.count)
        names = layout.tables.map { SQLiteMetadata.counterName($0.entityName) }
    }

    /// Remembers the state, for ``revert()``.
    func mark() { saved = runs }

    /// Goes back to the state before a transaction that failed.
    func revert() { runs = saved }

    /// Takes a run of keys.
    ///
    /// - Returns: the first of `count` keys that follow each other.
    func take(_ count: Int, table: Int, on connection: SQLiteConnection) throws -> Int64 {
        let needed = Int64(count)
        var run = runs[table]
        if run.end - run.next < needed {
            let statement = try connection.statement(
                "UPDATE \(SQLiteMetadata.tableName) SET value = value + ?1 "
                    + "WHERE name = ?2 AND value BETWEEN 1 AND ?3 RETURNING value")
            defer { statement.finish() }
            let missing = needed - (run.end - run.next)
            statement.bind(missing + run.advance, at: 1)
            try statement.bind(names[table], at: 2)
            // Beyond the largest number SQLite would go on with floating-point ones.
            statement.bind(Int64.max - missing - run.advance, at: 3)
            guard try statement.step() else {
                throw SwiftDataError(
                    .corruptStore, detail: "the counter of keys is missing, or has come to the largest number there is")
            }
            let end = statement.integer(0)
            let start = end - missing - run.advance
            _ = try statement.step()
            if start != run.end {
                // Another store took keys since: what is left of the old run does not lead up to the new one.
                run.next = start
                run.end = end
                run.advance = min(run.advance * 2, Self.largestAdvance)
                runs[table] = run
                return try take(count, table: table, on: connection)
            }
            run.end = end
            run.advance = min(run.advance * 2, Self.largestAdvance)
        }
        let first = run.next
        run.next += needed
        runs[table] = run
        return first
    }
}
