extension ModelContext {
    /// Takes links to models whose rows are gone out of the models that wait to be saved: deletion wins, as it does
    /// over the links to what this very save deletes.
    ///
    /// Only a save after something was deleted, here or elsewhere, looks for such links.
    ///
    /// - Throws: ``SwiftDataError/invalidRelationship`` for a required link, naming both sides; nothing is changed
    ///   then.
    /// - Complexity: O(*links of changed models*) where there may be such links, otherwise O(1).
    func dropLinksToGone() throws {
        if !mayLinkGone { return }
        for home in homes.values where home.hasRelationships {
            for case let relationship? in home.relationships
            where !relationship.isToMany && !relationship.isOptional {
                for model in home.inserted + home.liveChanged
                where model._$flags & (_slotBit(relationship.slot) | _Flag.inserted) != 0 {
                    guard model._current(relationship.slot)?._isGone == true else { continue }
                    throw SwiftDataError(
                        .invalidRelationship, operation: .save, store: home.store.name,
                        entity: home.descriptor.entityName, property: relationship.name,
                        detail: "the \(relationship.destination.entityName) that it leads to was deleted")
                }
            }
        }
        for home in homes.values where home.hasRelationships {
            for case let relationship? in home.relationships where relationship.isToMany || relationship.isOptional {
                for model in home.inserted + home.liveChanged {
                    model._dropLinks(relationship) { $0._isGone }
                    model._$extras?.pendingEdits[relationship.slot]?.added.removeAll { $0._isGone }
                }
            }
        }
        mayLinkGone = false
    }
}
