import CSQLite
import CofferCore
import Foundation
import Testing

@testable import CofferSQLite

/// A folder of its own, with a store in it, for one test.
final class Workshop: Sendable {
    let folder: URL
    let schema: Schema

    init(_ types: any PersistentModel.Type...) throws {
        schema = Schema(types)
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("coffer-sqlite-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    var url: URL { folder.appendingPathComponent("store.sqlite") }

    func open(
        allowsSave: Bool = true, schema: Schema? = nil, durability: SQLiteStoreConfiguration.Durability = .normal
    ) throws -> SQLiteStore {
        var configuration = SQLiteStoreConfiguration(
            "test", schema: schema ?? self.schema, url: url, allowsSave: allowsSave, durability: durability)
        configuration.busyTimeout = .milliseconds(50)
        return try SQLiteStore(configuration, migrationPlan: nil)
    }

    /// The slot of a property.
    func slot(_ entity: String, _ property: String) -> Int {
        schema.entitiesByName[entity]?.properties.firstIndex { $0.name == property } ?? -1
    }

    /// Rows under temporary or permanent keys, from property names and values.
    func batch(_ entity: String, _ rows: [(Int64, [String: StoredValue])], store: SQLiteStore? = nil) -> RowBatch {
        let width = schema.entitiesByName[entity]?.properties.count ?? 0
        let batch = RowBatch(entityName: entity, width: width, storeIdentifier: store?.identifier)
        for (key, values) in rows {
            let row = batch.appendRow(key: key)
            for (name, value) in values { batch.set(value, row: row, slot: slot(entity, name)) }
        }
        return batch
    }

    /// The values of a row by property; absent cells are left out.
    func values(_ batch: RowBatch, _ row: Int) -> [String: StoredValue] {
        var result: [String: StoredValue] = [:]
        for (slot, property) in (schema.entitiesByName[batch.entityName]?.properties ?? []).enumerated() {
            let cell = batch.cell(row: row, slot: slot)
            if cell.kind != .absent { result[property.name] = batch.value(of: cell) }
        }
        return result
    }

    /// Fetches rows by key.
    func rows(
        _ store: SQLiteStore, _ entity: String, scope: FetchScope = .all, slots: [Int]? = nil
    ) throws -> [Int64: [String: StoredValue]] {
        let batch = self.batch(entity, [], store: store)
        try store.fetchRows(FetchPlan(entityName: entity, scope: scope, slots: slots), into: batch)
        return Dictionary(uniqueKeysWithValues: (0..<batch.count).map { (batch.key(ofRow: $0), values(batch, $0)) })
    }

    /// The keys of a list, and whose they are.
    func related(_ store: SQLiteStore, _ owner: String, _ property: String, _ member: String, _ owners: [Int64])
        throws -> [Int64: [Int64]]
    {
        let batch = self.batch(member, [], store: store)
        let scope = FetchScope.related(ownerEntity: owner, slot: slot(owner, property), owners: owners)
        try store.fetchRows(FetchPlan(entityName: member, scope: scope), into: batch)
        #expect(batch.owners.count == batch.count)
        var result: [Int64: [Int64]] = [:]
        for row in 0..<batch.count { result[batch.owners[row], default: []].append(batch.key(ofRow: row)) }
        return result
    }

    @discardableResult
    func save(
        _ store: SQLiteStore, insert: [RowBatch] = [], update: [RowBatch] = [],
        delete: [(entityName: String, keys: [Int64])] = []
    ) throws -> [[Int64]] {
        var changes = RowChanges(editingState: EditingState())
        changes.inserted = insert
        changes.updated = update
        changes.deleted = delete
        return try store.commit(changes).keys
    }

    /// What a plain SQLite connection finds: one text for each row.
    func sql(_ sql: String) throws -> [String] {
        var handle: OpaquePointer?
        #expect(sqlite3_open(url.path, &handle) == SQLITE_OK)
        defer { sqlite3_close(handle) }
        var statement: OpaquePointer?
        let code = sqlite3_prepare_v2(handle, sql, -1, &statement, nil)
        #expect(code == SQLITE_OK, "\(String(cString: sqlite3_errmsg(handle)))")
        defer { sqlite3_finalize(statement) }
        var rows: [String] = []
        while sqlite3_step(statement) == SQLITE_ROW {
            rows.append(
                (0..<sqlite3_column_count(statement)).map { column in
                    sqlite3_column_text(statement, column).map { String(cString: $0) } ?? "NULL"
                }.joined(separator: "|"))
        }
        return rows
    }

    /// Checks what SQLite can check of a file.
    func expectSound(_ location: SourceLocation = #_sourceLocation) throws {
        #expect(try sql("PRAGMA integrity_check") == ["ok"], sourceLocation: location)
        #expect(try sql("PRAGMA foreign_key_check").isEmpty, sourceLocation: location)
    }

    /// The names and contents of all files of the folder.
    func contents() throws -> [String: Data] {
        var result: [String: Data] = [:]
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
            // A folder counts by its name.
            result[name] = (try? Data(contentsOf: folder.appendingPathComponent(name))) ?? Data()
        }
        return result
    }
}

/// Expects an error of a code, and answers it.
@discardableResult
func expect<T>(
    _ code: SwiftDataError.Code, _ location: SourceLocation = #_sourceLocation, _ body: () throws -> T
) -> SwiftDataError? {
    do {
        _ = try body()
        Issue.record("no error was thrown", sourceLocation: location)
    } catch let error as SwiftDataError {
        #expect(error.code == code, "\(error)", sourceLocation: location)
        return error
    } catch {
        Issue.record("another error: \(error)", sourceLocation: location)
    }
    return nil
}
