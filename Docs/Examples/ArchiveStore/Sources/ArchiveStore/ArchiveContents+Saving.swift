import CofferCore

extension ArchiveContents {
    /// Makes the changes of a save.
    ///
    /// - Returns: the permanent identifier of every new row. Where unique values are taken, it is that of the row that
    ///   has them.
    /// - Throws: `uniquenessConflict` where a change takes values that another row has.
    mutating func apply(
        _ request: DataStoreSaveChangesRequest<DefaultSnapshot>
    ) throws -> [PersistentIdentifier: PersistentIdentifier] {
        let before = rows
        for row in request.deleted { self[row.persistentIdentifier] = nil }
        // A row that another context has deleted meanwhile stays deleted.
        let updated = request.updated.filter { self[$0.persistentIdentifier] != nil }
        for row in updated { self[row.persistentIdentifier] = row }

        let entities = Set((request.inserted + updated).map(\.persistentIdentifier.entityName))
        var taken = try UniqueValues(rows, of: entities.compactMap { schema.entitiesByName[$0] })
        var permanent: [PersistentIdentifier: PersistentIdentifier] = [:]
        for row in request.inserted {
            let entity = row.persistentIdentifier.entityName
            let identifier = try taken.owner(of: row) ?? newIdentifier(entity)
            permanent[row.persistentIdentifier] = identifier
            try taken.add(row, as: identifier)
        }
        for row in updated + request.inserted {
            let identifier = permanent[row.persistentIdentifier] ?? row.persistentIdentifier
            let copy = row.copy(persistentIdentifier: identifier, remappedIdentifiers: permanent)
            if permanent[row.persistentIdentifier] != nil, let old = self[identifier] {
                copy.takeLinks(of: old, schema)
            }
            self[identifier] = copy
        }
        try remember(request, before: before, permanent)
        return permanent
    }
}

/// Which row has which unique values.
struct UniqueValues {
    private struct Group: Hashable {
        let entity: String
        let names: [String]
        let values: [StoredValue]
    }

    private var owners: [Group: PersistentIdentifier] = [:]
    /// The groups of each entity, as the names and places of their properties.
    private var constraints: [String: [(names: [String], slots: [Int])]] = [:]

    /// Looks through the rows of some entities.
    init(_ rows: [String: ArchiveContents.Rows], of entities: [Schema.Entity]) throws {
        for entity in entities {
            let single = entity.attributes.filter(\.isUnique).map { [$0.name] }
            let names = entity.properties.map(\.name)
            constraints[entity.name] = Set(single + entity.uniquenessConstraints).map { group in
                (group, group.compactMap(names.firstIndex))
            }
            if constraints[entity.name]?.isEmpty == true { continue }
            for (identifier, row) in rows[entity.name, default: [:]] { try add(row, as: identifier) }
        }
    }

    /// The groups of a row. One with a nil is no group: nil cannot be taken.
    private func groups(of row: DefaultSnapshot) -> [Group] {
        let entity = row.persistentIdentifier.entityName
        return constraints[entity, default: []].compactMap { constraint in
            let values = constraint.slots.map(row.value)
            return values.contains(.null) ? nil : Group(entity: entity, names: constraint.names, values: values)
        }
    }

    /// The row that has values of a new one.
    func owner(of row: DefaultSnapshot) -> PersistentIdentifier? {
        groups(of: row).lazy.compactMap { owners[$0] }.first
    }

    /// Notes the values of a row.
    ///
    /// - Throws: `uniquenessConflict` where another row has them. Values are the user's, and stay out of the text.
    mutating func add(_ row: DefaultSnapshot, as identifier: PersistentIdentifier) throws {
        for group in groups(of: row) {
            if let other = owners[group], other != identifier {
                throw SwiftDataError(
                    .uniquenessConflict, entity: group.entity, property: group.names.joined(separator: ", "))
            }
            owners[group] = identifier
        }
    }
}

extension DefaultSnapshot {
    /// The value of a property, by its place among the properties of the entity.
    func value(_ slot: Int) -> StoredValue { batch.value(of: batch.cell(row: row, slot: slot)) }

    /// For a new row that was written onto an old one: links that the new one lacks stay, lists are joined.
    func takeLinks(of old: DefaultSnapshot, _ schema: Schema) {
        let properties = schema.entitiesByName[persistentIdentifier.entityName]?.properties ?? []
        for (slot, property) in properties.enumerated() where property.isRelationship {
            let (mine, theirs) = (batch.cell(row: row, slot: slot), old.batch.cell(row: old.row, slot: slot))
            if theirs.kind == .references {
                let own = mine.kind == .references ? batch.keys(of: mine) : []
                let kept = old.batch.keys(of: theirs).filter { !own.contains($0) }
                batch.setReferences(kept + own, row: row, slot: slot)
            } else if theirs.kind == .reference, mine.kind != .reference {
                batch.set(theirs, row: row, slot: slot)
            }
        }
    }
}
