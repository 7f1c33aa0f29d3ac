/// A change to a relationship's storage that goes past the accessor.
public enum _RelationshipEdit {
    /// Sets a to-one link; nil where there is none.
    case set((any PersistentModel)?)
    /// Appends to a to-many relationship.
    case add(any PersistentModel)
    /// Removes from a to-many relationship.
    case remove(any PersistentModel)
    /// Sets all models of a to-many relationship.
    case replace([any PersistentModel])
    /// The same with an array of the relationship's own type: the destination's class, and where the array is.
    case adopt(any PersistentModel.Type, UnsafeRawPointer)
}

/// The model as its own class. The schema decides which classes a relationship holds, so the class is nearly always
/// the exact one and the slow dynamic cast is left to subclasses.
@inline(__always)
private func downcast<V: PersistentModel>(_ model: any PersistentModel) -> V? {
    if Swift.type(of: model) == V.self { return unsafeDowncast(model, to: V.self) }
    return model as? V
}

/// Applies an edit to the storage of a property; nothing happens where the property is no relationship.
@inlinable @_disfavoredOverload
public func _edit<V>(_ storage: inout V?, _ edit: _RelationshipEdit) {}

public func _edit<V: PersistentModel>(_ storage: inout V?, _ edit: _RelationshipEdit) {
    if case .set(let model) = edit { storage = model.flatMap { downcast($0) } }
}

public func _edit<V: PersistentModel>(_ storage: inout V??, _ edit: _RelationshipEdit) {
    if case .set(let model) = edit { storage = .some(model.flatMap { downcast($0) }) }
}

public func _edit<V: PersistentModel>(_ storage: inout [V]?, _ edit: _RelationshipEdit) {
    if case .adopt(let type, let array) = edit {
        if type == V.self { storage = array.assumingMemoryBound(to: [V].self).pointee }
        return
    }
    // Moved out first: appending to the only reference of an array does not copy it.
    var models = storage ?? []
    storage = nil
    apply(edit, to: &models)
    storage = models
}

public func _edit<V: PersistentModel>(_ storage: inout [V]??, _ edit: _RelationshipEdit) {
    if case .adopt(let type, let array) = edit {
        if type == V.self { storage = .some(array.assumingMemoryBound(to: [V].self).pointee) }
        return
    }
    var models = (storage ?? nil) ?? []
    storage = nil
    apply(edit, to: &models)
    storage = models
}

private func apply<V: PersistentModel>(_ edit: _RelationshipEdit, to models: inout [V]) {
    switch edit {
    case .set, .adopt: break
    case .add(let model): if let model: V = downcast(model) { models.append(model) }
    case .remove(let model):
        if let index = models.lastIndex(where: { $0 === model }) { models.remove(at: index) }
    // Most lists that are replaced as a whole are empty: an owner without rows.
    case .replace(let new): models = new.isEmpty ? [] : new.compactMap { downcast($0) }
    }
}

/// Collects the models that relationships hold, without loading any and without telling observation.
public struct _RelatedVisitor {
    /// The only slot wanted, or all.
    @usableFromInline let slot: Int?
    /// The models found.
    @usableFromInline var models: [any PersistentModel] = []
    /// Whether the wanted slot holds its models, or its "none".
    @usableFromInline var isLoaded = false
    /// The memory of each list that holds models, with the number of models found up to its end; nil where nobody asks.
    @usableFromInline var lists: [(memory: UnsafeMutableRawPointer, end: Int)]?
    @usableFromInline let collects: Bool

    init(slot: Int? = nil, collects: Bool = true) {
        self.slot = slot
        self.collects = collects
    }

    @inlinable
    func wants(_ slot: Int) -> Bool { self.slot == nil || self.slot == slot }

    @_disfavoredOverload @inlinable
    public mutating func visit<V>(_ slot: Int, _ storage: V?) {}

    @inlinable
    public mutating func visit<V: PersistentModel>(_ slot: Int, _ storage: V?) {
        guard wants(slot), let storage else { return }
        isLoaded = true
        models.append(storage)
    }

    @inlinable
    public mutating func visit<V: PersistentModel>(_ slot: Int, _ storage: V??) {
        guard wants(slot), let storage else { return }
        isLoaded = true
        if let storage { models.append(storage) }
    }

    @inlinable
    public mutating func visit<V: PersistentModel>(_ slot: Int, _ storage: [V]?) {
        guard wants(slot), let storage else { return }
        isLoaded = true
        if collects { collect(storage) }
    }

    @inlinable
    public mutating func visit<V: PersistentModel>(_ slot: Int, _ storage: [V]??) {
        guard wants(slot), let storage else { return }
        isLoaded = true
        if collects, let storage { collect(storage) }
    }

    /// One by one: converting the array as a whole looks the conformance of every element up.
    @inlinable
    mutating func collect<V: PersistentModel>(_ storage: [V]) {
        if storage.isEmpty { return }
        models.reserveCapacity(models.count + storage.count)
        for model in storage { models.append(model) }
        #if !canImport(ObjectiveC)
        // An array is nothing but a reference to its memory.
        if lists != nil {
            lists?.append((unsafeBitCast(storage, to: UnsafeMutableRawPointer.self), models.count))
        }
        #endif
    }
}

/// How an array of linked models differs from what it was.
struct LinkChange<V: PersistentModel> {
    /// The new models, each once, in order.
    let models: [V]
    let added: [V]
    let removed: [V]
    let hadDuplicates: Bool

    /// Compares two arrays; nil where they are the same.
    ///
    /// Complexity: O(*models*).
    init?(from old: [V], to new: [V]) {
        let startsAlike = zip(old, new).allSatisfy { $0 === $1 }
        if startsAlike, old.count == new.count { return nil }
        // The commonest change by far: one model appended to what was there. No set is made for it.
        if startsAlike, new.count == old.count + 1, let last = new.last, !old.contains(where: { $0 === last }) {
            models = new
            added = [last]
            removed = []
            hadDuplicates = false
            return
        }
        var seen = Set<ObjectIdentifier>(minimumCapacity: new.count)
        let unique = new.filter { seen.insert(ObjectIdentifier($0)).inserted }
        let before = Set(old.map { ObjectIdentifier($0) })
        models = unique
        hadDuplicates = unique.count != new.count
        added = unique.filter { !before.contains(ObjectIdentifier($0)) }
        removed = old.filter { !seen.contains(ObjectIdentifier($0)) }
    }
}
