/// A JSON value that was read, with numbers as they were written.
indirect enum JSONValue: Equatable {
    case null
    case bool(Bool)
    case number(String)
    case string(String)
    case array([JSONValue])
    case object([String: JSONValue])

    /// Reads one value.
    ///
    /// - Throws: ``JSONFault`` with the place.
    init(_ text: some Sequence<UInt8>) throws(JSONFault) {
        var reader = JSONReader(Array(text))
        self = try reader.readAll()
    }

    subscript(_ name: String) -> JSONValue? {
        if case .object(let members) = self { members[name] } else { nil }
    }

    var text: String? {
        if case .string(let text) = self { text } else { nil }
    }

    var integer: Int64? {
        if case .number(let digits) = self { Int64(digits) } else { nil }
    }
}

/// What is wrong with JSON text, and at which byte, counted from one.
struct JSONFault: Error, Equatable, CustomStringConvertible {
    var offset: Int
    var detail: String

    var description: String { "column \(offset): \(detail)" }
}

/// Reads JSON as RFC 8259 has it, to a limited depth.
private struct JSONReader {
    private let bytes: [UInt8]
    private var position = 0
    private static let deepest = 64

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    mutating func readAll() throws(JSONFault) -> JSONValue {
        let value = try readValue(0)
        skipSpace()
        guard position == bytes.count else { throw fault("there is more behind the value") }
        return value
    }

    private func fault(_ detail: String) -> JSONFault { JSONFault(offset: position + 1, detail: detail) }

    private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func skipSpace() {
        while let byte = next, byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D { position += 1 }
    }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard let byte = next, UInt32(byte) == character.value else { return false }
        position += 1
        return true
    }

    private mutating func readValue(_ depth: Int) throws(JSONFault) -> JSONValue {
        guard depth < Self.deepest else { throw fault("values lie too deep in each other") }
        skipSpace()
        guard let byte = next else { throw fault("the text ends early") }
        switch Character(Unicode.Scalar(byte)) {
        case "{": return try readObject(depth)
        case "[": return try readArray(depth)
        case "\"": return .string(try readString())
        case "t": return try readWord("true", .bool(true))
        case "f": return try readWord("false", .bool(false))
        case "n": return try readWord("null", .null)
        case "-", "0"..."9": return .number(try readNumber())
        default: throw fault("a value is expected")
        }
    }

    private mutating func readWord(_ word: String, _ value: JSONValue) throws(JSONFault) -> JSONValue {
        guard bytes[position...].starts(with: word.utf8) else { throw fault("a value is expected") }
        position += word.utf8.count
        return value
    }

    private mutating func readNumber() throws(JSONFault) -> String {
        let start = position
        _ = take("-")
        let first = next
        var digits = 0
        func isDigit(_ byte: UInt8?) -> Bool { byte.map { $0 >= 0x30 && $0 <= 0x39 } ?? false }
        while isDigit(next) {
            position += 1
            digits += 1
        }
        guard digits > 0, digits == 1 || first != 0x30 else { throw fault("a number is not well formed") }
        if take(".") {
            guard isDigit(next) else { throw fault("a number is not well formed") }
            while isDigit(next) { position += 1 }
        }
        if take("e") || take("E") {
            if !take("-") { _ = take("+") }
            guard isDigit(next) else { throw fault("a number is not well formed") }
            while isDigit(next) { position += 1 }
        }
        return String(decoding: bytes[start..<position], as: UTF8.self)
    }

    private mutating func readString() throws(JSONFault) -> String {
        position += 1
        var text: [UInt8] = []
        while true {
            guard let byte = next else { throw fault("text has no end") }
            position += 1
            switch byte {
            case 0x22:
                guard let result = String(validating: text, as: UTF8.self) else { throw fault("text is no UTF-8") }
                return result
            case 0x5C: text.append(contentsOf: String(try readEscape()).utf8)
            case 0..<0x20: throw fault("text holds a control character")
            default: text.append(byte)
            }
        }
    }

    private mutating func readEscape() throws(JSONFault) -> Unicode.Scalar {
        guard let byte = next else { throw fault("text has no end") }
        position += 1
        switch Character(Unicode.Scalar(byte)) {
        case "\"": return "\""
        case "\\": return "\\"
        case "/": return "/"
        case "b": return "\u{8}"
        case "f": return "\u{C}"
        case "n": return "\n"
        case "r": return "\r"
        case "t": return "\t"
        case "u":
            let unit = try readUnit()
            if let scalar = Unicode.Scalar(unit) { return scalar }
            guard unit < 0xDC00, take("\\"), take("u") else { throw fault("half a character is missing") }
            let low = try readUnit()
            guard low >= 0xDC00, low < 0xE000,
                let scalar = Unicode.Scalar(0x10000 + (UInt32(unit) - 0xD800) << 10 + (UInt32(low) - 0xDC00))
            else { throw fault("half a character is missing") }
            return scalar
        default: throw fault("a character is escaped that need not be")
        }
    }

    private mutating func readUnit() throws(JSONFault) -> UInt16 {
        guard position + 4 <= bytes.count,
            bytes[position..<position + 4].allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }),
            let unit = UInt16(String(decoding: bytes[position..<position + 4], as: UTF8.self), radix: 16)
        else { throw fault("four hexadecimal digits are expected") }
        position += 4
        return unit
    }

    private mutating func readArray(_ depth: Int) throws(JSONFault) -> JSONValue {
        position += 1
        var values: [JSONValue] = []
        skipSpace()
        if take("]") { return .array([]) }
        while true {
            values.append(try readValue(depth + 1))
            skipSpace()
            if take("]") { return .array(values) }
            guard take(",") else { throw fault("a comma is expected") }
        }
    }

    private mutating func readObject(_ depth: Int) throws(JSONFault) -> JSONValue {
        position += 1
        var members: [String: JSONValue] = [:]
        skipSpace()
        if take("}") { return .object([:]) }
        while true {
            skipSpace()
            guard next == 0x22 else { throw fault("a name is expected") }
            let name = try readString()
            skipSpace()
            guard take(":") else { throw fault("a colon is expected") }
            guard members.updateValue(try readValue(depth + 1), forKey: name) == nil else {
                throw fault("a name comes twice")
            }
            skipSpace()
            if take("}") { return .object(members) }
            guard take(",") else { throw fault("a comma is expected") }
        }
    }
}
