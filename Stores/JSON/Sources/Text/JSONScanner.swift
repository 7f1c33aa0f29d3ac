import CJansson
import Foundation

/// Something wrong at a place of a JSON text.
struct TextFault: Error {
    let offset: Int
    var entity: String?
    var property: String?
    let detail: String

    init(_ offset: Int, entity: String? = nil, property: String? = nil, _ detail: String) {
        self.offset = offset
        self.entity = entity
        self.property = property
        self.detail = detail
    }
}

/// Goes through the frame of a JSON text, so that its parts can be parsed one by one and none is in memory for longer
/// than it takes. Names and values are parsed by jansson.
struct JSONScanner {
    let text: UnsafeRawBufferPointer
    private(set) var offset = 0

    /// - Parameter text: what is read, from an offset on.
    init(_ text: UnsafeRawBufferPointer, from offset: Int = 0) {
        self.text = text
        self.offset = offset
        // The mark that some editors put before UTF-8.
        if offset == 0, text.starts(with: [0xEF, 0xBB, 0xBF]) { self.offset = 3 }
    }

    // MARK: Characters

    /// The next character that is no white space; nil at the end.
    mutating func peek() -> UInt8? {
        while offset < text.count {
            switch text[offset] {
            case UInt8(ascii: " "), UInt8(ascii: "\n"), UInt8(ascii: "\r"), UInt8(ascii: "\t"): offset += 1
            case let byte: return byte
            }
        }
        return nil
    }

    /// Goes past a character, if it is the next one.
    mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard let byte = peek(), byte == UInt8(ascii: character) else { return false }
        offset += 1
        return true
    }

    mutating func expect(_ character: Unicode.Scalar) throws {
        if take(character) { return }
        throw TextFault(offset, offset < text.count ? "“\(character)” is missing here" : "the text ends too early")
    }

    /// Expects that nothing follows.
    mutating func expectEnd() throws {
        if peek() != nil { throw TextFault(offset, "something follows the end") }
    }

    // MARK: Values

    /// Goes through the members of an object.
    ///
    /// - Parameter body: takes the name and where it stands; it has to go past the value.
    mutating func object(_ body: (inout JSONScanner, _ name: String, _ start: Int) throws -> Void) throws {
        try expect("{")
        if take("}") { return }
        repeat {
            _ = peek()
            let start = offset
            guard let name = try value().string else { throw TextFault(start, "a name in quotation marks is missing") }
            try expect(":")
            _ = peek()
            try body(&self, name, start)
        } while take(",")
        try expect("}")
    }

    /// Goes through the elements of an array.
    ///
    /// - Parameter body: has to go past the element.
    mutating func array(_ body: (inout JSONScanner) throws -> Void) throws {
        try expect("[")
        if take("]") { return }
        repeat {
            _ = peek()
            try body(&self)
        } while take(",")
        try expect("]")
    }

    /// Parses the next value.
    mutating func value() throws -> JSONTree {
        guard peek() != nil else { throw TextFault(offset, "the text ends too early") }
        let rest = UnsafeRawBufferPointer(rebasing: text[offset...])
        let flags = JSON_REJECT_DUPLICATES | JSON_DISABLE_EOF_CHECK | JSON_DECODE_ANY | JSON_ALLOW_NUL
        var error = json_error_t()
        let root = json_loadb(
            rest.baseAddress?.assumingMemoryBound(to: CChar.self), rest.count, Int(flags), &error)
        guard let root else {
            // The place that jansson names is the last character that it has read.
            throw TextFault(offset + max(Int(error.position) - 1, 0), Self.detail(error))
        }
        offset += Int(error.position)
        return JSONTree(adopting: root)
    }

    /// Goes past the end of the line.
    mutating func skipLine() {
        while offset < text.count, text[offset] != UInt8(ascii: "\n") { offset += 1 }
    }

    /// Goes past the next value without looking at it closely.
    mutating func skipValue() throws {
        var depth = 0
        repeat {
            guard let byte = peek() else { throw TextFault(offset, "the text ends too early") }
            switch byte {
            case UInt8(ascii: "\""): try skipString()
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                depth += 1
                offset += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                guard depth > 0 else { throw TextFault(offset, "a value is missing here") }
                depth -= 1
                offset += 1
            case UInt8(ascii: ","), UInt8(ascii: ":"):
                guard depth > 0 else { throw TextFault(offset, "a value is missing here") }
                offset += 1
            default:
                while offset < text.count, !Self.ends(text[offset]) { offset += 1 }
            }
        } while depth > 0
    }

    private mutating func skipString() throws {
        let start = offset
        offset += 1
        while offset < text.count {
            switch text[offset] {
            case UInt8(ascii: "\""):
                offset += 1
                return
            case UInt8(ascii: "\\"): offset += 2
            default: offset += 1
            }
        }
        throw TextFault(start, "a string does not end")
    }

    /// Whether a byte ends a number or a word.
    private static func ends(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: " "), UInt8(ascii: "\n"), UInt8(ascii: "\r"), UInt8(ascii: "\t"), UInt8(ascii: ","),
            UInt8(ascii: ":"), UInt8(ascii: "]"), UInt8(ascii: "}"), UInt8(ascii: "["), UInt8(ascii: "{"),
            UInt8(ascii: "\""):
            true
        default: false
        }
    }

    /// Jansson's words without the piece of the text, which may be a user's.
    private static func detail(_ error: json_error_t) -> String {
        let words = withUnsafeBytes(of: error.text) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        return words.range(of: " near ").map { String(words[..<$0.lowerBound]) } ?? words
    }
}
