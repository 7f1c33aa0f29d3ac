/// SplitMix64: the same numbers for the same seed, everywhere.
struct SeededNumbers: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var bits = state
        bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
        return bits ^ (bits >> 31)
    }

    mutating func below(_ limit: Int) -> Int { Int(next() % UInt64(max(limit, 1))) }

    mutating func chance(_ percent: Int) -> Bool { below(100) < percent }
}

/// Thinks up the steps of a program, knowing from the oracle which models there are.
struct Generator {
    private var numbers: SeededNumbers
    private var last = 0

    init(seed: UInt64) { numbers = SeededNumbers(seed: seed) }

    /// The next steps: one, and sometimes a look at what came of it.
    mutating func steps(_ oracle: Oracle, failedSaves: Int) -> [Operation] {
        // Most of the work is done in one context.
        let context = numbers.chance(70) ? 0 : numbers.below(oracle.contexts.count)
        let world = oracle.contexts[context]
        var step = self.step(world, failedSaves: failedSaves)
        step.context = context
        var steps = [step]
        if step.object > 0, numbers.chance(25), let thing = world.things[step.object],
            let property = property(thing)
        {
            steps.append(Operation(kind: .read, context: context, object: step.object, property: property))
        }
        if step.object > 0, numbers.chance(8) {
            steps.append(Operation(kind: .check, context: context, object: step.object))
        }
        if step.kind == .save, numbers.chance(15) { steps.append(Operation(kind: .checkFresh)) }
        if numbers.chance(2) { steps.append(Operation(kind: .checkAll, context: context)) }
        return steps
    }

    private mutating func property(_ thing: World.Thing) -> String? {
        let names = thing.links.keys.sorted() + thing.attributes.keys.sorted()
        return names.isEmpty ? nil : names[numbers.below(names.count)]
    }

    private mutating func pick(_ world: World, _ entity: String? = nil) -> Int? {
        let found = world.things.filter { (entity == nil || $0.value.entity == entity) && !$0.value.isDeleted }
            .keys.sorted()
        return found.isEmpty ? nil : found[numbers.below(found.count)]
    }

    private mutating func new() -> Int {
        last += 1
        return last
    }

    private mutating func step(_ world: World, failedSaves: Int) -> Operation {
        if failedSaves > 2, numbers.chance(30) { return Operation(kind: .rollback) }
        switch numbers.below(100) {
        case 0..<(world.things.count < 70 ? 16 : 4): return creation(world)
        case ..<27: return setting(world)
        case ..<58: return linking(world)
        case ..<(world.things.count < 70 ? 63 : 70): return deletion(world)
        case ..<79: return Operation(kind: .save)
        case ..<81: return Operation(kind: .rollback)
        case ..<84: return Operation(kind: .drop, number: numbers.below(4))
        case ..<85: return Operation(kind: numbers.chance(60) ? .newContext : .reopen)
        default: return question()
        }
    }

    private mutating func creation(_ world: World) -> Operation {
        let seed = numbers.below(1000)
        let names = ["Hub", "Item", "Item", "Item", "Part", "Tag", "Badge"]
        let name = names[numbers.below(names.count)]
        switch numbers.below(10) {
        case 0..<4:
            let hub = name == "Part" ? pick(world, "Hub") : nil
            return Operation(
                kind: .insert, object: new(), property: name, number: seed, others: hub.map { [$0] } ?? [])
        case 4..<8:
            guard let entity = Shape.entity(name == "Part" ? "Item" : name), !entity.relations.isEmpty else { break }
            let relation = entity.relations[numbers.below(entity.relations.count)]
            guard let other = pick(world, relation.destination) else { break }
            return Operation(
                kind: numbers.chance(50) ? .linkNew : .addNew, object: new(),
                property: "\(entity.name).\(relation.name)", number: seed, others: [other])
        default:
            let roots = ["Hub.items", "Hub.parts", "Hub.guards", "Item.children", "Item.likes", "Crew.members"]
            let root = roots[numbers.below(roots.count)]
            let count = root == "Crew.members" ? 1 + numbers.below(4) : numbers.below(4)
            return Operation(
                kind: .graph, object: new(), property: root, number: seed, others: (0..<count).map { _ in new() })
        }
        return Operation(kind: .insert, object: new(), property: "Hub", number: seed)
    }

    private mutating func setting(_ world: World) -> Operation {
        guard let number = pick(world), let thing = world.things[number], let entity = Shape.entity(thing.entity)
        else { return creation(world) }
        let attribute = entity.attributes[numbers.below(entity.attributes.count)]
        // Values that must be unique change less often, since most of the others are taken.
        if entity.unique.contains(attribute.name), numbers.chance(80) { return setting(world) }
        return Operation(
            kind: .set, object: number, property: attribute.name, number: numbers.below(1000))
    }

    private mutating func linking(_ world: World) -> Operation {
        guard let number = pick(world), let thing = world.things[number], let entity = Shape.entity(thing.entity),
            !entity.relations.isEmpty
        else { return creation(world) }
        let relation = entity.relations[numbers.below(entity.relations.count)]
        guard let other = pick(world, relation.destination) else { return creation(world) }
        var step = Operation(kind: .setOne, object: number, property: relation.name, others: [other])
        let members = thing.links[relation.name] ?? []
        if !relation.isToMany {
            if numbers.chance(20), !relation.isRequired { step.others = [] }
            return step
        }
        step.number = numbers.below(50)
        switch numbers.below(12) {
        case 0..<4: step.kind = .append
        case 4..<6: step.kind = .insertAt
        case 6..<8:
            step.kind = .remove
            if !members.isEmpty { step.others = [members[numbers.below(members.count)]] }
        case 8, 9:
            step.kind = .replace
            step.others = (0..<numbers.below(5)).compactMap { _ in pick(world, relation.destination) }
            if numbers.chance(20) { step.others += step.others.prefix(1) }
        case 10:
            step.kind = .reverse
            step.others = []
        default:
            step.kind = .swap
            step.others = []
        }
        return step
    }

    private mutating func deletion(_ world: World) -> Operation {
        let deleted = world.things.filter { $0.value.isDeleted }.keys.sorted()
        if !deleted.isEmpty, numbers.chance(15) {
            return Operation(kind: .restore, object: deleted[numbers.below(deleted.count)])
        }
        if numbers.chance(6) {
            let queries = ["hubsAbove", "itemsOfHubs", "badgesFrom", "tagsOf", "itemsAbove"]
            return Operation(
                kind: .batchDelete, property: queries[numbers.below(queries.count)], number: 6 + numbers.below(4))
        }
        guard let number = pick(world) else { return creation(world) }
        return Operation(kind: .delete, object: number)
    }

    private mutating func question() -> Operation {
        let query = Query.all[numbers.below(Query.all.count)]
        let kinds: [Operation.Kind] = [.fetch, .fetch, .count, .count, .enumerate]
        return Operation(
            kind: kinds[numbers.below(kinds.count)], property: query.name, number: numbers.below(10),
            others: [
                numbers.chance(30) ? 1 + numbers.below(6) : 0, numbers.chance(20) ? numbers.below(5) : 0,
                numbers.below(128),
            ])
    }
}
