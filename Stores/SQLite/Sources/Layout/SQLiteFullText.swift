import CofferCore

/// The index of the words of a table's texts: an FTS5 table beside it, whose rows have the same keys.
///
/// It is given words in the form in which they are compared (`TextWords`), with spaces between them, and the tokenizer
/// `ascii`, which cuts at the spaces and changes nothing else. So words mean in it what they mean everywhere, and any
/// SQLite can search it.
///
/// Temporary triggers of each connection that may write keep it in step, whatever statement changes the rows. The file has
/// none: a shell without Coffer's functions may write too, and what it writes is then not in the index.
struct SQLiteFullText: Hashable, Sendable {
    /// A text: its column in the table, and in the index.
    struct Column: Hashable, Sendable {
        let name: String
        let indexed: String
    }

    /// The name of the index.
    let name: String
    /// The name of the table.
    let table: String
    let columns: [Column]

    /// What FTS5 makes of one table.
    static let shadows = ["", "_data", "_idx", "_content", "_docsize", "_config"]

    /// - Parameter columns: the names of the table's columns with text.
    init(name: String, table: String, columns: [String]) {
        self.name = name
        self.table = table
        // FTS5 has columns of its own.
        var names = SQLiteName.Allocator(reserved: ["rowid", "rank", name])
        self.columns = columns.map { Column(name: $0, indexed: names.allocate($0)) }
    }

    private var quoted: String { SQLiteName.quoted(name) }
    private var quotedTable: String { SQLiteName.quoted(table) }
    private static let key = SQLiteName.quoted(SQLiteTable.keyName)
    private var list: String { columns.map { SQLiteName.quoted($0.indexed) }.joined(separator: ", ") }

    /// Words of all columns, of a row under a name.
    private func words(of row: String) -> String {
        columns.map { "\(SQLFunctions.words)(\(row)\(SQLiteName.quoted($0.name)))" }.joined(separator: ", ")
    }

    var creation: String { "CREATE VIRTUAL TABLE \(quoted) USING fts5(\(list), tokenize = 'ascii')" }

    var drop: String { "DROP TABLE IF EXISTS \(quoted)" }

    /// Enters all rows into the index, which is empty.
    var filling: String {
        "INSERT INTO \(quoted) (rowid, \(list)) SELECT \(Self.key), \(words(of: "")) FROM \(quotedTable)"
    }

    /// The triggers of a connection.
    var triggers: [String] {
        let insert = "INSERT INTO \(quoted) (rowid, \(list)) VALUES (new.\(Self.key), \(words(of: "new.")))"
        let delete = "DELETE FROM \(quoted) WHERE rowid = old.\(Self.key)"
        let changed = columns.map {
            "old.\(SQLiteName.quoted($0.name)) IS NOT new.\(SQLiteName.quoted($0.name))"
        }.joined(separator: " OR ")
        let texts = columns.map { SQLiteName.quoted($0.name) }.joined(separator: ", ")
        func trigger(_ suffix: String, _ event: String, _ body: String) -> String {
            "CREATE TEMP TRIGGER \(SQLiteName.quoted(name + suffix)) AFTER \(event) BEGIN \(body); END"
        }
        return [
            trigger("_insert", "INSERT ON main.\(quotedTable)", insert),
            trigger("_update", "UPDATE OF \(texts) ON main.\(quotedTable) WHEN \(changed)", "\(delete); \(insert)"),
            trigger("_delete", "DELETE ON main.\(quotedTable)", delete),
        ]
    }
}

extension SQLiteSchema {
    /// The full-text index of the table of an entity, or of its hierarchy; nil where no text is declared.
    func fullText(of table: SQLiteTable) -> SQLiteFullText? { fullTexts[tables[table.root].entityName] }

    /// Has a connection keep the full-text indexes in step with what it writes.
    func followTexts(on connection: SQLiteConnection) throws {
        if fullTexts.isEmpty { return }
        try connection.installFunctions()
        for index in fullTexts.values {
            for trigger in index.triggers { try connection.execute(trigger) }
        }
    }

    /// Makes the full-text indexes that the file lacks, as when somebody has dropped one to have it made anew.
    func completeTexts(on connection: SQLiteConnection) throws {
        for index in fullTexts.values {
            let name = SQLiteName.literal(index.name)
            let query = "SELECT count(*) FROM sqlite_master WHERE name = \(name)"
            if try connection.integer(query) != 0 { continue }
            try connection.transaction {
                guard try connection.integer(query) == 0 else { return }
                try connection.installFunctions()
                try connection.execute(index.creation)
                try connection.execute(index.filling)
            }
        }
    }
}

extension SQLiteSchemaBuilder {
    /// The full-text indexes by the topmost entity of each table. They come last, so that their names change no others.
    mutating func makeFullTexts(_ schema: Schema) throws -> [String: SQLiteFullText] {
        var result: [String: SQLiteFullText] = [:]
        for table in tables where table.isRoot {
            var columns: [String] = []
            for member in table.hierarchy?.below ?? [table.index] {
                let entity = tables[member].entityName
                for property in schema.entitiesByName[entity]?.fullText ?? [] {
                    guard let column = tables[member].columns.first(where: { $0.property == property }),
                        column.storage == .text
                    else {
                        throw SwiftDataError(
                            .invalidIndex, operation: .open, entity: entity, property: property,
                            detail: "it has no text of its own in the store")
                    }
                    if !columns.contains(column.name) { columns.append(column.name) }
                }
            }
            if columns.isEmpty { continue }
            let name = allocate(table.name + "_words", suffixes: SQLiteFullText.shadows)
            result[table.entityName] = SQLiteFullText(name: name, table: table.name, columns: columns.sorted())
        }
        return result
    }
}
