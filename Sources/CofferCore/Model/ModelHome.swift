import CofferRuntime
import Foundation
import Synchronization

/// Where the models of one entity live in one context: the identity map, and the way to the store.
///
/// A model holds its home, not its context; a home whose context is gone leaves its models readable.
public final class _ModelHome: @unchecked Sendable {
    @usableFromInline let descriptor: _ModelDescriptor
    /// Store and entity of the rows' identifiers.
    let space: _IdentifierSpace
    let store: StoreHandle
    weak var context: ModelContext?
    /// Which context it is, without the cost of a weak reference; nil when the context has ended.
    var contextIdentifier: ObjectIdentifier?
    /// Records what can be undone; nil in a context without an undo manager.
    var recorder: UndoRecorder?
    /// The relationships by slot, resolved once.
    let relationships: [_ModelDescriptor.Relationship?]
    /// The homes of the relationships' destinations by slot.
    private var destinations: [_ModelHome?]
    /// The home of the topmost class, which keeps the identity map of the whole hierarchy; nil where this one does.
    let top: _ModelHome?
    /// Whether several homes have one identity map.
    let sharesKeys: Bool
    /// The classes below, and the names of their entities, in the order of the plans' entities.
    let subdescriptors: [_ModelDescriptor]
    let subentityNames: [String]
    var familyHomes: [_ModelHome]?
    /// The to-one links that may lead to rows of several classes while the row has nothing but their keys.
    lazy var openSlots: [Int] =
        store.rows == nil
        ? []
        : relationships.indices.filter {
            relationships[$0]?.isToMany == false && destination($0)?.isPolymorphic == true
        }

    /// Models that wait to be stored for the first time, in order.
    var inserted: [any PersistentModel] = []
    /// Models that were changed since the last save; some of them may be deleted since.
    var changed: [any PersistentModel] = []
    /// Stored models that wait to be deleted.
    var deleted: [any PersistentModel] = []
    let hasRelationships: Bool
    /// The to-many relationships that have a least or a largest number of models.
    let countedRelationships: [_ModelDescriptor.Relationship]
    let hasToMany: Bool
    /// The relationships with an inverse, as much of them as inserting a model needs.
    let pairedLinks: [PairedLink]

    struct PairedLink {
        let slot: Int
        let isToMany: Bool
        let inverse: Int
        let inverseIsToMany: Bool
    }
    @usableFromInline let blanks: BlankFactory
    /// A row at a time passes through here when models are looked up one by one.
    var scratch: RowBatch?
    /// Whether a new model may turn out to be a stored one.
    @usableFromInline let enforcesUniqueness: Bool
    /// The models that were fetched last: who is likely to be asked for a relationship next.
    var fetched = RecentModels()
    /// The models that came last as others' relationship.
    var cameAlong = RecentModels()
    /// Results that depend on the models, in the context's isolation.
    var watches: [HomeWatch] = []

    /// The model that was referred to last: the next row often refers to the same. Kept only while rows are read.
    private var lastKey: Int64 = 0
    private var lastModel: AnyObject?

    func forgetLastModel() { lastModel = nil }

    /// Keys of models that were made for a reference and wait for their values.
    private var waiting: [Int64] = []

    /// Models go away on any thread, lookups come from the context's: hence the lock.
    private struct Table: ~Copyable {
        var byKey = IdentityTable()
        var byText: [String: ObjectAddress] = [:]
    }
    private let table = Mutex(Table())

    init(descriptor: _ModelDescriptor, store: StoreHandle, context: ModelContext) {
        self.descriptor = descriptor
        self.store = store
        self.context = context
        contextIdentifier = ObjectIdentifier(context)
        space = .shared(entityName: descriptor.entityName, storeIdentifier: store.identifier)
        relationships = descriptor.relationships
        destinations = Array(repeating: nil, count: relationships.count)
        hasRelationships = relationships.contains { $0 != nil }
        countedRelationships = relationships.compactMap { $0 }.filter {
            $0.isToMany && ($0.minimumModelCount > 0 || $0.maximumModelCount > 0)
        }
        pairedLinks = relationships.compactMap { relationship in
            guard let relationship, let inverse = relationship.inverseSlot else { return nil }
            return PairedLink(
                slot: relationship.slot, isToMany: relationship.isToMany, inverse: inverse,
                inverseIsToMany: relationship.inverseIsToMany)
        }
        hasToMany = relationships.contains { $0?.isToMany == true }
        blanks = Self.blanks(descriptor.type)
        let entity = context.container.schema.entitiesByName[descriptor.entityName]
        enforcesUniqueness = entity?.lineage.contains { !$0.uniquenessConstraints.isEmpty } ?? false
        let below = entity?.subtree.dropFirst().filter { $0._modelType != nil } ?? []
        subdescriptors = below.compactMap { $0._modelType?._$descriptor }
        subentityNames = below.map(\.name)
        sharesKeys = store.rows != nil && entity?.isInHierarchy == true
        let root = sharesKeys ? entity?.rootEntity._modelType?._$descriptor : nil
        top = root.flatMap { $0.type == descriptor.type ? nil : context.home(of: $0) }
    }

