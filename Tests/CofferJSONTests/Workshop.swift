import CofferCore
import CofferRecords
import Foundation
import Testing

@testable import CofferJSON

/// A folder of its own, with an archive in it, for one test.
final class Workshop: Sendable {
    let folder: URL
    let schema: Schema

    init(_ types: any PersistentModel.Type...) throws {
        schema = Schema(types)
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("coffer-json-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    var url: URL { folder.appendingPathComponent("store.json") }
    var journalURL: URL { folder.appendingPathComponent("store.json.journal") }

    /// How a store uses the archive.
    enum Use {
        /// As all stores of one process do.
        case shared
        /// As a store of another process does.
        case alone
        /// As a store of a process that is going to die: what it has not written stays unwritten.
        case dying
    }

    func open(
        _ use: Use = .shared, allowsSave: Bool = true, schema: Schema? = nil, url: URL? = nil
    ) throws -> JSONArchiveStore {
        var configuration = JSONArchiveConfiguration(
            "test", schema: schema ?? self.schema, url: url ?? self.url, allowsSave: allowsSave)
        configuration.busyTimeout = .milliseconds(20)
        switch use {
        case .shared: return try JSONArchiveStore(configuration, migrationPlan: nil)
        case .alone, .dying:
            return try JSONArchiveStore(configuration) { place in
                let archive = Archive(place)
                return ArchiveHold(archive, allowSave: {}) {
                    if use == .alone { ArchiveHold.foldAtLast(archive) }
                }
            }
        }
    }

    // MARK: Rows

    /// The slot of a property.
    func slot(_ entity: String, _ property: String) -> Int {
        schema.entitiesByName[entity]?.properties.firstIndex { $0.name == property } ?? -1
    }

    /// Rows under temporary or permanent keys, from property names and values.
    func batch(_ entity: String, _ rows: [(Int64, [String: StoredValue])]) -> RowBatch {
        let width = schema.entitiesByName[entity]?.properties.count ?? 0
        let batch = RowBatch(entityName: entity, width: width, storeIdentifier: nil)
        for (key, values) in rows {
            let row = batch.appendRow(key: key)
            for (name, value) in values { batch.set(value, row: row, slot: slot(entity, name)) }
        }
        return batch
    }

    /// The values of all rows by key and property; nothing is left out.
    func rows(_ store: JSONArchiveStore, _ entity: String) throws -> [Int64: [String: StoredValue]] {
        let batch = self.batch(entity, [])
        try store.fetchRows(FetchPlan(entityName: entity), into: batch)
        var result: [Int64: [String: StoredValue]] = [:]
        for row in 0..<batch.count {
            var values: [String: StoredValue] = [:]
            for (slot, property) in (schema.entitiesByName[entity]?.properties ?? []).enumerated() {
                let cell = batch.cell(row: row, slot: slot)
                if cell.kind == .reference {
                    values[property.name] = .integer(cell.integer)
                } else if cell.kind != .absent, cell.kind != .null {
                    values[property.name] = batch.value(of: cell)
                }
            }
            result[batch.key(ofRow: row)] = values
        }
        return result
    }

    /// The keys of a row's list, in order.
    func list(_ store: JSONArchiveStore, _ entity: String, _ property: String, _ owner: Int64) throws -> [Int64] {
        try store.core.engine.read { (reader) throws in
            let space = try #require(store.core.layout.space(of: entity))
            let place = try #require(space.lists.first { $0.property == property }?.place)
            return try RecordList.members(of: owner, place, store.core.layout, reader)
        }
    }

    @discardableResult
    func save(
        _ store: JSONArchiveStore, insert: [RowBatch] = [], update: [RowBatch] = [],
        delete: [(entityName: String, keys: [Int64])] = []
    ) throws -> [[Int64]] {
        var changes = RowChanges(editingState: EditingState())
        changes.inserted = insert
        changes.updated = update
        changes.deleted = delete
        return try store.commit(changes).keys
    }

    /// A value for a list cell.
    func keys(_ keys: [Int64], of entity: String) -> StoredValue {
        .references(keys.map { RowBatch.identifier(key: $0, in: .shared(entityName: entity, storeIdentifier: nil)) })
    }

    /// A value for a link cell.
    func key(_ key: Int64, of entity: String) -> StoredValue {
        .reference(RowBatch.identifier(key: key, in: .shared(entityName: entity, storeIdentifier: nil)))
    }

    // MARK: Files

    /// The document.
    func text() throws -> String { try String(contentsOf: url, encoding: .utf8) }

    func write(_ text: String) throws { try Data(text.utf8).write(to: url) }

    /// Changes a piece of the document that is there once.
    func edit(_ piece: String, _ new: String, _ location: SourceLocation = #_sourceLocation) throws {
        let parts = try text().components(separatedBy: piece)
        #expect(parts.count == 2, "“\(piece)” is there \(parts.count - 1) times", sourceLocation: location)
        try write(parts.joined(separator: new))
    }

    var hasJournal: Bool { FileManager.default.fileExists(atPath: journalURL.path) }

    /// The lines of the rows in the document.
    func rowLines() throws -> [String] {
        try text().split(separator: "\n").map { $0.trimmingCharacters(in: [" ", ","]) }.filter {
            $0.hasPrefix("{\"$id\"")
        }
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

    /// All tables of a store, with the order of lists in place of numbers.
    func tables(_ store: JSONArchiveStore) throws -> [String: [String]] {
        let layout = store.core.layout
        return try store.core.engine.read { (reader) throws in
            var tables: [String: [String]] = [:]
            for table in layout.tables where table.role != .metadata {
                var entries: [String] = []
                try reader.scan(table, .all) { key, value in
                    let isList: Bool =
                        switch table.role {
                        case .links, .pairs: true
                        default: false
                        }
                    let value = isList ? [] : Array(value)
                    entries.append("\(Array(key)) \(value.count > 200 ? [UInt8(value.hashValue & 0xFF)] : value)")
                    return true
                }
                tables[table.name] = entries
            }
            for space in layout.spaces {
                for list in space.lists {
                    try reader.scan(space.rows, .all) { key, _ in
                        let owner = try #require(IndexKey.row(key))
                        let members = try RecordList.members(of: owner, list.place, layout, reader)
                        tables["\(space.entityName).\(list.property)", default: []].append("\(owner): \(members)")
                        return true
                    }
                }
            }
            return tables
        }
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
