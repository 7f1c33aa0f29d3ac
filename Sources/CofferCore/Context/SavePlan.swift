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
            for model in front where doomedSet.insert(ObjectIdentifier(model)).inserted { doomed.append(model) }
            front = try cascade(from: front, context)
        }
        for model in doomed { try settle(model) }
    }

    /// The models that deleting some models deletes, too.
    private func cascade(from models: [any PersistentModel], _ context: ModelContext) throws -> [any PersistentModel] {
        var byHome: [ObjectIdentifier: (home: _ModelHome, models: [any PersistentModel])] = [:]
        for model in models {
            guard let home = model._$home, home.hasRelationships else { continue }
            byHome[ObjectIdentifier(home), default: (home, [])].models.append(model)
        }
        var next: [any PersistentModel] = []
        var seen: Set<ObjectIdentifier> = []
        for (home, models) in byHome.values {
            try context.loadAll(models, in: home)
            for case let relationship? in home.relationships where relationship.deleteRule != .noAction {
                let unloaded = models.filter { relationship.isToMany && !$0._isLoaded(relationship.slot) }
                if !unloaded.isEmpty { try context.loadRelated(unloaded, slot: relationship.slot, in: home) }
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

extension ModelContext {
    /// Loads the models of a list that have no values yet.
    func loadAll(_ models: [any PersistentModel], in home: _ModelHome) throws {
        func load<M: PersistentModel>(_ model: M) throws {
            if model._$flags & (_Flag.fault | _Flag.stale) != 0 {
                try self.load(model, with: home.takeWaiting(1000), from: home)
            }
        }
        for model in models { try load(model) }
    }
}
