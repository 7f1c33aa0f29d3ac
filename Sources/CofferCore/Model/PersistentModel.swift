import Foundation
import Observation

/// A class whose instances a ``ModelContext`` can keep in a store.
///
/// Use the ``Model()`` macro instead of conforming by hand: it writes the storage, the accessors and the schema.
///
/// ```swift
/// @Model final class Trip {
///     var name: String
///     var stops: [Stop] = []
///     init(name: String) { self.name = name }
/// }
/// ```
///
/// Two models are equal when they are the same object. A context has one object for each row, and the hash value of a
/// model stays the same when its first save gives it a permanent ``persistentModelID``.
///
/// Isolation: a model belongs to its context's isolation. To hand a model to another isolation pass its
/// ``persistentModelID``.
public protocol PersistentModel: AnyObject, Observable, Hashable, Identifiable, SendableMetatype {
    /// The topmost model class of an inheritance chain.
    associatedtype Root: PersistentModel = Self

    /// What the schema says of the properties this class declares, in order.
    static var schemaMetadata: [Schema.PropertyMetadata] { get }

    // The rest is written by the macro and used by the context alone.
    static var _$descriptor: _ModelDescriptor { get }
    static var _$constraints: [any SchemaProperty] { get }
    /// Whether all stored properties are persisted ones, so that a model without values owns nothing.
    static var _$isPlain: Bool { get }
    var _$flags: UInt64 { get set }
    var _$key: Int64 { get set }
    var _$home: _ModelHome? { get set }
    var _$extras: _ModelExtras? { get set }
    var _$lifeToken: _LifeToken? { get }
    init(_$blank: Void)
    func _$load(_ row: _RowReader) throws
    func _$store(_ row: inout _RowWriter) throws
    func _$visit(_ visitor: inout _RelatedVisitor)
    func _$forget(_ slot: Int)
    func _$edit(_ slot: Int, _ edit: _RelationshipEdit)
    static func _$materialise(
        _ batch: RowBatch, _ rows: Range<Int>, in home: _ModelHome, isPartial: Bool, into models: _ModelList) throws
    static func _$pack(
        _ models: [any PersistentModel], into batch: RowBatch, of descriptor: _ModelDescriptor, onlyChanges: Bool)
        throws
    static func _$keys(of models: _ModelList) -> [Int64]
    static func _$settle(_ models: [any PersistentModel], keys: [Int64], in home: _ModelHome)
    static func _$part(_ models: _ModelList, circularSlots: [Int])
}

extension PersistentModel {
    public static var _$constraints: [any SchemaProperty] { [] }
    public static var _$isPlain: Bool { false }
    @inlinable public var _$lifeToken: _LifeToken? { nil }
    public static var _$superclassModel: (any PersistentModel.Type)? { _$descriptor.superclass }

