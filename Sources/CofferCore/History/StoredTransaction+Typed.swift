extension StoredTransaction {
    /// The transaction in the terms of the classes of a schema. Changes of entities that the schema does not have are
    /// left out.
    ///
    /// Complexity: O(*changed rows*).
    public func typed(
        in schema: Schema, storeIdentifier: String, token: DefaultHistoryToken? = nil
    ) -> DefaultHistoryTransaction {
        var typed: [HistoryChange] = []
        for change in changes {
            guard let type = schema.entitiesByName[change.entityName]?._modelType else { continue }
            let space = _IdentifierSpace.shared(entityName: change.entityName, storeIdentifier: storeIdentifier)
            append(change, of: type, in: space, to: &typed)
        }
        return DefaultHistoryTransaction(
            transactionIdentifier: number, storeIdentifier: storeIdentifier, timestamp: timestamp, changes: typed,
            token: token, bundleIdentifier: bundleIdentifier, processIdentifier: processIdentifier, author: author)
    }

    private func append<M: PersistentModel>(
        _ change: StoredChange, of type: M.Type, in space: _IdentifierSpace, to list: inout [HistoryChange]
    ) {
        let descriptor = M._$descriptor
        list.reserveCapacity(list.count + change.keys.count)
        // Numbers of changes are those of the transaction, with the place in it below.
        func identifier() -> Int64 { number << 32 | Int64(list.count + 1) }
        switch change.kind {
        case .insert:
            for key in change.keys.keys {
                list.append(
                    .insert(
                        DefaultHistoryInsert<M>(
                            changeIdentifier: identifier(), transactionIdentifier: number,
                            changedPersistentIdentifier: PersistentIdentifier(_space: space, key: key))))
            }
        case .update:
            let attributes = change.properties.compactMap { descriptor.slotsByName[$0] }.map {
                M.sendableKeyPath(descriptor.properties[$0].keyPath)
            }
            for key in change.keys.keys {
                list.append(
                    .update(
                        DefaultHistoryUpdate<M>(
                            changeIdentifier: identifier(), transactionIdentifier: number,
                            changedPersistentIdentifier: PersistentIdentifier(_space: space, key: key),
                            updatedAttributes: attributes)))
            }
        case .delete:
            for key in change.keys.keys {
                list.append(
                    .delete(
                        DefaultHistoryDelete<M>(
                            changeIdentifier: identifier(), transactionIdentifier: number,
                            changedPersistentIdentifier: PersistentIdentifier(_space: space, key: key),
                            tombstone: change.preserved[key].map { M.tombstone($0, space) } ?? HistoryTombstone())))
            }
        }
    }
}

extension PersistentModel {
    /// A property's key path as one of this class. A key path of a superclass reads this one as well.
    fileprivate static func keyPath(_ keyPath: AnyKeyPath) -> PartialKeyPath<Self> {
        // No cast of the language's would let it pass.
        Unmanaged<PartialKeyPath<Self>>.fromOpaque(Unmanaged.passUnretained(keyPath).toOpaque()).takeUnretainedValue()
    }

    /// The value of a property that the class or one above it declares.
    private static func read<M: PersistentModel>(
        _ keyPath: AnyKeyPath, of model: any PersistentModel, as type: M.Type
    ) -> Any? {
        if let keyPath = keyPath as? PartialKeyPath<M>, let model = model as? M { return model[keyPath: keyPath] }
        guard let superclass = M._$descriptor.superclass else { return nil }
        return read(keyPath, of: model, as: superclass)
    }

    fileprivate static func sendableKeyPath(_ keyPath: AnyKeyPath) -> any PartialKeyPath<Self> & Sendable {
        // Key paths of properties capture nothing, so that they may be shared.
        unsafeBitCast(self.keyPath(keyPath), to: (any PartialKeyPath<Self> & Sendable).self)
    }

    /// The tombstone of preserved values. What the property's type of today cannot hold is left out.
    fileprivate static func tombstone(
        _ values: [String: StoredValue], _ space: _IdentifierSpace
    ) -> HistoryTombstone<Self> {
        let descriptor = _$descriptor
        let batch = RowBatch(space: space, width: descriptor.slotCount, capacity: 1)
        batch.descriptor = descriptor
        var entries: [(keyPath: PartialKeyPath<Self>, value: (any Sendable)?)] = []
        for (slot, property) in descriptor.properties.enumerated() {
            guard let value = values[property.name] else { continue }
            // One at a time, so that one that cannot be read does not hide the others.
            batch.removeAll()
            batch.appendRow(key: 1)
            batch.set(value, row: 0, slot: slot)
            let model = Self(_$blank: ())
            guard (try? model._$load(_RowReader(batch, row: 0, mask: _slotBit(slot), home: nil))) != nil,
                let value = read(property.keyPath, of: model, as: Self.self), let plain = _flatten(value)
            else { continue }
            entries.append((keyPath(property.keyPath), unsafeBitCast(PlainValue(value: plain), to: Shared.self).value))
        }
        return HistoryTombstone(entries)
    }
}

/// Values of persisted properties are sendable, which the type `Any` does not say. Both types are laid out alike.
private struct PlainValue {
    let value: Any
}

private struct Shared {
    let value: any Sendable
}

extension HistoryUpdate {
    /// Whether a property got a new value; also for a property that the class inherits, whose key path in
    /// ``updatedAttributes`` is that of the superclass.
    public func updates(_ keyPath: PartialKeyPath<Model>) -> Bool {
        let descriptor = Model._$descriptor
        guard let slot = descriptor.slot(of: keyPath) else { return false }
        return updatedAttributes.contains { descriptor.slot(of: $0) == slot }
    }
}
