import Foundation
import Observation

// Both sides of a relationship are kept in step at once, in a context or before. The side that the program sets calls
// `_relink`; the other side is changed in its storage, is marked as changed, and its observers hear of it.

extension PersistentModel {
    /// What is known of a relationship.
    @inline(__always)
    func _relationship(_ slot: Int) -> _ModelDescriptor.Relationship? {
        if let home = _$home { return home.relationships[safe: slot] ?? nil }
        return Self._$descriptor.relationships[safe: slot] ?? nil
    }

    /// The model a to-one relationship holds in memory; nil where it holds none or is not loaded.
    func _current(_ slot: Int) -> (any PersistentModel)? {
        var visitor = _RelatedVisitor(slot: slot)
        _$visit(&visitor)
        return visitor.models.first
    }

    /// Whether the row is gone; what the program does with the model then concerns no other.
    @inline(__always)
    var _isGone: Bool { _$flags & _Flag.detached != 0 }

    /// Whether the two are in different contexts. A model without a context goes where it is linked to, and one that
    /// outlives its context still stands for its row, in the same store.
    func _isForeign(to other: some PersistentModel) -> Bool {
        guard let home = _$home, let otherHome = other._$home, home !== otherHome else { return false }
        if let mine = home.contextIdentifier, let others = otherHome.contextIdentifier { return mine != others }
        return home.store !== otherHome.store
    }

    /// Whether the relationship is in memory.
    func _isLoaded(_ slot: Int) -> Bool {
        var visitor = _RelatedVisitor(slot: slot, collects: false)
        _$visit(&visitor)
        return visitor.isLoaded
    }
}

/// Follows a changed to-one link on its other side.
func _relink<M: PersistentModel>(
    _ model: M, _ slot: Int, from old: (any PersistentModel)?, to new: (any PersistentModel)?
) {
    guard let relationship = model._relationship(slot), !model._isGone else { return }
    if let new, new._isGone { model._$home?.context?.mayLinkGone = true }
    if let inverse = relationship.inverseSlot {
        if let old { _unlink(old, inverse, model, isToMany: relationship.inverseIsToMany) }
        if let new {
            _link(new, inverse, model, isToMany: relationship.inverseIsToMany, from: slot, originIsToMany: false)
        }
    }
    if let new { _share(model, new) }
}

/// Follows a changed to-many relationship on its other side.
func _relink<M: PersistentModel, V: PersistentModel>(_ model: M, _ slot: Int, _ links: LinkChange<V>) {
    guard let relationship = model._relationship(slot), !model._isGone else { return }
    if let inverse = relationship.inverseSlot {
        for other in links.removed { _unlink(other, inverse, model, isToMany: relationship.inverseIsToMany) }
        for other in links.added {
            _link(other, inverse, model, isToMany: relationship.inverseIsToMany, from: slot, originIsToMany: true)
        }
    }
    for other in links.added {
        if other._isGone { model._$home?.context?.mayLinkGone = true }
        _share(model, other)
    }
}

/// The same where the models' class is known at run time only.
func _relink<M: PersistentModel>(
    _ model: M, _ slot: Int, removed: [any PersistentModel], added: [any PersistentModel]
) {
    guard let relationship = model._relationship(slot), !model._isGone,
        let inverse = relationship.inverseSlot
    else { return }
    for other in removed { _unlink(other, inverse, model, isToMany: relationship.inverseIsToMany) }
    for other in added {
        _link(other, inverse, model, isToMany: relationship.inverseIsToMany, from: slot, originIsToMany: true)
    }
}

/// Makes the other side of a new model's links that an initialiser has set: no setter runs there.
///
/// - Parameter known: the slots whose links were set by a setter, or from the other side.
/// - Complexity: O(1) for a to-one link; O(*links*) for a to-many relationship, and for each of them O(*links*) more
///   where its other side is to-many as well.
func _completeLinks<M: PersistentModel>(of model: M, in home: _ModelHome, known: UInt64) {
    for relationship in home.pairedLinks {
        let inverse = relationship.inverse
        let slot = relationship.slot
        // The last bit stands for several slots, so it says nothing of one.
        if !relationship.isToMany, slot < 54, known & _slotBit(slot) != 0 { continue }
        var visitor = _RelatedVisitor(slot: slot)
        model._$visit(&visitor)
        if !relationship.isToMany {
            guard let other = visitor.models.first else { continue }
            if relationship.inverseIsToMany, slot >= 54, other._related(inverse).contains(where: { $0 === model }) {
                continue
            }
            _link(other, inverse, model, isToMany: relationship.inverseIsToMany, from: slot, originIsToMany: false)
            continue
        }
        if visitor.models.isEmpty { continue }
        var seen = Set<ObjectIdentifier>(minimumCapacity: visitor.models.count)
        let each = visitor.models.filter { seen.insert(ObjectIdentifier($0)).inserted }
        if each.count != visitor.models.count { model._$edit(slot, .replace(each)) }
        for other in each {
            _link(other, inverse, model, isToMany: relationship.inverseIsToMany, from: slot, originIsToMany: true)
        }
    }
}

