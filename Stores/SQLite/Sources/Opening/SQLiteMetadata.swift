import CofferCore
import Foundation

/// What a store's file says about itself: the table `_coffer`, by name and value.
struct SQLiteMetadata {
    static let tableName = "_coffer"

    /// The version of the layout.
    var format: Int
    /// The store's identifier, which is part of its rows' identity.
    var identifier: String
    /// The encoded schema.
    var schema: String
    /// The schema's fingerprint, which is faster to compare than the schema.
    var fingerprint: String

    /// The name of the row that keeps an entity's next key.
    static func counterName(_ entityName: String) -> String { "next key of \(entityName)" }

    /// Reads the table.
    ///
    /// - Throws: ``SQLiteFailure``, or ``SwiftDataError`` when something is missing.
    init(_ connection: SQLiteConnection, at place: SQLitePlace) throws {
        var values: [String: String] = [:]
        let statement = try SQLiteStatement(
            "SELECT name, value FROM \(Self.tableName) WHERE name IN ('format','identifier','schema','fingerprint')",
            on: connection.handle)
        while try statement.step() {
            if let name = statement.text(0) { values[name] = statement.text(1) }
        }
        guard let format = values["format"].flatMap({ Int($0) }), let identifier = values["identifier"],
            let schema = values["schema"]
        else {
            throw SwiftDataError(
                .corruptStore, operation: .open, store: place.name, file: place.path,
                detail: "the table \(Self.tableName) is incomplete")
        }
        self.format = format
        self.identifier = identifier
        self.schema = schema
        fingerprint = values["fingerprint"] ?? ""
    }

    /// What a new store says about itself.
    init(_ schema: Schema, layout: SQLiteSchema) throws {
        format = SQLiteFile.formatVersion
        identifier = UUID().uuidString
        self.schema = try Self.encode(schema)
        fingerprint = Self.fingerprint(schema, layout)
    }

    static let creation = "CREATE TABLE \(tableName) (\n    name TEXT PRIMARY KEY NOT NULL,\n    value\n) WITHOUT ROWID"

    /// Writes all rows.
    func write(_ connection: SQLiteConnection, layout: SQLiteSchema) throws {
        try Self.set("format", .integer(Int64(format)), connection)
        try Self.set("identifier", .text(identifier), connection)
        try writeSchema(connection, layout: layout)
    }

    /// Writes the schema, and the counters of entities that have none.
    func writeSchema(_ connection: SQLiteConnection, layout: SQLiteSchema) throws {
        try Self.set("schema", .text(schema), connection)
        try Self.set("fingerprint", .text(fingerprint), connection)
        let counter = try connection.statement("INSERT OR IGNORE INTO \(Self.tableName) (name, value) VALUES (?1, 1)")
        for table in layout.tables where table.isRoot {
            try counter.bind(Self.counterName(table.entityName), at: 1)
            try counter.run()
        }
    }

    private static func set(_ name: String, _ value: StoredValue, _ connection: SQLiteConnection) throws {
        let statement = try connection.statement("INSERT OR REPLACE INTO \(tableName) (name, value) VALUES (?1, ?2)")
        try statement.bind(name, at: 1)
        try statement.bind(value, at: 2)
        try statement.run()
        statement.finish()
    }

    // MARK: The schema

    static func encode(_ schema: Schema) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(schema), as: UTF8.self)
    }

    func decodedSchema() throws -> Schema {
        try JSONDecoder().decode(Schema.self, from: Data(schema.utf8))
    }

    /// A short text that differs when schemas do, made without encoding them.
    static func fingerprint(_ schema: Schema, _ layout: SQLiteSchema) -> String {
        var hash = Fingerprint()
        hash.add("\(schema.version)")
        for entity in schema.entities.sorted(by: { $0.name < $1.name }) {
            hash.add(entity.debugDescription)
            for property in entity.properties {
                switch property {
                case let attribute as Schema.Attribute: hash.add(attribute.hashModifier ?? "")
                case let relationship as Schema.Relationship:
                    hash.add(relationship.hashModifier ?? "")
                    hash.add("\(relationship.minimumModelCount ?? 0) \(relationship.maximumModelCount ?? 0)")
                default: break
                }
            }
        }
        for statement in layout.creation { hash.add(statement) }
        return hash.text
    }
}

/// Two different 64-bit FNV-1a hashes side by side.
private struct Fingerprint {
    private var first: UInt64 = 0xCBF2_9CE4_8422_2325
    private var second: UInt64 = 0x6C62_272E_07BB_0142

    mutating func add(_ text: String) {
        for byte in text.utf8 { add(byte) }
        add(0)
    }

    private mutating func add(_ byte: UInt8) {
        first = (first ^ UInt64(byte)) &* 0x0000_0100_0000_01B3
        second = (second ^ UInt64(byte)) &* 0x9E37_79B9_7F4A_7C15
    }

    var text: String { String(first, radix: 16) + "-" + String(second, radix: 16) }
}
