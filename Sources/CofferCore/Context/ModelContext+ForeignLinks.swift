// Links to models of other contexts.

extension ModelContext {
    /// A model belongs to one context, and so do the models it is linked to.
    ///
    /// - Throws: ``SwiftDataError/invalidRelationship`` with the property that leads to a model of another context.
    func refuseForeignLinks() throws {
        if !mayLinkForeign { return }
        for home in homes.values where home.hasRelationships {
            for case let relationship? in home.relationships {
                for model in home.inserted + home.liveChanged
                where model._$flags & (_slotBit(relationship.slot) | _Flag.inserted) != 0 {
                    let related = model._related(relationship.slot)
                    guard related.contains(where: { !$0._isGone && $0._isForeign(to: model) }) else { continue }
                    throw SwiftDataError(
                        .invalidRelationship, operation: .save, store: home.store.name,
                        entity: home.descriptor.entityName, property: relationship.name,
                        detail: "the \(relationship.destination.entityName) that it leads to belongs to another context"
                    )
                }
            }
        }
        mayLinkForeign = false
    }
}
