import Foundation

/// What one step changed, and how it was before.
///
/// A step keeps its models alive. It speaks of objects, not of identifiers, so that it stays right when a model gets
/// another identifier: by its first save, or because it is inserted again after its deletion was saved.
final class UndoStep {
    /// How often the context had saved, and had taken in the saves of others, when the step began.
    let saves: Int
    let merges: Int
    /// The models whose properties were changed, in the order of their first change.
    private(set) var changes: [ModelChange] = []
    /// The models that the step brought into the context.
    private(set) var born: [any PersistentModel] = []
    /// The models that the step deleted, in the end with all that the delete rules deleted along.
    private(set) var died: [Death] = []

    private var changesByModel: [ObjectIdentifier: ModelChange] = [:]
    private var bornSet: Set<ObjectIdentifier> = []
    private var diedIndex: [ObjectIdentifier: Int] = [:]

    /// A deleted model.
    struct Death {
        let model: any PersistentModel
        /// What it held at the end of the step; nil until then.
        var contents: ModelContents?
    }

    init(saves: Int, merges: Int) {
        self.saves = saves
        self.merges = merges
    }

    // MARK: Inserting and deleting

    func isBorn(_ model: any PersistentModel) -> Bool { bornSet.contains(ObjectIdentifier(model)) }

    func isDead(_ model: any PersistentModel) -> Bool { diedIndex[ObjectIdentifier(model)] != nil }

    /// A model has come into the context; one that left it in the same step is where it was.
    func noteBirth(of model: any PersistentModel) {
        if forgetDeath(of: model) { return }
        if bornSet.insert(ObjectIdentifier(model)).inserted { born.append(model) }
    }

    /// A model goes; one that came in the same step leaves no trace.
    ///
    /// - Returns: whether the step has to bring the model back when it is undone.
    @discardableResult
    func noteDeath(of model: any PersistentModel, contents: ModelContents?) -> Bool {
        if bornSet.remove(ObjectIdentifier(model)) != nil {
            born.removeAll { $0 === model }
            return false
        }
        addDeath(of: model, contents: contents)
        return true
    }

    /// A model goes along with another. One that came in the same step has nothing to be brought back to.
    func addDeath(of model: any PersistentModel, contents: ModelContents?) {
        if let index = diedIndex[ObjectIdentifier(model)] {
            if died[index].contents == nil { died[index].contents = contents }
        } else if !isBorn(model) {
            diedIndex[ObjectIdentifier(model)] = died.count
            died.append(Death(model: model, contents: contents))
        }
    }

    private func forgetDeath(of model: any PersistentModel) -> Bool {
        guard diedIndex.removeValue(forKey: ObjectIdentifier(model)) != nil else { return false }
        died.removeAll { $0.model === model }
        for (index, death) in died.enumerated() { diedIndex[ObjectIdentifier(death.model)] = index }
        return true
    }

    // MARK: Properties

    /// The change of a model, made at its first.
    func change(of model: any PersistentModel) -> ModelChange {
        if let change = changesByModel[ObjectIdentifier(model)] { return change }
        let change = ModelChange(model)
        changesByModel[ObjectIdentifier(model)] = change
        changes.append(change)
        return change
    }

    /// Notes where the changed lists have got to: undoing the step takes back the difference, and nothing else.
    func close() {
        for change in changes { change.close() }
    }
}

/// How the changed properties of one model were before.
final class ModelChange {
    let model: any PersistentModel
    /// The attributes that are kept, as a mask of slots, and their old values.
    private(set) var slots: UInt64 = 0
    private(set) var values: RowBatch?
    /// The old links, by slot.
    private(set) var links: [Int: OldLinks] = [:]
    /// The slots without unsaved changes before.
    private(set) var clean: UInt64 = 0

    init(_ model: any PersistentModel) { self.model = model }

    /// Keeps the value of an attribute, unless it is kept already.
    func keepValue<M: PersistentModel>(of model: M, _ slot: Int, in home: _ModelHome) {
        let bit = _slotBit(slot)
        if slots & bit != 0 { return }
        home.complete(model, slot)
        let values = values ?? home.undoBatch()
        self.values = values
        // A value that cannot be encoded cannot have been saved either; there is nothing to go back to.
        guard home.write(model, to: values, mask: bit) else { return }
        slots |= bit
        clean |= bit & ~model._$flags
    }

    /// Keeps the links of a relationship, unless they are kept already.
    ///
    /// A list that is not in memory is not loaded for a model that is appended: taking that one out again undoes it.
    /// For anything else it is, since only then the places of its models are known.
    ///
    /// - Parameter added: the model that is about to be appended, if that is all.
    func keepLinks<M: PersistentModel>(
        of model: M, _ relationship: _ModelDescriptor.Relationship, in home: _ModelHome,
        adding added: (any PersistentModel)?
    ) {
        let slot = relationship.slot
        switch links[slot] {
        case .one, .many: return
        case .appended(let models, let edits):
            if let added, !model._isLoaded(slot) {
                links[slot] = .appended(models + [added], edits)
                return
            }
            home.loadLinks(of: model, slot)
            let new = Set(models.map { ObjectIdentifier($0) })
            links[slot] = .many(old: model._related(slot).filter { !new.contains(ObjectIdentifier($0)) }, new: [])
        case nil:
            if !relationship.isToMany {
                home.complete(model, slot)
                links[slot] = .one(model._current(slot))
            } else if let added, model._$key > 0, !model._isLoaded(slot) {
                links[slot] = .appended([added], model._$extras?.pendingEdits[slot])
            } else {
                home.loadLinks(of: model, slot)
                links[slot] = .many(old: model._related(slot), new: [])
            }
            clean |= _slotBit(slot) & ~model._$flags
        }
    }

