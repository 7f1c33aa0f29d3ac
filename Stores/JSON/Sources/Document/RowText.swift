import CofferCore
import CofferRecords
import Foundation

/// Writes the rows of a space as JSON objects: `{"$id": 1, "name": "Rome", "trip": 3}`. What is nothing is left out.
/// Rows of subentities say `"$entity"`.
struct RowText {
    private let space: RecordSpace
    /// How the values of each field are kept; nil for a link.
    private let storages: [ScalarStorage?]
    /// `, "name": ` for each field and for each list.
    private let fieldNames: [[UInt8]]
    private let listNames: [[UInt8]]

    init(_ space: RecordSpace) throws {
        self.space = space
        storages = space.fields.map(\.storage)
        fieldNames = try space.fields.map { try Self.name($0.property) }
        listNames = try space.lists.map { try Self.name($0.property) }
    }

    private static func name(_ property: String) throws -> [UInt8] {
        var text = JSONText()
        text.append(", ")
        try text.append(string: property)
        text.append(": ")
        return text.bytes
    }

    /// Appends a row.
    ///
    /// - Parameter lists: the rows that are written for a list, by its place among those of the space; nil to leave it
    ///   out.
    func append(
        _ record: Record, key: Int64, to text: inout JSONText, lists: (Int) throws -> [Int64]? = { _ in nil }
    ) throws {
        guard record.fieldCount >= storages.count else { throw damaged(nil) }
        text.append("{\"$id\": ")
        text.append(key)
        if space.hierarchy != nil, space.kind(of: record) != 0 {
            guard space.kind(of: record) > 0 else { throw damaged(nil) }
            text.append(", \"$entity\": ")
            try text.append(string: space.entityName(ofKind: space.kind(of: record)))
        }
        for number in storages.indices where record.kind(number) != .null {
            text.append(fieldNames[number])
            try append(record, number, to: &text)
        }
        for number in listNames.indices {
            guard let members = try lists(number) else { continue }
            text.append(listNames[number])
            text.append(members)
        }
        text.append("}")
    }

    private func append(_ record: Record, _ number: Int, to text: inout JSONText) throws {
        switch (record.kind(number), storages[number]) {
        case (.integer, .boolean):
            if record.integer(number) != 0 { text.append("true") } else { text.append("false") }
        case (.integer, _), (.reference, nil): text.append(record.integer(number))
        case (.unsigned, _): try text.append(string: String(record.word(number)))
        case (.real, _): try append(record.real(number), to: &text)
        case (.text, .decimal):
            guard let notation = DecimalNotation.notation(String(decoding: record.bytes(number), as: UTF8.self)) else {
                throw damaged(number)
            }
            try text.append(string: notation)
        case (.text, _): try text.append(string: record.bytes(number))
        case (.blob, .uuid) where record.bytes(number).count == 16:
            let uuid = UUID(uuid: record.bytes(number).loadUnaligned(as: uuid_t.self))
            try text.append(string: uuid.uuidString)
        case (.blob, _): try text.append(string: Data(record.bytes(number)).base64EncodedString())
        default: throw damaged(number)
        }
    }

    private func append(_ number: Double, to text: inout JSONText) throws {
        if number.isFinite { return try text.append(real: number) }
        try text.append(string: RealWord.word(number))
    }

    private func damaged(_ field: Int?) -> SwiftDataError {
        SwiftDataError(
            .corruptStore, entity: space.entityName, property: field.map { space.fields[$0].property },
            detail: "a record is damaged")
    }
}

/// The numbers that JSON has no form for, as strings.
enum RealWord {
    static func word(_ number: Double) -> String {
        if number == .infinity { return "inf" }
        if number == -.infinity { return "-inf" }
        if number.bitPattern == Double.nan.bitPattern { return "nan" }
        return "nan(\(String(number.bitPattern, radix: 16)))"
    }

    /// The number of a word; nil where it is none.
    static func number(_ word: String) -> Double? {
        switch word {
        case "nan": return .nan
        case "inf": return .infinity
        case "-inf": return -.infinity
        default:
            guard word.hasPrefix("nan("), word.hasSuffix(")"),
                let bits = UInt64(word.dropFirst(4).dropLast(), radix: 16)
            else { return nil }
            let number = Double(bitPattern: bits)
            return number.isNaN ? number : nil
        }
    }
}
