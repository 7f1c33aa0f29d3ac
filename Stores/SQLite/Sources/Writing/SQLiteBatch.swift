import CSQLite
import CofferCore

/// What deletions and updates by filter have in common: statements over the rows of a plan, and the keys that they touch.
struct SQLiteBatch {
    let store: SQLiteStore
    let connection: SQLiteConnection

    /// Prepares a statement.
    ///
    /// - Parameter except: keys that are bound behind all other values, as a JSON array.
    func statement(_ sql: String, _ bindings: [SQLBinding], except: [Int64]) throws -> SQLiteStatement {
        try connection.installFunctions()
        let statement = try connection.statement(sql)
        for (index, binding) in bindings.enumerated() {
            let code = binding.bind(to: statement.handle, at: Int32(index + 1))
            if code != SQLITE_OK { throw SQLiteConnection.failure(of: connection.handle) }
        }
        if !except.isEmpty { try statement.bind(Self.list(except), at: Int32(bindings.count + 1)) }
        return statement
    }

    /// The condition that a row be none of the excepted ones, which are the parameter after some others.
    static func exception(_ except: [Int64], after count: Int) -> [String] {
        if except.isEmpty { return [] }
        let key = "\(SQLQuery.alias).\(SQLiteTable.keyName)"
        return ["\(key) NOT IN (SELECT value FROM json_each(?\(count + 1)))"]
    }

    private static func list(_ keys: [Int64]) -> String { "[" + keys.map(String.init).joined(separator: ",") + "]" }

    /// The keys of the rows that a statement deletes or changes, in ascending order.
    ///
    /// SQLite reports each as it comes to it, so that they need not be looked for beforehand.
    func keys(touchedBy statement: SQLiteStatement) throws -> [Int64] {
        try Self.keys(touchedBy: statement, on: connection)
    }

    static func keys(touchedBy statement: SQLiteStatement, on connection: SQLiteConnection) throws -> [Int64] {
        let touched = TouchedKeys()
        let context = Unmanaged.passUnretained(touched)
        _ = sqlite3_update_hook(
            connection.handle,
            { context, _, _, _, key in
                guard let context else { return }
                Unmanaged<TouchedKeys>.fromOpaque(context).takeUnretainedValue().keys.append(key)
            }, context.toOpaque())
        defer {
            _ = sqlite3_update_hook(connection.handle, nil, nil)
            statement.finish()
        }
        try withExtendedLifetime(touched) { try statement.run() }
        return SQLiteStatement.ascending(touched.keys)
    }

    private final class TouchedKeys {
        var keys: [Int64] = []
    }
}
