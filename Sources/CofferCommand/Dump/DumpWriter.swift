import Coffer
import Foundation

/// Writes a store as a dump.
struct DumpWriter {
    let store: any ImportingRowStore
    /// Takes pieces of the text.
    let write: (String) throws -> Void

    private static let pieceSize = 1 << 16

    /// - Parameters:
    ///   - entities: the names of the entities whose rows are wanted; nil for all.
    ///   - progress: is told how many rows of an entity are written.
    /// - Throws: ``CommandFailure`` for a value that is none of its property's, which `check` finds too.
    func run(progress: (_ entityName: String, _ rows: Int) -> Void) throws {
        // Programs may save meanwhile; rows of before and after would not fit each other.
        try store.withOneState { try writeAll(progress) }
    }

    private func writeAll(_ progress: (_ entityName: String, _ rows: Int) -> Void) throws {
        let schema = try encoded(store.schema)
        try write(
            JSONText.object([
                ("coffer dump", String(DumpFormat.version)), ("identifier", JSONText.string(store.identifier)),
            ]) + "\n" + JSONText.object([("schema", schema)]) + "\n"
                + JSONText.object([("next keys", JSONText.object(try nextKeys()))] + (try history())) + "\n")
        for entity in store.schema.entities.sorted(by: { $0.name < $1.name }) {
            var count = 0
            try writeRows(of: entity) {
                count += $0
                progress(entity.name, count)
            }
        }
        try write(DumpFormat.end + "\n")
    }

    private func encoded(_ schema: Schema) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(schema), as: UTF8.self)
    }

    /// How far the history had come: whoever stands before that is told, in the store that is made of the dump.
    private func history() throws -> [(String, String)] {
        guard store.capabilities.features.contains(.history) else { return [] }
        let latest = try store.history(HistoryQuery(limit: 0)).latest
        return latest > 0 ? [("history", String(latest))] : []
    }

    private func nextKeys() throws -> [(String, String)] {
        try store.nextKeys().sorted { $0.key < $1.key }.map { ($0.key, String($0.value)) }
    }

    private func writeRows(of entity: Schema.Entity, _ done: (Int) -> Void) throws {
        let rows = StoreRows(store, entity, includesSubentities: false)
        let columns = StoreColumn.all(of: entity)
        let name = JSONText.string(entity.name)
        var text = ""
        try rows.read(rows.plan(columns.map(\.slot))) { batch in
            for row in 0..<batch.count {
                var values: [(String, String)] = []
                for column in columns {
                    let cell = batch.cell(row: row, slot: column.slot)
                    if cell.kind == .null || cell.kind == .absent { continue }
                    if cell.kind == .references, cell.length == 0 { continue }
                    guard let value = DumpFormat.json(cell, column, batch) else {
                        throw CommandFailure(
                            "\(entity.name) \(batch.key(ofRow: row)), \(column.name): the value is none of the "
                                + "property's type; 'coffer check' says more")
                    }
                    values.append((column.name, value))
                }
                let id = String(batch.key(ofRow: row))
                text += JSONText.object([("entity", name), ("id", id), ("values", JSONText.object(values))]) + "\n"
                if text.utf8.count >= Self.pieceSize {
                    try write(text)
                    text = ""
                }
            }
            done(batch.count)
        }
        if !text.isEmpty { try write(text) }
    }
}
