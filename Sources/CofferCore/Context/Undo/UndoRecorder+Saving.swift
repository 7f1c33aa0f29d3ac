import Foundation

// A step keeps what its deletions will take along at its end, before later steps change any of it. Delete rules are
// followed by the save, though, and only the save knows all: what is new then is added to the step that deleted the
// first of it.

/// What a save is about to delete, as the steps need it once the rows are gone.
struct RecordedDeletions {
    /// What one step deletes beyond those before it.
    struct Share {
        /// Nil for deletions that no step knows of.
        let step: UndoStep?
        /// The save as this step would have made it, with the deletions of those before.
        let plan: SavePlan
        var models: [(model: any PersistentModel, contents: ModelContents)] = []
    }
    var shares: [Share] = []
}

extension UndoRecorder {
    /// Takes down what a step deletes, as far as can be known before the save.
    ///
    /// Complexity: as ``record(_:_:)``.
    func takeDown(_ step: UndoStep, _ context: ModelContext) {
        let roots = step.died.map(\.model).filter { $0._$flags & _Flag.deleted != 0 && !$0._isGone }
        do {
            // A rule that forbids the deletion is the save's business.
            let doomed = (try? SavePlan(deleting: roots, context: context))?.doomed ?? roots
            try load(doomed, context)
            for model in doomed where !stepsWithDeletions.contains(where: { $0 !== step && $0.isDead(model) }) {
                guard let home = model._$home else { continue }
                step.addDeath(of: model, contents: Self.contents(of: model, in: home))
            }
        } catch {
            context.loadError = error
        }
    }

    /// Links to models that were dropped before their first save, along which nothing leads back: the save takes them
    /// out.
    func noteLinksToDiscarded(_ entityNames: Set<String>, _ context: ModelContext) {
        for home in context.homes.values {
            for case let relationship? in home.relationships
            where relationship.inverseSlot == nil && entityNames.contains(relationship.destination.entityName) {
                for model in home.inserted + home.changed {
                    let old = model._related(relationship.slot)
                    guard let lost = old.first(where: { $0._$home == nil }),
                        let step = stepsWithDeletions.last(where: { $0.isDead(lost) })
                    else { continue }
                    step.change(of: model).noteLoss(relationship, from: old, to: old.filter { $0._$home != nil })
                }
            }
        }
    }

    /// Loads what a save is going to delete, and takes it down.
    ///
    /// - Throws: what the store throws.
    /// - Complexity: O(*deleted models*), one request for each entity and relationship.
    func record(_ plan: SavePlan, _ context: ModelContext) throws -> RecordedDeletions {
        var deletions = RecordedDeletions()
        if plan.isPlain || stepsWithDeletions.isEmpty { return deletions }
        var seen: Set<ObjectIdentifier> = []
        for var share in shares(of: plan, context) {
            let models = share.plan.doomed.filter { seen.insert(ObjectIdentifier($0)).inserted }
            if share.step != nil {
                try load(models, context)
                share.models = models.compactMap { model in
                    model._$home.map { (model, Self.contents(of: model, in: $0)) }
                }
            }
            deletions.shares.append(share)
        }
        // The places of the deleted models in lists of others.
        for cut in plan.cut.values {
            for slot in cut.slots { loadLinks(of: cut.model, slot) }
        }
        return deletions
    }

    private static func complete(_ model: any PersistentModel, in home: _ModelHome) {
        func complete<M: PersistentModel>(_ model: M) { home.completeAll(model) }
        complete(model)
    }

    private static func contents(of model: any PersistentModel, in home: _ModelHome) -> ModelContents {
        func contents<M: PersistentModel>(_ model: M) -> ModelContents { ModelContents(of: model, in: home) }
        return contents(model)
    }

    private func loadLinks(of model: any PersistentModel, _ slot: Int) {
        if model._$home?.relationships[slot]?.isToMany == true { model._$home?.loadLinks(of: model, slot) }
    }

