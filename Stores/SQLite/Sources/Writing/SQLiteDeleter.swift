import CSQLite
import CofferCore

/// Deletes rows and takes care of what leads to them: optional links are cut, rows of join tables go along, and a
/// required link that is left at the end of the save is an error.
final class SQLiteDeleter {
    private let layout: SQLiteSchema
    private let connection: SQLiteConnection
    /// The keys of deleted rows in ascending order, by table.
    private var deleted: [Int: [Int64]] = [:]

    /// The keys that no row had, by table.
    private(set) var missing: [Int: Set<Int64>] = [:]

    /// The keys of rows that are gone already, by table.
    private var gone: [Int: [Int64]] = [:]

    init(_ layout: SQLiteSchema, _ connection: SQLiteConnection) {
        self.layout = layout
        self.connection = connection
    }

    /// Has what leads to rows that are gone already cut along with the rest.
    func note(_ keys: [Int64], of table: SQLiteTable) {
        if !keys.isEmpty { gone[table.root, default: []] += keys }
    }

    /// Deletes rows, those that refer to others first.
    func delete(_ rows: [(entityName: String, keys: [Int64])]) throws {
        for (entityName, keys) in rows where !keys.isEmpty {
            guard let table = layout.table(of: entityName) else {
                throw SwiftDataError(
                    .unknownModelType, entity: entityName, detail: "the store's schema does not have it")
            }
            deleted[table.root, default: []] += keys
        }
        let order = deleted.keys.sorted { layout.ranks[$0] > layout.ranks[$1] }
        for index in order {
            let keys = SQLiteStatement.ascending(deleted[index] ?? [])
            deleted[index] = keys
            try delete(keys, of: layout.tables[index])
        }
        for (index, keys) in gone {
            deleted[index] = SQLiteStatement.ascending(deleted[index].map { $0 + keys } ?? keys)
        }
        // After all rows are gone, so that links between deleted rows need no cutting.
        for index in deleted.keys.sorted(by: { layout.ranks[$0] > layout.ranks[$1] }) { try cutLinks(to: index) }
    }

    /// Deletes rows: keys that follow each other by one statement, others one by one.
    private func delete(_ keys: [Int64], of table: SQLiteTable) throws {
        let kept = connection.statements(of: table)
        let statement =
            try kept.delete
            ?? connection.statement(
                "DELETE FROM \(table.quoted) WHERE \(SQLiteTable.keyName) = ?1")
        kept.delete = statement
        var start = 0
        while start < keys.count {
            var end = start + 1
            while end < keys.count, keys[end] == keys[end - 1] &+ 1 { end += 1 }
            if end - start < 8 {
                for key in keys[start..<end] {
                    statement.bind(key, at: 1)
                    try statement.run()
                    if sqlite3_changes(connection.handle) == 0 { missing[table.root, default: []].insert(key) }
                }
            } else {
                let run = try connection.statement(
                    "DELETE FROM \(table.quoted) WHERE \(SQLiteTable.keyName) BETWEEN ?1 AND ?2")
                run.bind(keys[start], at: 1)
                run.bind(keys[end - 1], at: 2)
                let found = try SQLiteBatch.keys(touchedBy: run, on: connection)
                if found.count < end - start {
                    missing[table.root, default: []].formUnion(Set(keys[start..<end]).subtracting(found))
                }
            }
            start = end
        }
    }

    private func cutLinks(to index: Int) throws {
        guard let keys = deleted[index] else { return }
        for (child, column) in layout.references[index].links {
            let table = layout.tables[child]
            let link = table.columns[column]
            if link.isRequired { continue }
            let rows = try rows(keys, table.quoted, link.quoted, SQLiteTable.keyName)
            guard !rows.isEmpty else { continue }
            let position = link.quotedPosition.map { ", \($0) = NULL" } ?? ""
            let update = try connection.statement(
                "UPDATE \(table.quoted) SET \(link.quoted) = NULL\(position) WHERE \(SQLiteTable.keyName) = ?1")
            for row in rows {
                update.bind(row.other, at: 1)
                try update.run()
            }
        }
        for (index, side) in layout.references[index].joins {
            let join = layout.joins[index]
            let rows = try rows(keys, join.quoted, join.column(side), join.otherColumn(side))
            guard !rows.isEmpty else { continue }
            let delete = try connection.statement(
                "DELETE FROM \(join.quoted) WHERE \(join.column(side)) = ?1 AND \(join.otherColumn(side)) = ?2")
            for row in rows {
                delete.bind(row.key, at: 1)
                delete.bind(row.other, at: 2)
                try delete.run()
            }
        }
    }

    /// Refuses a save that leaves a required link without its row.
    func check() throws {
        for (index, keys) in deleted {
            for (child, column) in layout.references[index].links {
                let table = layout.tables[child]
                let link = table.columns[column]
                guard link.isRequired else { continue }
                guard try rows(keys, table.quoted, link.quoted, SQLiteTable.keyName, first: true).isEmpty else {
                    throw SwiftDataError(
                        .invalidRelationship, entity: table.entityName, property: link.property,
                        detail: "it must have a value, and its \(layout.tables[index].entityName) is deleted")
                }
            }
        }
    }

    /// What leads to any of some keys, found by a walk along an index.
    func rows(
        _ keys: [Int64], _ table: String, _ column: String, _ other: String, first: Bool = false
    ) throws -> [(key: Int64, other: Int64)] {
        let statement = try connection.statement(
            "SELECT \(column), \(other) FROM \(table) WHERE \(column) BETWEEN ?1 AND ?2 ORDER BY \(column)")
        var result: [(key: Int64, other: Int64)] = []
        try statement.walk(keys, patience: 32) { key in
            result.append((key, statement.integer(1)))
            return !first
        }
        return result
    }

    /// The rows of a hierarchy's table by their entities.
    func entities(of keys: [Int64], _ table: SQLiteTable) throws -> [DeletionRules.Rows] {
        let key = SQLiteTable.keyName
        let statement = try connection.statement(
            "SELECT \(key), \(SQLiteTable.entityName) FROM \(table.quoted) WHERE \(key) BETWEEN ?1 AND ?2 "
                + "ORDER BY \(key)")
        var found: [String: [Int64]] = [:]
        try statement.walk(keys, patience: 32) { key in
            found[statement.text(1) ?? "", default: []].append(key)
            return true
        }
        return found.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }
}
