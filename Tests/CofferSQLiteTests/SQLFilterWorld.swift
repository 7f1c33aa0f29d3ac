import CSQLite
import Foundation
import Testing

@testable import CofferCore
@testable import CofferSQLite

/// Models, the same values as packed rows, and the same rows in a database: what a filter is run on three times.
final class SQLFilterWorld: RowSource, SQLLayout {
    let gadgets: [Gadget]
    let makers: [Maker]
    private var batches: [String: RowBatch] = [:]
    private var rowsByKey: [String: [Int64: Int]] = [:]
    private var descriptors: [String: _ModelDescriptor] = [:]
    private var tables: [String: SQLTable] = [:]
    private var joins: [String: (owner: String, member: String)] = [:]
    let database: OpaquePointer

    init(gadgets: [Gadget], makers: [Maker], parts: [Part], labels: [Label]) throws {
        self.gadgets = gadgets
        self.makers = makers
        var database: OpaquePointer?
        #expect(sqlite3_open(":memory:", &database) == SQLITE_OK)
        self.database = try #require(database)
        #expect(SQLFunctions.install(on: self.database) == SQLITE_OK)
        func number<M: PersistentModel>(_ models: [M]) {
            for (index, model) in models.enumerated() { model._$key = Int64(index + 1) }
        }
        number(gadgets)
        number(makers)
        number(parts)
        number(labels)
        pack(gadgets)
        pack(makers)
        pack(parts)
        pack(labels)
        try makeTables()
        try fillTables()
    }

    deinit { sqlite3_close_v2(database) }

    private func pack<M: PersistentModel>(_ models: [M]) {
        let descriptor = M._$descriptor
        let batch = RowBatch(entityName: descriptor.entityName, width: descriptor.slotCount, storeIdentifier: "S")
        var keys: [Int64: Int] = [:]
        for model in models {
            let row = batch.appendRow(key: model._$key)
            var writer = _RowWriter(batch, row: row, descriptor: descriptor)
            #expect(throws: Never.self) { try model._$store(&writer) }
            keys[model._$key] = row
        }
        batches[descriptor.entityName] = batch
        rowsByKey[descriptor.entityName] = keys
        descriptors[descriptor.entityName] = descriptor
    }

    // MARK: Rows

    func batch(_ entity: String) -> RowBatch { batches[entity]! }

    func row(_ key: Int64, of entityName: String) -> DefaultSnapshot? {
        guard let row = rowsByKey[entityName]?[key] else { return nil }
        return DefaultSnapshot(batch(entityName), row: row)
    }

    func members(of owner: DefaultSnapshot, slot: Int) -> [DefaultSnapshot] {
        let destination = descriptors[owner.batch.entityName]!.relationships[slot]!.destination.entityName
        let cell = owner.batch.cell(row: owner.row, slot: slot)
        guard cell.kind == .references else { return [] }
        return owner.batch.keys(of: cell).compactMap { row($0, of: destination) }
    }

    func destination(ofSlot slot: Int, in entityName: String) -> String? {
        guard let link = descriptors[entityName]?.relationships[slot], !link.isToMany else { return nil }
        return link.destination.entityName
    }

    // MARK: Tables

    func table(named entityName: String) -> SQLTable? { tables[entityName] }

