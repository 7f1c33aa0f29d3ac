import Foundation

extension DefaultSnapshot {
    /// Encodes the identifier and every property that the row says something of, by name.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: DataStoreSnapshotCodingKey.self)
        try container.encode(persistentIdentifier, forKey: .persistentIdentifier)
        for slot in 0..<batch.width {
            let cell = batch.cell(row: row, slot: slot)
            guard cell.kind != .absent, let property = batch.descriptor(ofRow: row)?.properties[safe: slot] else {
                continue
            }
            let key = DataStoreSnapshotCodingKey.modeledProperty(property.name)
            switch batch.value(of: cell, destination: destination(slot)) {
            case .null: try container.encodeNil(forKey: key)
            case .integer(let number): try container.encode(number, forKey: key)
            case .unsigned(let number): try container.encode(number, forKey: key)
            case .real(let number): try container.encode(SnapshotReal(value: number), forKey: key)
            case .text(let text): try container.encode(text, forKey: key)
            case .blob(let bytes): try container.encode(Data(bytes), forKey: key)
            case .reference(let target): try container.encode(target, forKey: key)
            case .references(let targets): try container.encode(targets, forKey: key)
            }
        }
    }

    private func destination(_ slot: Int) -> _IdentifierSpace? {
        guard let relationship = batch.descriptor(ofRow: row)?.relationships[safe: slot].flatMap({ $0 }) else {
            return nil
        }
        return .shared(
            entityName: relationship.destination.entityName, storeIdentifier: batch.space.storeIdentifier)
    }

    /// The schema whose classes snapshots are decoded for, as a key of a decoder's `userInfo`.
    ///
    /// ```swift
    /// let decoder = JSONDecoder()
    /// decoder.userInfo[DefaultSnapshot.schemaKey] = schema
    /// ```
    ///
    /// Without it a snapshot is one of the container that the store works for at the moment: of whatever context fetches
    /// or saves. Outside of such a call it is one of the container that was opened last, of those that have the entity,
    /// and may be another one where a process works with two versions of its models.
    // Every text makes a key; the initialiser is optional only since it is that of raw values.
    public static let schemaKey = CodingUserInfoKey(rawValue: "coffer.schema")!

    /// Decodes a snapshot of an entity that the schema under ``schemaKey`` has, or else that of the context which asks, or
    /// an open container.
    ///
    /// - Throws: `DecodingError` when the form is not that of ``encode(to:)``, or no container has the entity.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: DataStoreSnapshotCodingKey.self)
        let identifier = try container.decode(PersistentIdentifier.self, forKey: .persistentIdentifier)
        let schema = decoder.userInfo[Self.schemaKey] as? Schema ?? StoreHandle.schemaAtWork
        let own = schema?._modelType(named: identifier.entityName)?._$descriptor
        guard let descriptor = own ?? _ModelDescriptor.known(identifier.entityName) else {
            throw DecodingError.dataCorruptedError(
                forKey: .persistentIdentifier, in: container,
                debugDescription: "no open container has a model \(identifier.entityName)")
        }
        let batch = RowBatch(space: identifier._space, width: descriptor.slotCount, capacity: 1)
        batch.descriptor = descriptor
        batch.appendRow(identifier: identifier)
        for (slot, property) in descriptor.properties.enumerated() {
            let key = DataStoreSnapshotCodingKey.modeledProperty(property.name)
            guard container.contains(key) else { continue }
            if try container.decodeNil(forKey: key) {
                batch.set(.null, row: 0, slot: slot)
                continue
            }
            let shape = _ValueShape(Swift.type(of: property.keyPath).valueType)
            let value = try Self.value(of: shape, in: container, forKey: key)
            if case .reference(let target) = value, let destination = shape.destination {
                // A row of a subclass of what the property says; a key would not tell.
                batch.keepsEntities = target.entityName != destination._$descriptor.entityName
            } else if case .references(let targets) = value, let destination = shape.destination {
                let name = destination._$descriptor.entityName
                batch.keepsEntities = targets.contains { $0.entityName != name }
            }
            batch.set(value, row: 0, slot: slot)
            batch.keepsEntities = false
        }
        self.init(batch, row: 0)
    }

    private static func value(
        of shape: _ValueShape, in container: KeyedDecodingContainer<DataStoreSnapshotCodingKey>,
        forKey key: DataStoreSnapshotCodingKey
    ) throws -> StoredValue {
        switch shape.kind {
        case .toOne: return .reference(try container.decode(PersistentIdentifier.self, forKey: key))
        case .toMany: return .references(try container.decode([PersistentIdentifier].self, forKey: key))
        case .scalar(let type), .rawValue(_, let type):
            switch type._storage {
            case .boolean, .integer: return .integer(try container.decode(Int64.self, forKey: key))
            case .unsigned: return try container.decode(UInt64.self, forKey: key)._stored
            case .real, .date: return .real(try container.decode(SnapshotReal.self, forKey: key).value)
            case .text, .url, .decimal: return .text(try container.decode(String.self, forKey: key))
            case .blob, .uuid: return .blob([UInt8](try container.decode(Data.self, forKey: key)))
            }
        case .codable: return .text(try container.decode(String.self, forKey: key))
        case .transformable: return .blob([UInt8](try container.decode(Data.self, forKey: key)))
        }
    }
}

/// A number in a coded snapshot; those that JSON lacks are text.
struct SnapshotReal: Codable {
    let value: Double

    init(value: Double) { self.value = value }

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let number = try? container.decode(Double.self) {
            value = number
            return
        }
        let text = try container.decode(String.self)
        guard let bits = UInt64(text, radix: 16) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "“\(text)” is no number")
        }
        value = Double(bitPattern: bits)
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        if value.isFinite {
            try container.encode(value)
        } else {
            try container.encode(String(value.bitPattern, radix: 16))
        }
    }
}
