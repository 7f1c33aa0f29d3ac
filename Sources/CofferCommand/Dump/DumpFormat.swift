import Coffer
import Foundation

/// A store as lines of JSON: what it is, its schema, the next keys, the rows, and a last line that says that nothing is
/// missing. `Docs/CommandLine.md` describes it.
enum DumpFormat {
    static let version = 1
    /// What every dump begins with.
    static let opening = #"{"coffer dump": "#
    /// The last line.
    static let end = #"{"coffer dump": "end"}"#

    /// A value without loss; nil for a cell that is none of the column's.
    static func json(_ cell: RowCell, _ column: StoreColumn, _ batch: RowBatch) -> String? {
        switch (column.kind, cell.kind) {
        case (.scalar(.boolean), .integer): return cell.bits < 2 ? JSONText.bool(cell.bits == 1) : nil
        case (.scalar(.integer), .integer), (.scalar(.unsigned), .integer): return String(cell.integer)
        case (.scalar(.unsigned), .unsigned): return String(cell.bits)
        case (.scalar(.real), .real), (.scalar(.date), .real): return JSONText.real(cell.real)
        case (.scalar(.text), .text), (.scalar(.url), .text), (.json, .text):
            return String(validating: batch.bytes(of: cell), as: UTF8.self).map { JSONText.string($0) }
        case (.scalar(.decimal), .text):
            let number = DecimalText.decimal(String(decoding: batch.bytes(of: cell), as: UTF8.self))
            return number.map { JSONText.string($0.isNaN ? "nan" : $0.description) }
        case (.scalar(.uuid), .blob): return cell.length == 16 ? column.json(cell, batch) : nil
        case (.scalar(.blob), .blob), (.opaque, .blob):
            return JSONText.string(Data(batch.bytes(of: cell)).base64EncodedString())
        case (.link, .reference): return String(cell.integer)
        case (.list, .references): return JSONText.array(batch.keys(of: cell).map(String.init))
        default: return nil
        }
    }

    /// Puts a value of a dump into a row; false where it is none of the column's.
    static func read(_ value: JSONValue, _ column: StoreColumn, into batch: RowBatch, row: Int) -> Bool {
        let stored: StoredValue?
        switch (column.kind, value) {
        case (_, .null): stored = .null
        case (.scalar(.boolean), .bool(let truth)): stored = .integer(truth ? 1 : 0)
        case (.scalar(.integer), .number(let digits)): stored = Int64(digits).map { .integer($0) }
        case (.scalar(.unsigned), .number(let digits)):
            stored = Int64(digits).map { .integer($0) } ?? UInt64(digits).map { .unsigned($0) }
        case (.scalar(.real), .number(let digits)), (.scalar(.date), .number(let digits)):
            stored = Double(digits).map { .real($0) }
        case (.scalar(.real), .string(let name)), (.scalar(.date), .string(let name)):
            stored = JSONText.real(named: name).map { .real($0) }
        case (.scalar(.text), .string(let text)), (.scalar(.url), .string(let text)), (.json, .string(let text)):
            stored = .text(text.precomposedStringWithCanonicalMapping)
        case (.scalar(.decimal), .string(let text)): stored = decimal(text).map { .text(DecimalText.text($0)) }
        case (.scalar(.uuid), .string(let text)):
            stored = UUID(uuidString: text).map { uuid in .blob(withUnsafeBytes(of: uuid.uuid) { Array($0) }) }
        case (.scalar(.blob), .string(let text)), (.opaque, .string(let text)):
            stored = Data(base64Encoded: text).map { .blob(Array($0)) }
        case (.link, .number(let digits)):
            guard let key = Int64(digits), key > 0 else { return false }
            batch.set(RowCell(.reference, bits: UInt64(bitPattern: key)), row: row, slot: column.slot)
            return true
        default: stored = nil
        }
        guard let stored else { return false }
        batch.set(stored, row: row, slot: column.slot)
        return true
    }

    /// A decimal number, all of the text.
    static func decimal(_ text: String) -> Decimal? {
        if text == "nan" { return Decimal.nan }
        guard Double(text) != nil, !text.contains(where: { $0.isLetter && $0 != "e" && $0 != "E" }) else { return nil }
        return Decimal(string: text, locale: Locale(identifier: "en_US_POSIX"))
    }

    /// The keys of a list; nil where the value is none.
    static func keys(_ value: JSONValue) -> [Int64]? {
        guard case .array(let values) = value else { return nil }
        let keys = values.compactMap(\.integer)
        return keys.count == values.count && keys.allSatisfy { $0 > 0 } ? keys : nil
    }
}
