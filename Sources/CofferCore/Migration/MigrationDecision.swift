/// How a store that was found with one schema gets to another: what opening it decides.
public struct MigrationDecision {
    /// One step on a copy.
    struct Step {
        let from: Schema
        let to: Schema
        /// The stage of the plan; nil for a step of none.
        var stage: Int?
        var willMigrate: ((ModelContext) throws -> Void)?
        var didMigrate: ((ModelContext) throws -> Void)?
        var transform: ((MigrationTransition) throws -> Void)?

        var isCustom: Bool { willMigrate != nil || didMigrate != nil || transform != nil }
    }

    /// What has to be done to the store.
    public let way: MigrationReport.Way
    /// The schema that the store is found with.
    let stored: Schema
    /// The schema that the store shall have; its version is the higher one where nothing has to be copied.
    public let schema: Schema
    let steps: [Step]
    /// Whether a migration plan says which models there are.
    let hasPlan: Bool
    /// The old names of entities, by the new ones.
    let renames: [String: String]
    /// Names a property whose type need not take every value that the store has, or whose links get another side, so that
    /// rows have to be looked at before the store may be used; nil where there is none.
    public let narrowing: SwiftDataError?

    /// Decides.
    ///
    /// - Parameters:
    ///   - stored: the schema that the store was left with.
    ///   - target: the schema of the program.
    ///   - plan: the plan of the program; nil for none.
    ///   - isAdditive: whether the store can do what is left in place; it is not asked where a property's type need not
    ///     take every value that is there, or links get another side, since rows are copied then.
    /// - Throws: `backwardMigration` where a newer program wrote the store, `unknownSchema` where the plan does not
    ///   know it.
    public init(
        from stored: Schema, to target: Schema, plan: (any SchemaMigrationPlan.Type)?,
        isAdditive: () throws -> Bool
    ) throws {
        self.stored = stored
        hasPlan = plan != nil
        renames = plan?.entityRenames ?? [:]
        let narrowed = target.firstNarrowed(from: stored)
        let paired = target.firstNewPair(from: stored)
        narrowing =
            narrowed.map {
                MigrationMapping.problem(
                    $0.entity, $0.property, "the property's type need not take all values of the old one")
            }
            ?? paired.map {
                MigrationMapping.problem(
                    $0.entity, $0.property, "the relationship has another side now, which links have to be given")
            }
        func fitsInPlace() throws -> Bool { try narrowed == nil && paired == nil && isAdditive() }
        guard let plan else {
            (way, schema, steps) = try Self.decide(from: stored, to: target, renames, fitsInPlace)
            return
        }
        let versions = PlanVersions(plan, for: target, stored)
        guard let here = versions.index(of: stored) else {
            // A program may leave the plan behind and come back to it.
            if stored.entitiesByName == target.entitiesByName {
                (way, schema, steps) = (.equal, target.with(version: max(stored.version, target.version)), [])
                return
            }
            throw versions.unknown(stored)
        }
        let goal = versions.goal
        guard here <= goal else { throw Self.newer(stored, target) }
        var steps = try versions.steps(from: here, to: goal)
        if versions.goalIsTarget == false {
            steps.append(Step(from: versions.schemas[goal], to: target.with(version: versions.targetVersion)))
        }
        let end = target.with(version: versions.targetVersion)
        if steps.isEmpty {
            (way, schema, self.steps) = (.equal, end, [])
        } else if !steps.contains(where: \.isCustom), try fitsInPlace() {
            (way, schema, self.steps) = (.inPlace, end, [])
        } else {
            (way, schema, self.steps) = (.copy, end, steps)
        }
    }

    /// Whether the decision was made for a store of this schema.
    public func starts(from schema: Schema) -> Bool {
        stored.version == schema.version && stored.entitiesByName == schema.entitiesByName
    }

    /// Refuses what cannot be done, as far as that shows without copying; for a look at the store before it is held.
    ///
    /// - Parameter source: the store by the schema that it keeps of itself.
    /// - Returns: whether the store is still the one that the decision was made for.
    /// - Throws: `unknownSchema` that names entity and property.
    public func check(_ source: any RowStore) throws -> Bool {
        guard starts(from: source.schema) else { return false }
        guard let step = steps.first else { return true }
        let mapping = try MigrationMapping(
            from: source.schema, to: step.to, renames: renames, isLenient: step.transform != nil)
        if hasPlan { return true }
        for entity in mapping.gone {
            let count = try source.countRows(FetchPlan(entityName: entity.name))
            if count > 0 { throw MigrationMapping.lostRows(count, of: entity) }
        }
        return true
    }

    private static func decide(
        from stored: Schema, to target: Schema, _ renames: [String: String], _ isAdditive: () throws -> Bool
    ) throws -> (MigrationReport.Way, Schema, [Step]) {
        let latest = target.with(version: max(stored.version, target.version))
        if stored.entitiesByName == target.entitiesByName { return (.equal, latest, []) }
        if try isAdditive() { return (.inPlace, latest, []) }
        if stored.version > target.version { throw newer(stored, target) }
        if let first = stored.entitiesByName.keys.sorted().first,
            !stored.entitiesByName.keys.contains(where: { target.entitiesByName[$0] != nil })
        {
            // Somebody else's store, more likely than one whose models are all gone.
            throw SwiftDataError(
                .unknownSchema, entity: first, detail: "the store has none of the program's models, but others")
        }
        return (.copy, target, [Step(from: stored, to: target)])
    }

    private static func newer(_ stored: Schema, _ target: Schema) -> SwiftDataError {
        SwiftDataError(
            .backwardMigration,
            detail: "the store has version \(stored.version) of the schema, and the program version \(target.version)")
    }
}

