import Foundation

extension ModelContext {
    /// Fetches the models that a descriptor describes.
    ///
    /// A model that is in memory keeps its unsaved changes, and with
    /// ``FetchDescriptor/includePendingChanges`` the result reflects them: filter, order, offset and limit apply to
    /// what a save would store.
    ///
    /// - Throws: ``SwiftDataError`` when the schema lacks the model or the predicate cannot be evaluated, or what the
    ///   store throws.
    /// - Complexity: one request; O(*result*) objects, and what the store needs to find the rows.
    public func fetch<M: PersistentModel>(_ descriptor: FetchDescriptor<M>) throws -> [M] {
        try enter(.fetch)
        defer { leave() }
        catchUp()
        releaseUnreachable()
        let home = try home(of: M.self, for: .fetch)
        let fetch = try PlannedFetch(descriptor, home: home, context: self)
        let models = try fetch.models()
        noteRecent(models, in: home)
        try prefetch(descriptor.relationshipKeyPathsForPrefetching, of: models, in: home)
        return models
    }

    /// Counts the models that ``fetch(_:)`` would give, offset and limit included, without making them.
    ///
    /// - Throws: as ``fetch(_:)`` does.
    public func fetchCount<M: PersistentModel>(_ descriptor: FetchDescriptor<M>) throws -> Int {
        try enter(.fetch)
        defer { leave() }
        catchUp()
        let home = try home(of: M.self, for: .fetch)
        return try PlannedFetch(descriptor, home: home, context: self).count()
    }

    /// The identifiers of the models that ``fetch(_:)`` would give, in the same order.
    ///
    /// - Throws: as ``fetch(_:)`` does.
    public func fetchIdentifiers<M: PersistentModel>(
        _ descriptor: FetchDescriptor<M>
    ) throws -> [PersistentIdentifier] {
        try enter(.fetch)
        defer { leave() }
        catchUp()
        let home = try home(of: M.self, for: .fetch)
        return try PlannedFetch(descriptor, home: home, context: self).identifiers()
    }

    /// Notes which models are likely to be asked for their relationships next, and in which order.
    func noteRecent<M: PersistentModel>(_ models: [M], in home: _ModelHome) {
        if !home.hasToMany || models.count < 2 { return }
        var models = models
        home.fetched = RecentModels(_ModelList.lending(&models) { M._$keys(of: $0) })
    }

    /// Loads relationships of fetched models along with them: a request for each relationship on the way, and one more
    /// for every thousand models at the end of a to-one link.
    ///
    /// - Throws: ``SwiftDataError/unsupportedKeyPath`` for a key path that is no chain of relationships.
    func prefetch<M: PersistentModel>(
        _ keyPaths: [PartialKeyPath<M>], of models: [M], in home: _ModelHome
    ) throws {
        for keyPath in keyPaths {
            let path: [Int]
            if let slot = home.descriptor.slot(of: keyPath) {
                path = [slot]
            } else {
                path = KeyPathProbe.relationships(of: keyPath) ?? []
            }
            try prefetch(path[...], of: models, in: home)
        }
    }

    private func prefetch<M: PersistentModel>(_ path: ArraySlice<Int>, of models: [M], in home: _ModelHome) throws {
        guard let slot = path.first, let relationship = home.relationships[safe: slot] ?? nil,
            let target = home.destination(slot)
        else {
            throw SwiftDataError(
                .unsupportedKeyPath, operation: .fetch, entity: home.descriptor.entityName,
                detail: "a key path to prefetch is no relationship, nor a chain of them")
        }
        if relationship.isToMany {
            let owners = models.filter { $0._$key > 0 && !$0._isLoaded(slot) && $0._$flags & _Flag.detached == 0 }
            if !owners.isEmpty { try loadRelated(owners, slot: slot, in: home) }
        } else {
            try loadTargets(of: models, slot: slot, in: home, target)
        }
        if path.count == 1 { return }
        func next<T: PersistentModel>(_ type: T.Type) throws {
            var seen: Set<ObjectIdentifier> = []
            var related: [T] = []
            for model in models {
                for case let other as T in model._related(slot) where seen.insert(ObjectIdentifier(other)).inserted {
                    related.append(other)
                }
            }
            try prefetch(path.dropFirst(), of: related, in: target)
        }
        try next(target.descriptor.type)
    }

