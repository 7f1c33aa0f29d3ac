import Foundation

// The texts in which stores keep transactions: JSON, so that a shell can look into them.

extension StoredTransaction {
    /// The time as text that sorts as times do.
    public var timeText: String { HistoryTime.text(timestamp) }

    /// The changes as a JSON array: `[{"insert": "Trip", "keys": "1-100000"}]`.
    public var changesText: String {
        var text = "["
        for (index, change) in changes.enumerated() {
            if index > 0 { text += ", " }
            change.append(to: &text)
        }
        text += "]"
        return text
    }

    /// The whole transaction as a JSON object on one line.
    public var text: String {
        var text = "{\"transaction\": \(number), \"time\": \"\(timeText)\""
        func member(_ name: String, _ value: String) {
            text += ", \"\(name)\": "
            HistoryText.append(value, to: &text)
        }
        if let author { member("author", author) }
        member("bundle", bundleIdentifier)
        member("process", processIdentifier)
        text += ", \"changes\": " + changesText + "}"
        return text
    }

    /// Reads a text of ``text``.
    ///
    /// - Parameters:
    ///   - text: UTF-8.
    ///   - isBrief: whether nobody asks for the changes, which may then be left out.
    /// - Throws: ``SwiftDataError/corruptStore`` for what is none.
    public init(text: some Collection<UInt8>, isBrief: Bool = false) throws {
        if let parts = PlainHistoryReader.transaction(text, isBrief: isBrief) {
            try self.init(
                number: parts.number, time: parts.time, author: parts.author, bundleIdentifier: parts.bundle,
                processIdentifier: parts.process, changes: parts.changes)
            return
        }
        let form: TransactionForm = try HistoryText.decode(Data(text))
        try self.init(
            number: form.transaction, time: form.time, author: form.author, bundleIdentifier: form.bundle ?? "",
            processIdentifier: form.process ?? "", changes: try form.changes.map { try StoredChange($0) })
    }

    /// Reads a transaction whose parts are kept apart.
    ///
    /// - Parameters:
    ///   - number: the transaction's number in its store.
    ///   - timeText: when it was saved, as ``timeText`` writes it.
    ///   - author: who saved.
    ///   - bundleIdentifier: the program that saved.
    ///   - processIdentifier: the process that saved.
    ///   - changesText: as ``changesText`` writes it; nil where nobody asks for the changes.
    /// - Throws: ``SwiftDataError/corruptStore`` where time or changes cannot be read.
    public init(
        number: Int64, timeText: String, author: String?, bundleIdentifier: String, processIdentifier: String,
        changesText: String?
    ) throws {
        try self.init(
            number: number, time: timeText, author: author, bundleIdentifier: bundleIdentifier,
            processIdentifier: processIdentifier, changes: changesText.map(StoredChange.all) ?? [])
    }

    private init(
        number: Int64, time: String, author: String?, bundleIdentifier: String, processIdentifier: String,
        changes: [StoredChange]
    ) throws {
        guard let timestamp = HistoryTime.date(time) else {
            throw HistoryText.damaged("its time is none")
        }
        self.init(
            number: number, timestamp: timestamp, author: author, bundleIdentifier: bundleIdentifier,
            processIdentifier: processIdentifier, changes: changes)
    }

    private struct TransactionForm: Decodable {
        let transaction: Int64
        let time: String
        let author: String?
        let bundle: String?
        let process: String?
        let changes: [ChangeForm]
    }
}

/// A change in JSON.
private struct ChangeForm: Decodable {
    let insert: String?
    let update: String?
    let delete: String?
    let keys: String
    let properties: [String]?
    let preserved: [String: [String: PreservedForm]]?
}

/// A preserved value in JSON.
private struct PreservedForm: Decodable {
    let value: StoredValue

    private enum Kind: String, CodingKey {
        case real, unsigned, base64
    }

    init(from decoder: any Decoder) throws {
        if let tagged = try? decoder.container(keyedBy: Kind.self) {
            if let text = try tagged.decodeIfPresent(String.self, forKey: .real), let number = Double(text) {
                value = .real(number)
            } else if let text = try tagged.decodeIfPresent(String.self, forKey: .unsigned), let number = UInt64(text) {
                value = .unsigned(number)
            } else if let text = try tagged.decodeIfPresent(String.self, forKey: .base64),
                let bytes = Data(base64Encoded: text)
            {
                value = .blob(Array(bytes))
            } else {
                throw HistoryText.damaged("a preserved value cannot be read")
            }
            return
        }
        let single = try decoder.singleValueContainer()
        if let number = try? single.decode(Int64.self) {
            value = .integer(number)
        } else {
            value = .text(try single.decode(String.self))
        }
    }
}

