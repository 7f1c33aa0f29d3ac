import CofferCore
import CofferRecords

/// Writes the changes of a save as the JSON object of a journal's line.
struct SaveText {
    private let changes: ArchiveChanges
    private let layout: RecordSchema
    private let reader: any RecordReader
    private var text = JSONText()

    init(_ changes: ArchiveChanges, _ layout: RecordSchema, _ reader: any RecordReader) {
        self.changes = changes
        self.layout = layout
        self.reader = reader
    }

    /// - Parameters:
    ///   - number: which save of the journal it is, from 1 on; nil in a journal whose saves have no numbers.
    ///   - limit: the most bytes that make sense.
    /// - Returns: the object; nil where it would be longer.
    mutating func object(_ number: Int?, limit: Int) throws -> JSONText? {
        text.append("{")
        if let number {
            try text.append(string: SaveName.number)
            text.append(": ")
            text.append(Int64(number))
        }
        try groups(SaveName.deleted, changes.rows.filter { !$0.deleted.isEmpty }) { text, change in
            text.append(change.deleted)
            return true
        }
        guard try writeRows(limit), try writeLists(limit) else { return nil }
        if !changes.counters.isEmpty {
            var nextKeys: [String: Int64] = [:]
            for name in changes.counters {
                let value = try reader.get(RecordSchema.metadata, RecordMetadata.counterName(name))
                nextKeys[name] = value.flatMap { IndexKey.row($0) }
            }
            separate()
            try text.append(string: Document.nextKeys)
            text.append(": ")
            try DocumentWriter.append(nextKeys, to: &text)
        }
        if !changes.history.isEmpty {
            separate()
            try text.append(string: Document.history)
            text.append(": [")
            for (index, number) in changes.history.enumerated() {
                if index > 0 { text.append(", ") }
                try HistoryText.append(number, try reader.get(RecordSchema.history, number), to: &text)
            }
            text.append("]")
        }
        text.append("}")
        return text.count <= limit ? text : nil
    }

    private mutating func separate() {
        if text.count > 1 { text.append(", ") }
    }

    /// Writes an object with a member for each changed space.
    ///
    /// - Parameter value: writes the member's value, and says whether to go on.
    @discardableResult
    private mutating func groups(
        _ name: String, _ changes: [ArchiveChanges.Rows],
        _ value: (inout JSONText, ArchiveChanges.Rows) throws -> Bool
    ) throws -> Bool {
        if changes.isEmpty { return true }
        separate()
        try text.append(string: name)
        text.append(": {")
        for (index, change) in changes.enumerated() {
            if index > 0 { text.append(", ") }
            try text.append(string: layout.spaces[change.space].entityName)
            text.append(": ")
            guard try value(&text, change) else { return false }
        }
        text.append("}")
        return true
    }

    private mutating func writeRows(_ limit: Int) throws -> Bool {
        let (layout, reader) = (layout, reader)
        return try groups(Document.rows, changes.rows.filter { !$0.changed.isEmpty }) { text, change in
            let space = layout.spaces[change.space]
            let row = try RowText(space)
            text.append("[")
            for (index, key) in change.changed.enumerated() {
                guard let bytes = try reader.get(space.rows, key) else { continue }
                if index > 0 { text.append(", ") }
                try row.append(try Record(bytes), key: key, to: &text)
                if text.count > limit { return false }
            }
            text.append("]")
            return true
        }
    }

    private mutating func writeLists(_ limit: Int) throws -> Bool {
        if changes.lists.isEmpty { return true }
        separate()
        try text.append(string: SaveName.lists)
        text.append(": [")
        for (index, change) in changes.lists.enumerated() {
            let space = layout.spaces[change.space]
            let list = space.lists[change.list]
            if index > 0 { text.append(", ") }
            text.append("{\"entity\": ")
            try text.append(string: space.entityName(ofSlot: list.slot))
            text.append(", \"property\": ")
            try text.append(string: list.property)
            text.append(", \"lists\": [")
            for (index, owner) in change.owners.enumerated() {
                if index > 0 { text.append(", ") }
                text.append("[")
                text.append(owner)
                text.append(", ")
                text.append(try members(of: owner, list.place))
                text.append("]")
                if text.count > limit { return false }
            }
            text.append("]}")
        }
        text.append("]")
        return true
    }

    private func members(of owner: Int64, _ place: RecordSpace.ListPlace) throws -> [Int64] {
        guard case .inverse = place else { return try RecordList.members(of: owner, place, layout, reader) }
        guard let table = layout.table(of: place) else { return [] }
        return try RecordList.places(of: owner, in: table, reader)
    }
}

/// The names in a journal that a document does not have.
enum SaveName {
    static let number = "save"
    static let deleted = "deleted"
    static let lists = "lists"
}
