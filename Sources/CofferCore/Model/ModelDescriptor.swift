import Foundation
import Synchronization

/// What is known of a model class without any container: its properties by slot and its relationships' other sides.
///
/// One instance per class and process.
public final class _ModelDescriptor: @unchecked Sendable {
    /// A persisted property.
    struct Property {
        let name: String
        let keyPath: AnyKeyPath
        let metadata: Schema.PropertyMetadata
    }

    /// A relationship, with its other side resolved.
    final class Relationship {
        let slot: Int
        let name: String
        let isToMany: Bool
        let isOptional: Bool
        let deleteRule: Schema.Relationship.DeleteRule
        let minimumModelCount: Int
        let maximumModelCount: Int
        let destination: _ModelDescriptor
        /// The slot of the inverse in the destination.
        let inverseSlot: Int?
        let inverseIsToMany: Bool
        /// Whether both sides hold one model.
        var isPaired: Bool { !isToMany && inverseSlot != nil && !inverseIsToMany }

        init(
            slot: Int, name: String, isToMany: Bool, isOptional: Bool, deleteRule: Schema.Relationship.DeleteRule,
            minimumModelCount: Int, maximumModelCount: Int, destination: _ModelDescriptor, inverseSlot: Int?,
            inverseIsToMany: Bool
        ) {
            self.slot = slot
            self.name = name
            self.isToMany = isToMany
            self.isOptional = isOptional
            self.deleteRule = deleteRule
            self.minimumModelCount = minimumModelCount
            self.maximumModelCount = maximumModelCount
            self.destination = destination
            self.inverseSlot = inverseSlot
            self.inverseIsToMany = inverseIsToMany
        }
    }

    public let type: any PersistentModel.Type
    public let superclass: (any PersistentModel.Type)?
    public let entityName: String
    /// The space of identifiers before the first save.
    let temporarySpace: _IdentifierSpace

    /// A descriptor for a class; the macro keeps it in a static constant.
    public init(_ type: any PersistentModel.Type, superclass: (any PersistentModel.Type)?) {
        self.type = type
        self.superclass = superclass
        entityName = Schema._entityName(of: type)
        temporarySpace = .shared(entityName: entityName, storeIdentifier: nil)
    }

    private static let generic = Mutex<[ObjectIdentifier: _ModelDescriptor]>([:])

    /// The descriptor of a generic class's specialisation, which cannot have static constants.
    public static func of(
        _ type: any PersistentModel.Type, superclass: (any PersistentModel.Type)?
    ) -> _ModelDescriptor {
        generic.withLock { known in
            if let descriptor = known[ObjectIdentifier(type)] { return descriptor }
            let descriptor = _ModelDescriptor(type, superclass: superclass)
            known[ObjectIdentifier(type)] = descriptor
            return descriptor
        }
    }

    private static let named = Mutex<[String: _ModelDescriptor]>([:])

    /// Makes the classes of a container known by name, for snapshots that are decoded without one.
    static func announce(_ schema: Schema) {
        for entity in schema.entities {
            guard let descriptor = entity._modelType?._$descriptor else { continue }
            named.withLock { $0[entity.name] = descriptor }
        }
    }

    /// The class of an entity in the container that was opened last.
    static func known(_ entityName: String) -> _ModelDescriptor? { named.withLock { $0[entityName] } }

    /// All properties, inherited ones first: the index is the slot.
    var properties: [Property] {
        lazyProperties.value {
            (superclass?._$descriptor.properties ?? [])
                + type.schemaMetadata.map { Property(name: $0.name, keyPath: $0.keypath, metadata: $0) }
        }
    }

    /// The number of slots.
    var slotCount: Int { properties.count }