    /// Loads the models at the end of to-one links that have no values yet; those that wait are loaded a thousand at a
    /// time.
    private func loadTargets<M: PersistentModel>(
        of models: [M], slot: Int, in home: _ModelHome, _ target: _ModelHome
    ) throws {
        // Models of one class wait together.
        let isOpen = home.openSlots.contains(slot)
        for model in models {
            guard let waiting = model._current(slot), waiting._$flags & _Flag.fault != 0 else { continue }
            try loadWaiting(waiting)
            if !isOpen, !target.hasWaiting { return }
        }
    }

    private func loadWaiting<T: PersistentModel>(_ model: T) throws { try model._$home?.loadValues(of: model) }

    // MARK: Looking up

    /// The model of an identifier that is in memory; nil where there is none.
    public func registeredModel<M: PersistentModel>(for identifier: PersistentIdentifier) -> M? {
        let isInside = enterOrReport("look a model up")
        defer { if isInside { leave() } }
        catchUp()
        return registered(identifier) as? M
    }

    private func registered(_ identifier: PersistentIdentifier) -> (any PersistentModel)? {
        if !identifier._isTemporary {
            for home in homes.values
            where home.descriptor.entityName == identifier.entityName
                && home.store.identifier == identifier.storeIdentifier
            {
                return home.find(identifier)
            }
            return nil
        }
        for home in homes.values where home.descriptor.entityName == identifier.entityName {
            if let model = home.inserted.first(where: { $0._$key == identifier._key }) { return model }
            let key = remapped.permanentKey(entityName: identifier.entityName, temporary: identifier._key)
            if let key { return home.find(PersistentIdentifier(_space: home.space, key: key)) }
        }
        return nil
    }

    /// The model of an identifier: the one in memory, or one whose values load when they are read.
    ///
    /// An identifier without a row gives a model whose values are the properties' defaults, or empty;
    /// ``PersistentModel/modelContext`` is nil once one of them was read.
    public func model(for identifier: PersistentIdentifier) -> any PersistentModel {
        let isInside = enterOrReport("look a model up")
        defer { if isInside { leave() } }
        if let model = registered(identifier) { return model }
        settleBatchesOrNote()
        func fault<M: PersistentModel>(_ type: M.Type) -> any PersistentModel {
            let model: M
            if !identifier._isTemporary, let home = knownHome(of: M.self),
                home.store.identifier == identifier.storeIdentifier
            {
                return home.fault(identifier)
            }
            model = M(_$blank: ())
            model._$key = identifier._key
            model._$flags |= _Flag.detached
            return model
        }
        guard let type = container.modelType(named: identifier.entityName) else {
            return UnknownModel(_$blank: ())
        }
        return fault(type)
    }

    /// The model of a row, loaded; nil where the store has no such row.
    ///
    /// The way to many single lookups: one small request each, and none for a model in memory.
    ///
    /// - Throws: what the store throws.
    /// - Complexity: O(log *rows*).
    public func existingModel<M: PersistentModel>(for identifier: PersistentIdentifier, as type: M.Type) throws -> M? {
        try enter(.fetch)
        defer { leave() }
        catchUp()
        let home = try home(of: M.self, for: .fetch)
        guard identifier.entityName == home.descriptor.entityName else {
            guard let member = home.member(named: identifier.entityName) else { return nil }
            func existing<S: PersistentModel>(_ type: S.Type) throws -> M? {
                try existingModel(for: identifier, as: S.self) as? M
            }
            return try existing(member.descriptor.type)
        }
        if identifier._isTemporary { return registered(identifier) as? M }
        try settleBatches()
        guard identifier.storeIdentifier == home.store.identifier else { return nil }
        if identifier._textKey == nil, let model = home.find(identifier._key, as: M.self) {
            if model._$flags & (_Flag.fault | _Flag.stale) != 0 {
                try load(model, with: [], from: model._$home ?? home)
            }
            return model._$flags & _Flag.detached == 0 ? model : nil
        }
        guard let rows = home.store.rows, identifier._textKey == nil else {
            return try materialise(fetchSnapshots(of: [identifier], from: home), as: M.self, home: home).first
        }
        let batch = scratchBatch(home)
        try rows.fetchRows(
            FetchPlan(entityName: home.descriptor.entityName, scope: .keys([identifier._key])), into: batch)
        guard batch.count > 0 else { return nil }
        let model = home.makeBlank(M.self)
        model._$key = identifier._key
        model._$home = home
        home.register(model)
        try model._$load(_RowReader(batch, row: 0, home: home))
        return model
    }
}
