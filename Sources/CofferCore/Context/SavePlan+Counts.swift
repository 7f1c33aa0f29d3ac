import Foundation

extension SavePlan {
    /// Checks that the relationships that are saved have as many models as they may have.
    ///
    /// A relationship that is optional may be empty whatever its minimum.
    ///
    /// - Throws: ``SwiftDataError`` that names the relationship, or what the store throws while one is loaded.
    /// - Complexity: O(1) for each model class without such a relationship; otherwise O(*related models*) of what is
    ///   saved, and one request where they are not in memory.
    func checkCounts(in context: ModelContext) throws {
        for home in context.homes.values {
            for relationship in home.countedRelationships {
                let models = models(of: home, changedIn: relationship.slot)
                let unloaded = models.filter {
                    $0._$flags & _Flag.inserted == 0 && !$0._isLoaded(relationship.slot)
                }
                if !unloaded.isEmpty { try context.loadRelated(unloaded, slot: relationship.slot, in: home) }
                for model in models { try check(model, relationship, home) }
            }
        }
    }

    /// The models whose relationship may have another number of models after the save.
    private func models(of home: _ModelHome, changedIn slot: Int) -> [any PersistentModel] {
        let changed = home.liveChanged.filter { $0._$flags & _slotBit(slot) != 0 }
        let cut = cut.values.filter { $0.model._$home === home && $0.slots.contains(slot) }.map(\.model)
        var seen: Set<ObjectIdentifier> = []
        return (home.inserted + changed + cut).filter {
            !isDoomed($0) && seen.insert(ObjectIdentifier($0)).inserted
        }
    }

    private func check(
        _ model: any PersistentModel, _ relationship: _ModelDescriptor.Relationship, _ home: _ModelHome
    ) throws {
        let count = model._related(relationship.slot).count { !isDoomed($0) && !$0._isGone }
        let isTooFew = count < relationship.minimumModelCount && !(count == 0 && relationship.isOptional)
        let isTooMany = relationship.maximumModelCount > 0 && count > relationship.maximumModelCount
        guard isTooFew || isTooMany else { return }
        throw SwiftDataError(
            .relationshipCount, operation: .save, store: home.store.name, entity: home.descriptor.entityName,
            property: relationship.name,
            detail: isTooFew
                ? "it has \(count) models and needs \(relationship.minimumModelCount)"
                : "it has \(count) models and may have \(relationship.maximumModelCount)")
    }
}
