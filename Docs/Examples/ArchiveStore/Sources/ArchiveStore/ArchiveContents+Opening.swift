import CofferCore
import Foundation

extension ArchiveContents {
    /// Reads an archive, and brings rows that were saved with other models to those of the program.
    ///
    /// The file stays as it is; the next save writes what was made of it.
    init(json: Data, for schema: Schema, plan: (any SchemaMigrationPlan.Type)?) throws {
        struct Head: Decodable { let schema: Schema }
        do {
            let decoder = JSONDecoder()
            // A process may have another version of the models open as well.
            decoder.userInfo[DefaultSnapshot.schemaKey] = schema
            let stored = try decoder.decode(Head.self, from: json).schema
            if stored.entitiesByName == schema.entitiesByName {
                self = try decoder.decode(ArchiveContents.self, from: json)
            } else {
                if stored.version > schema.version { throw SwiftDataError(.backwardMigration) }
                let migration = ArchiveMigration(from: stored, to: schema)
                try migration.refusePlan(plan)
                self = try decoder.decode(ArchiveContents.self, from: migration.migrated(json))
            }
        } catch let error as DecodingError {
            throw SwiftDataError(.corruptStore, detail: "the JSON is that of something else", underlying: error)
        }
        self.schema = schema
    }
}

/// The way from one version of the models to another: over JSON, since a snapshot is always of the program's own classes.
private struct ArchiveMigration {
    let stored: Schema
    let target: Schema

    init(from stored: Schema, to target: Schema) {
        self.stored = stored
        self.target = target
    }

    /// Stages with code would need a context of the old models.
    func refusePlan(_ plan: (any SchemaMigrationPlan.Type)?) throws {
        for stage in plan?.stages ?? [] {
            if case .lightweight = stage { continue }
            throw SwiftDataError(.migrationFailure, detail: "an archive runs no stages with code")
        }
    }

    func migrated(_ json: Data) throws -> Data {
        guard var document = try JSONSerialization.jsonObject(with: json) as? [String: Any],
            let rows = document["rows"] as? [[String: Any]]
        else { throw SwiftDataError(.corruptStore, detail: "the archive has no rows") }
        document["rows"] = try rows.map { row in
            let identifier = try JSONDecoder().decode(
                PersistentIdentifier.self,
                from: JSONSerialization.data(withJSONObject: row["persistentIdentifier"] ?? [:]))
            return try migrated(row, of: identifier.entityName)
        }
        return try JSONSerialization.data(withJSONObject: document)
    }

    private func migrated(_ row: [String: Any], of name: String) throws -> [String: Any] {
        guard let old = stored.entitiesByName[name], let new = target.entitiesByName[name] else {
            throw SwiftDataError(.unknownSchema, entity: name, detail: "the archive has rows of it")
        }
        var result: [String: Any] = [:]
        result["persistentIdentifier"] = row["persistentIdentifier"]
        for property in new.properties {
            let names = [property.name, property.originalName]
            if let source = names.lazy.compactMap({ name in old.properties.first { $0.name == name } }).first {
                try check(source, property, of: name)
                result[property.name] = row[source.name]
            } else {
                result[property.name] = try fresh(property, of: name)
            }
        }
        return result
    }

    /// Refuses what would need values to be converted.
    private func check(_ old: any SchemaProperty, _ new: any SchemaProperty, of entity: String) throws {
        let isSame =
            switch (old, new) {
            case (let old as Schema.Attribute, let new as Schema.Attribute): old.valueTypeName == new.valueTypeName
            case (let old as Schema.Relationship, let new as Schema.Relationship):
                old.destination == new.destination && old.isToOneRelationship == new.isToOneRelationship
            default: false
            }
        if isSame, new.isOptional || !old.isOptional { return }
        throw SwiftDataError(
            .unknownSchema, entity: entity, property: new.name, detail: "an archive converts no values")
    }

    /// What rows have for a property that is new.
    private func fresh(_ property: any SchemaProperty, of entity: String) throws -> Any? {
        if let relationship = property as? Schema.Relationship, !relationship.isToOneRelationship { return [Any]() }
        if let value = (property as? Schema.Attribute)?.defaultValue {
            switch value {
            case is String, is Int, is Double: return value
            case let value as Bool: return value ? 1 : 0
            default: break
            }
        } else if property.isOptional {
            return nil
        }
        throw SwiftDataError(
            .unknownSchema, entity: entity, property: property.name,
            detail: "there is no value for the rows that are there")
    }
}
