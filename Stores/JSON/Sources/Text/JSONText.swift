import CJansson
import CofferCore
import Foundation

/// JSON that is being written. Strings and reals are jansson's work, and so is everything that comes as a tree.
struct JSONText {
    private(set) var bytes: [UInt8] = []

    var count: Int { bytes.count }

    mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }

    // MARK: Pieces

    mutating func append(_ text: StaticString) {
        text.withUTF8Buffer { bytes.append(contentsOf: $0) }
    }

    mutating func append(_ text: [UInt8]) { bytes.append(contentsOf: text) }

    mutating func append(_ number: Int64) {
        if number >= 0, number < 10 { return bytes.append(UInt8(ascii: "0") + UInt8(number)) }
        var digits: (UInt64, UInt64, UInt64) = (0, 0, 0)
        withUnsafeMutableBytes(of: &digits) { buffer in
            var place = buffer.count
            var rest = number.magnitude
            repeat {
                place -= 1
                buffer[place] = UInt8(ascii: "0") + UInt8(rest % 10)
                rest /= 10
            } while rest > 0
            if number < 0 {
                place -= 1
                buffer[place] = UInt8(ascii: "-")
            }
            bytes.append(contentsOf: buffer[place...])
        }
    }

    /// Appends a list of keys.
    mutating func append(_ keys: [Int64]) {
        append("[")
        for (index, key) in keys.enumerated() {
            if index > 0 { append(", ") }
            append(key)
        }
        append("]")
    }

    mutating func append(string text: String) throws {
        var text = text
        try text.withUTF8 { try append(string: UnsafeRawBufferPointer($0)) }
    }

    /// Appends UTF-8 as a string.
    mutating func append(string text: UnsafeRawBufferPointer) throws {
        if Self.isPlain(text) {
            bytes.append(UInt8(ascii: "\""))
            bytes.append(contentsOf: text)
            return bytes.append(UInt8(ascii: "\""))
        }
        let node = json_stringn(text.baseAddress?.assumingMemoryBound(to: CChar.self), text.count)
        guard let node else { throw SwiftDataError(.valueEncoding, detail: "a text is no UTF-8") }
        try append(JSONTree(adopting: node))
    }

    /// Appends a number that is neither infinite nor not-a-number, with all its digits.
    mutating func append(real number: Double) throws {
        guard let node = json_real(number) else {
            throw SwiftDataError(.valueEncoding, detail: "a number is not finite")
        }
        try append(JSONTree(adopting: node))
    }

    /// Appends a tree.
    ///
    /// - Parameter indent: by how many spaces each level is set in on lines of its own; 0 for one line.
    mutating func append(_ tree: borrowing JSONTree, indent: Int32 = 0) throws {
        try tree.withRoot { try append($0, indent: indent) }
    }

    /// Appends a value of a tree.
    mutating func append(_ root: JSONNode, indent: Int32 = 0) throws {
        let flags = Int(JSON_ENCODE_ANY | indent & JSON_MAX_INDENT)
        let code = withUnsafeMutablePointer(to: &bytes) { bytes in
            json_dump_callback(
                root,
                { text, count, context in
                    guard let text, let bytes = context?.assumingMemoryBound(to: [UInt8].self) else { return -1 }
                    bytes.pointee.append(contentsOf: UnsafeRawBufferPointer(start: text, count: count))
                    return 0
                }, bytes, flags)
        }
        guard code == 0 else { throw SwiftDataError(.valueEncoding, detail: "a value cannot be written as JSON") }
    }

    /// Whether a string is its own JSON: printable ASCII without quotation marks and backslashes.
    private static func isPlain(_ text: UnsafeRawBufferPointer) -> Bool {
        for byte in text where byte < 0x20 || byte >= 0x7F || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") {
            return false
        }
        return true
    }
}
