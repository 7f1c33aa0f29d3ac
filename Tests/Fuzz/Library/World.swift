/// A graph as plain values: what a context shows, or what is stored.
struct World {
    /// A model by the rules. Attributes are seeds, links numbers of other things.
    struct Thing {
        let entity: String
        var attributes: [String: Int] = [:]
        var links: [String: [Int]] = [:]
        /// Members whose place in a to-many relationship is free: they were linked from their own side.
        var loose: [String: Set<Int>] = [:]
        /// Changed properties.
        var dirty: Set<String> = []
        var isNew = false
        var isDeleted = false
        /// When it was inserted.
        var sequence = 0

        var hasChanges: Bool { isNew || !dirty.isEmpty }
    }

    var things: [Int: Thing] = [:]
    /// New things that were dropped; one-way links may still lead there.
    var ghosts: Set<Int> = []

    var hasChanges: Bool { things.values.contains { $0.isNew || $0.isDeleted || !$0.dirty.isEmpty } }

    /// The numbers of an entity's things that a fetch finds, in order.
    func living(_ entity: String) -> [Int] {
        things.filter { $0.value.entity == entity && !$0.value.isDeleted }.keys.sorted()
    }

    func links(_ number: Int, _ relation: String) -> [Int] { things[number]?.links[relation] ?? [] }

    func link(_ number: Int, _ relation: String) -> Thing? { links(number, relation).first.flatMap { things[$0] } }

    func linked(_ number: Int, _ relation: String) -> [Thing] { links(number, relation).compactMap { things[$0] } }
}

// MARK: Both sides of a relationship

extension World {
    private func shape(_ number: Int, _ relation: String) -> RelationShape? {
        things[number].flatMap { Shape.entity($0.entity)?.relation(relation) }
    }

    private mutating func touch(_ number: Int, _ relation: String) { things[number]?.dirty.insert(relation) }

    /// Sets a to-one link and its other side.
    mutating func setOne(_ number: Int, _ relation: String, _ target: Int?) {
        let old = links(number, relation).first
        if old == target { return }
        things[number]?.links[relation] = target.map { [$0] } ?? []
        touch(number, relation)
        guard let inverse = shape(number, relation)?.inverse else { return }
        if let old { cut(old, inverse, number) }
        if let target { join(target, inverse, number, from: relation) }
    }

    /// Sets all of a to-many relationship and the other sides.
    mutating func setMany(_ number: Int, _ relation: String, _ targets: [Int]) {
        let old = links(number, relation)
        var new: [Int] = []
        for target in targets where !new.contains(target) { new.append(target) }
        if old == targets { return }
        things[number]?.links[relation] = new
        things[number]?.loose[relation] = nil
        touch(number, relation)
        guard let inverse = shape(number, relation)?.inverse else { return }
        for other in old where !new.contains(other) { cut(other, inverse, number) }
        for other in new where !old.contains(other) { join(other, inverse, number, from: relation) }
    }

    /// Takes `number` out of `owner.relation`.
    mutating func cut(_ owner: Int, _ relation: String, _ number: Int) {
        guard links(owner, relation).contains(number) else { return }
        things[owner]?.links[relation]?.removeAll { $0 == number }
        things[owner]?.loose[relation]?.remove(number)
        touch(owner, relation)
    }

    /// Puts `number`, which holds `owner` in `origin`, into `owner.relation`.
    private mutating func join(_ owner: Int, _ relation: String, _ number: Int, from origin: String) {
        guard let shape = shape(owner, relation), !links(owner, relation).contains(number) else { return }
        touch(owner, relation)
        if shape.isToMany {
            things[owner]?.links[relation, default: []].append(number)
            things[owner]?.loose[relation, default: []].insert(number)
        } else {
            let previous = links(owner, relation).first
            things[owner]?.links[relation] = [number]
            if let previous { cut(previous, origin, owner) }
        }
    }

    /// Marks a thing as deleted; a new one is dropped, with what goes along.
    mutating func delete(_ number: Int) {
        guard let thing = things[number], !thing.isDeleted else { return }
        guard thing.isNew else {
            things[number]?.isDeleted = true
            return
        }
        let relations = Shape.entity(thing.entity)?.relations ?? []
        things[number] = nil
        ghosts.insert(number)
        for relation in relations {
            guard let inverse = relation.inverse else { continue }
            for other in thing.links[relation.name] ?? [] { cut(other, inverse, number) }
        }
        for relation in relations where relation.rule == .cascade {
            for other in thing.links[relation.name] ?? [] { delete(other) }
        }
    }
}
