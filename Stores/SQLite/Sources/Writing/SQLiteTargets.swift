import CofferCore

/// The rows of one table that the links of a save may lead to: its new rows, and those that are stored.
///
/// SQLite's own check of foreign keys looks every target up, new ones included, and at a deletion every link to the
/// row. Here new rows are known without looking, and a row that many lead to is looked up once.
final class SQLiteTargets {
    private let table: SQLiteTable
    private let connection: SQLiteConnection
    /// The keys of the save's new rows.
    private var map: SQLiteKeyMap?
    private var view = SQLiteKeyMap.View.empty
    private var statement: SQLiteStatement?
    /// Keys of rows that are known to be stored, each where its lowest bits say.
    private var found: [Int64] = []
    private var last: Int64 = -1

    private static let foundSize = 1024

    /// Whether links may lead to rows that come later: in a copy of another store.
    private let trusts: Bool

    init(_ table: SQLiteTable, _ connection: SQLiteConnection, trusts: Bool = false) {
        self.trusts = trusts
        self.table = table
        self.connection = connection
    }

    /// Takes in the keys of new rows.
    func add(_ map: SQLiteKeyMap) {
        self.map = map
        view = map.view
    }

    /// The permanent key of a new row, without a look at the table.
    @inline(__always)
    func findNew(_ key: Int64) -> Int64? { view.find(key) }

    /// The permanent key of a target: itself, if there is such a row; nil where there is none.
    @inline(__always)
    func find(_ key: Int64) throws -> Int64? {
        if key < 0 { return view.find(key) }
        if key == last { return key }
        return try findStored(key)
    }

    private func findStored(_ key: Int64) throws -> Int64? {
        if trusts { return key }
        if found.isEmpty { found = Array(repeating: 0, count: Self.foundSize) }
        let index = Int(truncatingIfNeeded: key) & (Self.foundSize - 1)
        if found[index] == key {
            last = key
            return key
        }
        let statement =
            try self.statement
            ?? connection.statement(
                "SELECT 1 FROM \(table.quoted) WHERE \(SQLiteTable.keyName) = ?1")
        self.statement = statement
        statement.bind(key, at: 1)
        defer { statement.reset() }
        guard try statement.step() else { return nil }
        found[index] = key
        last = key
        return key
    }
}
