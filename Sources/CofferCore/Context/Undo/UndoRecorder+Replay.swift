import Foundation

// Undoing a step is a change like any other: it goes through the same doors as the program's own, with both sides of
// every relationship in step, and is recorded on the way. What is recorded then is the redo.

extension UndoRecorder {
    /// Takes a step back.
    ///
    /// Only what the step changed is written, so that what other contexts have saved since stays. A deletion that was
    /// saved is undone by inserting the same objects again, and an insertion that was saved by deleting them.
    ///
    /// Complexity: O(*changed models, and models in changed lists*).
    func undo(_ step: UndoStep) {
        guard let context else { return }
        context.catchUp()
        closeStep()
        // Even if nothing is left to be taken back, the redo has its place in the order.
        openStep()
        let leaving = step.born.filter(isLive)
        // Now, before their links are cut.
        for model in leaving { noteDeath(of: model, keepsContents: true) }
        revive(step.died, context)
        for change in step.changes { restoreValues(change) }
        for change in step.changes { restoreLinks(change, toMany: false) }
        for change in step.changes { restoreLinks(change, toMany: true) }
        for model in leaving { withdraw(model, context) }
        if step.saves == context.saveCount { tidy(step, context) }
        closeStep()
    }

    private func isHere(_ model: any PersistentModel) -> Bool {
        guard let home = model._$home else { return false }
        return home.context === context && model._$flags & _Flag.detached == 0
    }

    private func isLive(_ model: any PersistentModel) -> Bool {
        isHere(model) && model._$flags & _Flag.deleted == 0
    }

    /// Takes a model out of the context again, without its delete rules: whatever the step linked to it is elsewhere
    /// by now. Once a save has stored it, it is deleted as usual.
    private func withdraw<M: PersistentModel>(_ model: M, _ context: ModelContext) {
        guard let home = model._$home else { return }
        if model._$flags & _Flag.inserted != 0 {
            home.discard(model)
        } else {
            model._$flags |= _Flag.deleted
            home.deleted.append(model)
        }
        if home.isWatched { home.tellWatches() }
        context.scheduleAutosave()
    }

    // MARK: Deleted models

    private func revive(_ deaths: [UndoStep.Death], _ context: ModelContext) {
        var gone: [ObjectIdentifier: UndoStep.Death] = [:]
        for death in deaths {
            if isHere(death.model) {
                // Its deletion is not saved; inserting it takes that back.
                context.insert(death.model)
            } else if death.model._$home?.context == nil || death.model._$home?.context === context {
                gone[ObjectIdentifier(death.model)] = death
            }
        }
        if gone.isEmpty { return }
        let again = deaths.filter { gone[ObjectIdentifier($0.model)] != nil }
        // First all are new, then they get their links, which may lead to each other.
        for death in again { renew(death.model) }
        for death in again { refill(death, gone, context) }
        for death in again { context.insert(death.model) }
    }

    /// Makes a model one that was never saved: an identifier is never used for a second row.
    private func renew<M: PersistentModel>(_ model: M) {
        model._$home = nil
        model._$flags &= _Flag.observed
        if model._$key >= 0 { model._$key = TemporaryKeys.next() }
        model._$extras?.identifier = nil
        model._$extras?.pendingEdits = [:]
    }

    private func refill(_ death: UndoStep.Death, _ gone: [ObjectIdentifier: UndoStep.Death], _ context: ModelContext) {
        func refill<M: PersistentModel>(_ model: M) {
            guard let contents = death.contents, let home = context.home(of: M._$descriptor) else { return }
            home.fillAttributes(of: model, from: contents.values, mask: home.attributeMask)
            for (slot, isToMany, models) in contents.links {
                let there = models.filter { gone[ObjectIdentifier($0)] != nil || isHere($0) }
                model._$edit(slot, isToMany ? .replace(there) : .set(there.first))
                guard !isToMany, let other = there.first, let other = gone[ObjectIdentifier(other)]?.contents else {
                    continue
                }
                // The other side comes back with a list that holds the model already; the bit tells the insertion.
                let inverse = home.relationships[slot]?.inverseSlot
                if other.links.contains(where: { $0.slot == inverse && $0.isToMany }) {
                    model._$flags |= _slotBit(slot)
                }
            }
        }
        refill(death.model)
    }

