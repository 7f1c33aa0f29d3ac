import CofferCore
import Foundation

/// What a store says about itself: the table `_coffer`.
package struct RecordMetadata {
    /// The version of the format of tables, keys and records that this version of Coffer writes.
    package static let formatVersion = 1

    package var format: Int
    /// The store's identifier, which is part of its rows' identity.
    package var identifier: String
    /// The encoded schema.
    package var schema: [UInt8]
    /// The schema's fingerprint, which is faster to compare than the schema.
    package var fingerprint: [UInt8]
    package var numbering: RecordNumbering

    /// What the names of the entries with the entities' next row keys begin with.
    package static let counterPrefix = "next key of "
    /// The names of the entries that this type reads and writes.
    package static let names: Set = ["format", "identifier", "schema", "fingerprint", "layout"]

    /// The name of the entry with an entity's next row key.
    package static func counterName(_ entityName: String) -> [UInt8] { Array((counterPrefix + entityName).utf8) }

    /// Reads the table.
    ///
    /// - Throws: `corruptStore` where something is missing, `newerStoreFormat` for a later format.
    package init(_ reader: any RecordReader) throws {
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

    /// What a store says about itself that comes from somewhere else.
    package init(identifier: String, schema: [UInt8], fingerprint: [UInt8], numbering: RecordNumbering) {
        format = Self.formatVersion
        self.identifier = identifier
        self.schema = schema
        self.fingerprint = fingerprint
        self.numbering = numbering
    }

    package func write(_ writer: any RecordWriter) throws {
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

    package static func encode(_ value: some Encodable) throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return Array(try encoder.encode(value))
    }

    package func decodedSchema() throws -> Schema {
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
