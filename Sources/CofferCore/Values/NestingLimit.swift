import Foundation
import Synchronization

/// Refuses values that hold values of their own type, and so on, too deep to be encoded.
///
/// Foundation's encoder goes down before it counts: a value of some thousand levels ends the process. What this lets pass
/// may still be deeper than JSON goes; then the encoder itself says so.
enum NestingLimit {
    /// Calls of `encode(to:)` within another; a stack of 8 MB takes three times as many.
    static let depth = 1_000

    /// Looks at a value by its own coding, where its type says that it may hold itself.
    ///
    /// - Throws: `EncodingError` for a value beyond the limit, or whatever its own coding throws.
    static func check<T: Encodable>(_ value: T) throws {
        if mayNest(T.self) { try value.encode(to: DepthEncoder(depth: 0)) }
    }

    // MARK: Types

    private static let known = Mutex<[ObjectIdentifier: Bool]>([:])

    /// Whether a value of a type may hold values of that type. Of a class, or an enumeration whose cases carry something,
    /// nobody knows.
    static func mayNest(_ type: any Any.Type) -> Bool {
        if let found = known.withLock({ $0[ObjectIdentifier(type)] }) { return found }
        var above: Set<ObjectIdentifier> = []
        let found = mayNest(type, &above)
        known.withLock { $0[ObjectIdentifier(type)] = found }
        return found
    }

    private static func mayNest(_ type: any Any.Type, _ above: inout Set<ObjectIdentifier>) -> Bool {
        if type is any PersistentScalar.Type { return false }
        guard above.insert(ObjectIdentifier(type)).inserted else { return true }
        defer { above.remove(ObjectIdentifier(type)) }
        if let optional = type as? any _OptionalType.Type { return mayNest(optional._wrappedType, &above) }
        if let sequence = type as? any Sequence.Type { return mayNest(element(sequence), &above) }
        if StructureMembers.isOfLibrary(type) || hasBareCases(type) { return false }
        switch TypeReflection.kind(type) {
        case .structure, .tuple: return TypeReflection.fields(type).contains { mayNest($0.type, &above) }
        case .enumeration, .opaque, nil: return true
        }
    }

    private static func hasBareCases(_ type: any Any.Type) -> Bool {
        func count<T>(_ type: T.Type) -> Int { EnumerationCases.count(type) }
        return _openExistential(type, do: count) > 0
    }

    private static func element<S: Sequence>(_ type: S.Type) -> any Any.Type { S.Element.self }
}

/// An encoder that keeps nothing, and throws where it is asked too far down.
private struct DepthEncoder: Encoder {
    let depth: Int

    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        KeyedEncodingContainer(Members(encoder: self))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer { Elements(encoder: self) }
    func singleValueContainer() -> any SingleValueEncodingContainer { Elements(encoder: self) }

    func encode<T: Encodable>(_ value: T) throws {
        guard NestingLimit.mayNest(T.self) else { return }
        guard depth < NestingLimit.depth else {
            throw EncodingError.invalidValue(
                T.self,
                .init(codingPath: [], debugDescription: "it holds values within values, over \(depth) levels deep"))
        }
        try value.encode(to: DepthEncoder(depth: depth + 1))
    }

    private struct Members<Key: CodingKey>: KeyedEncodingContainerProtocol {
        let encoder: DepthEncoder
        var codingPath: [any CodingKey] { [] }

        func encodeNil(forKey key: Key) {}
        func encode<T: Encodable>(_ value: T, forKey key: Key) throws { try encoder.encode(value) }
        func nestedContainer<Nested: CodingKey>(
            keyedBy type: Nested.Type, forKey key: Key
        ) -> KeyedEncodingContainer<Nested> { encoder.container(keyedBy: type) }
        func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer { encoder.unkeyedContainer() }
        func superEncoder() -> any Encoder { encoder }
        func superEncoder(forKey key: Key) -> any Encoder { encoder }
    }

    private struct Elements: UnkeyedEncodingContainer, SingleValueEncodingContainer {
        let encoder: DepthEncoder
        var codingPath: [any CodingKey] { [] }
        var count = 0

        mutating func encodeNil() { count += 1 }
        mutating func encode<T: Encodable>(_ value: T) throws {
            count += 1
            try encoder.encode(value)
        }
        mutating func nestedContainer<Nested: CodingKey>(
            keyedBy type: Nested.Type
        ) -> KeyedEncodingContainer<Nested> {
            count += 1
            return encoder.container(keyedBy: type)
        }
        mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
            count += 1
            return encoder.unkeyedContainer()
        }
        mutating func superEncoder() -> any Encoder {
            count += 1
            return encoder
        }
    }
}