extension StoredChange {
    /// The changes of a text of ``StoredTransaction/changesText``.
    fileprivate static func all(_ text: String) throws -> [StoredChange] {
        if let changes = PlainHistoryReader.changes(text.utf8) { return changes }
        let forms: [ChangeForm] = try HistoryText.decode(Data(text.utf8))
        return try forms.map { try StoredChange($0) }
    }

    fileprivate init(_ form: ChangeForm) throws {
        // No save has more rows; whoever goes through the keys would never come to an end.
        guard let keys = KeyRanges(text: form.keys), keys.count <= Int32.max else {
            throw HistoryText.damaged("its keys are none")
        }
        if let name = form.insert {
            self.init(.insert, of: name, keys: keys)
        } else if let name = form.update {
            self.init(.update, of: name, keys: keys)
        } else if let name = form.delete {
            self.init(.delete, of: name, keys: keys)
        } else {
            throw HistoryText.damaged("a change is none that this version knows")
        }
        properties = form.properties ?? []
        for (key, values) in form.preserved ?? [:] {
            guard let key = Int64(key) else { throw HistoryText.damaged("the key of a preserved value is none") }
            preserved[key] = values.mapValues(\.value)
        }
    }

    fileprivate func append(to text: inout String) {
        text += "{\"\(kind.rawValue)\": "
        HistoryText.append(entityName, to: &text)
        if !properties.isEmpty {
            text += ", \"properties\": ["
            for (index, name) in properties.enumerated() {
                if index > 0 { text += ", " }
                HistoryText.append(name, to: &text)
            }
            text += "]"
        }
        text += ", \"keys\": \"\(keys.text)\""
        if !preserved.isEmpty {
            text += ", \"preserved\": {"
            for (index, entry) in preserved.sorted(by: { $0.key < $1.key }).enumerated() {
                if index > 0 { text += ", " }
                text += "\"\(entry.key)\": {"
                for (index, value) in entry.value.sorted(by: { $0.key < $1.key }).enumerated() {
                    if index > 0 { text += ", " }
                    HistoryText.append(value.key, to: &text)
                    text += ": "
                    HistoryText.append(value.value, to: &text)
                }
                text += "}"
            }
            text += "}"
        }
        text += "}"
    }
}

extension KeyRanges {
    /// The ranges as text: `1-100000,100003`.
    public var text: String {
        var text: [UInt8] = []
        // Of the keys of many rows, most have the same number of digits.
        text.reserveCapacity(ranges.count * 8)
        for (index, range) in ranges.enumerated() {
            if index > 0 { text.append(UInt8(ascii: ",")) }
            Self.append(range.lowerBound, to: &text)
            if range.upperBound > range.lowerBound {
                text.append(UInt8(ascii: "-"))
                Self.append(range.upperBound, to: &text)
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    private static func append(_ key: Int64, to text: inout [UInt8]) {
        if key < 0 { text.append(UInt8(ascii: "-")) }
        var rest = key.magnitude
        repeat {
            text.append(UInt8(ascii: "0"))
            rest /= 10
        } while rest > 0
        rest = key.magnitude
        var place = text.count - 1
        while rest > 0 {
            text[place] += UInt8(truncatingIfNeeded: rest % 10)
            rest /= 10
            place -= 1
        }
    }

    /// Reads a text of ``text``; nil for what is none.
    public init?(text: String) {
        guard let keys = PlainHistoryReader.keys(text.utf8) else { return nil }
        self = keys
    }
}

/// Pieces of the texts of history.
private enum HistoryText {
    static func damaged(_ detail: String, _ error: (any Error)? = nil) -> SwiftDataError {
        SwiftDataError(
            .corruptStore, operation: .history, detail: "a transaction of the history is damaged: \(detail)",
            underlying: error)
    }

    static func decode<T: Decodable>(_ data: Data) throws -> T {
        do {
            return try JSONDecoder().decode(T.self, from: data)
        } catch let error as SwiftDataError {
            throw error
        } catch {
            throw damaged("it is not the JSON that it should be", error)
        }
    }

    static func append(_ string: String, to text: inout String) {
        text += "\""
        for scalar in string.unicodeScalars {
            switch scalar {
            case "\"": text += "\\\""
            case "\\": text += "\\\\"
            case "\u{00}"..<"\u{20}":
                let digits = String(scalar.value, radix: 16, uppercase: true)
                text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: text.unicodeScalars.append(scalar)
            }
        }
        text += "\""
    }

    static func append(_ value: StoredValue, to text: inout String) {
        switch value {
        case .integer(let number): text += String(number)
        case .unsigned(let number): text += "{\"unsigned\": \"\(number)\"}"
        case .real(let number): text += "{\"real\": \"\(number)\"}"
        case .text(let string): append(string, to: &text)
        case .blob(let bytes): text += "{\"base64\": \"\(Data(bytes).base64EncodedString())\"}"
        // Links are no attributes, and what has no value is left out.
        case .null, .reference, .references: text += "{}"
        }
    }
}
