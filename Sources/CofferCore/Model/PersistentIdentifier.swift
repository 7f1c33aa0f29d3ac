import Foundation
import Synchronization

/// The identity of one model's row: which store, which entity, which key.
///
/// A model that was never saved has a temporary identifier (``storeIdentifier`` is nil); its first save replaces it by
/// a permanent one, which is never used again for another row. Identifiers are values of two words and may cross
/// isolations, which models and contexts may not.
///
/// The coded form is `{"implementation": {"entityName": …, "primaryKey": …, "storeIdentifier": …, "isTemporary": …}}`.
public struct PersistentIdentifier: Hashable, Identifiable, Comparable, Codable, Sendable {
    /// The store and entity, shared by all identifiers of that entity; with a key that is no integer, one of its own.
    public let _space: _IdentifierSpace
    /// The integer key: positive for rows, negative for models without one; a hash where the space holds the key.
    public let _key: Int64

    @inlinable
    public init(_space: _IdentifierSpace, key: Int64) {
        self._space = _space
        self._key = key
    }

    /// An opaque, hashable form of the identifier.
    public struct ID: Hashable, Sendable {
        let identifier: PersistentIdentifier
    }

    public var id: ID { ID(identifier: self) }

    /// The name of the entity the row belongs to.
    public var entityName: String { _space.entityName }

    /// The identifier of the store that holds the row; nil for a model that was never saved.
    public var storeIdentifier: String? { _space.storeIdentifier }

    /// Makes the identifier of a row from a store's own key.
    ///
    /// - Parameters:
    ///   - storeIdentifier: the ``DataStore/identifier`` of the store.
    ///   - entityName: the entity's name.
    ///   - primaryKey: the store's key; integers are kept as they are, other keys by value.
    /// - Throws: whatever encoding the key throws.
    public static func identifier<K: Comparable & CustomStringConvertible & Codable & Hashable>(
        for storeIdentifier: String, entityName: String, primaryKey: K
    ) throws -> PersistentIdentifier {
        let space = _IdentifierSpace.shared(entityName: entityName, storeIdentifier: storeIdentifier)
        if let number = primaryKey as? any BinaryInteger, let key = Int64(exactly: number), key > 0 {
            return PersistentIdentifier(_space: space, key: key)
        }
        return PersistentIdentifier(_space: space, text: primaryKey.description)
    }

    /// An identifier whose key is text.
    public init(_space space: _IdentifierSpace, text: String) {
        let keyed = _KeyedIdentifierSpace(space: space, text: text)
        self.init(_space: keyed, key: keyed.hash)
    }

    /// The key where it is no integer.
    public var _textKey: String? { (_space as? _KeyedIdentifierSpace)?.text }

    /// Whether the model was never saved.
    public var _isTemporary: Bool { _space.storeIdentifier == nil }

    @inlinable
    public static func == (left: PersistentIdentifier, right: PersistentIdentifier) -> Bool {
        left._key == right._key && (left._space === right._space || left._space.isEqual(to: right._space))
    }

    @inlinable
    public func hash(into hasher: inout Hasher) {
        hasher.combine(_key)
    }

    public static func < (left: PersistentIdentifier, right: PersistentIdentifier) -> Bool {
        if left._space !== right._space {
            let a = (left.storeIdentifier ?? "", left.entityName)
            let b = (right.storeIdentifier ?? "", right.entityName)
            if a != b { return a < b }
        }
        switch (left._textKey, right._textKey) {
        case (let a?, let b?): return a < b
        case (nil, nil): return left._key < right._key
        case (nil, _): return true
        case (_, nil): return false
        }
    }
}

/// The part that identifiers share: entity and store. One instance per pair and process.
open class _IdentifierSpace: @unchecked Sendable {
    public let entityName: String
    public let storeIdentifier: String?

    init(entityName: String, storeIdentifier: String?) {
        self.entityName = entityName
        self.storeIdentifier = storeIdentifier
    }

    private struct Name: Hashable {
        let entity: String
        let store: String?
    }

    private static let known = Mutex<[Name: _IdentifierSpace]>([:])

    /// The space of an entity in a store, or of its models that were never saved.
    public static func shared(entityName: String, storeIdentifier: String?) -> _IdentifierSpace {
        known.withLock { known in
            let name = Name(entity: entityName, store: storeIdentifier)
            if let space = known[name] { return space }
            let space = _IdentifierSpace(entityName: entityName, storeIdentifier: storeIdentifier)
            known[name] = space
            return space
        }
    }

    /// Whether identifiers of the two spaces with one key are equal; instances that are shared compare by identity.
    open func isEqual(to other: _IdentifierSpace) -> Bool { self === other }
}

/// The space of a single identifier whose key is text.
final class _KeyedIdentifierSpace: _IdentifierSpace, @unchecked Sendable {
    let space: _IdentifierSpace
    let text: String
    let hash: Int64

    init(space: _IdentifierSpace, text: String) {
        self.space = space
        self.text = text
        // Only equality within one process rests on the hash, so the seeded one will do; its sign marks no temporary.
        self.hash = Int64(bitPattern: UInt64(bitPattern: Int64(text.hashValue)) & UInt64(Int64.max))
        super.init(entityName: space.entityName, storeIdentifier: space.storeIdentifier)
    }

    override func isEqual(to other: _IdentifierSpace) -> Bool {
        guard let other = other as? _KeyedIdentifierSpace else { return false }
        return space === other.space && text == other.text
    }
}

/// Keys for models that were never saved: negative, and unique in the process.
enum TemporaryKeys {
    private static let last = Atomic<Int64>(0)

    /// The key that was given out last. Later keys are smaller.
    static var latest: Int64 { last.load(ordering: .relaxed) }

    static func next() -> Int64 {
        last.subtract(1, ordering: .relaxed).newValue
    }
}

extension PersistentIdentifier {
    private enum CodingKeys: String, CodingKey { case implementation }

    private enum PartKeys: String, CodingKey { case primaryKey, entityName, storeIdentifier, isTemporary }

    public init(from decoder: any Decoder) throws {
        let parts = try decoder.container(keyedBy: CodingKeys.self)
            .nestedContainer(keyedBy: PartKeys.self, forKey: .implementation)
        let entity = try parts.decode(String.self, forKey: .entityName)
        let store = try parts.decodeIfPresent(String.self, forKey: .storeIdentifier)
        let space = _IdentifierSpace.shared(entityName: entity, storeIdentifier: store)
        if let key = try? parts.decode(Int64.self, forKey: .primaryKey) {
            self.init(_space: space, key: key)
        } else {
            self.init(_space: space, text: try parts.decode(String.self, forKey: .primaryKey))
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        var parts = container.nestedContainer(keyedBy: PartKeys.self, forKey: .implementation)
        if let text = _textKey {
            try parts.encode(text, forKey: .primaryKey)
        } else {
            try parts.encode(_key, forKey: .primaryKey)
        }
        try parts.encode(entityName, forKey: .entityName)
        try parts.encodeIfPresent(storeIdentifier, forKey: .storeIdentifier)
        try parts.encode(_isTemporary, forKey: .isTemporary)
    }
}

extension PersistentIdentifier: CustomDebugStringConvertible {
    public var debugDescription: String {
        "PersistentIdentifier(\(entityName)/\(_isTemporary ? "t" : "p")\(_textKey ?? String(abs(_key))))"
    }
}
