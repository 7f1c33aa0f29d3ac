import Coffer
import Foundation

/// The framework does something else than the oracle.
struct Difference: Error, Equatable {
    let what: String
    let expected: String
    let found: String

    init(_ what: String, expected: some Any, found: some Any) {
        self.what = what
        self.expected = "\(expected)"
        self.found = "\(found)"
    }
}

/// Runs the steps of a program on models and on the oracle, and compares.
final class Machine {
    let store: FuzzStore
    private let folder: URL
    private var container: ModelContainer
    private(set) var contexts: [ModelContext]
    /// The program's own references, by number.
    private var models: [[Int: any FuzzModel]]
    private(set) var oracle: Oracle
    /// How many saves failed as they should, since one went through.
    private(set) var failedSaves = 0

    init(_ store: FuzzStore, contexts count: Int) throws {
        self.store = store
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("coffer-fuzz-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let container = try store.open(folder)
        self.container = container
        contexts = (0..<count).map { _ in ModelContext(container) }
        models = Array(repeating: [:], count: count)
        oracle = Oracle(contexts: count, enforcesUniqueness: store.enforcesUniqueness)
    }

    deinit {
        // What is left behind in a folder for temporary files does no harm.
        try? FileManager.default.removeItem(at: folder)
    }

    // MARK: Models and numbers

    /// The model of a number; the program's own reference, or fetched.
    private func model(_ number: Int, _ context: Int) throws -> any FuzzModel {
        if let model = models[context][number] { return model }
        guard let thing = oracle.contexts[context].things[number], let entity = Shape.entity(thing.entity),
            let model = try entity.find(contexts[context], number)
        else { throw Difference("model \(number) in context \(context)", expected: "a model", found: "none") }
        models[context][number] = model
        return model
    }

    /// The number of a model; in a context there is one object for each.
    private func number(_ model: any FuzzModel, _ context: Int) throws -> Int {
        let number = model.no
        if number == 0 { return 0 }
        if let known = models[context][number] {
            guard known === model else {
                throw Difference("model \(number) in context \(context)", expected: "one object", found: "two")
            }
        } else if oracle.contexts[context].things[number] != nil {
            models[context][number] = model
        }
        return number
    }

    private func entity(_ number: Int, _ context: Int) -> EntityShape? {
        oracle.contexts[context].things[number].flatMap { Shape.entity($0.entity) }
    }

    /// The models that may be linked: those that are there and not to be deleted.
    private func isLinkable(_ number: Int, _ entity: String, _ context: Int) -> Bool {
        guard let thing = oracle.contexts[context].things[number] else { return false }
        return thing.entity == entity && !thing.isDeleted
    }

    // MARK: Steps

    /// Runs a step.
    ///
    /// - Throws: ``Difference``.
    func run(_ step: Operation) throws {
        guard contexts.indices.contains(step.context) else { return }
        do {
            switch step.kind {
            case .insert, .linkNew, .addNew, .graph: try create(step)
            case .set, .setOne, .append, .insertAt, .remove, .replace, .reverse, .swap: try change(step)
            case .delete, .restore: try delete(step)
            case .save: try save(step.context)
            case .rollback: try rollback(step.context)
            case .newContext: renew(step.context)
            case .reopen: try reopen()
            case .drop: drop(step)
            case .fetch, .count, .enumerate, .batchDelete: try query(step)
            case .read: try read(step)
            case .check: try check(step.object, step.context)
            case .checkAll: try checkAll(step.context)
            case .checkFresh: try checkFresh()
            case .mistake: try mistake(step)
            }
            let context = contexts[step.context]
            if oracle.contexts[step.context].things[step.object] != nil, models[step.context][step.object] != nil {
                try compareFlags(step.object, step.context)
            }
            try compare(
                "hasChanges of context \(step.context)", oracle.contexts[step.context].hasChanges, context.hasChanges)
            if let error = context.loadError {
                throw Difference("loadError", expected: "none", found: error)
            }
        } catch let difference as Difference {
            throw difference
        } catch {
            throw Difference("errors", expected: "none", found: error)
        }
    }

    private func compare<T: Equatable>(_ what: @autoclosure () -> String, _ expected: T, _ found: T) throws {
        if expected != found { throw Difference(what(), expected: expected, found: found) }
    }

    private func create(_ step: Operation) throws {
        let (context, number) = (step.context, step.object)
        guard number > 0, oracle.contexts[context].things[number] == nil,
            !oracle.contexts[context].ghosts.contains(number),
            oracle.stored.things[number] == nil, oracle.contexts.allSatisfy({ $0.things[number] == nil })
        else { return }
        let names = step.property.split(separator: ".").map(String.init)
        guard let entity = names.first.flatMap(Shape.entity) else { return }
        switch step.kind {
        case .insert:
            try insertOne(number, entity, step.number, hub: step.others.first, context)
        case .linkNew, .addNew:
            // The relation is that of the new model; its inverse that of the other.
            guard names.count == 2, let relation = entity.relation(names[1]), let other = step.others.first,
                isLinkable(other, relation.destination, context), !entity.relations.contains(where: \.isRequired)
            else { return }
            let target = try model(other, context)
            let made = entity.make(number, step.number, nil)
            if step.kind == .linkNew {
                oracle.insert(number, entity, seed: step.number, in: context)
                models[context][number] = made
                try link(number, made, relation, other, target, context)
            } else {
                guard let inverse = relation.inverse.flatMap({ Shape.entity(relation.destination)?.relation($0) })
                else { return }
                if inverse.isToMany { try settle(other, inverse, context) }
                oracle.insert(number, entity, seed: step.number, in: context)
                models[context][number] = made
                try link(other, target, inverse, number, made, context)
            }
        case .graph: try createGraph(number, entity, names, step)
        default: break
        }
    }

    private func insertOne(_ number: Int, _ entity: EntityShape, _ seed: Int, hub: Int?, _ context: Int) throws {
        var target: (any FuzzModel)?
        let required = entity.relations.first { $0.isRequired }
        if let required {
            guard let hub, isLinkable(hub, required.destination, context) else { return }
            target = try model(hub, context)
        }
        let made = entity.make(number, seed, target)
        oracle.insert(number, entity, seed: seed, in: context)
        models[context][number] = made
        contexts[context].insert(made)
        if let required { oracle.contexts[context].setOne(number, required.name, hub) }
    }

    /// A root with members in a to-many relationship, linked before any of them is in a context.
    private func createGraph(_ number: Int, _ entity: EntityShape, _ names: [String], _ step: Operation) throws {
        let context = step.context
        guard names.count == 2, let relation = entity.relation(names[1]), relation.isToMany,
            let member = Shape.entity(relation.destination), !entity.relations.contains(where: \.isRequired),
            step.others.allSatisfy({ other in
                other > 0 && other != number
                    && oracle.contexts.allSatisfy { $0.things[other] == nil && !$0.ghosts.contains(other) }
            })
        else { return }
        let root = entity.make(number, step.number, nil)
        var members: [any FuzzModel] = []
        for other in step.others { members.append(member.make(other, step.number + other, root)) }
        let inverse = relation.inverse.flatMap { member.relation($0) }
        if step.number & 1 == 0 || inverse == nil {
            relation.edit(root, .replace(members))
        } else if let inverse, !inverse.isRequired {
            for made in members {
                if inverse.isToMany { inverse.edit(made, .append(root)) } else { inverse.set(made, root) }
            }
        }
        // A part's link to its hub is made by its initialiser, so that only inserting the part finds both.
        if inverse?.isRequired == true, step.number & 1 == 1, !members.isEmpty {
            for made in members { contexts[context].insert(made) }
        } else if step.number & 2 != 0, inverse != nil, let last = members.last {
            contexts[context].insert(last)
        } else {
            contexts[context].insert(root)
        }
        oracle.insert(number, entity, seed: step.number, in: context)
        models[context][number] = root
        for (other, made) in zip(step.others, members) {
            oracle.insert(other, member, seed: step.number + other, in: context)
            models[context][other] = made
        }
        if step.number & 1 == 0 || inverse == nil {
            oracle.contexts[context].setMany(number, relation.name, step.others)
        } else if let inverse {
            for other in step.others {
                if inverse.isToMany {
                    oracle.contexts[context].setMany(other, inverse.name, [number])
                } else {
                    oracle.contexts[context].setOne(other, inverse.name, number)
                }
            }
        }
        for other in [number] + step.others { try compareFlags(other, context) }
    }

    /// Links one model to another from its own side.
    private func link(
        _ number: Int, _ model: any FuzzModel, _ relation: RelationShape, _ other: Int, _ target: any FuzzModel,
        _ context: Int
    ) throws {
        if relation.isToMany {
            relation.edit(model, .append(target))
            oracle.contexts[context].setMany(
                number, relation.name, oracle.contexts[context].links(number, relation.name) + [other])
        } else {
            relation.set(model, target)
            oracle.contexts[context].setOne(number, relation.name, other)
        }
    }

    private func change(_ step: Operation) throws {
        let (context, number) = (step.context, step.object)
        guard let thing = oracle.contexts[context].things[number], !thing.isDeleted,
            let entity = entity(number, context)
        else { return }
        if step.kind == .set {
            guard let attribute = entity.attribute(step.property) else { return }
            attribute.set(try model(number, context), step.number)
            return oracle.set(number, attribute, step.number, in: context)
        }
        guard let relation = entity.relation(step.property),
            relation.isToMany != (step.kind == .setOne),
            step.others.allSatisfy({ isLinkable($0, relation.destination, context) })
        else { return }
        let subject = try model(number, context)
        let others = try step.others.map { try model($0, context) }
        if step.kind == .setOne {
            if relation.isRequired, others.isEmpty { return }
            relation.set(subject, others.first)
            return oracle.contexts[context].setOne(number, relation.name, step.others.first)
        }
        try settle(number, relation, context)
        var list = oracle.contexts[context].links(number, relation.name)
        switch step.kind {
        case .append, .insertAt:
            guard let other = step.others.first, let target = others.first else { return }
            let isThere = list.contains(other)
            if step.kind == .append {
                relation.edit(subject, .append(target))
                list.append(other)
            } else {
                // Twice in a list is once; which place counts is the first.
                let place = step.number % (list.count + 1)
                if isThere { return }
                relation.edit(subject, .insert(target, place))
                list.insert(other, at: place)
            }
        case .remove:
            guard let other = step.others.first, let target = others.first else { return }
            relation.edit(subject, .remove(target))
            list.removeAll { $0 == other }
        case .replace:
            relation.edit(subject, .replace(others))
            list = step.others
        case .reverse:
            list.reverse()
            guard list.allSatisfy({ isLinkable($0, relation.destination, context) }) else { return }
            relation.edit(subject, .replace(try list.map { try model($0, context) }))
        case .swap:
            if list.count < 2 { return }
            let (left, right) = (step.number % list.count, (step.number / 7 + 1) % list.count)
            relation.edit(subject, .swap(left, right))
            list.swapAt(left, right)
        default: return
        }
        oracle.contexts[context].setMany(number, relation.name, list)
        try compareLinks(number, relation, context)
    }

    private func delete(_ step: Operation) throws {
        let (context, number) = (step.context, step.object)
        guard let thing = oracle.contexts[context].things[number] else { return }
        if step.kind == .restore {
            guard thing.isDeleted else { return }
            let model = try model(number, context)
            contexts[context].insert(model)
            return oracle.restore(number, in: context)
        }
        if thing.isNew { try hold(context) }
        let model = try model(number, context)
        contexts[context].delete(model)
        let before = Set(oracle.contexts[context].things.keys)
        oracle.contexts[context].delete(number)
        for gone in before.subtracting(oracle.contexts[context].things.keys) {
            if let model = models[context][gone] { try compareGone(gone, model) }
        }
    }

    /// Makes sure that the program refers to all deleted models, which cannot be fetched any more.
    private func hold(_ context: Int) throws {
        for (number, thing) in oracle.contexts[context].things where !thing.isDeleted { _ = try model(number, context) }
    }

    private func compareGone(_ number: Int, _ model: any FuzzModel) throws {
        try compare("number of a model that is gone", number, model.no)
        if model.modelContext != nil || model.isDeleted || model.hasChanges {
            throw Difference("model \(number)", expected: "gone", found: "in its context")
        }
    }

    // MARK: Saving

    private func save(_ context: Int) throws {
        if oracle.conflicts(context) { return try rollback(context) }
        let before = oracle.contexts[context]
        let outcome = oracle.save(context)
        switch outcome {
        case .failed(let failures):
            failedSaves += 1
            do {
                try contexts[context].save()
            } catch let error as SwiftDataError {
                let codes = failures.flatMap { failure -> [SwiftDataError.Code] in
                    switch failure {
                    case .denied: [.deleteDenied]
                    case .required: [.modelValidationFailure, .missingRequiredValue, .invalidRelationship]
                    case .count: [.relationshipCount]
                    case .uniqueness: [.uniquenessConflict]
                    }
                }
                if codes.contains(error.code) { return }
                throw Difference("error of the save", expected: codes, found: error)
            }
            throw Difference(
                "save of context \(context)", expected: "an error: \(failures.map(\.rawValue).sorted())",
                found: "none")
        case .saved(let gone, let merged):
            failedSaves = 0
            try contexts[context].save()
            for index in contexts.indices {
                // Others see a save at their next use.
                if index != context { _ = contexts[index].registeredModel(for: Self.nobody) as Hub? }
                for number in gone {
                    guard let model = models[index].removeValue(forKey: number) else { continue }
                    if index == context { try compareGone(number, model) }
                }
                for (old, new) in merged {
                    let survivor = models[index].removeValue(forKey: old)
                    let newcomer = models[index].removeValue(forKey: new)
                    // Which of two new models stands for the row is the context's business.
                    let isNew = before.things[old]?.isNew ?? true
                    models[index][new] = index == context && isNew ? nil : survivor
                    if index == context, let newcomer, !isNew, newcomer.modelContext != nil, survivor != nil {
                        throw Difference("model \(new), merged into \(old)", expected: "gone", found: "in its context")
                    }
                }
                let known = oracle.contexts[index]
                for number in models[index].keys where known.things[number] == nil && !known.ghosts.contains(number) {
                    models[index][number] = nil
                }
            }
        }
    }

    /// An identifier of no model.
    private static let nobody = Hub(-1, 0).persistentModelID

    private func rollback(_ context: Int) throws {
        contexts[context].rollback()
        let old = oracle.contexts[context]
        oracle.rollback(context)
        for (number, model) in models[context] where oracle.contexts[context].things[number] == nil {
            if old.things[number] != nil { try compareGone(number, model) }
            models[context][number] = nil
        }
    }

    private func renew(_ context: Int) {
        models[context] = [:]
        contexts[context] = ModelContext(container)
        oracle.rollback(context)
    }

    private func reopen() throws {
        let count = contexts.count
        models = Array(repeating: [:], count: count)
        if store.keepsData {
            contexts = []
            container = try store.open(folder)
            contexts = (0..<count).map { _ in ModelContext(container) }
        } else {
            contexts = (0..<count).map { _ in ModelContext(container) }
        }
        for index in 0..<count { oracle.rollback(index) }
    }

    private func drop(_ step: Operation) {
        for number in models[step.context].keys where number % 4 <= step.number {
            guard let thing = oracle.contexts[step.context].things[number] else { continue }
            if !thing.isDeleted { models[step.context][number] = nil }
        }
    }

    // MARK: Queries

    private func query(_ step: Operation) throws {
        guard let query = Query.named(step.property) else { return }
        let context = step.context
        let options = QueryOptions(step.others)
        let world = options.includesPending || step.kind == .batchDelete ? oracle.contexts[context] : oracle.stored
        let expected = query.expected(world, step.number, options)
        switch step.kind {
        case .fetch:
            var found = try query.fetch(contexts[context], step.number, options).map { try number($0, context) }
            if !options.isSorted { found.sort(by: options.isReversed ? { $0 > $1 } : { $0 < $1 }) }
            try compare("fetch \(query.name)", expected, found)
        case .count:
            try compare(
                "count \(query.name)", expected.count, query.count(contexts[context], step.number, options))
        case .enumerate:
            var found: [any FuzzModel] = []
            try query.enumerate(contexts[context], step.number, options) { found.append($0) }
            var numbers = try found.map { try number($0, context) }
            if !options.isSorted { numbers.sort(by: options.isReversed ? { $0 > $1 } : { $0 < $1 }) }
            try compare("enumerate \(query.name)", expected, numbers)
        case .batchDelete:
            let doomed = query.expected(world, step.number, QueryOptions([]))
            try hold(context)
            try query.delete(contexts[context], step.number)
            for number in doomed where oracle.contexts[context].things[number] != nil {
                oracle.contexts[context].delete(number)
            }
        default: break
        }
    }

    // MARK: Comparing

    private func read(_ step: Operation) throws {
        let (context, number) = (step.context, step.object)
        guard let entity = entity(number, context) else { return }
        if let relation = entity.relation(step.property) {
            try compareLinks(number, relation, context)
        } else if let attribute = entity.attribute(step.property) {
            try compareAttribute(number, attribute, context)
        }
    }

    private func mistake(_ step: Operation) throws {
        guard let attribute = entity(step.object, step.context)?.attribute(step.property) else { return }
        attribute.set(try model(step.object, step.context), step.number)
        try compareAttribute(step.object, attribute, step.context)
    }

    /// Takes over the order of a relationship where the rules leave it open.
    private func settle(_ number: Int, _ relation: RelationShape, _ context: Int) throws {
        if oracle.contexts[context].things[number]?.loose[relation.name]?.isEmpty == false {
            try compareLinks(number, relation, context)
        }
    }

    private func check(_ number: Int, _ context: Int) throws {
        guard let entity = entity(number, context) else { return }
        try compareFlags(number, context)
        for attribute in entity.attributes { try compareAttribute(number, attribute, context) }
        for relation in entity.relations { try compareLinks(number, relation, context) }
    }

    private func compareAttribute(_ number: Int, _ attribute: AttributeShape, _ context: Int) throws {
        let seed = oracle.contexts[context].things[number]?.attributes[attribute.name] ?? 0
        try compare(
            "\(attribute.name) of \(number) in context \(context)", attribute.text(seed),
            attribute.get(model(number, context)))
    }

    private func compareLinks(_ owner: Int, _ relation: RelationShape, _ context: Int) throws {
        let found = try relation.get(model(owner, context)).map { try number($0, context) }.filter { $0 != 0 }
        guard oracle.settle(owner, relation.name, found, in: context) else {
            throw Difference(
                "\(relation.name) of \(owner) in context \(context)",
                expected: oracle.contexts[context].links(owner, relation.name), found: found)
        }
    }

    private func compareFlags(_ number: Int, _ context: Int) throws {
        guard let thing = oracle.contexts[context].things[number] else { return }
        let model = try model(number, context)
        try compare("hasChanges of \(number) in context \(context)", thing.hasChanges, model.hasChanges)
        try compare("isDeleted of \(number) in context \(context)", thing.isDeleted, model.isDeleted)
        if model.modelContext !== contexts[context] {
            throw Difference("modelContext of \(number)", expected: "context \(context)", found: "another")
        }
    }

    /// Compares all that a context shows.
    private func checkAll(_ index: Int) throws {
        let (context, world) = (contexts[index], oracle.contexts[index])
        for name in Self.listings {
            guard let query = Query.named(name) else { continue }
            let found = try query.fetch(context, 0, QueryOptions([])).map { try number($0, index) }
            try compare("\(name) in context \(index)", world.living(query.entity), found)
        }
        for number in world.things.keys.sorted() { try check(number, index) }
        let things = world.things.values
        try compare("inserted models", things.count { $0.isNew }, context.insertedModelsArray.count)
        try compare("deleted models", things.count { $0.isDeleted }, context.deletedModelsArray.count)
        try compare(
            "changed models", things.count { !$0.isNew && !$0.isDeleted && !$0.dirty.isEmpty },
            context.changedModelsArray.count)
    }

    private static let listings = ["hubs", "items", "parts", "tags", "badges", "crews"]

    /// Compares what is stored, as a context sees it that knows nothing else.
    private func checkFresh() throws {
        let context = ModelContext(container)
        for name in Self.listings {
            guard let query = Query.named(name), let entity = Shape.entity(query.entity) else { continue }
            let found = try query.fetch(context, 0, QueryOptions([]))
            try compare("\(name) in a new context", oracle.stored.living(query.entity), found.map(\.no))
            for model in found {
                let number = model.no
                for attribute in entity.attributes {
                    let seed = oracle.stored.things[number]?.attributes[attribute.name] ?? 0
                    try compare(
                        "\(attribute.name) of \(number) in a new context", attribute.text(seed), attribute.get(model))
                }
                for relation in entity.relations {
                    let links = relation.get(model).map(\.no).filter { $0 != 0 }
                    guard oracle.settle(number, relation.name, links, in: nil) else {
                        throw Difference(
                            "\(relation.name) of \(number) in a new context",
                            expected: oracle.stored.links(number, relation.name), found: links)
                    }
                }
            }
        }
        if let error = context.loadError { throw Difference("loadError", expected: "none", found: error) }
    }
}
