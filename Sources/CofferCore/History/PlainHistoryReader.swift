/// Reads transactions in just the form in which ``StoredTransaction/text`` writes them.
///
/// That is most of every history, and reading it as any JSON takes ten times as long. Whatever else the text may be —
/// edited by hand, with names outside of ASCII, with values that outlive their rows — is nil here, and JSON's reader has
/// the last word on it.
struct PlainHistoryReader {
    private let bytes: UnsafeBufferPointer<UInt8>
    private var place = 0

    private init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

    /// Reads a whole text with a body; nil where something is left of it.
    private static func read<T>(_ text: some Collection<UInt8>, _ body: (inout Self) -> T?) -> T? {
        let result = text.withContiguousStorageIfAvailable { bytes -> T? in
            var reader = Self(bytes)
            let result = body(&reader)
            return reader.place == bytes.count ? result : nil
        }
        return result ?? nil
    }

    /// The list of changes in a text.
    static func changes(_ text: some Collection<UInt8>) -> [StoredChange]? { read(text) { $0.changes() } }

    /// The parts of a transaction.
    struct Parts {
        var number: Int64 = 0
        var time = ""
        var author: String?
        var bundle = ""
        var process = ""
        var changes: [StoredChange] = []
    }

    /// The transaction in a text, without its changes where nobody asks for them.
    static func transaction(_ text: some Collection<UInt8>, isBrief: Bool) -> Parts? {
        read(text) { $0.transaction(isBrief: isBrief) }
    }

    // MARK: Pieces

    private mutating func transaction(isBrief: Bool) -> Parts? {
        var parts = Parts()
        guard take("{\"transaction\": "), let number = number(), take(", \"time\": "), let time = string() else {
            return nil
        }
        (parts.number, parts.time) = (number, time)
        if take(", \"author\": ") {
            guard let author = string() else { return nil }
            parts.author = author
        }
        guard take(", \"bundle\": "), let bundle = string(), take(", \"process\": "), let process = string(),
            take(", \"changes\": ")
        else { return nil }
        (parts.bundle, parts.process) = (bundle, process)
        if isBrief {
            place = bytes.count
            return parts
        }
        guard let changes = changes(), take("}") else { return nil }
        parts.changes = changes
        return parts
    }

    private mutating func changes() -> [StoredChange]? {
        guard take("[") else { return nil }
        var changes: [StoredChange] = []
        while true {
            guard let change = change() else { return nil }
            changes.append(change)
            if take("]") { return changes }
            guard take(", ") else { return nil }
        }
    }

    private mutating func change() -> StoredChange? {
        let kind: StoredChange.Kind
        if take("{\"insert\": ") {
            kind = .insert
        } else if take("{\"update\": ") {
            kind = .update
        } else if take("{\"delete\": ") {
            kind = .delete
        } else {
            return nil
        }
        guard let name = string() else { return nil }
        var properties: [String] = []
        if take(", \"properties\": [") {
            repeat {
                guard let property = string() else { return nil }
                properties.append(property)
            } while take(", ")
            guard take("]") else { return nil }
        }
        // No save has more rows; whoever goes through the keys would never come to an end.
        guard take(", \"keys\": \""), let keys = keys(), keys.count <= Int32.max, take("\"}") else { return nil }
        var change = StoredChange(kind, of: name, keys: keys)
        change.properties = properties
        return change
    }

    /// Row keys up to what follows them.
    private mutating func keys() -> KeyRanges? {
        var keys = KeyRanges()
        guard place < bytes.count, bytes[place] != UInt8(ascii: "\"") else { return keys }
        repeat {
            guard let first = number() else { return nil }
            var last = first
            if take("-") {
                guard let end = number() else { return nil }
                last = end
            }
            guard first <= last, keys.add(first...last) else { return nil }
        } while take(",")
        return keys
    }

    /// The keys of a text that holds nothing else.
    static func keys(_ text: some Collection<UInt8>) -> KeyRanges? { read(text) { $0.keys() } }

    private mutating func take(_ text: StaticString) -> Bool {
        let count = text.utf8CodeUnitCount
        guard bytes.count - place >= count else { return false }
        for index in 0..<count where bytes[place + index] != text.utf8Start[index] { return false }
        place += count
        return true
    }

    /// A number without a sign.
    private mutating func number() -> Int64? {
        let start = place
        var number: Int64 = 0
        while place < bytes.count {
            let digit = Int64(bytes[place]) - 48
            guard (0...9).contains(digit) else { break }
            let (product, isLarge) = number.multipliedReportingOverflow(by: 10)
            let (sum, isLarger) = product.addingReportingOverflow(digit)
            if isLarge || isLarger { return nil }
            number = sum
            place += 1
        }
        return place > start ? number : nil
    }

    /// A string of printable ASCII in its quotation marks, without escapes.
    private mutating func string() -> String? {
        guard take("\"") else { return nil }
        let start = place
        while place < bytes.count, bytes[place] != UInt8(ascii: "\"") {
            guard (0x20..<0x7F).contains(bytes[place]), bytes[place] != UInt8(ascii: "\\") else { return nil }
            place += 1
        }
        guard place < bytes.count else { return nil }
        let string = String(decoding: bytes[start..<place], as: UTF8.self)
        place += 1
        return string
    }
}
