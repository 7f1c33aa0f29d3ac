import Foundation

/// The stored form of `Codable` values: JSON with sorted keys, so that equal values have equal text.
///
/// A type's own coding is honoured. Dates are seconds since 2001, data is base 64, and the numbers JSON lacks are text.
enum CompositeCoding {
    /// Encodes a value; the text is in normalisation form C.
    ///
    /// - Throws: what its own coding throws, and `EncodingError` for one that nests too deep.
    static func encode<T: Encodable>(_ value: T) throws -> String {
        try NestingLimit.check(value)
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: "Infinity", negativeInfinity: "-Infinity", nan: "NaN")
        return TextNormalisation.normalised(String(decoding: try encoder.encode(value), as: UTF8.self))
    }

    /// Decodes a value from stored text.
    static func decode<T: Decodable>(_ type: T.Type, from bytes: UnsafeRawBufferPointer) throws -> T {
        let decoder = JSONDecoder()
        decoder.nonConformingFloatDecodingStrategy = .convertFromString(
            positiveInfinity: "Infinity", negativeInfinity: "-Infinity", nan: "NaN")
        return try decoder.decode(type, from: Data(bytes))
    }
}

/// Nil of an optional type; nothing where the type is none.
@usableFromInline
func _nilValue<T>(of type: T.Type) -> T? {
    guard let optional = type as? any (_OptionalType & ExpressibleByNilLiteral).Type else { return nil }
    return optional.init(nilLiteral: ()) as? T
}

/// Whether a value is a nil optional.
@usableFromInline
func _isNil<T>(_ value: T) -> Bool {
    guard let optional = value as? any _OptionalType else { return false }
    return optional._flattened == nil
}
