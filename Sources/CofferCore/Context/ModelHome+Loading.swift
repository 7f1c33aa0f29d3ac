import Foundation

extension _ModelHome {
    /// How many waiting models one request loads.
    private static var faultLimit: Int { 1000 }

    /// Loads the values of a model without them, along with others that wait.
    func load<M: PersistentModel>(_ model: M) {
        guard model._$flags & (_Flag.fault | _Flag.stale) != 0 else { return }
        guard let context, model._$flags & _Flag.detached == 0 else {
            model._$flags &= ~(_Flag.fault | _Flag.stale)
            return
        }
        do {
            try context.load(model, with: takeWaiting(Self.faultLimit), from: self)
        } catch {
            context.loadError = error
        }
    }

    /// One value of a model that was fetched without it; everything else that is missing comes along.
    func loadedValue<M: PersistentModel, V>(
        of model: M, slot: Int, _ read: (_RowReader) throws -> V?
    ) -> V? {
        guard let context, model._$key > 0, model._$flags & _Flag.detached == 0 else { return nil }
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

    /// A to-one link of a model that was fetched without it.
    func loadedRelated<M: PersistentModel>(of model: M, slot: Int) -> (any PersistentModel)? {
        let loaded: Bool? = loadedValue(of: model, slot: slot) { _ in true }
        return loaded == nil ? nil : model._current(slot)
    }

    /// A to-many relationship, from the store and with the changes made to it since.
    func loadedMany<M: PersistentModel, V: PersistentModel>(of model: M, slot: Int, as type: V.Type) -> [V]? {
        guard let context, model._$flags & _Flag.detached == 0, model._$flags & _Flag.inserted == 0 else { return nil }
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
func _placeholder<M: PersistentModel, V>(_ model: M, _ slot: Int, _ type: V.Type) -> V {
    if let value = M._$descriptor.properties[safe: slot]?.metadata.defaultValue as? V { return value }
    if let value = EmptyValue.make(V.self) { return value }
    // Only an enumeration or structure without any value that could be made up comes here, and only for a model whose
    // row is gone and that never had values.
    fatalError("\(M._$descriptor.entityName) has no row any more, and \(V.self) has no empty value")
}
