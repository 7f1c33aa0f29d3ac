import CofferRuntime
import Foundation
import Observation

// What the accessors of a persisted property call. The overloads choose by the property's type at compile time: scalars
// and other values, an optional or required model, an array of models. The fast paths are inlined into the getter and
// setter; everything else is behind one call.

/// Whether a read has to go through ``_willRead(_:_:_:)`` first.
@inlinable @inline(__always)
public func _mustPrepare(_ flags: UInt64) -> Bool {
    flags & _Flag.slowRead != 0 || coffer_is_observing() != 0
}

/// Loads the values of a model that has none, and tells observation of the read.
public func _willRead<M: PersistentModel, V>(_ model: M, _ slot: Int, _ keyPath: @autoclosure () -> KeyPath<M, V>) {
    if model._$flags & (_Flag.fault | _Flag.stale) != 0 { model._$home?.load(model) }
    if coffer_is_observing() != 0 {
        model._registrar().access(model, keyPath: keyPath())
    } else if model._$flags & _Flag.observed != 0 {
        model._$extras?.registrar?.access(model, keyPath: keyPath())
    }
}

extension PersistentModel {
    /// The registrar, made at the first read under observation.
    func _registrar() -> ObservationRegistrar {
        let extras = _$extras ?? _ModelExtras()
        if _$extras == nil { _$extras = extras }
        if let registrar = extras.registrar { return registrar }
        let registrar = ObservationRegistrar()
        extras.registrar = registrar
        _$flags |= _Flag.observed
        return registrar
    }
}

// MARK: Values that are not there

/// A value that storage does not hold: loaded where the row can be read, otherwise the property's default or an empty
/// value, since a read cannot throw.
public func _absent<M: PersistentModel, V: PersistentScalar>(_ model: M, _ slot: Int, _ keyPath: KeyPath<M, V>) -> V {
    model._$home?.loadedValue(of: model, slot: slot) { try $0.value(slot) } ?? _placeholder(model, slot, V.self)
}

public func _absent<M: PersistentModel, V: RawRepresentable & Codable>(
    _ model: M, _ slot: Int, _ keyPath: KeyPath<M, V>
) -> V where V.RawValue: PersistentScalar {
    model._$home?.loadedValue(of: model, slot: slot) { try $0.value(slot) } ?? _placeholder(model, slot, V.self)
}

public func _absent<M: PersistentModel, V: RawRepresentable & Codable>(
    _ model: M, _ slot: Int, _ keyPath: KeyPath<M, V?>
) -> V? where V.RawValue: PersistentScalar {
    model._$home?.loadedValue(of: model, slot: slot) { (row) throws -> V?? in try row.value(slot) } ?? nil
}

@_disfavoredOverload
public func _absent<M: PersistentModel, V: Codable>(_ model: M, _ slot: Int, _ keyPath: KeyPath<M, V>) -> V {
    model._$home?.loadedValue(of: model, slot: slot) { try $0.value(slot) } ?? _placeholder(model, slot, V.self)
}

public func _absentTransformed<M: PersistentModel, V>(
    _ model: M, _ slot: Int, _ keyPath: KeyPath<M, V>, by transformer: ValueTransformer.Type
) -> V {
    model._$home?.loadedValue(of: model, slot: slot) { try $0.transformed(slot, by: transformer) }
        ?? _placeholder(model, slot, V.self) { transformer.init() }
}

public func _absentTransformed<M: PersistentModel, V>(
    _ model: M, _ slot: Int, _ keyPath: KeyPath<M, V>, by name: String
) -> V {
    model._$home?.loadedValue(of: model, slot: slot) { try $0.transformed(slot, by: name) }
        ?? _placeholder(model, slot, V.self) { ValueTransformer(forName: NSValueTransformerName(name)) }
}

/// A value that is kept through its own coding, whatever its type.
public func _absentCoded<M: PersistentModel, V: Codable>(_ model: M, _ slot: Int, _ keyPath: KeyPath<M, V>) -> V {
    model._$home?.loadedValue(of: model, slot: slot) { try $0.coded(slot) } ?? _placeholder(model, slot, V.self)
}

/// A value that no store keeps.
public func _absentEphemeral<M: PersistentModel, V>(_ model: M, _ slot: Int, _ keyPath: KeyPath<M, V>) -> V {
    _placeholder(model, slot, V.self)
}