    public static func == (left: Self, right: Self) -> Bool { left === right }

    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }

    /// The same as ``persistentModelID``. It changes once: when the first save replaces the temporary identifier.
    public var id: PersistentIdentifier { persistentModelID }

    /// A model with the values of a backing data.
    public init(backingData: any BackingData<Self>) {
        self.init(_$blank: ())
        backingData._fill(self)
    }

    /// The model's values, to be read and written by key path.
    ///
    /// Writes go the way of the property's setter: the model is marked as changed and observers are told, where SwiftData
    /// tells nobody.
    public var persistentBackingData: any BackingData<Self> {
        get { ModelBackingData(self) }
        set { newValue._fill(self) }
    }

    /// The identity of the model's row: temporary until the first save, then permanent.
    public var persistentModelID: PersistentIdentifier {
        if _$flags & _Flag.textKey != 0, let identifier = _$extras?.identifier { return identifier }
        if _$key == 0 { _$key = TemporaryKeys.next() }
        if _$key > 0, let home = _$home { return PersistentIdentifier(_space: home.space, key: _$key) }
        return PersistentIdentifier(_space: Swift.type(of: self)._$descriptor.temporarySpace, key: _$key)
    }

    /// The context the model belongs to.
    ///
    /// A model has one from ``ModelContext/insert(_:)`` on, or from the fetch that found it, until one of these:
    ///
    /// - its deletion is saved, here or by another context, or its container is erased: both once the context has taken
    ///   notice, which it does at its next use;
    /// - it was never saved, and its insertion is taken back by ``ModelContext/delete(_:)``,
    ///   ``ModelContext/rollback()`` or an undo;
    /// - the context ends.
    ///
    /// Without a context a model keeps the values that were in memory. They can be read and set, and no store hears of
    /// it, until the model is inserted again; one whose row is gone then becomes a new row.
    public var modelContext: ModelContext? {
        _$flags & _Flag.detached != 0 ? nil : _$home?.context
    }

    /// Whether the model has changes that the next save would store; an inserted model that was never saved has.
    ///
    /// False after the save, after a ``ModelContext/rollback()``, and always without a ``modelContext``. Being
    /// deleted is no change in this sense; see ``isDeleted``.
    public var hasChanges: Bool {
        _$flags & (_Flag.dirtyMask | _Flag.inserted) != 0 && modelContext != nil
    }

    /// Whether the model is to be deleted by the next save.
    ///
    /// True from ``ModelContext/delete(_:)`` on, until the deletion is saved or taken back; once it is saved,
    /// ``modelContext`` is nil and tells so. Never true for a model that was not saved yet: deleting it takes it out of
    /// the context at once. Models that delete rules will delete along do not show it.
    public var isDeleted: Bool { _$flags & _Flag.deleted != 0 && modelContext != nil }
}

/// The bits of a model's state; the lowest 55 say which properties were changed.
public enum _Flag {
    @inlinable public static var dirtyMask: UInt64 { (1 << 55) - 1 }
    /// Some values were not fetched.
    @inlinable public static var partial: UInt64 { 1 << 55 }
    /// Somebody may be observing, or recording what can be undone: reads and writes go the long way.
    @inlinable public static var observed: UInt64 { 1 << 56 }
    /// No value was loaded yet.
    @inlinable public static var fault: UInt64 { 1 << 57 }
    /// The stored row changed since it was loaded.
    @inlinable public static var stale: UInt64 { 1 << 58 }
    @inlinable public static var inserted: UInt64 { 1 << 59 }
    @inlinable public static var deleted: UInt64 { 1 << 60 }
    /// The context lists the model as changed.
    @inlinable public static var listed: UInt64 { 1 << 61 }
    /// The identifier's key is text and kept in the extras.
    @inlinable public static var textKey: UInt64 { 1 << 62 }
    /// The row is gone, or the context is.
    @inlinable public static var detached: UInt64 { 1 << 63 }

    @inlinable public static var slowRead: UInt64 { observed | fault | stale }
}

/// State few models need.
public final class _ModelExtras {
    /// Made when a property is read under observation.
    var registrar: ObservationRegistrar?
    var identifier: PersistentIdentifier?
    /// Changes to to-many relationships that are not loaded, by slot.
    var pendingEdits: [Int: PendingEdit] = [:]

    struct PendingEdit {
        var added: [any PersistentModel] = []
        var removed: [any PersistentModel] = []
    }

    public init() {}

    /// Lets go of what was put into lists that were never read.
    @usableFromInline
    func dropEdits() { pendingEdits = [:] }
}

/// Tells the context that a model is gone, for classes with a `deinit` of their own.
public final class _LifeToken {
    var key: Int64 = 0
    var home: _ModelHome?
    var address: UnsafeMutableRawPointer?

    public init() {}

    deinit {
        if let home, let address { home.forget(key: key, object: address) }
    }
}

/// What the macro's `deinit` calls.
@inlinable
public func _modelWillDie<M: PersistentModel>(_ model: M) {
    if let home = model._$home {
        home.forget(key: model._$key, object: Unmanaged.passUnretained(model).toOpaque())
    }
}
