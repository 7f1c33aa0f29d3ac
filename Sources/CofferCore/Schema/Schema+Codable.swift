import Foundation

extension Schema {
    private enum CodingKeys: String, CodingKey {
        case encodingVersion, version, entities
    }

    /// Reads a schema.
    ///
    /// Names, stored forms and constraints come back; model classes, key paths and types that are no scalars do not,
    /// so a read schema describes stored data and cannot make models.
    ///
    /// - Throws: `DecodingError` for a form that is damaged, has two entities or two properties of one name, or has a version
    ///   with a larger first number than ``schemaEncodingVersion``.
    public convenience init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        let encodingVersion = try values.decode(Version.self, forKey: .encodingVersion)
        guard encodingVersion.major <= Self.schemaEncodingVersion.major else {
            throw DecodingError.dataCorruptedError(
                forKey: .encodingVersion, in: values,
                debugDescription: "the schema has the encoded form \(encodingVersion), newer than "
                    + "\(Self.schemaEncodingVersion), which this version reads")
        }
        let entities = try values.decode([Entity].self, forKey: .entities)
        let problems = SchemaBuilder.link(entities)
        // Stores lay rows out by these names.
        for names in [entities.map(\.name)] + entities.map({ $0.properties.map(\.name) })
        where Set(names).count != names.count {
            throw DecodingError.dataCorruptedError(
                forKey: .entities, in: values, debugDescription: "two entities or two properties have one name")
        }
        self.init(
            entities: entities, version: try values.decode(Version.self, forKey: .version),
            encodingVersion: encodingVersion, problems: problems)
    }

    /// Writes the schema, entities by name, so that equal models give the same text on every run.
    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(Self.schemaEncodingVersion, forKey: .encodingVersion)
        try values.encode(version, forKey: .version)
        try values.encode(entities.sorted { $0.name < $1.name }, forKey: .entities)
    }

    /// Writes the schema to a file as JSON, replacing what is there.
    ///
    /// - Throws: whatever writing the file throws; the old file is then as it was.
    public func save(to url: URL) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        try encoder.encode(self).write(to: url, options: .atomic)
    }

    /// Reads a schema from a file that ``save(to:)`` wrote.
    ///
    /// - Throws: whatever reading the file throws, or `DecodingError`.
    public static func load(from url: URL) throws -> Schema {
        try JSONDecoder().decode(Schema.self, from: Data(contentsOf: url))
    }
}