public func _absent<M: PersistentModel, V: PersistentModel>(_ model: M, _ slot: Int, _ keyPath: KeyPath<M, V>) -> V {
    if let related = model._$home?.loadedRelated(of: model, slot: slot) as? V { return related }
    // The link is required and its target gone: a model without a row, whose values are placeholders.
    let orphan = V(_$blank: ())
    orphan._$flags |= _Flag.detached
    return orphan
}

public func _absent<M: PersistentModel, V: PersistentModel>(_ model: M, _ slot: Int, _ keyPath: KeyPath<M, V?>) -> V? {
    model._$home?.loadedRelated(of: model, slot: slot) as? V
}

public func _absent<M: PersistentModel, V: PersistentModel>(
    _ model: M, _ slot: Int, _ keyPath: KeyPath<M, [V]>
) -> [V] {
    model._$home?.loadedMany(of: model, slot: slot, as: V.self) ?? []
}

public func _absent<M: PersistentModel, V: PersistentModel>(
    _ model: M, _ slot: Int, _ keyPath: KeyPath<M, [V]?>
) -> [V]? {
    model._$home?.loadedMany(of: model, slot: slot, as: V.self) ?? []
}

// MARK: Changes

/// Whether the value in memory is what a read would give, or the row that changed meanwhile says the same.
@inlinable @inline(__always)
func _isCurrent<M: PersistentModel, V>(
    _ model: M, _ keyPath: @autoclosure () -> KeyPath<M, V>, _ isEqual: (V) -> Bool
) -> Bool {
    model._$flags & _Flag.stale == 0 || isEqual(model[keyPath: keyPath()])
}

/// What a setter does for a value that can be compared: nothing where it stays the same.
@inlinable @inline(__always)
public func _set<M: PersistentModel, V: Equatable>(
    _ model: M, _ slot: Int, _ keyPath: @autoclosure () -> KeyPath<M, V>, _ old: V?, _ new: V, _ store: (V) -> Void
) {
    if let old, old == new, _isCurrent(model, keyPath(), { $0 == new }) { return }
    _change(model, slot, keyPath()) { store(new) }
}

/// Zero equals minus zero and is another value all the same.
@inlinable @inline(__always)
public func _set<M: PersistentModel, V: BinaryFloatingPoint>(
    _ model: M, _ slot: Int, _ keyPath: @autoclosure () -> KeyPath<M, V>, _ old: V?, _ new: V, _ store: (V) -> Void
) {
    if let old, old == new, old.sign == new.sign,
        _isCurrent(model, keyPath(), { $0 == new && $0.sign == new.sign })
    {
        return
    }
    _change(model, slot, keyPath()) { store(new) }
}

@inlinable @inline(__always)
public func _set<M: PersistentModel, V: BinaryFloatingPoint>(
    _ model: M, _ slot: Int, _ keyPath: @autoclosure () -> KeyPath<M, V?>, _ old: V??, _ new: V?,
    _ store: (V?) -> Void
) {
    if let old, old == new, old?.sign == new?.sign,
        _isCurrent(model, keyPath(), { $0 == new && $0?.sign == new?.sign })
    {
        return
    }
    _change(model, slot, keyPath()) { store(new) }
}

@inlinable @inline(__always) @_disfavoredOverload
public func _set<M: PersistentModel, V>(
    _ model: M, _ slot: Int, _ keyPath: @autoclosure () -> KeyPath<M, V>, _ old: V?, _ new: V, _ store: (V) -> Void
) {
    _change(model, slot, keyPath()) { store(new) }
}

@inlinable @inline(__always)
public func _setTransformed<M: PersistentModel, V>(
    _ model: M, _ slot: Int, _ keyPath: @autoclosure () -> KeyPath<M, V>, _ old: V?, _ new: V, _ store: (V) -> Void
) {
    _change(model, slot, keyPath()) { store(new) }
}

@inlinable @inline(__always)
func _change<M: PersistentModel, V>(
    _ model: M, _ slot: Int, _ keyPath: @autoclosure () -> KeyPath<M, V>, _ store: () -> Void
) {
    let flags = model._$flags
    if flags & _slotBit(slot) != 0, flags & (_Flag.slowRead | _Flag.listed) == _Flag.listed {
        store()  // changed before, listed, and nobody is watching
    } else {
        _changeSlowly(model, slot, keyPath(), store)
    }
}

