/// What delete rules make of the deletion of rows, worked out on keys alone: for stores that delete by filter.
///
/// The outcome is that of a context that has all the models in memory: `.cascade` deletes what a row leads to, at any
/// depth, `.deny` refuses, and `.nullify` refuses where the link back is required. Links that a row may do without are
/// for the store to cut, as it does for every deleted row.
public struct DeletionRules: Sendable {
    /// Rows of one entity.
    public typealias Rows = (entityName: String, keys: [Int64])

    private let schema: Schema

    /// The rules of a schema.
    public init(_ schema: Schema) { self.schema = schema }

    /// Whether a rule looks at links that the rows of an entity have themselves, so that these have to be read before
    /// the rows are gone. The rows of to-many relationships can be found afterwards, too.
    public func needsOwnLinks(of entityName: String) -> Bool {
        relationships(of: entityName).contains { !$0.isToMany && (isFollowed($0)) }
    }

    /// The rows that go along when some rows are deleted.
    ///
    /// - Parameters:
    ///   - roots: the rows, under the names of their own entities.
    ///   - gone: rows that the same save deletes, and whose rules somebody else has followed.
    ///   - links: finds linked rows.
    /// - Returns: the further rows, each once.
    /// - Throws: ``SwiftDataError/deleteDenied``, or ``SwiftDataError/modelValidationFailure`` for a required link that
    ///   a rule would empty; what the links throw.
    /// - Complexity: one look-up for each relationship with a rule and step outward.
    public func cascade(
        from roots: [Rows], besides gone: [Rows] = [], over links: some RowLinks
    ) throws -> [Rows] {
        var doomed = Doomed(schema, gone + roots)
        var all = roots
        var front = roots[...]
        while !front.isEmpty {
            var next: [Rows] = []
            for rows in front {
                for relationship in relationships(of: rows.entityName) where relationship.deleteRule == .cascade {
                    let found = try doomed.others(linked(rows, relationship, links), relationship)
                    next += try divide(found, relationship, links)
                    doomed.add(found, relationship)
                }
            }
            all += next
            front = next[...]
        }
        for rows in all {
            for relationship in relationships(of: rows.entityName)
            where isFollowed(relationship) && relationship.deleteRule != .cascade {
                if try doomed.others(linked(rows, relationship, links), relationship).isEmpty { continue }
                throw refusal(rows.entityName, relationship)
            }
        }
        return Array(all.dropFirst(roots.count))
    }

    private func linked(
        _ rows: Rows, _ relationship: _ModelDescriptor.Relationship, _ links: some RowLinks
    ) throws -> [Int64] {
        if rows.keys.isEmpty { return [] }
        return try links.linked(to: rows, relationship.slot, of: relationship.destination.entityName)
    }

    private func relationships(of entityName: String) -> [_ModelDescriptor.Relationship] {
        schema._modelType(named: entityName)?._$descriptor.relationships.compactMap { $0 } ?? []
    }

    /// Whether the rule asks for the rows that the relationship leads to.
    private func isFollowed(_ relationship: _ModelDescriptor.Relationship) -> Bool {
        switch relationship.deleteRule {
        case .cascade, .deny: true
        case .noAction: false
        case .nullify: inverse(of: relationship).map { !$0.isToMany && !$0.isOptional } ?? false
        }
    }

    private func inverse(of relationship: _ModelDescriptor.Relationship) -> _ModelDescriptor.Relationship? {
        relationship.inverseSlot.flatMap { relationship.destination.relationships[safe: $0] ?? nil }
    }

    /// Rows by their own entities.
    private func divide(
        _ keys: [Int64], _ relationship: _ModelDescriptor.Relationship, _ links: some RowLinks
    ) throws -> [Rows] {
        if keys.isEmpty { return [] }
        let name = relationship.destination.entityName
        guard schema.entitiesByName[name]?.subentities.isEmpty == false else { return [(name, keys)] }
        return try links.divide(keys, below: name).filter { !$0.keys.isEmpty }
    }

    private func refusal(_ entityName: String, _ relationship: _ModelDescriptor.Relationship) -> SwiftDataError {
        if relationship.deleteRule == .deny {
            return SwiftDataError(
                .deleteDenied, operation: .save, entity: entityName, property: relationship.name,
                detail: "a \(relationship.destination.entityName) is still linked")
        }
        return SwiftDataError(
            .modelValidationFailure, operation: .save, entity: relationship.destination.entityName,
            property: inverse(of: relationship)?.name,
            detail: "the \(entityName) it requires is deleted, and the rule of \(entityName).\(relationship.name) is "
                + "nullify")
    }
}

/// Finds rows by the links between them.
public protocol RowLinks {
    /// The keys of the rows that a relationship of some rows leads to, in any order; a key may come more than once.
    ///
    /// - Parameters:
    ///   - rows: the rows.
    ///   - slot: of the relationship, in the entity of the rows.
    ///   - destination: the entity that the relationship leads to.
    /// - Throws: what the store throws when it cannot be read.
    func linked(to rows: DeletionRules.Rows, _ slot: Int, of destination: String) throws -> [Int64]
    /// Rows of an entity and those below it, by their own entities; keys without a row are left out.
    ///
    /// - Throws: what the store throws when it cannot be read.
    func divide(_ keys: [Int64], below entityName: String) throws -> [DeletionRules.Rows]
}

/// The rows that are known to go. Most deletions lead nowhere, so sets of keys are made only when they are asked for.
private struct Doomed {
    private let schema: Schema
    private let known: [DeletionRules.Rows]
    /// By the topmost entity, since a key does not say which class of a hierarchy its row is of.
    private var sets: [String: Set<Int64>] = [:]

    init(_ schema: Schema, _ known: [DeletionRules.Rows]) {
        self.schema = schema
        self.known = known
    }

    private func root(of entityName: String) -> String {
        schema.entitiesByName[entityName]?.rootEntity.name ?? entityName
    }

    private mutating func prepare(_ root: String) {
        if sets[root] != nil { return }
        var keys: Set<Int64> = []
        for rows in known where self.root(of: rows.entityName) == root { keys.formUnion(rows.keys) }
        sets[root] = keys
    }

    /// Those of some keys that are not known to go, each once.
    mutating func others(_ keys: [Int64], _ relationship: _ModelDescriptor.Relationship) -> [Int64] {
        if keys.isEmpty { return [] }
        let root = root(of: relationship.destination.entityName)
        prepare(root)
        var seen: Set<Int64> = []
        return keys.filter { sets[root]?.contains($0) != true && seen.insert($0).inserted }
    }

    mutating func add(_ keys: [Int64], _ relationship: _ModelDescriptor.Relationship) {
        if keys.isEmpty { return }
        sets[root(of: relationship.destination.entityName)]?.formUnion(keys)
    }
}
