/// Finds the relationships that mirror each other.
///
/// An inverse that is named in `@Relationship(inverse:)` holds. Of the rest, two relationships become a pair when each
/// leads to the other's entity and neither could pair with another one. A to-one relationship that is not optional
/// takes part only when it is named; a pair within one entity is a to-one and a to-many. A relationship that could pair
/// with several is a problem and stays without inverse.
enum SchemaInverses {
    private struct Side {
        let entity: Schema.Entity
        let relationship: Schema.Relationship

        var path: String { "\(entity.name).\(relationship.name)" }
        var isFree: Bool { relationship.inverseName == nil && relationship.inverseKeyPath == nil }
        var canBeInferred: Bool { relationship.isOptional || !relationship.isToOneRelationship }
    }

    static func resolve(_ entities: [Schema.Entity]) -> [Schema.Problem] {
        let byName = Dictionary(entities.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        let sides = entities.flatMap { entity in
            entity.storedProperties.compactMap { property in
                (property as? Schema.Relationship).map { Side(entity: entity, relationship: $0) }
            }
        }
        let named = sides.filter { $0.relationship.inverseKeyPath != nil }
        var problems = named.compactMap { nameInverse(of: $0, in: byName) }
        problems += infer(sides.filter(\.isFree))
        return problems
    }

    // MARK: Named inverses

    /// Pairs a relationship with the inverse its declaration names; answers what is wrong with that.
    private static func nameInverse(of side: Side, in entities: [String: Schema.Entity]) -> Schema.Problem? {
        func problem(_ detail: String) -> Schema.Problem {
            Schema.Problem(
                .invalidRelationship, entity: side.entity.name, property: side.relationship.name, detail: detail)
        }
        let destination = side.relationship.destination
        guard let keyPath = side.relationship.inverseKeyPath, let entity = entities[destination],
            let model = entity._modelType
        else { return nil }
        guard let name = Schema._propertyName(of: keyPath, in: model),
            let other = declaration(of: name, from: entity)
        else {
            return problem(
                "its inverse is no persisted property of \(destination); write the key path with the class that "
                    + "declares the property")
        }
        guard let inverse = other.property as? Schema.Relationship else {
            return problem("its inverse \(other.entity.name).\(name) is no relationship")
        }
        let mirrored = Side(entity: other.entity, relationship: inverse)
        guard other.entity === entity, inverse.destination == side.entity.name else {
            return problem(
                other.entity === entity
                    ? "its inverse \(mirrored.path) leads to \(inverse.destination), not to \(side.entity.name)"
                    : "its inverse \(mirrored.path) also belongs to models that are no \(destination)")
        }
        // Each side may name the other; anything else that is known already is in the way.
        for taken in [side, mirrored] {
            let partner = taken.relationship === side.relationship ? inverse : side.relationship
            if let known = taken.relationship.inverseName, known != partner.name {
                return problem(
                    "its inverse is \(mirrored.path), but \(taken.path) is the inverse of "
                        + "\(taken.relationship.destination).\(known) already")
            }
        }
        pair(side, mirrored)
        return nil
    }

    private static func declaration(
        of name: String, from entity: Schema.Entity
    ) -> (entity: Schema.Entity, property: any SchemaProperty)? {
        var entity: Schema.Entity? = entity
        while let current = entity {
            if let property = current.storedProperties.first(where: { $0.name == name }) { return (current, property) }
            entity = current.superentity
        }
        return nil
    }

    private static func pair(_ one: Side, _ other: Side) {
        one.relationship.inverseName = other.relationship.name
        one.relationship.inverseKeyPath = other.relationship.keypath
        other.relationship.inverseName = one.relationship.name
        other.relationship.inverseKeyPath = one.relationship.keypath
    }

    // MARK: Inferred inverses

    private static func infer(_ sides: [Side]) -> [Schema.Problem] {
        let able = sides.filter(\.canBeInferred)
        let byEntity = Dictionary(grouping: able, by: \.entity.name)
        func candidates(for side: Side) -> [Side] {
            (byEntity[side.relationship.destination] ?? []).filter { other in
                guard other.relationship.destination == side.entity.name else { return false }
                guard other.entity === side.entity else { return true }
                return other.relationship.isToOneRelationship != side.relationship.isToOneRelationship
            }
        }

        var pairs: [(Side, Side)] = []
        var problems: [Schema.Problem] = []
        for side in able {
            let found = candidates(for: side)
            if found.count > 1 {
                problems.append(
                    Schema.Problem(
                        .ambiguousInverse, entity: side.entity.name, property: side.relationship.name,
                        detail: "\(found.map(\.path).joined(separator: " and ")) could be its inverse; "
                            + "name one with @Relationship(inverse:)"))
            } else if let other = found.first, candidates(for: other).count == 1 {
                pairs.append((side, other))
            }
        }
        for (one, other) in pairs { pair(one, other) }
        return problems
    }
}