/// A model linked to one that belongs to a context belongs to it, too.
private func _share<M: PersistentModel, N: PersistentModel>(_ model: M, _ other: N) {
    if other._isGone { return }
    if model._isForeign(to: other) {
        model._$home?.context?.mayLinkForeign = true
    } else if let context = model._$home?.context {
        if other._$home == nil { context.insert(other) }
    } else if let context = other._$home?.context, model._$home == nil {
        context.insert(model)
    }
}

/// Makes `target.slot` hold `model`, which holds `target` in its own `origin` slot already.
private func _link<T: PersistentModel, M: PersistentModel>(
    _ target: T, _ slot: Int, _ model: M, isToMany: Bool, from origin: Int, originIsToMany: Bool
) {
    // A model without a row keeps what it had; the link itself is dropped by the next save. One of another context is
    // not this one's to change; the save refuses the link.
    if target._isGone || target._isForeign(to: model) { return }
    if !isToMany {
        target._loadForLink(slot)
        if target._current(slot) === model {
            // An initialiser has set it, and now the other side knows; see `_completeLinks`.
            if target._$home == nil { target._$flags |= _slotBit(slot) }
            return
        }
    }
    _mutate(target, slot, adding: model) {
        if isToMany {
            if !target._holdsInMemory(slot) {
                target._edits(slot) { edit in
                    edit.removed.removeAll { $0 === model }
                    if !edit.added.contains(where: { $0 === model }) { edit.added.append(model) }
                }
                return
            }
            // With a to-one on this side a model is in one array at most, and `model` has just left the other.
            if originIsToMany, target._related(slot).contains(where: { $0 === model }) { return }
            target._$edit(slot, .add(model))
        } else {
            let previous = target._current(slot)
            target._$edit(slot, .set(model))
            if let previous { _unlink(previous, origin, target, isToMany: originIsToMany) }
        }
    }
}

/// Makes `target.slot` no longer hold `model`.
func _unlink<T: PersistentModel, M: PersistentModel>(
    _ target: T, _ slot: Int, _ model: M, isToMany: Bool
) {
    if target._isForeign(to: model) { return }
    if !isToMany {
        target._loadForLink(slot)
        if target._current(slot) !== model { return }
    }
    _mutate(target, slot) {
        if isToMany {
            if target._holdsInMemory(slot) {
                target._$edit(slot, .remove(model))
            } else {
                target._edits(slot) { edit in
                    edit.added.removeAll { $0 === model }
                    if !edit.removed.contains(where: { $0 === model }) { edit.removed.append(model) }
                }
            }
        } else {
            target._$edit(slot, .set(nil))
        }
    }
}

extension PersistentModel {
    /// Reads a model that was not read yet: only then is known where its to-one links lead.
    fileprivate func _loadForLink(_ slot: Int) {
        if _$flags & (_Flag.fault | _Flag.stale) != 0 { _$home?.load(self) }
        if _$flags & _Flag.partial != 0, !_isLoaded(slot) { _ = _$home?.loadedRelated(of: self, slot: slot) }
    }

    /// Whether a to-many relationship is in memory; one of a model without a row always is, if only empty.
    fileprivate func _holdsInMemory(_ slot: Int) -> Bool { _$key <= 0 || _isLoaded(slot) }

    /// Changes what is to be done to a to-many relationship once it is loaded.
    fileprivate func _edits(_ slot: Int, _ change: (inout _ModelExtras.PendingEdit) -> Void) {
        let extras = _$extras ?? _ModelExtras()
        if _$extras == nil { _$extras = extras }
        change(&extras.pendingEdits[slot, default: .init()])
    }
}

/// Changes a relationship's storage, marks it as changed and tells its observers.
///
/// - Parameter added: the model that is appended to a to-many relationship, if that is all.
func _mutate<T: PersistentModel>(
    _ model: T, _ slot: Int, adding added: (any PersistentModel)? = nil, _ body: () -> Void
) {
    let home = model._$home
    if let recorder = home?.recorder { recorder.willChange(model, slot, adding: added) }
    _notify(model, slot, body)
    _noteChange(model, slot, in: home)
}

/// Changes a relationship's storage and tells its observers.
func _notify<T: PersistentModel>(_ model: T, _ slot: Int, _ body: () -> Void) {
    guard model._$flags & _Flag.observed != 0, let registrar = model._$extras?.registrar,
        let keyPath = Swift.type(of: model)._$descriptor.properties[safe: slot]?.keyPath,
        let declaring = Swift.type(of: keyPath).rootType as? any PersistentModel.Type
    else { return body() }
    // Observers know a property by the key path of the class that declares it.
    func notify<R: PersistentModel>(_ root: R.Type) {
        func notify<V>(_ type: V.Type) {
            guard let keyPath = keyPath as? KeyPath<R, V>, let model = model as? R else { return body() }
            registrar.withMutation(of: model, keyPath: keyPath, body)
        }
        _openExistential(Swift.type(of: keyPath).valueType, do: notify)
    }
    notify(declaring)
}
