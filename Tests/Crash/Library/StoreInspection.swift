import CSQLite
import Coffer
import CofferRecords
import Foundation

/// Looks into a store that nobody has open, for what does not agree.
struct StoreInspection {
    let site: Site

    /// What is wrong.
    func findings() throws -> [String] {
        let place = try site.hold()
        var found: [String] = []
        do {
            defer { place.end() }
            found += try files(place.source)
            if let store = place.source as? any RecordRowStore { found += try tables(store) }
        }
        if site.store.keepsFiles { found += try integrity() }
        return found + leftovers()
    }

    // MARK: Files of large values

    private func files(_ store: any RowStore) throws -> [String] {
        guard site.store.keepsFiles else { return [] }
        var wanted = 0
        for entity in store.schema.entities {
            let slots = entity.properties.enumerated().filter { ($1 as? Schema.Attribute)?._isExternal == true }
            if slots.isEmpty { continue }
            let plan = FetchPlan(entityName: entity.name, slots: slots.map(\.offset))
            let batch = RowBatch(
                entityName: entity.name, width: entity.properties.count, storeIdentifier: store.identifier)
            try store.fetchRows(plan, into: batch)
            for row in 0..<batch.count {
                for (slot, _) in slots where batch.cell(row: row, slot: slot).length > ExternalFiles.threshold {
                    wanted += 1
                }
            }
        }
        let names = ExternalFiles(beside: site.path).names()
        return names.count == wanted ? [] : ["rows have \(wanted) large values, and there are \(names.count) files"]
    }

    // MARK: Tables that follow from rows

    /// Has rows copied into a new store, whose tables are compared with what the store has.
    private func tables(_ store: any RecordRowStore) throws -> [String] {
        let copy = try InMemoryStore(
            InMemoryStoreConfiguration("copy", schema: store.schema), identifier: store.identifier)
        try StoreConversion.copy(store, into: copy)
        return try copy.core.layout.tables.compactMap { table in
            switch table.role {
            case .metadata, .rows, .history: return nil
            case .index, .words, .links, .pairs: break
            }
            guard let own = store.core.layout.tables.first(where: { $0.name == table.name }) else {
                return "the table \(table.name) is missing"
            }
            let (wanted, found) = (try keys(copy.core, table), try keys(store.core, own))
            if wanted == found { return nil }
            return "the table \(table.name) has \(found.count) entries, and its rows make \(wanted.count)"
                + (wanted.count == found.count ? " others" : "")
        }
    }

    private func keys(_ core: RecordStoreCore, _ table: RecordTable) throws -> [[UInt8]] {
        try core.engine.read { reader in
            var keys: [[UInt8]] = []
            try reader.scan(table, .all, descending: false) { key, _ in
                keys.append(Array(key))
                return true
            }
            return keys
        }
    }

    // MARK: SQLite

    /// SQLite's own opinion of the file.
    private func integrity() throws -> [String] {
        var handle: OpaquePointer?
        defer { sqlite3_close_v2(handle) }
        guard sqlite3_open_v2(site.path, &handle, SQLITE_OPEN_READWRITE, nil) == SQLITE_OK, let handle else {
            return ["SQLite cannot open the file"]
        }
        var found: [String] = []
        for check in ["PRAGMA integrity_check", "PRAGMA foreign_key_check"] {
            let answer = rows(check, handle)
            if answer != ["ok"], !answer.isEmpty { found.append("\(check): \(answer.joined(separator: "; "))") }
        }
        for name in rows("SELECT name FROM sqlite_master WHERE sql LIKE '%using fts5%'", handle) {
            let quoted = "\"\(name)\""
            if sqlite3_exec(handle, "INSERT INTO \(quoted)(\(quoted)) VALUES('integrity-check')", nil, nil, nil)
                != SQLITE_OK
            {
                found.append("the words in \(name) do not agree: \(String(cString: sqlite3_errmsg(handle)))")
            }
        }
        return found
    }

    private func rows(_ sql: String, _ handle: OpaquePointer) -> [String] {
        var statement: OpaquePointer?
        defer { sqlite3_finalize(statement) }
        guard sqlite3_prepare_v2(handle, sql, -1, &statement, nil) == SQLITE_OK else {
            return [String(cString: sqlite3_errmsg(handle))]
        }
        var rows: [String] = []
        while sqlite3_step(statement) == SQLITE_ROW {
            rows.append(sqlite3_column_text(statement, 0).map { String(cString: $0) } ?? "NULL")
        }
        return rows
    }

    // MARK: What lies about

    /// Files that are nobody's once a store was opened and closed.
    private func leftovers() -> [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: site.folder)) ?? []
        let strange = names.filter { name in
            // What belongs to a migration goes with the next one.
            !name.contains(".migrating-") && name.contains(".coffer-") || name.hasSuffix(".sqlite-journal")
                || name.hasSuffix(".sqlite-wal")
                || name.hasSuffix(".sqlite-shm")
        }
        return strange.isEmpty ? [] : ["left behind: \(strange.sorted().joined(separator: ", "))"]
    }
}