    /// A save takes deleted models out of a relationship.
    func noteLoss(
        _ relationship: _ModelDescriptor.Relationship, from old: [any PersistentModel], to new: [any PersistentModel]
    ) {
        let slot = relationship.slot
        switch links[slot] {
        case .one: break
        case .many(let first, _): links[slot] = .many(old: first, new: new)
        case .appended(let models, _):
            let added = Set(models.map { ObjectIdentifier($0) })
            links[slot] = .many(old: old.filter { !added.contains(ObjectIdentifier($0)) }, new: new)
        case nil: links[slot] = relationship.isToMany ? .many(old: old, new: new) : .one(old.first)
        }
    }

    func close() {
        for (slot, old) in links {
            if case .many(let models, _) = old { links[slot] = .many(old: models, new: model._related(slot)) }
        }
    }
}

/// The links of a relationship before a step.
enum OldLinks {
    case one((any PersistentModel)?)
    /// A list, and what it became.
    case many(old: [any PersistentModel], new: [any PersistentModel])
    /// A list that was not in memory: what was appended to it, and what was to be done to it before.
    case appended([any PersistentModel], _ModelExtras.PendingEdit?)
}

/// Everything a deleted model held.
struct ModelContents {
    let values: RowBatch
    let links: [(slot: Int, isToMany: Bool, models: [any PersistentModel])]

    /// Takes what is in memory.
    init<M: PersistentModel>(of model: M, in home: _ModelHome) {
        values = home.undoBatch()
        _ = home.write(model, to: values, mask: home.attributeMask)
        links = home.relationships.indices.compactMap { slot in
            guard let relationship = home.relationships[slot], model._isLoaded(slot) else { return nil }
            return (slot, relationship.isToMany, model._related(slot))
        }
    }
}

extension _ModelHome {
    /// The slots that are no relationships; the last bit may stand for both kinds.
    var attributeMask: UInt64 {
        relationships.indices.reduce(0) { relationships[$1] == nil ? $0 | _slotBit($1) : $0 }
    }

    /// Writes attributes into the row of a batch, with those that are kept outside of their rows.
    ///
    /// - Returns: whether all could be encoded.
    func write<M: PersistentModel>(_ model: M, to batch: RowBatch, mask: UInt64) -> Bool {
        var writer = _RowWriter(batch, row: 0, mask: mask, descriptor: descriptor)
        guard (try? model._$store(&writer)) != nil else { return false }
        for slot in descriptor.special.external
        where mask & _slotBit(slot) != 0 && model._$key > 0 && batch.cell(row: 0, slot: slot).kind == .absent {
            let loaded: Bool? = loadedValue(of: model, slot: slot) { row in
                var row = row
                row.mask = _slotBit(slot)
                try model._$load(row)
                return true
            }
            var writer = _RowWriter(batch, row: 0, mask: _slotBit(slot), descriptor: descriptor)
            if loaded == true { try? model._$store(&writer) }
        }
        return true
    }

    /// A batch of one row without values.
    func undoBatch() -> RowBatch {
        let batch = RowBatch(space: space, width: descriptor.slotCount, capacity: 1)
        batch.descriptor = descriptor
        batch.appendRow(key: 0)
        return batch
    }

    /// Loads what a model lacks, if a property is among it.
    func complete<M: PersistentModel>(_ model: M, _ slot: Int) {
        if model._$flags & (_Flag.fault | _Flag.stale) != 0 { load(model) }
        guard model._$flags & _Flag.partial != 0, model._$flags & _slotBit(slot) == 0 else { return }
        let _: Bool? = loadedValue(of: model, slot: slot) { _ in true }
    }

    /// Loads all that a model lacks.
    func completeAll<M: PersistentModel>(_ model: M) {
        if model._$flags & (_Flag.fault | _Flag.stale) != 0 { load(model) }
        let external = descriptor.special.external
        if model._$flags & _Flag.partial != 0, let slot = relationships.indices.first(where: { !external.contains($0) })
        {
            let _: Bool? = loadedValue(of: model, slot: slot) { _ in true }
        }
        for case let relationship? in relationships where relationship.isToMany {
            loadLinks(of: model, relationship.slot)
        }
    }

    /// Loads a list that is not in memory.
    func loadLinks<M: PersistentModel>(of model: M, _ slot: Int) {
        guard let context, model._$key > 0, !model._isLoaded(slot) else { return }
        do { try context.loadRelated([model], slot: slot, in: self) } catch { context.loadError = error }
    }

    /// Gives a model the attributes of a row, and leaves its relationships alone.
    func fillAttributes<M: PersistentModel>(of model: M, from batch: RowBatch, mask: UInt64) {
        // The last bit of a mask stands for all slots from there on, relationships included.
        let shared = relationships.indices.filter { $0 >= 54 && relationships[$0] != nil && mask & _slotBit($0) != 0 }
        let kept = shared.map { (slot: $0, models: model._isLoaded($0) ? model._related($0) : nil) }
        do {
            try model._$load(_RowReader(batch, row: 0, mask: mask, home: self))
        } catch {
            context?.loadError = error
        }
        for (slot, models) in kept {
            if let models {
                model._$edit(slot, relationships[slot]?.isToMany == true ? .replace(models) : .set(models.first))
            } else {
                model._$forget(slot)
            }
        }
    }
}
