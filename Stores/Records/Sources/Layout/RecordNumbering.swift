import CofferCore

/// The numbers a store has given to entities and to their properties: what makes a record readable.
///
/// A number is never given out anew. What comes later is added behind, so that it makes no difference where a class
/// declares a property.
public struct RecordNumbering: Codable, Hashable, Sendable {
    /// The numbers of one entity and of its properties.
    public struct Entity: Codable, Hashable, Sendable {
        /// What the records of the entity carry in their header.
        public var number: Int
        /// The properties that are kept in the record, by field.
        public var fields: [String]
    }

    /// The greatest number that is read: records have two bytes for it, and new entities need room behind.
    private static let greatest = 0x7FFF

    private enum CodingKeys: String, CodingKey {
        case entities
    }

    /// Reads numbers.
    ///
    /// - Throws: `DecodingError` for numbers that no record can have, or that two entities have.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        entities = try values.decode([String: Entity].self, forKey: .entities)
        let numbers = Set(entities.values.map(\.number))
        guard numbers.count == entities.count, numbers.allSatisfy({ (0...Self.greatest).contains($0) }),
            entities.values.allSatisfy({ Set($0.fields).count == $0.fields.count && $0.fields.count <= Self.greatest })
        else {
            throw DecodingError.dataCorruptedError(
                forKey: .entities, in: values, debugDescription: "numbers of entities or fields are none")
        }
    }

    /// The entities by name.
    public private(set) var entities: [String: Entity] = [:]

    /// No numbers.
    public init() {}

    /// Gives numbers to the entities and properties of a schema that have none yet.
    ///
    /// The fields of a hierarchy of entities all stand with the topmost.
    public mutating func add(_ schema: Schema) {
        var next = (entities.values.map(\.number).max() ?? 0) + 1
        for root in schema.entities.sorted(by: { $0.name < $1.name }) where root.superentity == nil {
            for entity in root.subtree {
                if entities[entity.name] == nil {
                    entities[entity.name] = Entity(number: next, fields: [])
                    next += 1
                }
                for property in entity.storedProperties where Self.isField(property) {
                    let name = Self.fieldName(property.name, of: entity)
                    if entities[root.name]?.fields.contains(name) == false { entities[root.name]?.fields.append(name) }
                }
            }
        }
    }

    /// Whether a row keeps the property's value itself.
    static func isField(_ property: any SchemaProperty) -> Bool {
        if property.isTransient { return false }
        return (property as? Schema.Relationship)?.isToOneRelationship ?? true
    }

    /// The name of a property's field. Siblings may name properties alike, so those of subentities carry their name.
    static func fieldName(_ property: String, of entity: Schema.Entity) -> String {
        entity.superentity == nil ? property : "\(entity.name).\(property)"
    }
}
