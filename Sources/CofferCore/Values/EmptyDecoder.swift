/// A decoder that finds nothing: no elements, no members that may be missing, zero for numbers, one text for texts, and
/// one case of an enumeration.
///
/// It makes a value of a type that has no value to show and no default.
struct EmptyDecoder: Decoder {
    /// What is tried for texts: most types take none, some want a number, a fraction, an identifier, a date.
    static let texts = [
        "", "0", "1", "a", "0.0.0", "0/1", "00000000-0000-0000-0000-000000000000", "2001-01-01T00:00:00Z",
    ]
    /// How many cases of an enumeration are tried.
    static let choices = 8
    /// A type may hold itself.
    private static let depthLimit = 24

    let text: String
    /// Which case of an enumeration to take, and which number.
    let choice: Int
    var depth = 0

    init(text: String, choice: Int) {
        self.text = text
        self.choice = choice
    }

    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(Members<Key>(decoder: try deeper()))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer { Elements(decoder: try deeper()) }

    func singleValueContainer() throws -> any SingleValueDecodingContainer { Elements(decoder: try deeper()) }

    private func deeper() throws -> EmptyDecoder {
        var decoder = self
        decoder.depth += 1
        guard decoder.depth < Self.depthLimit else { throw missing("an end") }
        return decoder
    }

    private func missing(_ what: String) -> DecodingError {
        .dataCorrupted(.init(codingPath: [], debugDescription: "there is no \(what)"))
    }

    fileprivate func value<T: Decodable>(_ type: T.Type) throws -> T {
        switch type {
        case is String.Type: if let text = text as? T { return text }
        case is Bool.Type: if let no = false as? T { return no }
        default: break
        }
        if let number = type as? any (FixedWidthInteger & Decodable).Type, let value = integer(number) as? T {
            return value
        }
        if let number = type as? any (BinaryFloatingPoint & Decodable).Type, let value = real(number) as? T {
            return value
        }
        if let value = EmptyValue.simple(type) { return value }
        return try T(from: deeper())
    }

    private func integer<N: FixedWidthInteger>(_ type: N.Type) -> N { N(truncatingIfNeeded: choice) }
    private func real<N: BinaryFloatingPoint>(_ type: N.Type) -> N { N(choice) }

    /// The members of a structure, or the case of an enumeration.
    private struct Members<Key: CodingKey>: KeyedDecodingContainerProtocol {
        let decoder: EmptyDecoder
        var codingPath: [any CodingKey] { [] }

        /// An enumeration looks for the one key that names its case. Others that list their keys get none.
        var allKeys: [Key] {
            let count = EnumerationCases.count(Key.self)
            return count > 0 ? [EnumerationCases.make(Key.self, decoder.choice % count)] : []
        }

        func contains(_ key: Key) -> Bool { true }
        func decodeNil(forKey key: Key) -> Bool { true }
        func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T { try decoder.value(type) }
        func nestedContainer<Nested: CodingKey>(
            keyedBy type: Nested.Type, forKey key: Key
        ) throws -> KeyedDecodingContainer<Nested> { try decoder.container(keyedBy: type) }
        func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
            try decoder.unkeyedContainer()
        }
        func superDecoder() -> any Decoder { decoder }
        func superDecoder(forKey key: Key) -> any Decoder { decoder }
    }

    /// A single value, or as many elements as are asked for; whoever asks how many there are hears of none.
    private struct Elements: UnkeyedDecodingContainer, SingleValueDecodingContainer {
        let decoder: EmptyDecoder
        var codingPath: [any CodingKey] { [] }
        var count: Int? { 0 }
        var isAtEnd: Bool { true }
        var currentIndex: Int { 0 }

        func decodeNil() -> Bool { true }
        func decode<T: Decodable>(_ type: T.Type) throws -> T { try decoder.value(type) }
        func nestedContainer<Nested: CodingKey>(
            keyedBy type: Nested.Type
        ) throws -> KeyedDecodingContainer<Nested> { try decoder.container(keyedBy: type) }
        func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer { try decoder.unkeyedContainer() }
        func superDecoder() -> any Decoder { decoder }
    }
}