    private func makeTables() throws {
        for (entity, descriptor) in descriptors {
            var places: [SQLTable.Place] = []
            var columns = ["\"_pk\" INTEGER PRIMARY KEY"]
            for (slot, property) in descriptor.properties.enumerated() {
                if let link = descriptor.relationships[slot] {
                    let other = link.destination.entityName
                    let inverse = link.inverseSlot.map { link.destination.properties[$0].name } ?? ""
                    if !link.isToMany {
                        places.append(.link(property.name, entity: other))
                        columns.append("\"\(property.name)\" INTEGER")
                    } else if !link.inverseIsToMany {
                        places.append(.children(entity: other, column: inverse, position: nil))
                    } else {
                        let table = [entity, other].sorted().joined(separator: "_")
                        joins[table] = ("a", "b")
                        let ends = entity < other ? ("a", "b") : ("b", "a")
                        places.append(
                            .members(entity: other, table: table, owner: ends.0, member: ends.1, position: nil))
                    }
                    continue
                }
                let type = FilterType(of: property.metadata.valueType)
                let declared =
                    switch type.storage {
                    case .boolean?, .integer?, .unsigned?: "INTEGER"
                    case .real?: "REAL BLOB"
                    case .date?: "REAL"
                    case .text?, .url?, .decimal?, nil: "TEXT"
                    case .blob?, .uuid?: "BLOB"
                    }
                columns.append("\"\(property.name)\" \(declared)\(type.isOptional ? "" : " NOT NULL")")
                places.append(.column(property.name))
            }
            let indexed: Set = ["serial", "name", "price", "note", "code"]
            tables[entity] = SQLTable(
                name: entity, places: places, indexedColumns: entity == "Gadget" ? indexed : ["gadget"])
            run("CREATE TABLE \"\(entity)\" (\(columns.joined(separator: ", ")))")
        }
        for table in joins.keys { run("CREATE TABLE \"\(table)\" (a INTEGER, b INTEGER, PRIMARY KEY (a, b))") }
        run("CREATE INDEX gadget_serial ON \"Gadget\" (serial)")
        run("CREATE INDEX gadget_name ON \"Gadget\" (name)")
        run("CREATE INDEX gadget_price ON \"Gadget\" (price)")
        run("CREATE INDEX gadget_note ON \"Gadget\" (note)")
        run("CREATE INDEX gadget_code ON \"Gadget\" (code)")
        run("CREATE INDEX part_gadget ON \"Part\" (gadget)")
    }

    private func fillTables() throws {
        for (entity, batch) in batches {
            let table = tables[entity]!
            for row in 0..<batch.count {
                var names = ["_pk"]
                var values: [SQLBinding] = [.value(.integer(batch.key(ofRow: row)))]
                for (slot, place) in table.places.enumerated() {
                    let cell = batch.cell(row: row, slot: slot)
                    switch place {
                    case .column(let name), .link(let name, _):
                        names.append(name)
                        values.append(.value(batch.value(of: cell)))
                    case .members(_, let join, let owner, let member, _) where cell.kind == .references:
                        for key in batch.keys(of: cell) {
                            let own = batch.key(ofRow: row)
                            run("INSERT OR IGNORE INTO \"\(join)\" (\(owner), \(member)) VALUES (\(own), \(key))")
                        }
                    default: break
                    }
                }
                let columns = names.map { "\"\($0)\"" }.joined(separator: ", ")
                let marks = Array(repeating: "?", count: names.count).joined(separator: ", ")
                _ = try rows("INSERT INTO \"\(entity)\" (\(columns)) VALUES (\(marks))", values)
            }
        }
    }

    private func run(_ sql: String) {
        if sqlite3_exec(database, sql, nil, nil, nil) != SQLITE_OK {
            Issue.record("\(String(cString: sqlite3_errmsg(database))): \(sql)")
        }
    }

    /// The first column of each row, as text.
    func rows(_ sql: String, _ bindings: [SQLBinding], column: Int32 = 0) throws -> [String] {
        var handle: OpaquePointer?
        guard sqlite3_prepare_v2(database, sql, -1, &handle, nil) == SQLITE_OK, let statement = handle else {
            throw SQLFilterFailure(text: "\(String(cString: sqlite3_errmsg(database))): \(sql)")
        }
        defer { sqlite3_finalize(statement) }
        for (index, binding) in bindings.enumerated() {
            #expect(binding.bind(to: statement, at: Int32(index + 1)) == SQLITE_OK)
        }
        var result: [String] = []
        while true {
            switch sqlite3_step(statement) {
            case SQLITE_ROW: result.append(sqlite3_column_text(statement, column).map { String(cString: $0) } ?? "NULL")
            case SQLITE_DONE: return result
            default: throw SQLFilterFailure(text: "\(String(cString: sqlite3_errmsg(database))): \(sql)")
            }
        }
    }
}

struct SQLFilterFailure: Error { let text: String }
