import CofferRuntime

// Homes of a class hierarchy. Each model lives in the home of its own class; the keys of a hierarchy are one space, so
// the identity map is one, too: that of the topmost class. Stores that know SwiftData's protocols only may give rows of
// two classes the same key; there each home keeps its own map, and whoever looks a row up knows its entity.

extension _ModelHome {
    /// Whether rows that are reached through the home may be of several classes.
    var isPolymorphic: Bool { !subdescriptors.isEmpty }

    /// The home and those of the classes below, in the order of the plans' entities.
    func family() -> [_ModelHome] {
        if let known = familyHomes { return known }
        guard let context else { return [self] }
        let family = [self] + subdescriptors.compactMap { context.home(of: $0) }
        familyHomes = family
        return family
    }

    /// The home of an entity among the home's own and those below.
    func member(named entityName: String) -> _ModelHome? {
        if entityName == descriptor.entityName { return self }
        return isPolymorphic ? family().first { $0.descriptor.entityName == entityName } : nil
    }

    /// The number of slots of the widest class.
    var familyWidth: Int { subdescriptors.reduce(descriptor.slotCount) { max($0, $1.slotCount) } }

    /// A plan for rows of the class and those below it.
    func plan(_ scope: FetchScope = .all, slots: [Int]? = nil) -> FetchPlan {
        FetchPlan(entityName: descriptor.entityName, subentityNames: subentityNames, scope: scope, slots: slots)
    }

    /// An empty batch for the rows of a plan.
    func makeBatch(for plan: FetchPlan, capacity: Int = 16) -> RowBatch {
        if plan.subentityNames.isEmpty {
            let batch = RowBatch(space: space, width: descriptor.slotCount, capacity: capacity)
            batch.descriptor = descriptor
            return batch
        }
        let batch = RowBatch(
            space: space, width: familyWidth, capacity: capacity,
            subspaces: family().dropFirst().map(\.space))
        batch.descriptor = descriptor
        batch.subdescriptors = subdescriptors
        return batch
    }

    /// The home of a row of a plan's batch.
    ///
    /// - Throws: ``SwiftDataError`` where the store counts further than the plan does.
    func member(ofRow row: Int, in batch: RowBatch) throws -> _ModelHome {
        let index = batch.entityIndex(ofRow: row)
        if index == 0 { return self }
        if let member = family()[safe: index] { return member }
        throw SwiftDataError(
            .storeFailure, operation: .fetch, store: store.name, entity: descriptor.entityName,
            detail: "the store gave a row of an entity that was not asked for")
    }

    // MARK: Identity

    /// The living object of a key of a hierarchy, retained for the caller, if it is exactly of the home's class.
    func retainedShared(_ key: Int64) -> UnsafeMutableRawPointer? {
        guard let object = (top ?? self).retainedAny(key) else { return nil }
        let found = Unmanaged<AnyObject>.fromOpaque(object)
        if ObjectIdentifier(Swift.type(of: found.takeUnretainedValue())) == ObjectIdentifier(descriptor.type) {
            return object
        }
        found.release()
        return nil
    }

    /// The model of a row of exactly the home's class: living, or new and not yet loaded.
    func fault(_ key: Int64) -> any PersistentModel {
        func make<M: PersistentModel>(_ type: M.Type) -> any PersistentModel {
            if let model = find(key, as: M.self) { return model }
            let model = makeBlank(M.self)
            model._$key = key
            adoptFault(model)
            return model
        }
        return make(descriptor.type)
    }

    /// The same by identifier, whose entity is taken at its word.
    func fault(_ identifier: PersistentIdentifier) -> any PersistentModel {
        if identifier._textKey == nil { return fault(identifier._key) }
        func make<M: PersistentModel>(_ type: M.Type) -> any PersistentModel {
            if let model = find(identifier) as? M { return model }
            let model = makeBlank(M.self)
            setIdentifier(identifier, of: model)
            adoptFault(model)
            return model
        }
        return make(descriptor.type)
    }

    /// The model of a key, whichever class of the hierarchy it is of: the store is asked where it is not in memory.
    ///
    /// A key without a row gives a model of the home's class, as elsewhere.
    func polymorphicModel<M: PersistentModel>(key: Int64, as type: M.Type) throws -> M? {
        if let model = find(key, as: M.self) { return model }
        if let found = try context?.faults(of: [key], in: self).first { return found as? M }
        return fault(key) as? M
    }
}

extension ModelContext {
    /// Models of keys whose classes only the store knows; each loads when it is read.
    ///
    /// - Complexity: one request.
    func faults(of keys: [Int64], in home: _ModelHome) throws -> [any PersistentModel] {
        let batch = try fetchRows(home.plan(.keys(keys), slots: []), from: home, capacity: keys.count)
        return try (0..<batch.count).map { row in
            try home.member(ofRow: row, in: batch).fault(batch.key(ofRow: row))
        }
    }

    /// Makes the models that rows link to where the class of these is not known: one request for each relationship of a
    /// block, instead of one for each link.
    ///
    /// - Returns: what has to live until the links are made, since the identity map owns nothing.
    func settleLinks(_ batch: RowBatch, _ rows: Range<Int>, _ home: _ModelHome) throws -> [any PersistentModel] {
        var targets: [ObjectIdentifier: (home: _ModelHome, keys: Set<Int64>)] = [:]
        for row in rows {
            let member = home.isPolymorphic ? try home.member(ofRow: row, in: batch) : home
            for slot in member.openSlots {
                let cell = batch.cell(row: row, slot: slot)
                guard cell.kind == .reference, let target = member.destination(slot), !target.isLiving(cell.integer)
                else { continue }
                targets[ObjectIdentifier(target), default: (target, [])].keys.insert(cell.integer)
            }
        }
        return try targets.values.flatMap { try faults(of: $0.keys.sorted(), in: $0.home) }
    }

    /// Appends the models of rows that may be of several classes to an array of their common class.
    func fillFamily<M: PersistentModel>(
        _ models: inout [M], _ batch: RowBatch, _ rows: Range<Int>, _ home: _ModelHome, isPartial: Bool
    ) throws {
        func fill<S: PersistentModel>(_ type: S.Type, _ run: Range<Int>, _ member: _ModelHome) throws {
            var part: [S] = []
            part.reserveCapacity(run.count)
            try _ModelList.lending(&part) {
                try S._$materialise(batch, run, in: member, isPartial: isPartial, into: $0)
            }
            // The schema says that the class is one below.
            for model in part { models.append(unsafeDowncast(model, to: M.self)) }
        }
        var start = rows.lowerBound
        while start < rows.upperBound {
            let index = batch.entityIndex(ofRow: start)
            var end = start + 1
            while end < rows.upperBound, batch.entityIndex(ofRow: end) == index { end += 1 }
            let member = try home.member(ofRow: start, in: batch)
            try fill(member.descriptor.type, start..<end, member)
            start = end
        }
    }
}
