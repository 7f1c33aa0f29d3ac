import CJansson
import Foundation

/// A value of jansson's, as long as the tree that it belongs to lives.
typealias JSONNode = UnsafeMutablePointer<json_t>

/// Owns a value of jansson's and all that is in it.
struct JSONTree: ~Copyable {
    private let root: JSONNode

    init(adopting root: JSONNode) { self.root = root }

    deinit { json_decref(root) }

    /// Parses a text that is one JSON object or array; nil for anything else.
    init?(_ text: UnsafeRawBufferPointer) {
        guard let root = Self.parse(text) else { return nil }
        self.root = root
    }

    init?(_ text: [UInt8]) {
        guard let root = text.withUnsafeBytes({ Self.parse($0) }) else { return nil }
        self.root = root
    }

    private static func parse(_ text: UnsafeRawBufferPointer) -> JSONNode? {
        let flags = Int(JSON_REJECT_DUPLICATES | JSON_ALLOW_NUL)
        return json_loadb(text.baseAddress?.assumingMemoryBound(to: CChar.self), text.count, flags, nil)
    }

    /// Whether a text is one JSON value of any kind, whatever the size of the numbers in it.
    static func isValue(_ text: UnsafeRawBufferPointer) -> Bool {
        if isRead(text) { return true }
        // Jansson has no place for a NUL in the name of a member, which a dictionary's key may well have. It stands there
        // as an escape, and another escape in its place is as valid; after a backslash that is one both are no escapes.
        let escape = Array("\\u0000".utf8)
        guard text.count > escape.count else { return false }
        var changed = Array(text)
        var start = 0
        while start + escape.count <= changed.count {
            if changed[start..<start + escape.count].elementsEqual(escape) {
                changed[start + escape.count - 1] = UInt8(ascii: "1")
                start += escape.count
            } else {
                start += 1
            }
        }
        return changed.withUnsafeBytes { isRead($0) }
    }

    private static func isRead(_ text: UnsafeRawBufferPointer) -> Bool {
        let flags = Int(JSON_DECODE_ANY | JSON_ALLOW_NUL | JSON_DECODE_INT_AS_REAL)
        let root = json_loadb(text.baseAddress?.assumingMemoryBound(to: CChar.self), text.count, flags, nil)
        defer { if let root { json_decref(root) } }
        return root != nil
    }

    /// Runs a body with the value, which it must not keep.
    borrowing func withRoot<T>(_ body: (JSONNode) throws -> T) rethrows -> T { try body(root) }

    var integer: Int64? { root.integer }

    var string: String? { root.string }
}

extension UnsafeMutablePointer<json_t> {
    var kind: json_type { pointee.type }

    var integer: Int64? { kind == JSON_INTEGER ? Int64(json_integer_value(self)) : nil }

    /// The bytes of a string, UTF-8.
    var text: UnsafeRawBufferPointer? {
        guard kind == JSON_STRING else { return nil }
        return UnsafeRawBufferPointer(start: json_string_value(self), count: json_string_length(self))
    }

    var string: String? { text.map { String(decoding: $0, as: UTF8.self) } }

    /// The keys of an array of integers.
    var integers: [Int64]? {
        guard kind == JSON_ARRAY else { return nil }
        let count = json_array_size(self)
        var numbers: [Int64] = []
        numbers.reserveCapacity(count)
        for index in 0..<count {
            guard let number = json_array_get(self, index)?.integer else { return nil }
            numbers.append(number)
        }
        return numbers
    }

    func member(_ name: String) -> JSONNode? { json_object_get(self, name) }

    /// Goes through the members of an object in the order of the text; through nothing for other values.
    func forEachMember(_ body: (_ name: UnsafeRawBufferPointer, _ value: JSONNode) throws -> Void) rethrows {
        guard kind == JSON_OBJECT else { return }
        var place = json_object_iter(self)
        while let current = place {
            let name = UnsafeRawBufferPointer(
                start: json_object_iter_key(current), count: json_object_iter_key_len(current))
            if let value = json_object_iter_value(current) { try body(name, value) }
            place = json_object_iter_next(self, current)
        }
    }

    func forEachElement(_ body: (JSONNode) throws -> Void) rethrows {
        guard kind == JSON_ARRAY else { return }
        for index in 0..<json_array_size(self) {
            if let value = json_array_get(self, index) { try body(value) }
        }
    }
}
