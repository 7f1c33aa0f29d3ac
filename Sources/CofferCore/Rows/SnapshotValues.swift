import Foundation

/// The values of a foreign snapshot by property name, caught while the snapshot believes it is being encoded.
struct SnapshotValues {
    private let values: [String: Any]

    init(_ snapshot: some DataStoreSnapshot) throws {
        let catcher = ValueCatcher()
        try snapshot.encode(to: catcher)
        values = catcher.values
    }

    /// Writes the values into the last row of a batch.
    ///
    /// - Throws: ``SwiftDataError`` that names the property whose value does not fit.
    func write(to batch: RowBatch, home: _ModelHome) throws {
        let row = batch.count - 1
        for (slot, property) in home.descriptor.properties.enumerated() {
            guard let value = values[property.name] else { continue }
            guard let stored = try Self.stored(value) else {
                throw SwiftDataError(
                    .valueDecoding, operation: .fetch, store: home.store.name, entity: home.descriptor.entityName,
                    property: property.name, detail: "the store's snapshot holds a \(Swift.type(of: value))")
            }
            batch.set(stored, row: row, slot: slot)
        }
    }

    private static func stored(_ value: Any) throws -> StoredValue? {
        guard let value = _flatten(value) else { return .null }
        switch value {
        case let identifier as PersistentIdentifier: return .reference(identifier)
        case let identifiers as [PersistentIdentifier]: return .references(identifiers)
        case let scalar as any PersistentScalar: return scalar._stored
        // A snapshot that is made around a snapshot of ours encodes as that does.
        case let real as SnapshotReal: return .real(real.value)
        case let raw as any (RawRepresentable & Codable):
            if let scalar = rawScalar(raw) { return scalar._stored }
            return .text(try CompositeCoding.encode(raw))
        case let codable as any Codable: return .text(try CompositeCoding.encode(codable))
        default: return nil
        }
    }

    private static func rawScalar<R: RawRepresentable>(_ value: R) -> (any PersistentScalar)? {
        value.rawValue as? any PersistentScalar
    }
}

/// An encoder that keeps the values it is given instead of encoding them.
private final class ValueCatcher: Encoder {
    var values: [String: Any] = [:]
    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        KeyedEncodingContainer(Container<Key>(catcher: self))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer { JSONlessContainer() }
    func singleValueContainer() -> any SingleValueEncodingContainer { JSONlessContainer() }

    struct Container<Key: CodingKey>: KeyedEncodingContainerProtocol {
        let catcher: ValueCatcher
        var codingPath: [any CodingKey] { [] }

        mutating func encodeNil(forKey key: Key) throws { catcher.values[key.stringValue] = Optional<Any>.none as Any }
        mutating func encode<T: Encodable>(_ value: T, forKey key: Key) throws {
            catcher.values[key.stringValue] = value
        }
        mutating func nestedContainer<NestedKey: CodingKey>(
            keyedBy keyType: NestedKey.Type, forKey key: Key
        ) -> KeyedEncodingContainer<NestedKey> {
            // Values below a property are of no use here: a property comes as one value.
            KeyedEncodingContainer(Container<NestedKey>(catcher: ValueCatcher()))
        }
        mutating func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer { JSONlessContainer() }
        mutating func superEncoder() -> any Encoder { ValueCatcher() }
        mutating func superEncoder(forKey key: Key) -> any Encoder { ValueCatcher() }
    }
}

/// A snapshot is a keyed container; anything else is refused.
private struct JSONlessContainer: UnkeyedEncodingContainer, SingleValueEncodingContainer {
    var codingPath: [any CodingKey] { [] }
    var count: Int { 0 }

    private func refuse(_ value: Any?) throws {
        throw EncodingError.invalidValue(
            value as Any, .init(codingPath: [], debugDescription: "a snapshot must encode itself by key"))
    }

    mutating func encodeNil() throws { try refuse(nil) }
    mutating func encode<T: Encodable>(_ value: T) throws { try refuse(value) }
    mutating func nestedContainer<Key: CodingKey>(keyedBy keyType: Key.Type) -> KeyedEncodingContainer<Key> {
        KeyedEncodingContainer(ValueCatcher.Container<Key>(catcher: ValueCatcher()))
    }
    mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { self }
    mutating func superEncoder() -> any Encoder { ValueCatcher() }
}
