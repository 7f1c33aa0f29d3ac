extension Schema.Entity {
    /// The entity of the topmost class of the hierarchy; the entity itself where its class has no model above it.
    ///
    /// A store keeps the rows of a hierarchy under keys of one space: no two rows of entities with one root entity have
    /// the same key.
    public var rootEntity: Schema.Entity {
        var entity = self
        while let parent = entity.superentity { entity = parent }
        return entity
    }

    /// The entity and all entities below it: itself first, then each direct subentity with those below it, by name.
    ///
    /// Complexity: O(*entities*), walked anew each time.
    public var subtree: [Schema.Entity] {
        [self] + subentities.sorted { $0.name < $1.name }.flatMap(\.subtree)
    }

    /// The entity and those above it, itself first.
    public var lineage: [Schema.Entity] {
        var lineage = [self]
        while let parent = lineage.last?.superentity { lineage.append(parent) }
        return lineage
    }

    /// Whether there are entities above or below.
    public var isInHierarchy: Bool { superentity != nil || !subentities.isEmpty }
}