    private static func blanks<M: PersistentModel>(_ type: M.Type) -> BlankFactory { BlankFactory(type) }

    /// A new model of the home's class without values.
    @inline(__always)
    func makeBlank<M: PersistentModel>(_ type: M.Type) -> M {
        descriptor.type == type ? blanks.make(type) : M(_$blank: ())
    }

    // MARK: Identity map

    /// The living model of a key.
    @inline(__always)
    func find<M: PersistentModel>(_ key: Int64, as type: M.Type) -> M? {
        if let top { return take(top.retainedAny(key).map(ObjectAddress.init)) }
        return take(table.withLock { $0.byKey.find(key).flatMap(Self.retain) })
    }

    func find(_ identifier: PersistentIdentifier) -> (any PersistentModel)? {
        if isPolymorphic, identifier.entityName != descriptor.entityName {
            return member(named: identifier.entityName)?.find(identifier)
        }
        func find<M: PersistentModel>(as type: M.Type) -> (any PersistentModel)? {
            guard let text = identifier._textKey else { return self.find(identifier._key, as: M.self) }
            let model: M? = take(table.withLock { $0.byText[text].flatMap(Self.retain) })
            return model
        }
        return find(as: descriptor.type)
    }

    /// Retains an object unless it is going away.
    @inline(__always)
    private static func retain(_ object: ObjectAddress) -> ObjectAddress? {
        coffer_try_retain(object.pointer).map(ObjectAddress.init)
    }

    /// The model of a retained object. The table of an entity holds models of its class only, so the check that a cast
    /// makes is left to the rare case of a subclass.
    @inline(__always)
    private func take<M: PersistentModel>(_ retained: ObjectAddress?) -> M? {
        guard let retained = retained?.pointer else { return nil }
        if descriptor.type == M.self, top == nil { return Unmanaged<M>.fromOpaque(retained).takeRetainedValue() }
        return Unmanaged<AnyObject>.fromOpaque(retained).takeRetainedValue() as? M
    }

    /// Enters a model under its key.
    @usableFromInline
    func register<M: PersistentModel>(_ model: M) {
        let object = Unmanaged.passUnretained(model).toOpaque()
        if let token = model._$lifeToken {
            token.key = model._$key
            token.home = self
            token.address = object
        }
        if let top { return top.enter(model._$key, object) }
        let address = ObjectAddress(pointer: object)
        let key = model._$key
        if model._$flags & _Flag.textKey != 0, let text = model._$extras?.identifier?._textKey {
            table.withLock { $0.byText[text] = address }
        } else {
            table.withLock { $0.byKey.insert(key, address) }
        }
    }

    func reserve(_ count: Int) {
        table.withLock { $0.byKey.reserve(count) }
    }

    /// Removes a model that is going away, or leaves the context.
    public func forget(key: Int64, object: UnsafeMutableRawPointer) {
        if let top { return top.forget(key: key, object: object) }
        let object = ObjectAddress(pointer: object)
        table.withLock { table in
            table.byKey.remove(key, object: object)
            if !table.byText.isEmpty, let text = table.byText.first(where: { $0.value == object })?.key {
                table.byText[text] = nil
            }
        }
    }

    /// All living models. Complexity: O(*models*).
    func models() -> [any PersistentModel] {
        func collect<M: PersistentModel>(as type: M.Type) -> [any PersistentModel] {
            // An array of the class made into one of existentials would ask for each model anew what it conforms to.
            var models: [any PersistentModel] = []
            for model in livingModels(as: type) { models.append(model) }
            return models
        }
        return collect(as: descriptor.type)
    }

    /// The same as an array of the home's own class.
    func livingModels<M: PersistentModel>(as type: M.Type) -> [M] {
        let objects = (top ?? self).retainedObjects()
        var models: [M] = []
        models.reserveCapacity(objects.count)
        for object in objects {
            guard let model: M = take(object) else { continue }
            if !sharesKeys || model._$home === self { models.append(model) }
        }
        return models
    }

    private func retainedObjects() -> [ObjectAddress] {
        table.withLock { table in
            var retained = table.byText.values.compactMap(Self.retain)
            table.byKey.forEach { if let object = Self.retain($0) { retained.append(object) } }
            return retained
        }
    }

    /// Whether a key has an object in the identity map; it may be going away.
    func isLiving(_ key: Int64) -> Bool { (top ?? self).table.withLock { $0.byKey.find(key) != nil } }

    /// The living object of a key of the home's own map, of whichever class.
    func retainedAny(_ key: Int64) -> UnsafeMutableRawPointer? {
        table.withLock { $0.byKey.find(key).flatMap(Self.retain) }?.pointer
    }

    // MARK: For the loops of ModelLoops

    /// Whether the models of the home are of exactly this class, so that no cast is needed.
    @inlinable
    func isExact<M: PersistentModel>(_ type: M.Type) -> Bool { descriptor.type == type }

