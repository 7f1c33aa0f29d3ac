import CJansson
import CofferCore
import CofferRecords

/// Puts the saves of a journal into effect.
struct SaveReader {
    private let layout: RecordSchema
    private let writer: any RecordWriter
    private var replay: RecordReplay
    private var rows: [RowReader?]

    init(_ layout: RecordSchema, into writer: any RecordWriter, maximumKeySize: Int) {
        self.layout = layout
        self.writer = writer
        replay = RecordReplay(layout, writer, maximumKeySize: maximumKeySize)
        rows = Array(repeating: nil, count: layout.spaces.count)
    }

    /// Applies the object of one line.
    ///
    /// - Throws: `corruptStore` for what is no save of this archive.
    mutating func apply(_ object: JSONNode) throws {
        do {
            try object.member(SaveName.deleted)?.forEachMember { name, keys in
                guard let keys = keys.integers else { throw misread() }
                try replay.delete(keys, of: try space(name))
            }
            try object.member(Document.rows)?.forEachMember { name, nodes in
                let space = try space(name)
                var reader = rows[space.index] ?? RowReader(space)
                try nodes.forEachElement { node in
                    try reader.read(node)
                    try replay.put(reader.batch, row: 0, in: space)
                }
                rows[space.index] = reader
            }
            try object.member(SaveName.lists)?.forEachElement { try applyLists($0) }
            try object.member(Document.nextKeys)?.forEachMember { name, key in
                guard let key = key.integer else { throw misread() }
                try replay.setNextKey(key, of: String(decoding: name, as: UTF8.self))
            }
            try object.member(Document.history)?.forEachElement { node in
                guard let entry = try HistoryText.read(node) else { throw misread() }
                if let text = entry.text {
                    try RecordHistory.restore(text, number: entry.number, writer)
                } else {
                    try RecordHistory.remove(entry.number, writer)
                }
            }
        } catch let fault as RecordFault {
            throw SwiftDataError(
                .corruptStore, entity: fault.entity, property: fault.property,
                detail: "a row in the journal does not fit: \(fault.detail)")
        }
    }

    private func applyLists(_ node: JSONNode) throws {
        guard let entity = node.member("entity")?.text, let property = node.member("property")?.string,
            let lists = node.member("lists")
        else { throw misread() }
        let (space, name) = (try space(entity), String(decoding: entity, as: UTF8.self))
        let list = space.lists.first { $0.property == property && space.entityName(ofSlot: $0.slot) == name }
        guard let list else { throw misread() }
        try lists.forEachElement { pair in
            guard pair.kind == JSON_ARRAY, let owner = json_array_get(pair, 0)?.integer,
                let members = json_array_get(pair, 1)?.integers
            else { throw misread() }
            try replay.setList(members, of: owner, at: list.place)
        }
    }

    private func space(_ name: UnsafeRawBufferPointer) throws -> RecordSpace {
        if let space = layout.space(of: String(decoding: name, as: UTF8.self)) { return space }
        throw misread()
    }

    private func misread() -> SwiftDataError {
        SwiftDataError(.corruptStore, detail: "a line of the journal does not fit the archive")
    }
}
