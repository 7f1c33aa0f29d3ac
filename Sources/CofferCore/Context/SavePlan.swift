import Foundation

/// What a save will do, worked out without touching any model: the deletions that the delete rules add, and the links
/// they cut. A save that fails has then changed nothing.
struct SavePlan {
    /// The models to be deleted, in the order in which they were found.
    private(set) var doomed: [any PersistentModel] = []
    private var doomedSet: Set<ObjectIdentifier> = []
    /// Links to be cut: the model and the slots.
    private(set) var cut: [ObjectIdentifier: Cut] = [:]

    struct Cut {
        let model: any PersistentModel
        var slots: Set<Int> = []
    }

    /// Whether nothing is deleted, and so nothing has to be looked up for the changed models.
    var isPlain: Bool { doomed.isEmpty }

    func isDoomed(_ model: any PersistentModel) -> Bool { doomedSet.contains(ObjectIdentifier(model)) }

    /// Works the delete rules out, starting from the models that the program deleted.
    ///
    /// - Throws: ``SwiftDataError`` when a rule denies a deletion or would empty a required link, naming both sides; or
    ///   what the store throws while related models are loaded.
    /// - Complexity: O(*deleted and related models*), one request for each relationship and step outward.
    init(deleting roots: [any PersistentModel], context: ModelContext) throws {
        var front = roots
        while !front.isEmpty {
            doomedSet.reserveCapacity(doomedSet.count + front.count)
            for model in front where doomedSet.insert(ObjectIdentifier(model)).inserted { doomed.append(model) }
            front = try cascade(from: front, context)
        }
        for model in doomed { try settle(model) }
        try cutOneWayLinks(context)
    }

    /// What it says of the models of some stores. No link leads from one store to another.
    func part(of stores: [StoreHandle]) -> SavePlan {
        func isPart(_ model: any PersistentModel) -> Bool { stores.contains { $0 === model._$home?.store } }
        var part = self
        part.doomed = doomed.filter(isPart)
        part.doomedSet = Set(part.doomed.map { ObjectIdentifier($0) })
        part.cut = cut.filter { isPart($0.value.model) }
        return part
    }

    /// The models that deleting some models deletes, too.
    private func cascade(from models: [any PersistentModel], _ context: ModelContext) throws -> [any PersistentModel] {
        var byHome: [(home: _ModelHome, models: [any PersistentModel])] = []
        var last = 0
        for model in models {
            guard let home = model._$home, home.hasRelationships else { continue }
            // Models of one class mostly stand together.
            if !byHome.indices.contains(last) || byHome[last].home !== home {
                last = byHome.firstIndex { $0.home === home } ?? byHome.count
                if last == byHome.count { byHome.append((home, [])) }
            }
            byHome[last].models.append(model)
        }
        var next: [any PersistentModel] = []
        var seen: Set<ObjectIdentifier> = []
        for (home, models) in byHome {
            try context.loadAll(models, in: home)
            for case let relationship? in home.relationships where relationship.deleteRule != .noAction {
                let unloaded = models.filter { relationship.isToMany && !$0._isLoaded(relationship.slot) }
                if !unloaded.isEmpty { try context.loadRelated(unloaded, slot: relationship.slot, in: home) }
                if relationship.inverseSlot != nil, !relationship.inverseIsToMany,
                    let target = home.destination(relationship.slot)
                {
                    // Whether a link is cut on its other side depends on where that leads.
                    try context.loadAll(models.flatMap { $0._related(relationship.slot) }, in: target)
                }
                guard relationship.deleteRule == .cascade else { continue }
                for model in models {
                    for related in model._related(relationship.slot)
                    where !isDoomed(related) && related._$flags & _Flag.detached == 0
                        && seen.insert(ObjectIdentifier(related)).inserted
                    {
                        next.append(related)
                    }
                }
            }
        }
        return next
    }

