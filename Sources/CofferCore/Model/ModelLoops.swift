import CofferRuntime
import Foundation

// The loops over many models. They are requirements with inlinable defaults, so that the compiler makes one of each for
// every model class in the program that declares it: reading a key or a flag is then a load, and loading a row is a
// call that can be inlined, where generic code in this module would go through tables of witnesses for each of them.

/// An array of models that a loop fills or reads, whose element type is the class that has the loop.
///
/// A class that is not final cannot meet a requirement that speaks of arrays of `Self`.
public struct _ModelList {
    @usableFromInline let array: UnsafeMutableRawPointer

    /// Lends an array to the body.
    static func lending<M: PersistentModel, T>(_ models: inout [M], _ body: (_ModelList) throws -> T) rethrows -> T {
        try withUnsafeMutablePointer(to: &models) { try body(_ModelList(array: UnsafeMutableRawPointer($0))) }
    }

    @usableFromInline
    init(array: UnsafeMutableRawPointer) { self.array = array }

    @inlinable
    func pointer<M: PersistentModel>(to type: M.Type) -> UnsafeMutablePointer<[M]> {
        array.assumingMemoryBound(to: [M].self)
    }
}

extension PersistentModel {
    /// Makes models of rows with integer keys: living ones keep their unsaved changes.
    @inlinable
    public static func _$materialise(
        _ batch: RowBatch, _ rows: Range<Int>, in home: _ModelHome, isPartial: Bool, into models: _ModelList
    ) throws {
        let models = models.pointer(to: Self.self)
        guard home.isExact(Self.self) else {
            return try _materialiseLoosely(batch, rows, in: home, isPartial: isPartial, into: &models.pointee)
        }
        var reader = _RowReader(batch, row: 0, home: home)
        let reloads = isPartial ? 0 : _Flag.fault | _Flag.stale | _Flag.partial
        for row in rows {
            let key = batch.key(ofRow: row)
            if let object = home.retained(key) {
                let model = Unmanaged<Self>.fromOpaque(object).takeRetainedValue()
                if model._$flags & reloads != 0 {
                    reader.move(to: row, mask: ~(model._$flags & _Flag.dirtyMask))
                    try model._$load(reader)
                    model._$flags &= ~(_Flag.fault | _Flag.stale | _Flag.partial)
                }
                models.pointee.append(model)
                continue
            }
            let model = home.blanks.make(Self.self)
            model._$key = key
            model._$home = home
            if isPartial { model._$flags |= _Flag.partial }
            if model._$lifeToken == nil {
                home.enter(key, Unmanaged.passUnretained(model).toOpaque())
            } else {
                home.register(model)
            }
            reader.move(to: row)
            try model._$load(reader)
            models.pointee.append(model)
        }
    }

    /// Writes models into rows of a batch: new ones whole, changed ones what was changed.
    @inlinable
    public static func _$pack(
        _ models: [any PersistentModel], into batch: RowBatch, of descriptor: _ModelDescriptor, onlyChanges: Bool
    ) throws {
        for model in models {
            let model = unsafeDowncast(model, to: Self.self)
            let row =
                model._$flags & _Flag.textKey == 0
                ? batch.appendRow(key: model._$key) : batch.appendRow(identifier: model.persistentModelID)
            var writer = _RowWriter(
                batch, row: row, mask: onlyChanges ? model._$flags & _Flag.dirtyMask : .max, descriptor: descriptor)
            try model._$store(&writer)
        }
    }

    /// The keys of models, in order.
    @inlinable
    public static func _$keys(of models: _ModelList) -> [Int64] {
        models.pointer(to: Self.self).pointee.map { $0._$key }
    }

    /// Gives new models their permanent keys.
    @inlinable
    public static func _$settle(_ models: [any PersistentModel], keys: [Int64], in home: _ModelHome) {
        for (index, model) in models.enumerated() {
            let model = unsafeDowncast(model, to: Self.self)
            if home.enforcesUniqueness, home._merges(model, keys[index]) { continue }
            model._$key = keys[index]
            model._$flags &= _Flag.observed
            if model._$lifeToken == nil {
                home.enter(keys[index], Unmanaged.passUnretained(model).toOpaque())
            } else {
                home.register(model)
            }
        }
    }

    /// Parts models from a context that ends. Stored ones let go of the links that lead in circles, which would keep whole
    /// graphs alive, and so would what was put into a list that was never read.
    @inlinable
    public static func _$part(_ models: _ModelList, circularSlots: [Int]) {
        for model in models.pointer(to: Self.self).pointee {
            model._$flags &= ~(_Flag.fault | _Flag.stale)
            if model._$flags & _Flag.inserted == 0 {
                for slot in circularSlots { model._$forget(slot) }
            }
            model._$extras?.dropEdits()
        }
    }
}

/// The same for a class whose table holds models of other classes of its hierarchy, too.
@usableFromInline
func _materialiseLoosely<M: PersistentModel>(
    _ batch: RowBatch, _ rows: Range<Int>, in home: _ModelHome, isPartial: Bool, into models: inout [M]
) throws {
    for row in rows {
        let key = batch.key(ofRow: row)
        let found = home.find(key, as: M.self)
        let model = found ?? home.makeBlank(M.self)
        if found == nil {
            model._$key = key
            model._$home = home
            model._$flags |= _Flag.partial
            home.register(model)
        }
        if model._$flags & (_Flag.fault | _Flag.stale | _Flag.partial) != 0, !isPartial || found == nil {
            try model._$load(_RowReader(batch, row: row, mask: ~(model._$flags & _Flag.dirtyMask), home: home))
            model._$flags &= ~(_Flag.fault | _Flag.stale)
            if !isPartial { model._$flags &= ~_Flag.partial }
        }
        models.append(model)
    }
}

extension _ModelHome {
    /// Whether a new model turned out to be a row that another model stands for already; its links go over to that one.
    @usableFromInline
    func _merges<M: PersistentModel>(_ model: M, _ key: Int64) -> Bool {
        guard let other = find(key, as: M.self), other !== model else { return false }
        merge(model, into: other)
        return true
    }
}
