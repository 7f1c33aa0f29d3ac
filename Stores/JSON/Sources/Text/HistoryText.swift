import CofferCore
import CofferRecords

/// The entries of the history as elements of an array: transactions as they are, `{"start": 12}` for the greatest number
/// that was deleted, and in a journal `{"gone": 3}` for an entry that is not there any more.
enum HistoryText {
    private static let number = "transaction"
    private static let start = "start"
    private static let gone = "gone"

    /// Appends an entry; nil for one that is gone.
    static func append(_ number: Int64, _ entry: UnsafeRawBufferPointer?, to text: inout JSONText) throws {
        guard let entry else {
            text.append("{\"gone\": ")
            text.append(number)
            return text.append("}")
        }
        if number > 0 { return text.append(Array(entry)) }
        text.append("{\"start\": ")
        text.append(Array(entry))
        text.append("}")
    }

    /// Reads an entry; without a text one that is gone, and nil for what is none.
    static func read(_ node: JSONNode) throws -> (number: Int64, text: [UInt8]?)? {
        if let number = node.member(gone)?.integer, number >= 0 { return (number, nil) }
        if let start = node.member(start)?.integer, start > 0 { return (0, Array(String(start).utf8)) }
        guard let number = node.member(number)?.integer, number > 0 else { return nil }
        var text = JSONText()
        try text.append(node)
        // What cannot be read later is better refused now, with its place.
        guard (try? StoredTransaction(text: text.bytes)) != nil else { return nil }
        return (number, text.bytes)
    }
}