@usableFromInline
func _changeSlowly<M: PersistentModel, V>(
    _ model: M, _ slot: Int, _ keyPath: @autoclosure () -> KeyPath<M, V>, _ store: () -> Void
) {
    let home = model._$home
    if model._$flags & (_Flag.fault | _Flag.stale) != 0 { home?.load(model) }
    if let recorder = home?.recorder { recorder.willChange(model, slot) }
    if model._$flags & _Flag.observed != 0, let registrar = model._$extras?.registrar {
        registrar.withMutation(of: model, keyPath: keyPath(), store)
    } else {
        store()
    }
    _noteChange(model, slot, in: home)
}

/// Marks a property as changed and lists the model with its context.
@inline(__always)
func _noteChange<M: PersistentModel>(_ model: M, _ slot: Int, in home: _ModelHome?) {
    guard let home else {
        // Before it is inserted a model notes which of its links the other side knows of; see `_completeLinks`.
        model._$flags |= _slotBit(slot)
        return
    }
    if model._$flags & _Flag.detached != 0 { return }
    model._$flags |= _slotBit(slot)
    if model._$flags & (_Flag.listed | _Flag.inserted | _Flag.deleted) == 0 {
        model._$flags |= _Flag.listed
        home.context?.noteChanged(model)
    }
    // Whatever is watched is marked as observed, so that a home without watches costs nothing.
    if model._$flags & _Flag.observed != 0 { home.tellWatches(of: model, slot) }
}

extension PersistentModel {
    /// The model of a to-one link, loaded where it is not in memory or the row has changed.
    @inline(__always)
    fileprivate func _link(_ slot: Int, known: (any PersistentModel)?) -> (any PersistentModel)? {
        if let known, _$flags & _Flag.stale == 0 { return known }
        return _storedLink(slot)
    }

    private func _storedLink(_ slot: Int) -> (any PersistentModel)? {
        if _$flags & (_Flag.fault | _Flag.stale) != 0 { _$home?.load(self) }
        if _$flags & _Flag.partial != 0, !_isLoaded(slot) { return _$home?.loadedRelated(of: self, slot: slot) }
        return _current(slot)
    }
}

/// What a to-one setter does: stores the model and keeps the other side in step.
public func _set<M: PersistentModel, V: PersistentModel>(
    _ model: M, _ slot: Int, _ keyPath: @autoclosure () -> KeyPath<M, V>, _ old: V?, _ new: V, _ store: (V) -> Void
) {
    let previous = model._link(slot, known: old)
    if previous === new {
        store(new)
        return
    }
    _changeSlowly(model, slot, keyPath()) { store(new) }
    _relink(model, slot, from: previous, to: new)
}

public func _set<M: PersistentModel, V: PersistentModel>(
    _ model: M, _ slot: Int, _ keyPath: @autoclosure () -> KeyPath<M, V?>, _ old: V??, _ new: V?, _ store: (V?) -> Void
) {
    let known = model._$flags & _Flag.stale == 0 ? old : nil
    let previous = known ?? (model._link(slot, known: nil) as? V)
    if previous === new, known != nil || new != nil {
        if known == nil { store(new) }
        return
    }
    _changeSlowly(model, slot, keyPath()) { store(new) }
    _relink(model, slot, from: previous, to: new)
}

public func _set<M: PersistentModel, V: PersistentModel>(
    _ model: M, _ slot: Int, _ keyPath: @autoclosure () -> KeyPath<M, [V]>, _ old: [V]?, _ new: [V],
    _ store: ([V]) -> Void
) {
    let before = old ?? _absent(model, slot, keyPath())
    guard let links = LinkChange(from: before, to: new) else { return }
    _changeSlowly(model, slot, keyPath()) { store(links.models) }
    _relink(model, slot, links)
}

public func _set<M: PersistentModel, V: PersistentModel>(
    _ model: M, _ slot: Int, _ keyPath: @autoclosure () -> KeyPath<M, [V]?>, _ old: [V]??, _ new: [V]?,
    _ store: ([V]?) -> Void
) {
    let before = old ?? _absent(model, slot, keyPath())
    if before == nil, new == nil { return }
    guard let links = LinkChange(from: before ?? [], to: new ?? []) else {
        if (before == nil) != (new == nil) { _changeSlowly(model, slot, keyPath()) { store(new) } }
        return
    }
    _changeSlowly(model, slot, keyPath()) { store(new == nil ? nil : links.models) }
    _relink(model, slot, links)
}

