import CofferCore
import Foundation

/// What a store says about itself: the table `_coffer`.
struct RecordMetadata {
    /// The version of the format of tables, keys and records that this version of Coffer writes.
    static let formatVersion = 1

    var format: Int
    /// The store's identifier, which is part of its rows' identity.
    var identifier: String
    /// The encoded schema.
    var schema: [UInt8]
    /// The schema's fingerprint, which is faster to compare than the schema.
    var fingerprint: [UInt8]
    var numbering: RecordNumbering

    /// The key of an entity's next row key.
    static func counterName(_ entityName: String) -> [UInt8] { Array("next key of \(entityName)".utf8) }

    /// Reads the table.
    ///
    /// - Throws: `corruptStore` where something is missing, `newerStoreFormat` for a later format.
    init(_ reader: any RecordReader) throws {
        func value(_ name: String) throws -> [UInt8] {
            if let bytes = try reader.get(RecordSchema.metadata, Array(name.utf8)) { return Array(bytes) }
            throw SwiftDataError(
                .corruptStore, detail: "the entry “\(name)” of the table \(RecordSchema.metadata.name) is missing")
        }
        guard let format = Int(String(decoding: try value("format"), as: UTF8.self)) else {
            throw SwiftDataError(.corruptStore, detail: "its format is no number")
        }
        guard format <= Self.formatVersion else {
            throw SwiftDataError(
                .newerStoreFormat,
                detail: "it has the format \(format), and this version of Coffer knows \(Self.formatVersion)")
        }
        self.format = format
        identifier = String(decoding: try value("identifier"), as: UTF8.self)
        schema = try value("schema")
        fingerprint = try value("fingerprint")
        do {
            numbering = try JSONDecoder().decode(RecordNumbering.self, from: Data(try value("layout")))
        } catch let error as DecodingError {
            throw SwiftDataError(.corruptStore, detail: "the layout in it cannot be read", underlying: error)
        }
    }

    /// What a new store says about itself.
    init(_ schema: Schema, _ layout: RecordSchema) throws {
        format = Self.formatVersion
        identifier = UUID().uuidString
        self.schema = try Self.encode(schema)
        fingerprint = Array(Self.fingerprint(schema).utf8)
        numbering = layout.numbering
    }

    func write(_ writer: any RecordWriter) throws {
        func put(_ name: String, _ value: [UInt8]) throws {
            try writer.put(RecordSchema.metadata, Array(name.utf8), value)
        }
        try put("format", Array(String(format).utf8))
        try put("identifier", Array(identifier.utf8))
        try put("schema", schema)
        try put("fingerprint", fingerprint)
        try put("layout", try Self.encode(numbering))
    }

    // MARK: The schema

    static func encode(_ value: some Encodable) throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return Array(try encoder.encode(value))
    }

    func decodedSchema() throws -> Schema {
        do {
            return try JSONDecoder().decode(Schema.self, from: Data(schema))
        } catch {
            throw SwiftDataError(.corruptStore, detail: "the schema in it cannot be read", underlying: error)
        }
    }

    /// A short text that differs when schemas do, made without encoding them.
    static func fingerprint(_ schema: Schema) -> String {
        var text = "\(schema.version)\n"
        for entity in schema.entities.sorted(by: { $0.name < $1.name }) {
            text += entity.debugDescription + " " + (entity.superentityName ?? "") + "\n"
            for property in entity.properties {
                switch property {
                case let attribute as Schema.Attribute:
                    text += "\(attribute.name) \(attribute._storage) \(attribute.hashModifier ?? "")\n"
                case let relationship as Schema.Relationship:
                    text += "\(relationship.name) \(relationship.hashModifier ?? "") "
                    text += "\(relationship.minimumModelCount ?? 0) \(relationship.maximumModelCount ?? 0)\n"
                default: break
                }
            }
        }
        // Two hashes of one kind, of the text and of the text turned round.
        var bytes = Array(text.utf8)
        let first = bytes.withUnsafeBytes { IndexKey.hash($0) }
        bytes.reverse()
        let second = bytes.withUnsafeBytes { IndexKey.hash($0) }
        return String(first, radix: 16) + "-" + String(second, radix: 16)
    }
}
