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
        if let entity = layout.firstMisfit(in: found) ?? layout.firstAddition(in: found) {
            throw SwiftDataError(
                .unknownSchema, entity: entity,
                detail: "somebody else has given the store another schema since it was opened")
        }
        fingerprint = metadata.fingerprint
    }
}

extension RecordSchema {
    /// The first entity of this layout whose rows lie otherwise in another one, or that lacks a table there; nil where all
    /// fit.
    package func firstMisfit(in found: RecordSchema) -> String? {
        for space in spaces {
            let fields = found.space(of: space.entityName)?.fields.map(Self.identity)
            if fields != space.fields.map(Self.identity) { return space.entityName }
        }
        let theirs = Set(found.tables.map(\.name))
        return tables.first { !theirs.contains($0.name) }.map { $0.entityName ?? $0.name }
    }

    /// The first entity of this layout that another one has a further table for, such as an index: rows that are written by
    /// this layout lack their entries there.
    fileprivate func firstAddition(in found: RecordSchema) -> String? {
        let mine = Set(tables.map(\.name))
        return found.tables.lazy.filter { !mine.contains($0.name) }.compactMap(\.entityName).first {
            space(of: $0) != nil
        }
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