// MARK: Changes in place

/// What `_modify` does before it hands the value out; a value needs no copy of what was before.
@inlinable @inline(__always) @_disfavoredOverload
public func _willModify<M: PersistentModel, V>(
    _ model: M, _ slot: Int, _ keyPath: @autoclosure () -> KeyPath<M, V>, _ old: V?
) -> _NothingKept {
    if _mustPrepare(model._$flags) { _willRead(model, slot, keyPath()) }
    // A model that is listed and not observed has nobody who wants to know the old value.
    if model._$flags & (_Flag.observed | _Flag.listed) != _Flag.listed { _willModifySlowly(model, slot, keyPath()) }
    return _NothingKept()
}

/// What is kept of a value while it is changed in place.
@frozen public struct _NothingKept {
    @inlinable public init() {}
}

@inlinable @inline(__always) @_disfavoredOverload
public func _didModify<M: PersistentModel, V>(
    _ model: M, _ slot: Int, _ keyPath: @autoclosure () -> KeyPath<M, V>, _ before: _NothingKept, _ new: V?
) {
    _finishModify(model, slot, keyPath())
}

@usableFromInline
func _willModifySlowly<M: PersistentModel, V>(
    _ model: M, _ slot: Int, _ keyPath: @autoclosure () -> KeyPath<M, V>
) {
    if let recorder = model._$home?.recorder { recorder.willChange(model, slot) }
    if model._$flags & _Flag.observed != 0 { model._$extras?.registrar?.willSet(model, keyPath: keyPath()) }
}

@usableFromInline
func _finishModify<M: PersistentModel, V>(
    _ model: M, _ slot: Int, _ keyPath: @autoclosure () -> KeyPath<M, V>
) {
    _noteChange(model, slot, in: model._$home)
    if model._$flags & _Flag.observed != 0 { model._$extras?.registrar?.didSet(model, keyPath: keyPath()) }
}

/// For an array of models the copy tells afterwards which links were made and cut.
public func _willModify<M: PersistentModel, V: PersistentModel>(
    _ model: M, _ slot: Int, _ keyPath: @autoclosure () -> KeyPath<M, [V]>, _ old: [V]?
) -> [V] {
    if _mustPrepare(model._$flags) { _willRead(model, slot, keyPath()) }
    let before = old ?? _absent(model, slot, keyPath())
    _willModifySlowly(model, slot, keyPath())
    return before
}

public func _didModify<M: PersistentModel, V: PersistentModel>(
    _ model: M, _ slot: Int, _ keyPath: @autoclosure () -> KeyPath<M, [V]>, _ before: [V], _ new: [V]?
) {
    _relinkModified(model, slot, before, new ?? [])
    if model._$flags & _Flag.observed != 0 { model._$extras?.registrar?.didSet(model, keyPath: keyPath()) }
}

public func _willModify<M: PersistentModel, V: PersistentModel>(
    _ model: M, _ slot: Int, _ keyPath: @autoclosure () -> KeyPath<M, [V]?>, _ old: [V]??
) -> [V]? {
    if _mustPrepare(model._$flags) { _willRead(model, slot, keyPath()) }
    let before = old ?? _absent(model, slot, keyPath())
    _willModifySlowly(model, slot, keyPath())
    return before
}

public func _didModify<M: PersistentModel, V: PersistentModel>(
    _ model: M, _ slot: Int, _ keyPath: @autoclosure () -> KeyPath<M, [V]?>, _ before: [V]?, _ new: [V]??
) {
    _relinkModified(model, slot, before ?? [], (new ?? nil) ?? [])
    if model._$flags & _Flag.observed != 0 { model._$extras?.registrar?.didSet(model, keyPath: keyPath()) }
}

private func _relinkModified<M: PersistentModel, V: PersistentModel>(
    _ model: M, _ slot: Int, _ before: [V], _ new: [V]
) {
    guard let links = LinkChange(from: before, to: new) else { return }
    if links.hadDuplicates { model._$edit(slot, .replace(links.models)) }
    _noteChange(model, slot, in: model._$home)
    _relink(model, slot, links)
}
