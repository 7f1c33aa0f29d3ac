/// How entities and properties that a history speaks of are called after a migration.
struct HistoryNames {
    private struct Entity {
        let name: String
        var properties: [String: String] = [:]
    }

    /// By the old name.
    private let entities: [String: Entity]
    private let isIdentity: Bool

    init(_ mapping: MigrationMapping) {
        var entities: [String: Entity] = [:]
        for map in mapping.entities {
            var entity = Entity(name: map.target.name)
            let old = map.source.properties
            for property in map.target.properties {
                guard let slot = MigrationMapping.oldSlot(of: property, among: old) else { continue }
                entity.properties[old[slot].name] = property.name
            }
            entities[map.source.name] = entity
        }
        self.entities = entities
        isIdentity = mapping.source.entities.allSatisfy { old in
            guard let entity = entities[old.name], entity.name == old.name else { return false }
            return old.properties.allSatisfy { entity.properties[$0.name] == $0.name }
        }
    }

    /// A transaction in the new terms.
    ///
    /// Changes of entities that are gone, and updates of nothing but properties that are gone, are left out. The
    /// transaction stays in any case, since its number may be somebody's token.
    func translate(_ transaction: StoredTransaction) -> StoredTransaction {
        if isIdentity { return transaction }
        var transaction = transaction
        transaction.changes = transaction.changes.compactMap { change in
            guard let entity = entities[change.entityName] else { return nil }
            var change = change
            change.entityName = entity.name
            if change.kind == .update {
                change.properties = change.properties.compactMap { entity.properties[$0] }
                if change.properties.isEmpty { return nil }
            }
            change.preserved = change.preserved.mapValues { values in
                Dictionary(
                    values.compactMap { name, value in entity.properties[name].map { ($0, value) } },
                    uniquingKeysWith: { first, _ in first })
            }.filter { !$0.value.isEmpty }
            return change
        }
        return transaction
    }
}