    private func load(_ models: [any PersistentModel], _ context: ModelContext) throws {
        for (_, models) in Dictionary(grouping: models, by: { $0._$home.map { ObjectIdentifier($0) } }) {
            guard let home = models[0]._$home else { continue }
            try context.loadAll(models, in: home)
            for case let relationship? in home.relationships where relationship.isToMany {
                let unloaded = models.filter { $0._$key > 0 && !$0._isGone && !$0._isLoaded(relationship.slot) }
                if !unloaded.isEmpty { try context.loadRelated(unloaded, slot: relationship.slot, in: home) }
            }
            // Whoever was fetched in part is the exception, and is loaded alone.
            for model in models where model._$flags & _Flag.partial != 0 && !model._isGone {
                Self.complete(model, in: home)
            }
        }
    }

    /// The shares of the steps in a save, in order. The last is the whole.
    private func shares(of plan: SavePlan, _ context: ModelContext) -> [RecordedDeletions.Share] {
        let roots = context.homes.values.flatMap { $0.deleted }
        // A model that was deleted, brought back and deleted again belongs to the last of these.
        var owners: [ObjectIdentifier: UndoStep] = [:]
        for step in stepsWithDeletions {
            for death in step.died { owners[ObjectIdentifier(death.model)] = step }
        }
        var deleted = roots.filter { owners[ObjectIdentifier($0)] == nil }
        let steps = stepsWithDeletions.filter { step in
            roots.contains { owners[ObjectIdentifier($0)] === step }
        }
        guard let last = steps.last else { return [] }
        var shares: [RecordedDeletions.Share] = []
        func add(_ step: UndoStep?) {
            // A part alone may break a rule that the whole does not; its share then falls to the next.
            guard let part = try? SavePlan(deleting: deleted, context: context) else { return }
            shares.append(RecordedDeletions.Share(step: step, plan: part))
        }
        if !deleted.isEmpty { add(nil) }
        for step in steps.dropLast() {
            deleted += roots.filter { owners[ObjectIdentifier($0)] === step }
            add(step)
        }
        return shares + [RecordedDeletions.Share(step: last, plan: plan)]
    }

    /// The save has gone well: the steps get what they need to undo it. Called before links are cut in memory.
    ///
    /// - Parameter stores: those that have stored their part, where others have not.
    func keep(_ deletions: RecordedDeletions, _ context: ModelContext, of stores: [StoreHandle]? = nil) {
        func isStored(_ home: _ModelHome?) -> Bool { stores.map { $0.contains { $0 === home?.store } } ?? true }
        // The others' part is still to be saved.
        if stores == nil { stepsWithDeletions = [] }
        for share in deletions.shares {
            for (model, contents) in share.models where isStored(model._$home) {
                share.step?.addDeath(of: model, contents: contents)
            }
        }
        guard let all = deletions.shares.last?.plan.doomed else { return }
        let entities = context.container.withEntitiesAbove(Set(all.compactMap { $0._$home?.descriptor.entityName }))
        for home in context.homes.values where isStored(home) {
            for case let relationship? in home.relationships
            where entities.contains(relationship.destination.entityName) {
                for model in home.models() { noteLosses(of: model, relationship, deletions) }
            }
        }
    }

    /// The links a model loses with the deletions, each in the step that deletes the other side. Those of models that
    /// are not in memory lead back from the deleted one, or are lost.
    private func noteLosses(
        of model: any PersistentModel, _ relationship: _ModelDescriptor.Relationship, _ deletions: RecordedDeletions
    ) {
        var old = model._related(relationship.slot)
        for share in deletions.shares {
            if share.plan.isDoomed(model) { return }
            let new = old.filter { !share.plan.isDoomed($0) }
            if new.count != old.count { share.step?.change(of: model).noteLoss(relationship, from: old, to: new) }
            old = new
        }
    }
}
