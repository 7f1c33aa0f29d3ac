import Coffer

/// What a schema says, as text.
enum SchemaText {
    /// The type of a property as it would be written: `String?`, `[Stop]`.
    static func type(of property: any SchemaProperty) -> String {
        if let relationship = property as? Schema.Relationship {
            let name = relationship.destination
            return (relationship.isToOneRelationship ? name : "[\(name)]") + (relationship.isOptional ? "?" : "")
        }
        guard let attribute = property as? Schema.Attribute else { return "?" }
        return attribute.valueTypeName + (attribute.isOptional ? "?" : "")
    }

    /// The rest of what is said of a property.
    static func notes(on property: any SchemaProperty) -> String {
        var notes: [String] = []
        if let relationship = property as? Schema.Relationship {
            if let inverse = relationship.inverseName { notes.append("inverse \(inverse)") }
            if relationship.deleteRule != .nullify { notes.append(relationship.deleteRule.rawValue) }
            if let least = relationship.minimumModelCount, least > 0 { notes.append("at least \(least)") }
            if let most = relationship.maximumModelCount, most > 0 { notes.append("at most \(most)") }
            notes += relationship.options.map(\.debugDescription)
        } else if let attribute = property as? Schema.Attribute {
            notes += attribute.options.map(\.debugDescription)
            if attribute._isCoded { notes.append("kept as \(storage(of: attribute))") }
        }
        if property.originalName != property.name { notes.append("was \(property.originalName)") }
        return notes.joined(separator: ", ")
    }

    /// How the values of a property are kept.
    static func storage(of property: any SchemaProperty) -> String {
        if let relationship = property as? Schema.Relationship {
            return relationship.isToOneRelationship ? "link" : "list"
        }
        guard let attribute = property as? Schema.Attribute else { return "nothing" }
        if attribute.isTransient { return "nothing" }
        return attribute._isCoded ? "JSON" : attribute._storage.rawValue
    }

    /// The constraints and indexes of an entity with those above it.
    static func constraints(of entity: Schema.Entity) -> [(kind: String, properties: [String])] {
        let lineage = entity.lineage.reversed()
        var list = lineage.flatMap { $0.uniquenessConstraints.map { ("unique", $0) } }
        list += lineage.flatMap { entity in
            entity.indices.map { (entity._rtreeIndices.contains($0) ? "R-tree" : "index", $0) }
        }
        if !entity.allFullText.isEmpty { list.append(("full text", entity.allFullText)) }
        return list.map { (kind: $0.0, properties: $0.1) }
    }

    /// The optional features of a store, by name.
    static func features(of capabilities: StoreCapabilities) -> [String] {
        let names: [(StoreCapabilities.Features, String)] = [
            (.nativeFiltering, "filters"), (.nativeSorting, "orders"), (.indexes, "indexes"),
            (.uniqueness, "uniqueness"), (.fullText, "full text"), (.aggregates, "aggregates"),
            (.batchDelete, "batch deletes"), (.batchUpdate, "batch updates"), (.inheritance, "inheritance"),
            (.orderedRelationships, "ordered relationships"), (.transactions, "transactions"),
            (.severalProcesses, "several processes"), (.durable, "durable"), (.history, "history"),
        ]
        return names.filter { capabilities.features.contains($0.0) }.map(\.1)
    }
}
