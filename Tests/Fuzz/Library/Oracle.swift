/// The rules that the framework documents, on plain values: what is stored, and what each context shows of it.
struct Oracle {
    let enforcesUniqueness: Bool
    var stored = World()
    var contexts: [World]
    private var sequence = 0

    init(contexts: Int, enforcesUniqueness: Bool) {
        self.contexts = Array(repeating: World(), count: contexts)
        self.enforcesUniqueness = enforcesUniqueness
    }

    /// Why a save fails.
    enum Failure: String {
        case denied, required, count, uniqueness
    }

    enum Outcome {
        case failed(Set<Failure>)
        /// Which things are gone, and which took the values of a new one: a survivor's old number and its new one.
        case saved(gone: Set<Int>, merged: [(old: Int, new: Int)])
    }

    mutating func insert(_ number: Int, _ entity: EntityShape, seed: Int, in context: Int) {
        sequence += 1
        var thing = World.Thing(entity: entity.name)
        for attribute in entity.attributes { thing.attributes[attribute.name] = seed }
        thing.isNew = true
        thing.sequence = sequence
        contexts[context].things[number] = thing
    }

    mutating func set(_ number: Int, _ attribute: AttributeShape, _ seed: Int, in context: Int) {
        guard let old = contexts[context].things[number]?.attributes[attribute.name],
            attribute.text(old) != attribute.text(seed)
        else { return }
        contexts[context].things[number]?.attributes[attribute.name] = seed
        contexts[context].things[number]?.dirty.insert(attribute.name)
    }

    mutating func restore(_ number: Int, in context: Int) { contexts[context].things[number]?.isDeleted = false }

    mutating func rollback(_ context: Int) { contexts[context] = stored }

    /// Takes over the order of a to-many relationship as far as it is free; says whether it fits.
    ///
    /// - Parameter context: nil for what is stored.
    mutating func settle(_ number: Int, _ relation: String, _ found: [Int], in context: Int?) -> Bool {
        let world = context.map { contexts[$0] } ?? stored
        guard let thing = world.things[number] else { return false }
        let expected = thing.links[relation] ?? []
        let loose = thing.loose[relation] ?? []
        if expected != found {
            guard expected.sorted() == found.sorted(),
                expected.filter({ !loose.contains($0) }) == found.filter({ !loose.contains($0) })
            else { return false }
        } else if loose.isEmpty {
            return true
        }
        func take(_ world: inout World) {
            world.things[number]?.links[relation] = found
            world.things[number]?.loose[relation] = nil
        }
        if let context, thing.dirty.contains(relation) || thing.isNew {
            take(&contexts[context])
            return true
        }
        take(&stored)
        for index in contexts.indices where contexts[index].things[number]?.dirty.contains(relation) == false {
            take(&contexts[index])
        }
        return true
    }
}

// MARK: Saving

extension Oracle {
    /// What a save of a context does.
    mutating func save(_ context: Int) -> Outcome {
        var world = contexts[context]
        // What is deleted, until nothing more is.
        var doomed = Set(world.things.filter { $0.value.isDeleted }.keys)
        var front = doomed
        while !front.isEmpty {
            var next: Set<Int> = []
            for number in front {
                for relation in relations(world, number) where relation.rule == .cascade {
                    next.formUnion(world.links(number, relation.name).filter { world.things[$0] != nil })
                }
            }
            front = next.subtracting(doomed)
            doomed.formUnion(front)
        }
        var failures: Set<Failure> = []
        for number in doomed {
            for relation in relations(world, number) where relation.rule == .deny {
                if !doomed.isSuperset(of: world.links(number, relation.name)) { failures.insert(.denied) }
            }
        }
        for number in doomed { world.things[number] = nil }
        for (number, thing) in world.things {
            for relation in relations(world, number) {
                let before = thing.links[relation.name] ?? []
                let kept = before.filter { world.things[$0] != nil }
                if kept.count != before.count { world.things[number]?.links[relation.name] = kept }
                if relation.isRequired, kept.isEmpty { failures.insert(.required) }
                let isChecked = thing.isNew || thing.dirty.contains(relation.name) || kept.count != before.count
                let isWrong = kept.count < relation.least || relation.most > 0 && kept.count > relation.most
                if isChecked, isWrong { failures.insert(.count) }
            }
        }
        let merged = enforcesUniqueness ? mergeUnique(&world, &failures) : []
        if !failures.isEmpty { return .failed(failures) }
        for number in world.things.keys {
            world.things[number]?.dirty = []
            world.things[number]?.isNew = false
        }
        world.ghosts = []
        stored = world
        for index in contexts.indices where index != context {
            for (old, new) in merged { Self.rename(&contexts[index], old, new) }
            rebase(index)
        }
        contexts[context] = stored
        return .saved(gone: doomed, merged: merged)
    }

    private func relations(_ world: World, _ number: Int) -> [RelationShape] {
        world.things[number].flatMap { Shape.entity($0.entity)?.relations } ?? []
    }

