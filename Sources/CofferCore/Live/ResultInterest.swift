import Foundation

/// Which changes can change the results of a fetch: the entities it goes through, and of each the properties that the
/// filter, the order and the sections read.
struct ResultInterest: Sendable {
    /// The properties that matter, by entity and as bits of their slots. An entity that a link leads to is here without
    /// any: only its rows' coming and going matters.
    private(set) var slots: [String: UInt64] = [:]
    /// The entities of the results themselves.
    private(set) var elements: Set<String> = []
    /// Whether unsaved changes count.
    private(set) var includesPending = true

    init() {}

    /// - Parameters:
    ///   - descriptor: the fetch.
    ///   - sectionPath: what tells the sections apart, where the order does not say it.
    ///   - schema: the container's; subclasses of an entity count as the entity.
    init<M: PersistentModel>(
        _ descriptor: FetchDescriptor<M>, sectionPath: PartialKeyPath<M>?, schema: Schema
    ) {
        includesPending = descriptor.includePendingChanges
        add(M._$descriptor.entityName)
        let lowered = try? descriptor._plan()
        var chain: [KeyPathProbe.Step]? = []
        if let sectionPath { chain = Self.chain(of: sectionPath) }
        if let lowered, let chain, !lowered.needsFilter, !lowered.needsSort {
            for step in chain { add(step.descriptor, [step.slot]) }
            for key in lowered.plan.sort { add(M._$descriptor, key.path) }
            lowered.plan.filter?.walk { add($0) }
        } else if lowered != nil {
            // What Swift code decides may look at anything.
            for entity in schema.entities { slots[entity.name] = .max }
        }
        addSubclasses(schema)
        elements = Self.names(below: M._$descriptor.entityName, schema)
    }

    private static func chain<M: PersistentModel>(of keyPath: PartialKeyPath<M>) -> [KeyPathProbe.Step]? {
        if let slot = M._$descriptor.slot(of: keyPath) { return [.init(descriptor: M._$descriptor, slot: slot)] }
        return KeyPathProbe.chain(of: keyPath, in: M.self)
    }

    private mutating func add(_ entityName: String, _ bits: UInt64 = 0) { slots[entityName, default: 0] |= bits }

    /// Adds the properties on a way through links.
    private mutating func add(_ start: _ModelDescriptor, _ path: [Int]) {
        var descriptor = start
        for slot in path {
            add(descriptor.entityName, _slotBit(slot))
            guard let link = descriptor.relationships[safe: slot] ?? nil else { return }
            descriptor = link.destination
            add(descriptor.entityName)
        }
    }

    private mutating func add(_ expression: FilterExpression) {
        switch expression {
        case .property(let path): add(path)
        default: if let path = expression.sequence?.path { add(path) }
        }
    }

    private mutating func add(_ path: FilterPath) {
        guard var entityName = path.variable.entityName else { return }
        for step in path.steps {
            if !step.isCast { add(entityName, _slotBit(step.slot)) }
            guard let destination = step.destination else { return }
            add(destination)
            entityName = destination
        }
    }

    private mutating func addSubclasses(_ schema: Schema) {
        for (name, bits) in slots {
            for other in Self.names(below: name, schema) where other != name { add(other, bits) }
        }
    }

    /// An entity and its subclasses at any depth.
    private static func names(below name: String, _ schema: Schema) -> Set<String> {
        var names: Set<String> = [name]
        for entity in schema.entitiesByName[name]?.subentities ?? [] {
            names.formUnion(Self.names(below: entity.name, schema))
        }
        return names
    }

    /// Whether what was saved can change the results.
    func isConcerned(by changes: SavedChanges) -> Bool {
        changes.everythingErased || changes.inserted.contains { slots[$0] != nil }
            || changes.deleted.keys.contains { slots[$0] != nil }
            || changes.updated.keys.contains { elements.contains($0) || slots[$0, default: 0] != 0 }
    }
}
