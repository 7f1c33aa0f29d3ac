import CofferCore
import CofferRecords

/// Writes all tables as one document: names in a fixed order, a line for each row, so that two states can be compared
/// line by line.
struct DocumentWriter {
    private let layout: RecordSchema
    private let reader: any RecordReader
    /// Takes what was written so far.
    private let output: ([UInt8]) throws -> Void
    private var text = JSONText()

    private static let chunk = 1 << 16

    init(_ layout: RecordSchema, _ reader: any RecordReader, _ output: @escaping ([UInt8]) throws -> Void) {
        self.layout = layout
        self.reader = reader
        self.output = output
    }

    mutating func write(_ header: DocumentHeader) throws {
        text.append("{\n")
        try member(Document.format, isFirst: true) { $0.append(Document.formatVersion) }
        try member(Document.identifier) { try $0.append(string: header.identifier) }
        try member(Document.generation) { $0.append(header.generation) }
        try member(Document.fingerprint) { try $0.append(string: String(decoding: header.fingerprint, as: UTF8.self)) }
        try member(Document.schema) { try Self.append(header.schema, indent: 1, to: &$0) }
        try member(Document.layout) { try Self.append(RecordMetadata.encode(header.numbering), indent: 1, to: &$0) }
        try member(Document.nextKeys) { try Self.append(header.nextKeys, to: &$0) }
        if !header.others.isEmpty {
            try member(Document.metadata) { text in
                text.append("{")
                for (index, (name, value)) in header.others.enumerated() {
                    if index > 0 { text.append(", ") }
                    try text.append(string: name)
                    text.append(": ")
                    try Self.append(value, indent: 0, to: &text)
                }
                text.append("}")
            }
        }
        if !header.history.isEmpty {
            try member(Document.history) { text in
                text.append("[")
                for (index, entry) in header.history.enumerated() {
                    text.append(index == 0 ? "\n  " : ",\n  ")
                    try entry.text.withUnsafeBytes { try HistoryText.append(entry.number, $0, to: &text) }
                }
                text.append("\n ]")
            }
        }
        try member(Document.rows) { $0.append("{") }
        for (index, space) in layout.spaces.enumerated() {
            text.append(index == 0 ? "\n " : ",\n ")
            try text.append(string: space.entityName)
            text.append(": [")
            try write(space)
            text.append("]")
        }
        // No line ends behind it, so that a file that lacks its last byte is no document.
        text.append("\n}\n}")
        try output(text.bytes)
        text.removeAll()
    }

    private mutating func member(
        _ name: String, isFirst: Bool = false, _ value: (inout JSONText) throws -> Void
    ) throws {
        if !isFirst { text.append(",\n") }
        try text.append(string: name)
        text.append(": ")
        try value(&text)
    }

    /// Appends next keys by entity.
    static func append(_ nextKeys: [String: Int64], to text: inout JSONText) throws {
        text.append("{")
        for (index, (name, key)) in nextKeys.sorted(by: { $0.key < $1.key }).enumerated() {
            if index > 0 { text.append(", ") }
            try text.append(string: name)
            text.append(": ")
            text.append(key)
        }
        text.append("}")
    }

    /// Appends a value of the table of metadata: as it is where it is an object or an array, otherwise as a string.
    private static func append(_ value: [UInt8], indent: Int32, to text: inout JSONText) throws {
        if let tree = JSONTree(value) {
            try text.append(tree, indent: indent)
        } else if let string = String(validating: value, as: UTF8.self) {
            try text.append(string: string)
        } else {
            text.append("{\"$base64\": ")
            try text.append(string: Base64.text(value))
            text.append("}")
        }
    }

    // MARK: Rows

    private mutating func write(_ space: RecordSpace) throws {
        let row = try RowText(space)
        let lists = try space.lists.map { try ListSource($0.place, layout, reader) }
        var text = JSONText()
        swap(&text, &self.text)
        var isFirst = true
        try reader.scan(space.rows, .all) { rowKey, bytes in
            guard let key = IndexKey.row(rowKey) else { return true }
            text.append(isFirst ? "\n  " : ",\n  ")
            isFirst = false
            try row.append(try Record(bytes), key: key, to: &text) { try lists[$0].members(of: key) }
            if text.count >= Self.chunk {
                try output(text.bytes)
                text.removeAll()
            }
            return true
        }
        if !isFirst { text.append("\n ") }
        swap(&text, &self.text)
    }
}

/// The lists of one to-many relationship as a document has them.
private enum ListSource {
    /// Nothing has to be written.
    case none
    /// Lists that only say an order, by owner.
    case orders([Int64: [Int64]])
    /// The lists of pairs.
    case pairs(RecordSpace.ListPlace, RecordSchema, any RecordReader)

    init(_ place: RecordSpace.ListPlace, _ layout: RecordSchema, _ reader: any RecordReader) throws {
        guard let table = layout.table(of: place), try reader.count(table) > 0 else {
            self = .none
            return
        }
        if case .pairs(_, .owner) = place {
            self = .pairs(place, layout, reader)
            return
        }
        var orders = try RecordList.places(in: table, reader)
        if case .pairs = place {
            for owner in orders.keys {
                let members = try RecordList.members(of: owner, place, layout, reader)
                let isAscending = zip(members, members.dropFirst()).allSatisfy { $0 < $1 }
                orders[owner] = isAscending ? nil : members
            }
        }
        self = orders.isEmpty ? .none : .orders(orders)
    }

    func members(of owner: Int64) throws -> [Int64]? {
        switch self {
        case .none: return nil
        case .orders(let orders): return orders[owner]
        case .pairs(let place, let layout, let reader):
            let members = try RecordList.members(of: owner, place, layout, reader)
            return members.isEmpty ? nil : members
        }
    }
}
