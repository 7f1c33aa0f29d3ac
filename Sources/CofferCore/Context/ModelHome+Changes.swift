import Foundation

extension _ModelHome {
    /// The changed models that are not to be deleted.
    var liveChanged: [any PersistentModel] {
        changed.filter(Self.isLive)
    }

    var hasChanges: Bool { !inserted.isEmpty || !deleted.isEmpty || changed.contains(where: Self.isLive) }

    private static func isLive(_ model: any PersistentModel) -> Bool {
        model._$flags & (_Flag.deleted | _Flag.detached | _Flag.inserted | _Flag.listed) == _Flag.listed
    }

    /// Drops a model that was never saved.
    func discard<M: PersistentModel>(_ model: M) {
        context?.discardedEntities.insert(descriptor.entityName)
        if let index = insertedIndex(of: model) { inserted.remove(at: index) }
        release(model)
        for slot in relationships.indices {
            guard let relationship = relationships[slot], let inverse = relationship.inverseSlot else { continue }
            var visitor = _RelatedVisitor(slot: slot)
            model._$visit(&visitor)
            for other in visitor.models { cut(other, inverse, model, relationship.inverseIsToMany) }
        }
    }

    /// Where a new model stands. Temporary keys fall as models are inserted, but for those that had one before.
    private func insertedIndex(of model: any PersistentModel) -> Int? {
        let key = model._$key
        var range = inserted.startIndex..<inserted.endIndex
        while !range.isEmpty {
            let middle = range.lowerBound + range.count / 2
            if inserted[middle] === model { return middle }
            range = inserted[middle]._$key > key ? middle + 1..<range.upperBound : range.lowerBound..<middle
        }
        return inserted.lastIndex { $0 === model }
    }

    private func cut<T: PersistentModel, M: PersistentModel>(
        _ other: T, _ slot: Int, _ model: M, _ isToMany: Bool
    ) {
        guard other._$home != nil else { return }
        if isToMany {
            if other._isLoaded(slot) { _mutate(other, slot) { other._$edit(slot, .remove(model)) } }
            other._$extras?.pendingEdits[slot]?.added.removeAll { $0 === model }
        } else if other._current(slot) === model {
            _mutate(other, slot) { other._$edit(slot, .set(nil)) }
        }
    }

    /// Takes links to models that were dropped before their first save out of the models that wait to be saved; only
    /// these can have such.
    func dropLinks(toDiscarded entityNames: Set<String>) {
        for case let relationship? in relationships
        where relationship.inverseSlot == nil && entityNames.contains(relationship.destination.entityName) {
            for model in inserted + changed { model._dropLinks(relationship) { $0._$home == nil } }
        }
    }

    /// A model that was never saved leaves the context as if it had not been inserted.
    private func release<M: PersistentModel>(_ model: M) {
        model._$flags &= _Flag.observed
        model._$home = nil
    }

    /// Takes back what was not saved.
    ///
    /// - Parameters:
    ///   - kept: new models that stay.
    ///   - spared: stored ones that keep what was not saved.
    func rollback(keeping kept: [any PersistentModel] = [], sparing spared: Set<ObjectIdentifier> = []) {
        let stay = Set(kept.map { ObjectIdentifier($0) })
        for model in inserted where !stay.contains(ObjectIdentifier(model)) { release(model) }
        inserted = kept
        func isSpared(_ model: any PersistentModel) -> Bool {
            !spared.isEmpty && spared.contains(ObjectIdentifier(model))
        }
        // A model that was changed after it was deleted is listed as deleted only.
        let touched = (changed + deleted.filter { $0._$flags & _Flag.listed == 0 }).filter { !isSpared($0) }
        let given = deleted.filter { !isSpared($0) }
        for model in given { model._$flags &= ~_Flag.deleted }
        deleted.removeAll { !isSpared($0) }
        for model in touched {
            let dirty = model._$flags & _Flag.dirtyMask
            model._$flags &= ~_Flag.listed
            guard model._$flags & _Flag.detached == 0, dirty != 0 else { continue }
            for slot in relationships.indices where relationships[slot]?.isToMany == true {
                if dirty & _slotBit(slot) != 0 { model._$forget(slot) }
            }
            for slot in descriptor.special.ephemeral where dirty & _slotBit(slot) != 0 { model._$forget(slot) }
            model._$extras?.pendingEdits = [:]
            model._$flags = model._$flags & ~_Flag.dirtyMask | _Flag.stale
        }
        changed.removeAll { !isSpared($0) }
    }

    /// Models whose rows another context deleted do not wait for anything any more.
    func dropDetached() {
        if deleted.contains(where: { $0._isGone }) { deleted.removeAll(where: { $0._isGone }) }
        if changed.contains(where: { $0._isGone }) { changed.removeAll(where: { $0._isGone }) }
    }

    /// A saved deletion: the model keeps its values and belongs to no context any more.
    ///
    /// Nobody would look for it among the models that hold each other, so it gives up the links that lead in circles: two
    /// deleted models would keep each other, and with them their store, for ever.
    func detach<M: PersistentModel>(_ model: M) {
        forget(key: model._$key, object: Unmanaged.passUnretained(model).toOpaque())
        for slot in descriptor.circularSlots { model._$forget(slot) }
        model._$extras?.pendingEdits = [:]
        model._$flags = model._$flags & (_Flag.observed | _Flag.textKey) | _Flag.detached
    }

    private func part<M: PersistentModel>(_ type: M.Type) {
        var models = livingModels(as: type)
        _ModelList.lending(&models) { M._$part($0, circularSlots: descriptor.circularSlots) }
    }

    /// The context ends. Its models keep what they have; links in both directions would keep whole graphs alive.
    func leave() {
        context = nil
        contextIdentifier = nil
        recorder = nil
        forgetLastModel()
        part(descriptor.type)
        // What was never saved has its links nowhere else; at least it keeps no store open.
        for model in inserted { release(model) }
        inserted = []
        changed = []
        deleted = []
        clearDestinations()
    }
}