    /// A new thing with the unique values of another goes onto it: the values are the later ones, the members of to-many
    /// relationships are those of both.
    private func mergeUnique(_ world: inout World, _ failures: inout Set<Failure>) -> [(old: Int, new: Int)] {
        var merged: [(old: Int, new: Int)] = []
        for entity in Shape.entities.values where !entity.unique.isEmpty {
            func key(_ thing: World.Thing) -> [String] {
                entity.unique.compactMap { name in
                    entity.attribute(name)?.text(thing.attributes[name] ?? 0)
                }
            }
            var owners: [[String]: Int] = [:]
            let all = world.things.filter { $0.value.entity == entity.name }
            for (number, thing) in all where !thing.isNew {
                if owners.updateValue(number, forKey: key(thing)) != nil { failures.insert(.uniqueness) }
            }
            for (number, thing) in all.filter({ $0.value.isNew }).sorted(by: { $0.value.sequence < $1.value.sequence })
            {
                guard let owner = owners[key(thing)] else {
                    owners[key(thing)] = number
                    continue
                }
                merge(number, onto: owner, entity, &world)
                owners[key(thing)] = number
                merged.append((owner, number))
            }
        }
        return merged
    }

    private func merge(_ new: Int, onto old: Int, _ entity: EntityShape, _ world: inout World) {
        guard let thing = world.things[new], let survivor = world.things[old] else { return }
        // A to-one link stays unless the new thing has one.
        for relation in entity.relations where !relation.isToMany && thing.links[relation.name]?.isEmpty == false {
            world.setOne(old, relation.name, nil)
        }
        var result = thing
        for relation in entity.relations where !relation.isToMany && thing.links[relation.name]?.isEmpty != false {
            result.links[relation.name] = survivor.links[relation.name]
        }
        Self.rename(&world, old, new)
        result.isNew = survivor.isNew
        result.sequence = survivor.sequence
        for relation in entity.relations where relation.isToMany {
            var members = survivor.links[relation.name] ?? []
            for member in thing.links[relation.name] ?? [] where !members.contains(member) { members.append(member) }
            result.links[relation.name] = members
            result.loose[relation.name] = Set(members)
        }
        world.things[new] = result
    }

    /// A thing goes by another number from now on.
    private static func rename(_ world: inout World, _ old: Int, _ new: Int) {
        if let thing = world.things.removeValue(forKey: old) { world.things[new] = thing }
        for (number, thing) in world.things {
            for (relation, members) in thing.links where members.contains(old) {
                var renamed: [Int] = []
                for member in members.map({ $0 == old ? new : $0 }) where !renamed.contains(member) {
                    renamed.append(member)
                }
                world.things[number]?.links[relation] = renamed
                world.things[number]?.loose[relation, default: []].formUnion(renamed)
            }
        }
    }

    /// A context shows what another one saved, except where it has changes of its own.
    private mutating func rebase(_ context: Int) {
        var world = contexts[context]
        for (number, thing) in stored.things {
            guard let mine = world.things[number] else {
                world.things[number] = thing
                continue
            }
            var taken = thing
            taken.dirty = mine.dirty
            taken.isDeleted = mine.isDeleted
            for property in mine.dirty {
                if let seed = mine.attributes[property] { taken.attributes[property] = seed }
                taken.links[property] = mine.links[property]
                taken.loose[property] = mine.loose[property]
            }
            world.things[number] = taken
        }
        for (number, thing) in world.things where !thing.isNew && stored.things[number] == nil {
            world.things[number] = nil
        }
        for (number, thing) in world.things {
            for (relation, members) in thing.links {
                let kept = members.filter { world.things[$0] != nil || world.ghosts.contains($0) }
                if kept.count != members.count { world.things[number]?.links[relation] = kept }
            }
        }
        contexts[context] = world
    }

    /// Whether a save of a context would store links that another one has changed and not saved: which of them wins
    /// depends on what is in memory, so the programs do not go there.
    func conflicts(_ context: Int) -> Bool {
        let world = contexts[context]
        for index in contexts.indices where index != context {
            for (number, thing) in contexts[index].things where !thing.isNew {
                guard let mine = world.things[number] else { continue }
                for relation in relations(world, number) where thing.dirty.contains(relation.name) {
                    if mine.dirty.contains(relation.name) { return true }
                }
            }
        }
        return mergesInto(context)
    }

    /// Whether a save writes a new thing onto one whose links, or whose partner's, another context has changed.
    private func mergesInto(_ context: Int) -> Bool {
        guard enforcesUniqueness, contexts[context].things.values.contains(where: \.isNew) else { return false }
        var trial = self
        guard case .saved(_, let merged) = trial.save(context) else { return false }
        for old in merged.map(\.old) {
            let partners = relations(stored, old).flatMap { stored.links(old, $0.name) }
            for number in [old] + partners {
                for index in contexts.indices where index != context {
                    let dirty = contexts[index].things[number]?.dirty ?? []
                    if relations(stored, number).contains(where: { dirty.contains($0.name) }) { return true }
                }
            }
        }
        return false
    }
}
