/// Links of one to one that two schemas see differently: what led one way becomes one side of a pair.
///
/// Both sides of such a pair are kept, each in its own row, so that a store whose rows have one of them does not have the
/// links of the new schema, though it has all its columns.
extension Schema {
    /// The first relationship of one to one with another side that it did not have in an older schema whose rows may have
    /// links on either.
    func firstNewPair(from old: Schema) -> (entity: String, property: String)? {
        for entity in entities.sorted(by: { $0.name < $1.name }) {
            guard let before = old.entitiesByName[entity.name] else { continue }
            for case let relationship as Relationship in entity.storedProperties
            where relationship.isNewPair(of: entity, in: self, from: old, as: before) {
                return (entity.name, relationship.name)
            }
        }
        return nil
    }
}

extension Schema.Relationship {
    /// Whether this side of a pair was none in an older schema, and rows of that may have a link on either side.
    ///
    /// - Parameters:
    ///   - entity: the entity whose relationship this is, and `before` what it was in the older schema.
    func isNewPair(of entity: Schema.Entity, in schema: Schema, from old: Schema, as before: Schema.Entity) -> Bool {
        guard isToOneRelationship, let inverseName,
            let inverse = schema.entitiesByName[destination]?._relationship(named: inverseName),
            inverse.isToOneRelationship
        else { return false }
        func known(_ relationship: Schema.Relationship, of entity: Schema.Entity?) -> Schema.Relationship? {
            guard let properties = entity?.properties else { return nil }
            return MigrationMapping.oldSlot(of: relationship, among: properties).flatMap {
                properties[$0] as? Schema.Relationship
            }
        }
        let mine = known(self, of: before)
        let others = known(inverse, of: old.entitiesByName[mine?.destination ?? destination])
        guard let mine, let others else { return mine != nil || others != nil }
        return mine.inverseName != others.name || others.inverseName != mine.name
    }
}
