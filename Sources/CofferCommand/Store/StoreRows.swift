import Coffer

/// Reads the rows of an entity, with those of the entities below it.
struct StoreRows {
    let store: any ImportingRowStore
    let entity: Schema.Entity
    /// Whether rows of entities below are wanted, too.
    var includesSubentities = true

    /// How many rows make a block.
    static let blockSize = 512

    init(_ store: any ImportingRowStore, _ entity: Schema.Entity, includesSubentities: Bool = true) {
        self.store = store
        self.entity = entity
        self.includesSubentities = includesSubentities
    }

    /// The entity of a name.
    ///
    /// - Throws: ``CommandFailure`` that lists those that there are.
    static func entity(_ name: String, of store: any ImportingRowStore) throws -> Schema.Entity {
        if let entity = store.schema.entitiesByName[name] { return entity }
        let names = store.schema.entities.map(\.name).sorted().map(\.shownSafely).joined(separator: ", ")
        throw CommandFailure(
            "there is no entity '\(name)'; the store has \(names.isEmpty ? "none" : names)")
    }

    /// A plan of all rows.
    func plan(_ slots: [Int]) -> FetchPlan {
        FetchPlan(
            entityName: entity.name,
            subentityNames: includesSubentities ? entity.subtree.dropFirst().map(\.name) : [], slots: slots)
    }

    /// An empty batch for the rows of a plan.
    func batch() -> RowBatch {
        let below = includesSubentities ? Array(entity.subtree.dropFirst()) : []
        return RowBatch(
            space: .shared(entityName: entity.name, storeIdentifier: store.identifier),
            width: below.reduce(entity.properties.count) { max($0, $1.properties.count) },
            subspaces: below.map { .shared(entityName: $0.name, storeIdentifier: store.identifier) })
    }

    /// Hands out the rows of a plan, block by block.
    func read(_ plan: FetchPlan, _ body: (RowBatch) throws -> Void) throws {
        try store.fetchBlocks(plan, into: batch(), of: Self.blockSize, body)
    }
}