/// The versions of a plan as one store sees them: with the entities that go into it.
private struct PlanVersions {
    let plan: any SchemaMigrationPlan.Type
    let schemas: [Schema]
    /// The version that the program's schema is; the last where it is none of them.
    let goal: Int
    /// Whether the program's schema is one of the versions.
    let goalIsTarget: Bool
    let targetVersion: Schema.Version
    /// Whether the container keeps only some of the entities in this store.
    private let isPart: Bool

    init(_ plan: any SchemaMigrationPlan.Type, for target: Schema, _ stored: Schema) {
        self.plan = plan
        let whole = plan.schemas.map { Schema(versionedSchema: $0) }
        let own = Set(target.entitiesByName.keys).union(stored.entitiesByName.keys)
        isPart = whole.last.map { !Set($0.entitiesByName.keys).isSubset(of: target.entitiesByName.keys) } ?? false
        let schemas = isPart ? whole.map { $0.restricted(to: own) } : whole
        self.schemas = schemas
        let found = schemas.lastIndex { $0.entitiesByName == target.entitiesByName }
        goal = found ?? schemas.count - 1
        goalIsTarget = found != nil || schemas.isEmpty
        let version = goal >= 0 ? schemas[goal].version : target.version
        targetVersion = found == nil ? max(version, target.version) : version
    }

    /// Which version a store has. Of several with the same models the one that the store names, or else the first.
    func index(of stored: Schema) -> Int? {
        let found = schemas.indices.filter { schemas[$0].entitiesByName == stored.entitiesByName }
        return found.first { schemas[$0].version == stored.version } ?? found.first
    }

    func steps(from start: Int, to goal: Int) throws -> [MigrationDecision.Step] {
        var steps: [MigrationDecision.Step] = []
        var here = start
        while here < goal {
            let stage = plan.stages.firstIndex {
                ObjectIdentifier($0._fromVersion) == ObjectIdentifier(plan.schemas[here])
            }
            guard let stage else {
                // Versions without a stage between them are left to the store.
                steps.append(.init(from: schemas[here], to: schemas[here + 1]))
                here += 1
                continue
            }
            let end = plan.schemas.firstIndex {
                ObjectIdentifier($0) == ObjectIdentifier(plan.stages[stage]._toVersion)
            }
            guard let end, end > here, end <= goal else {
                throw SwiftDataError(
                    .migrationFailure,
                    detail: "stage \(stage + 1) of the migration plan starts at version \(schemas[here].version) and "
                        + "leads to none of the later versions of the plan")
            }
            var step = MigrationDecision.Step(from: schemas[here], to: schemas[end], stage: stage)
            switch plan.stages[stage] {
            case .lightweight: break
            case .custom(_, _, let willMigrate, let didMigrate):
                (step.willMigrate, step.didMigrate) = (willMigrate, didMigrate)
            case .transform(_, _, let transform): step.transform = transform
            }
            steps.append(step)
            here = end
        }
        // What a stage does to other stores is nothing to this one.
        if isPart { steps.removeAll { $0.from.entitiesByName == $0.to.entitiesByName } }
        return steps
    }

    /// Says how the nearest version differs.
    func unknown(_ stored: Schema) -> SwiftDataError {
        if let newest = schemas.map(\.version).max(), stored.version > newest {
            return SwiftDataError(
                .backwardMigration,
                detail:
                    "the store has version \(stored.version) of the schema, and the migration plan ends at \(newest)")
        }
        let nearest = schemas.map { ($0, $0.differences(from: stored)) }.min { $0.1.count < $1.1.count }
        guard let (schema, differences) = nearest, let first = differences.first else {
            return SwiftDataError(.unknownSchema, detail: "the migration plan has no versions")
        }
        return SwiftDataError(
            .unknownSchema, entity: first.entity, property: first.property,
            detail:
                "the store's schema is none of the migration plan's versions; of the nearest, \(schema.version), it "
                + "differs in \(differences.prefix(5).map(\.text).joined(separator: ", "))")
    }
}

extension Schema {
    /// The same entities under another version.
    func with(version: Version) -> Schema {
        if version == self.version { return self }
        return Schema(
            entities: entities, version: version, encodingVersion: encodingVersion, problems: _buildProblems)
    }

    /// The entities of some names, and those that they lead to or inherit from.
    func restricted(to names: Set<String>) -> Schema {
        var kept = names
        var queue = Array(names)
        while let name = queue.popLast() {
            guard let entity = entitiesByName[name] else { continue }
            let others =
                entity.relationships.map(\.destination) + entity.lineage.map(\.name) + entity.subentities.map(\.name)
            for other in others where kept.insert(other).inserted { queue.append(other) }
        }
        return Schema(
            entities: entities.filter { kept.contains($0.name) }, version: version, encodingVersion: encodingVersion,
            problems: _buildProblems)
    }

    /// Where two schemas differ, by name.
    func differences(from other: Schema) -> [(entity: String, property: String?, text: String)] {
        var result: [(entity: String, property: String?, text: String)] = []
        for name in Set(entitiesByName.keys).union(other.entitiesByName.keys).sorted() {
            guard let mine = entitiesByName[name], let theirs = other.entitiesByName[name] else {
                result.append((name, nil, name))
                continue
            }
            if mine == theirs { continue }
            let (left, right) = (mine.storedPropertiesByName, theirs.storedPropertiesByName)
            let count = result.count
            for property in Set(left.keys).union(right.keys).sorted() {
                if let one = left[property], let two = right[property], one._isEqual(to: two) { continue }
                result.append((name, property, "\(name).\(property)"))
            }
            if result.count == count { result.append((name, nil, "\(name)’s constraints, indexes or relatives")) }
        }
        return result
    }
}
