import CofferCore
import CofferRecords
import Foundation

/// What can be read of an LMDB file that is damaged, page by page and without LMDB.
struct DamagedFile {
    /// The tables, which need not fit each other.
    let engine: MemoryEngine
    let schema: Schema
    private(set) var losses: [StoreProblem] = []

    /// - Throws: `corruptStore` where not even the schema can be read.
    init(_ path: String) throws {
        let descriptor = open(LMDBFile.data(path), O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw LMDBFailure(code: errno) }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw LMDBFailure(code: errno) }
        let pages = LMDBPages(descriptor: descriptor, size: Int(status.st_size))
        let memory = MemoryEngine(path: path)
        var losses: [StoreProblem] = []
        do {
            let meta = try pages.anyMeta()
            var roots: [String: UInt64] = [:]
            try pages.salvage(meta.main.root, meta) { name, record in
                // A table's record: 48 bytes, the root page in the last eight.
                guard record.count >= 48 else { return }
                let root = record.dropFirst(40).prefix(8).reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
                roots[String(decoding: name, as: UTF8.self)] = root
            } lost: {
                losses.append(StoreProblem("the list of tables: \($0.detail)"))
            }
            schema = try memory.fill { writer in
                func fill(_ table: RecordTable, _ isSound: (ArraySlice<UInt8>, ArraySlice<UInt8>) -> Bool) throws {
                    try writer.makeTable(table)
                    guard let root = roots[table.name] else {
                        return losses.append(StoreProblem("the table \(table.name) is not there"))
                    }
                    var strange = 0
                    try pages.salvage(root, meta) { key, value in
                        // A damaged page may lead to pages of other tables.
                        guard !key.isEmpty, key.count <= memory.maximumKeySize, isSound(key, value) else {
                            strange += 1
                            return
                        }
                        try writer.put(table, Array(key), Array(value))
                    } lost: {
                        losses.append(StoreProblem("the table \(table.name): \($0.detail)"))
                    }
                    if strange > 0 {
                        losses.append(StoreProblem("the table \(table.name): \(strange) entries are damaged"))
                    }
                }
                try fill(RecordSchema.metadata) { _, _ in true }
                let metadata = try RecordMetadata(writer)
                let schema = try metadata.decodedSchema()
                let layout = try RecordSchema(schema, numbering: metadata.numbering)
                for table in layout.tables where table.role != .metadata {
                    guard let space = layout.spaces.first(where: { $0.rows == table }) else {
                        try fill(table) { _, _ in true }
                        continue
                    }
                    try fill(table) { key, value in
                        guard key.count == MemoryLayout<Int64>.size else { return false }
                        return value.withUnsafeBytes { (try? Record($0))?.fieldCount == space.fields.count }
                    }
                }
                return schema
            }
        } catch let damage as LMDBPages.Damage {
            throw SwiftDataError(.corruptStore, detail: damage.detail)
        }
        engine = memory
        self.losses = losses
    }
}