    /// The living object of a key, retained for the caller.
    @usableFromInline
    func retained(_ key: Int64) -> UnsafeMutableRawPointer? {
        if sharesKeys { return retainedShared(key) }
        return table.withLock { $0.byKey.find(key).flatMap(Self.retain) }?.pointer
    }

    /// Enters an object without a life token under an integer key.
    @usableFromInline
    func enter(_ key: Int64, _ object: UnsafeMutableRawPointer) {
        if let top { return top.enter(key, object) }
        let address = ObjectAddress(pointer: object)
        table.withLock { $0.byKey.insert(key, address) }
    }

    // MARK: References

    /// The home of a relationship's destination.
    func destination(_ slot: Int) -> _ModelHome? {
        if let home = destinations[slot] { return home }
        guard let relationship = relationships[slot], let context else { return nil }
        let home = context.home(of: relationship.destination)
        destinations[slot] = home
        return home
    }

    func clearDestinations() {
        destinations = Array(repeating: nil, count: destinations.count)
        familyHomes = nil
    }

    /// The model a reference cell stands for: the living one, or a new one whose values load on demand.
    func resolve<M: PersistentModel>(_ cell: RowCell, in batch: RowBatch, slot: Int, as type: M.Type) throws -> M? {
        guard let home = destination(slot) else { return nil }
        switch cell.kind {
        case .reference: return try home.model(key: cell.integer, as: M.self)
        case .identifier: return try home.model(batch.identifiers[Int(cell.bits)], as: M.self)
        case .null, .absent: return nil
        default:
            throw SwiftDataError(
                .valueDecoding, entity: descriptor.entityName, property: descriptor.properties[safe: slot]?.name,
                detail: "the store holds \(cell.kind.words) in place of a link")
        }
    }

    /// The models of a to-many cell; nil where the row carries none, so that they load on demand.
    func resolveMany<M: PersistentModel>(
        _ cell: RowCell, in batch: RowBatch, slot: Int, as type: M.Type
    ) throws -> [M]? {
        guard let home = destination(slot) else { return nil }
        switch cell.kind {
        case .references:
            let keys = batch.keys(of: cell)
            // Whatever has to be asked for is asked for at once, and lives until it is found below.
            let unknown = home.isPolymorphic ? keys.filter { !home.isLiving($0) } : []
            let kept = unknown.isEmpty ? [] : try context?.faults(of: unknown, in: home)
            return try withExtendedLifetime(kept) { try keys.compactMap { try home.model(key: $0, as: M.self) } }
        case .identifiers:
            return try batch.identifierLists[Int(cell.bits)].compactMap { try home.model($0, as: M.self) }
        default: return nil
        }
    }

    /// The model of a key: living, or new and not yet loaded.
    ///
    /// - Throws: what the store throws where it has to be asked which class of a hierarchy the row is of.
    func model<M: PersistentModel>(key: Int64, as type: M.Type) throws -> M? {
        if key == lastKey, let lastModel, descriptor.type == M.self { return unsafeDowncast(lastModel, to: M.self) }
        let model: M
        if let found = find(key, as: M.self) {
            model = found
        } else if sharesKeys {
            return isPolymorphic ? try polymorphicModel(key: key, as: M.self) : fault(key) as? M
        } else {
            model = makeBlank(M.self)
            model._$key = key
            adoptFault(model)
        }
        lastKey = key
        lastModel = model
        return model
    }

    func model<M: PersistentModel>(_ identifier: PersistentIdentifier, as type: M.Type) throws -> M? {
        if identifier.entityName != descriptor.entityName, let home = member(named: identifier.entityName) {
            return home.fault(identifier) as? M
        }
        if identifier._textKey == nil { return try model(key: identifier._key, as: M.self) }
        if let model = find(identifier) { return model as? M }
        let model = makeBlank(M.self)
        setIdentifier(identifier, of: model)
        adoptFault(model)
        return model
    }

    func adoptFault<M: PersistentModel>(_ model: M) {
        model._$home = self
        model._$flags |= _Flag.fault
        register(model)
        if model._$flags & _Flag.textKey == 0 { waiting.append(model._$key) }
    }

    /// Whether models wait for their values.
    var hasWaiting: Bool { !waiting.isEmpty }

    /// Takes up to `limit` keys of models that wait for their values; loading one loads those that wait with it.
    func takeWaiting(_ limit: Int) -> [Int64] {
        let taken = Array(waiting.suffix(limit))
        waiting.removeLast(taken.count)
        return taken
    }

    /// Gives a model an identifier, in whichever form its key has.
    func setIdentifier<M: PersistentModel>(_ identifier: PersistentIdentifier, of model: M) {
        model._$key = identifier._key
        if identifier._textKey != nil {
            let extras = model._$extras ?? _ModelExtras()
            extras.identifier = identifier
            model._$extras = extras
            model._$flags |= _Flag.textKey
        } else if model._$flags & _Flag.textKey != 0 {
            model._$extras?.identifier = nil
            model._$flags &= ~_Flag.textKey
        }
    }
}
