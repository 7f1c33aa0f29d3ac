import Foundation

extension _ModelHome {
    /// How many waiting models one request loads.
    private static var faultLimit: Int { 1000 }

    /// Loads the values of a model without them, along with others that wait.
    ///
    /// A getter has nowhere to throw to: what fails is left in ``ModelContext/loadError``.
    func load<M: PersistentModel>(_ model: M) {
        do {
            try loadValues(of: model)
        } catch {
            context?.loadError = error
        }
    }

    /// Loads the values of a model without them, along with others that wait.
    ///
    /// - Throws: what the fetch throws.
    func loadValues<M: PersistentModel>(of model: M) throws {
        guard model._$flags & (_Flag.fault | _Flag.stale) != 0 else { return }
        guard let context, model._$flags & _Flag.detached == 0 else {
            model._$flags &= ~(_Flag.fault | _Flag.stale)
            return
        }
        let isInside = context.enterOrReport("read a model")
        defer { if isInside { context.leave() } }
        try context.load(model, with: takeWaiting(Self.faultLimit), from: self)
    }

    /// One value of a model that was fetched without it; everything else that is missing comes along.
    func loadedValue<M: PersistentModel, V>(
        of model: M, slot: Int, _ read: (_RowReader) throws -> V?
    ) -> V? {
        guard model._$key > 0, model._$flags & _Flag.detached == 0 else { return nil }
        // A value that may be large comes only when it is asked for by name, and alone.
        guard let context, !descriptor.special.external.contains(slot) else {
            return storedValue(of: model, slot: slot, read)
        }
        let isInside = context.enterOrReport("read a model")
        defer { if isInside { context.leave() } }
        do {
            guard let snapshot = try context.row(of: model, in: self) else { return nil }
            let mask = ~(model._$flags & _Flag.dirtyMask)
            try model._$load(_RowReader(snapshot.batch, row: snapshot.row, mask: mask, home: self))
            model._$flags &= ~_Flag.partial
            return try read(_RowReader(snapshot.batch, row: snapshot.row, home: self))
        } catch {
            context.loadError = error
            return nil
        }
    }

    /// One value and nothing else, straight from the store, which outlives the context.
    private func storedValue<M: PersistentModel, V>(
        of model: M, slot: Int, _ read: (_RowReader) throws -> V?
    ) -> V? {
        do {
            let batch: RowBatch
            if let rows = store.rows, model._$flags & _Flag.textKey == 0 {
                batch = RowBatch(space: space, width: descriptor.slotCount, capacity: 1)
                batch.descriptor = descriptor
                try rows.fetchRows(
                    FetchPlan(entityName: descriptor.entityName, scope: .keys([model._$key]), slots: [slot]),
                    into: batch)
            } else if let context {
                batch = try context.fetchSnapshots(of: [model.persistentModelID], from: self)
            } else {
                return nil
            }
            return batch.count > 0 ? try read(_RowReader(batch, row: 0, home: self)) : nil
        } catch {
            context?.loadError = error
            return nil
        }
    }

    /// A to-one link of a model that was fetched without it.
    func loadedRelated<M: PersistentModel>(of model: M, slot: Int) -> (any PersistentModel)? {
        if context == nil { return nil }
        let loaded: Bool? = loadedValue(of: model, slot: slot) { _ in true }
        return loaded == nil ? nil : model._current(slot)
    }

    /// A to-many relationship, from the store and with the changes made to it since.
    func loadedMany<M: PersistentModel, V: PersistentModel>(of model: M, slot: Int, as type: V.Type) -> [V]? {
        guard let context, model._$flags & _Flag.detached == 0, model._$flags & _Flag.inserted == 0 else { return nil }
        let isInside = context.enterOrReport("read a relationship")
        defer { if isInside { context.leave() } }
        context.releaseUnreachable()
        do {
            try context.loadRelated(owners(for: model, slot: slot), slot: slot, in: self)
        } catch {
            context.loadError = error
            return nil
        }
        var visitor = _RelatedVisitor(slot: slot)
        model._$visit(&visitor)
        return visitor.models as? [V]
    }

    /// The owners to load: the one that is asked for, and those likely to be asked next.
    private func owners<M: PersistentModel>(for model: M, slot: Int) -> [any PersistentModel] {
        guard model._$flags & _Flag.textKey == 0,
            let keys = fetched.next(model._$key, slot: slot) ?? cameAlong.next(model._$key, slot: slot)
        else { return [model] }
        func living<N: PersistentModel>(_ type: N.Type) -> [any PersistentModel] {
            keys.compactMap { key -> N? in
                guard let owner = find(key, as: N.self), owner === model || !owner._isLoaded(slot),
                    owner._$flags & (_Flag.detached | _Flag.fault) == 0
                else { return nil }
                return owner
            }
        }
        let owners = living(Swift.type(of: model))
        return owners.isEmpty ? [model] : owners
    }
}

/// What a read gives that cannot be answered and cannot throw: the property's default, or an empty value.
///
/// - Parameter transformer: makes the transformer of a value that passes through one.
func _placeholder<M: PersistentModel, V>(
    _ model: M, _ slot: Int, _ type: V.Type, by transformer: () -> ValueTransformer? = { nil }
) -> V {
    let descriptor = Swift.type(of: model)._$descriptor
    let property = descriptor.properties[safe: slot]
    if let value = property?.metadata.defaultValue as? V { return value }
    if let value = EmptyValue.make(V.self) { return value }
    if let transformer = transformer() {
        if let value = transformer.reverseTransformedValue(nil) as? V { return value }
        if let value = transformer.reverseTransformedValue(Data()) as? V { return value }
    }
    if let value = MadeUpValue.make(V.self) { return value }
    // A schema with such a property is refused when its container opens.
    fatalError("No \(V.self) can be made up for \(descriptor.entityName).\(property?.name ?? "").")
}
