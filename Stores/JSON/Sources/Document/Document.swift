import CofferCore
import CofferRecords

/// The names in a document. `Docs/Formats.md` describes it.
enum Document {
    /// The version of the format of documents that this version of Coffer writes.
    static let formatVersion: Int64 = 1

    static let format = "coffer archive"
    static let identifier = "identifier"
    static let generation = "generation"
    static let fingerprint = "fingerprint"
    static let schema = "schema"
    static let layout = "layout"
    static let nextKeys = "next keys"
    static let metadata = "metadata"
    static let history = "history"
    /// How the member of the rows begins that follows another one, as it is written.
    static let beginningOfRows = Array(",\n\"\(rows)\"".utf8)
    static let rows = "rows"
    /// The member of an object that stands for bytes.
    static let bytes = "$base64"

    static func checkFormat(_ format: Int64, of what: String, known: Int64 = formatVersion) throws {
        guard format > known else { return }
        throw SwiftDataError(
            .newerStoreFormat,
            detail: "the \(what) has the format \(format), and this version of Coffer knows \(known)")
    }
}

/// What an archive says about itself beside its rows.
struct DocumentHeader {
    var identifier = ""
    /// How often the document has been written as a whole.
    var generation: Int64 = 0
    var fingerprint: [UInt8] = []
    var schema: [UInt8] = []
    var numbering = RecordNumbering()
    var nextKeys: [String: Int64] = [:]
    /// The other entries of the table of metadata.
    var others: [(name: String, value: [UInt8])] = []
    /// The entries of the history.
    var history: [(number: Int64, text: [UInt8])] = []

    init() {}

    /// Reads the table of metadata.
    init(_ reader: any RecordReader, generation: Int64) throws {
        let metadata = try RecordMetadata(reader)
        identifier = metadata.identifier
        fingerprint = metadata.fingerprint
        schema = metadata.schema
        numbering = metadata.numbering
        self.generation = generation
        try reader.scan(RecordSchema.metadata, .all) { key, value in
            let name = String(decoding: key, as: UTF8.self)
            if name.hasPrefix(RecordMetadata.counterPrefix) {
                nextKeys[String(name.dropFirst(RecordMetadata.counterPrefix.count))] = IndexKey.row(value)
            } else if !RecordMetadata.names.contains(name) {
                others.append((name, Array(value)))
            }
            return true
        }
        guard try reader.openTable(RecordSchema.history) else { return }
        try reader.scan(RecordSchema.history, .all) { key, value in
            if let number = IndexKey.row(key) { history.append((number, Array(value))) }
            return true
        }
    }

    /// Writes the table of metadata but for the next keys.
    func write(_ writer: any RecordWriter) throws {
        let metadata = RecordMetadata(
            identifier: identifier, schema: schema, fingerprint: fingerprint, numbering: numbering)
        try metadata.write(writer)
        for (name, value) in others { try writer.put(RecordSchema.metadata, Array(name.utf8), value) }
        for (number, text) in history { try RecordHistory.restore(text, number: number, writer) }
    }

    func decodedSchema() throws -> Schema {
        let metadata = RecordMetadata(
            identifier: identifier, schema: schema, fingerprint: fingerprint, numbering: numbering)
        return try metadata.decodedSchema()
    }

    /// How the rows lie in tables.
    ///
    /// - Throws: `corruptStore` where schema and layout cannot be read, or do not fit each other.
    func makeLayout() throws -> RecordSchema {
        let schema = try decodedSchema()
        do {
            return try RecordSchema(schema, numbering: numbering)
        } catch let error as SwiftDataError {
            throw SwiftDataError(
                .corruptStore, entity: error.entity, property: error.property,
                detail: "schema and layout in it do not fit each other", underlying: error)
        }
    }
}
