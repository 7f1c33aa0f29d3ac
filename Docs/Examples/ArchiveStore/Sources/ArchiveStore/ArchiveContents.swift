import CofferCore
import Foundation

/// What an archive holds, in memory and in its file.
struct ArchiveContents: Sendable {
    typealias Rows = [PersistentIdentifier: DefaultSnapshot]
    var identifier = UUID().uuidString
    /// The models that the rows were saved with.
    var schema: Schema
    /// The last key that was given out. It only grows, so that no row gets the key of a deleted one.
    var lastKey = 0
    /// The rows by entity.
    var rows: [String: Rows] = [:]
    var history = ArchiveHistory()

    init(_ schema: Schema) { self.schema = schema }

    /// The rows of an entity, in the order of their keys.
    func sorted(_ entity: String) -> [DefaultSnapshot] {
        rows[entity, default: [:]].values.sorted { $0.persistentIdentifier < $1.persistentIdentifier }
    }

    subscript(_ identifier: PersistentIdentifier) -> DefaultSnapshot? {
        get { rows[identifier.entityName]?[identifier] }
        set { rows[identifier.entityName, default: [:]][identifier] = newValue }
    }

    mutating func newIdentifier(_ entity: String) throws -> PersistentIdentifier {
        lastKey += 1
        return try PersistentIdentifier.identifier(for: identifier, entityName: entity, primaryKey: lastKey)
    }
}

extension ArchiveContents: Codable {
    private enum CodingKeys: CodingKey { case identifier, schema, lastKey, rows, history }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        identifier = try container.decode(String.self, forKey: .identifier)
        schema = try container.decode(Schema.self, forKey: .schema)
        lastKey = try container.decode(Int.self, forKey: .lastKey)
        for row in try container.decode([DefaultSnapshot].self, forKey: .rows) { self[row.persistentIdentifier] = row }
        history = try container.decode(ArchiveHistory.self, forKey: .history)
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(identifier, forKey: .identifier)
        try container.encode(schema, forKey: .schema)
        try container.encode(lastKey, forKey: .lastKey)
        try container.encode(rows.keys.sorted().flatMap(sorted), forKey: .rows)
        try container.encode(history, forKey: .history)
    }
}