    var slotsByName: [String: Int] {
        lazySlots.value {
            Dictionary(properties.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
        }
    }

    /// The relationships by slot; nil for attributes.
    var relationships: [Relationship?] {
        lazyRelationships.value {
            // Everything that can be reached from the class: what an inverse can be found among.
            let schema = Schema([type])
            let entity = schema.entitiesByName[entityName]
            let properties = properties
            return properties.indices.map { slot in
                entity?.relationshipsByName[properties[slot].name].flatMap { relationship(slot, $0, schema) }
            }
        }
    }

    /// The entities that links lead to on the way to a property of another model.
    func entities(along path: [Int]) -> [String] {
        guard path.count > 1, let link = relationships[safe: path[0]] ?? nil else { return [] }
        return [link.destination.entityName] + link.destination.entities(along: Array(path.dropFirst()))
    }

    /// The slots whose values may be nil.
    var optionalSlots: Set<Int> {
        lazyOptionalSlots.value {
            let properties = properties
            return Set(
                properties.indices.filter { _ValueShape(Swift.type(of: properties[$0].keyPath).valueType).isOptional })
        }
    }

    /// The slots of the texts that a full-text search of the class looks into: those that the class and its superclasses
    /// declare, or all properties of the type `String` where none is declared.
    var fullTextSlots: [Int] { lazyFullTextSlots.value { findFullTextSlots() } }

    private let lazyFullTextSlots = LazyConstant<[Int]>()

    /// The slots through which models could keep each other alive; see ``findCircularSlots()``.
    var circularSlots: [Int] { lazyCircularSlots.value { findCircularSlots() } }

    private let lazyCircularSlots = LazyConstant<[Int]>()
    /// The slots that attribute options make special.
    var special: SpecialSlots {
        lazySpecial.value {
            var special = SpecialSlots()
            for (slot, property) in properties.enumerated() {
                guard let attribute = property.metadata.metadata as? Schema.Attribute else { continue }
                if attribute.isTransient { special.ephemeral.insert(slot) }
                if attribute.options.contains(.codable) { special.opaque.insert(slot) }
                if attribute.options.contains(.externalStorage) { special.external.insert(slot) }
            }
            return special
        }
    }

    /// Slots by what the options of their attributes say.
    struct SpecialSlots {
        /// Kept by no store.
        var ephemeral: Set<Int> = []
        /// Kept in a coded form that is closed to filters and orders.
        var opaque: Set<Int> = []
        /// Perhaps kept in a file of its own, and then not part of a whole row.
        var external: Set<Int> = []
    }

    private let lazySpecial = LazyConstant<SpecialSlots>()
    private let lazyOptionalSlots = LazyConstant<Set<Int>>()
    private let lazyProperties = LazyConstant<[Property]>()
    private let lazySlots = LazyConstant<[String: Int]>()
    private let lazyRelationships = LazyConstant<[Relationship?]>()

    private func relationship(_ slot: Int, _ declared: Schema.Relationship, _ schema: Schema) -> Relationship? {
        guard let type = schema.entitiesByName[declared.destination]?._modelType else { return nil }
        let destination = type._$descriptor
        let inverseSlot = declared.inverseName.flatMap { destination.slotsByName[$0] }
        let inverse = declared.inverseName.flatMap {
            schema.entitiesByName[declared.destination]?.relationshipsByName[$0]
        }
        return Relationship(
            slot: slot, name: declared.name, isToMany: !declared.isToOneRelationship,
            isOptional: declared.isOptional, deleteRule: declared.deleteRule,
            minimumModelCount: declared.minimumModelCount ?? 0, maximumModelCount: declared.maximumModelCount ?? 0,
            destination: destination, inverseSlot: inverseSlot,
            inverseIsToMany: inverse.map { !$0.isToOneRelationship } ?? false)
    }

    private let cache = Mutex<[ObjectIdentifier: Int]>([:])

    /// The slot of a property by key path: by the identity of the literal first, by equality after a first miss.
    func slot(of keyPath: AnyKeyPath) -> Int? {
        if let slot = cache.withLock({ $0[ObjectIdentifier(keyPath)] }) { return slot }
        guard let slot = properties.firstIndex(where: { $0.keyPath == keyPath }) ?? inheritedSlot(of: keyPath)
        else { return nil }
        // The descriptor keeps the key path alive so that its address stays its own.
        cache.withLock { $0[ObjectIdentifier(keyPath)] = slot }
        keptKeyPaths.withLock { $0.append(KeptKeyPath(keyPath: keyPath)) }
        return slot
    }

    private struct KeptKeyPath: @unchecked Sendable { let keyPath: AnyKeyPath }
    private let keptKeyPaths = Mutex<[KeptKeyPath]>([])

    /// `\Sub.p` and `\Base.p` differ: an inherited property is found through the superclass' own key path, or by trying
    /// out which property the key path reads.
    private func inheritedSlot(of keyPath: AnyKeyPath) -> Int? {
        guard let superclass else { return nil }
        if let slot = superclass._$descriptor.slot(of: keyPath) { return slot }
        func probe<M: PersistentModel>(_ model: M.Type) -> Int? {
            guard let chain = KeyPathProbe.chain(of: keyPath, in: model), chain.count == 1 else { return nil }
            return chain[0].slot
        }
        let model: any PersistentModel.Type = type
        return probe(model)
    }
}

/// The number of slots a model class has; the macro adds it to the slots of a subclass.
public func _slotCount(_ type: any PersistentModel.Type) -> Int { type._$descriptor.slotCount }
