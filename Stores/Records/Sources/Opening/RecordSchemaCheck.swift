import CofferCore

/// Looks whether tables that others may bring up to date still lie as a store expects: rows that it wrote otherwise would
/// have too few fields, or lack entries of indexes.
package struct RecordSchemaCheck: Sendable {
    private static let fingerprintKey = Array("fingerprint".utf8)

    private let layout: RecordSchema
    /// Of the schema that was found to fit.
    private var fingerprint: [UInt8] = []

    package init(_ layout: RecordSchema) { self.layout = layout }

    /// - Throws: `unknownSchema` that names the entity.
    package mutating func run(_ reader: any RecordReader) throws {
        if let found = try reader.get(RecordSchema.metadata, Self.fingerprintKey), found.elementsEqual(fingerprint) {
            return
        }
        let metadata = try RecordMetadata(reader)
        let found = try RecordSchema(try metadata.decodedSchema(), numbering: metadata.numbering)
        if let entity = layout.firstMisfit(in: found) {
            throw SwiftDataError(
                .unknownSchema, entity: entity,
                detail: "somebody else has given the store another schema since it was opened")
        }
        fingerprint = metadata.fingerprint
    }
}

extension RecordSchema {
    /// The first entity of this layout whose rows, lists or indexes are other ones in another layout.
    fileprivate func firstMisfit(in found: RecordSchema) -> String? {
        for space in spaces {
            let fields = found.space(of: space.entityName)?.fields.map(Self.identity)
            if fields != space.fields.map(Self.identity) { return space.entityName }
        }
        let (mine, theirs) = (Set(tables.map(\.name)), Set(found.tables.map(\.name)))
        for table in tables where !theirs.contains(table.name) {
            if let entity = table.entityName { return entity }
        }
        for table in found.tables where !mine.contains(table.name) {
            if let entity = table.entityName, space(of: entity) != nil { return entity }
        }
        return nil
    }

    private static func identity(_ field: RecordField) -> [String] {
        [field.entityName, field.property, field.storage?.rawValue ?? ""]
    }
}

extension RecordTable {
    /// Whose rows, or what follows from them, the table has.
    fileprivate var entityName: String? {
        switch role {
        case .rows(let entity), .index(let entity, _), .words(let entity, _), .links(let entity, _),
            .pairs(let entity, _):
            entity
        case .metadata, .history: nil
        }
    }
}