    /// Cuts the links to a deleted model, or finds that it may not be deleted.
    private mutating func settle(_ model: any PersistentModel) throws {
        guard let home = model._$home, home.hasRelationships else { return }
        for case let relationship? in home.relationships where relationship.deleteRule != .noAction {
            for related in model._related(relationship.slot)
            where !isDoomed(related) && related._$flags & _Flag.detached == 0 {
                if relationship.deleteRule == .deny {
                    throw SwiftDataError(
                        .deleteDenied, operation: .save, store: home.store.name, entity: home.descriptor.entityName,
                        property: relationship.name,
                        detail: "a \(relationship.destination.entityName) is still linked")
                }
                guard let inverse = relationship.inverseSlot,
                    let other = related._relationship(inverse)
                else { continue }
                if !other.isToMany, related._current(inverse) !== model { continue }
                if !other.isToMany, !other.isOptional {
                    throw SwiftDataError(
                        .modelValidationFailure, operation: .save, store: home.store.name,
                        entity: relationship.destination.entityName, property: other.name,
                        detail: "the \(home.descriptor.entityName) it requires is deleted, and the rule of "
                            + "\(home.descriptor.entityName).\(relationship.name) is nullify")
                }
                cut[ObjectIdentifier(related), default: Cut(model: related)].slots.insert(inverse)
            }
        }
    }

    /// Cuts the links to deleted models that nothing leads back along, in stores that keep whatever they are given.
    ///
    /// A store of rows does it by itself. Here every row of an entity with such a relationship is looked at.
    private mutating func cutOneWayLinks(_ context: ModelContext) throws {
        if context.container.stores.allSatisfy({ $0.rows != nil }) { return }
        let homes = doomed.compactMap { $0._$home }.filter { $0.store.rows == nil }
        let entities = context.container.withEntitiesAbove(Set(homes.map(\.descriptor.entityName)))
        if entities.isEmpty { return }
        for entity in context.container.schema.entities {
            guard let type = entity._modelType, let home = context.home(of: type._$descriptor), home.store.rows == nil
            else { continue }
            let oneWay = home.relationships.compactMap { $0 }.filter { relationship in
                let inverse = relationship.inverseSlot.flatMap {
                    relationship.destination.relationships[safe: $0] ?? nil
                }
                return entities.contains(relationship.destination.entityName)
                    && (inverse == nil || inverse?.deleteRule == .noAction)
            }
            if oneWay.isEmpty { continue }
            for model in try context.everything(in: home) where !isDoomed(model) {
                for relationship in oneWay where model._related(relationship.slot).contains(where: isDoomed) {
                    if !relationship.isToMany, !relationship.isOptional {
                        throw SwiftDataError(
                            .modelValidationFailure, operation: .save, store: home.store.name, entity: entity.name,
                            property: relationship.name,
                            detail: "the \(relationship.destination.entityName) it requires is deleted")
                    }
                    cut[ObjectIdentifier(model), default: Cut(model: model)].slots.insert(relationship.slot)
                }
            }
        }
    }

    /// Cuts the links in the models themselves, once everything is stored.
    func apply() {
        for cut in cut.values {
            for slot in cut.slots { unlink(cut.model, slot) }
        }
    }

    private func unlink<M: PersistentModel>(_ model: M, _ slot: Int) {
        guard let relationship = model._relationship(slot) else { return }
        if !relationship.isToMany {
            _notify(model, slot) { model._$edit(slot, .set(nil)) }
        } else if model._isLoaded(slot) {
            let kept = model._related(slot).filter { !isDoomed($0) }
            _notify(model, slot) { model._$edit(slot, .replace(kept)) }
        }
    }
}

extension PersistentModel {
    /// The models that a relationship holds in memory.
    func _related(_ slot: Int) -> [any PersistentModel] {
        var visitor = _RelatedVisitor(slot: slot)
        _$visit(&visitor)
        return visitor.models
    }
}