    // MARK: Properties

    private func restoreValues(_ change: ModelChange) {
        func restore<M: PersistentModel>(_ model: M, _ values: RowBatch, _ home: _ModelHome) {
            for slot in home.relationships.indices
            where change.slots & _slotBit(slot) != 0 && home.relationships[slot] == nil {
                if model._$flags & (_Flag.fault | _Flag.stale) != 0 { home.load(model) }
                if model._isGone { return }
                _mutate(model, slot) {
                    home.fillAttributes(of: model, from: values, mask: slot < 54 ? _slotBit(slot) : 1 << 54)
                }
            }
        }
        guard isHere(change.model), let values = change.values, let home = change.model._$home else { return }
        restore(change.model, values, home)
    }

    private func restoreLinks(_ change: ModelChange, toMany: Bool) {
        guard isHere(change.model) else { return }
        for (slot, old) in change.links.sorted(by: { $0.key < $1.key }) {
            switch old {
            case .one(let target) where !toMany: restoreLink(of: change.model, slot, target)
            case .many(let old, let new) where toMany: restoreList(of: change.model, slot, from: new, to: old)
            // What was appended has been linked elsewhere, or goes away.
            case .appended, .one, .many: break
            }
        }
    }

    private func restoreLink<M: PersistentModel>(of model: M, _ slot: Int, _ target: (any PersistentModel)?) {
        guard let home = model._$home else { return }
        home.complete(model, slot)
        if model._isGone { return }
        let target = target.flatMap { isHere($0) ? $0 : nil }
        let current = model._current(slot)
        if current === target || target == nil && home.relationships[slot]?.isOptional == false { return }
        _mutate(model, slot) { model._$edit(slot, .set(target)) }
        _relink(model, slot, from: current, to: target)
    }

    /// Takes back how a list was changed: its own models stand as they did, those that others took out since stay out,
    /// and those that others put in since stand at the end.
    private func restoreList<M: PersistentModel>(
        of model: M, _ slot: Int, from new: [any PersistentModel], to old: [any PersistentModel]
    ) {
        model._$home?.loadLinks(of: model, slot)
        let current = model._related(slot)
        func set(_ models: [any PersistentModel]) -> Set<ObjectIdentifier> { Set(models.map { ObjectIdentifier($0) }) }
        let (before, after, now) = (set(old), set(new), set(current))
        var target = old.filter { model in
            isHere(model) && (now.contains(ObjectIdentifier(model)) || !after.contains(ObjectIdentifier(model)))
        }
        target += current.filter { model in
            !before.contains(ObjectIdentifier(model)) && !after.contains(ObjectIdentifier(model))
        }
        if target.count == current.count, zip(target, current).allSatisfy({ $0 === $1 }) { return }
        _mutate(model, slot) { model._$edit(slot, .replace(target)) }
        let wanted = set(target)
        _relink(
            model, slot, removed: current.filter { !wanted.contains(ObjectIdentifier($0)) },
            added: target.filter { !now.contains(ObjectIdentifier($0)) })
    }

    // MARK: Unsaved changes

    /// Without a save in between, a property that had no unsaved change before the step has none again.
    private func tidy(_ step: UndoStep, _ context: ModelContext) {
        for change in step.changes where isHere(change.model) && change.model._$flags & _Flag.inserted == 0 {
            let model = change.model
            for case (let slot, .appended(_, let edits)) in change.links where !model._isLoaded(slot) {
                model._$extras?.pendingEdits[slot] = edits
            }
            model._$flags &= ~change.clean
            if step.merges != context.mergeCount {
                // Another context's save may have been kept out of them.
                if model._$key > 0 { model._$flags |= _Flag.stale }
                for case (let slot, .many) in change.links where change.clean & _slotBit(slot) != 0 {
                    model._$forget(slot)
                }
            }
            if model._$flags & _Flag.dirtyMask == 0 { model._$flags &= ~_Flag.listed }
        }
        for home in context.homes.values {
            home.changed.removeAll { $0._$flags & (_Flag.dirtyMask | _Flag.listed) == 0 }
        }
    }
}
