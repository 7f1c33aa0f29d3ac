import CJansson
import CofferCore
import CofferRecords

/// Puts the saves of a journal into effect.
struct SaveReader {
    private let layout: RecordSchema
    private let writer: any RecordWriter
    private var replay: RecordReplay
    private var rows: [RowReader?]

    /// What the object of a save may have.
    private static let members: Set = [
        SaveName.number, SaveName.deleted, Document.rows, SaveName.lists, Document.nextKeys, Document.history,
    ]

    init(_ layout: RecordSchema, into writer: any RecordWriter, maximumKeySize: Int) {
        self.layout = layout
        self.writer = writer
        replay = RecordReplay(layout, writer, maximumKeySize: maximumKeySize)
        rows = Array(repeating: nil, count: layout.spaces.count)
    }

    /// Applies the object of one line.
    ///
    /// - Parameter number: the number that the save has to have; nil where it has none.
    /// - Throws: `corruptStore` for what is no save of this archive, or not the next one.
    mutating func apply(_ object: JSONNode, number: Int?) throws {
        guard object.kind == JSON_OBJECT else { throw misread() }
        try object.forEachMember { name, _ in
            guard Self.members.contains(String(decoding: name, as: UTF8.self)) else { throw misread() }
        }
        try checkNumber(object.member(SaveName.number), number)
        do {
            try members(object, SaveName.deleted) { space, keys in
                guard let keys = keys.integers else { throw misread() }
                try replay.delete(keys, of: space)
            }
            try applyRows(object)
            if let lists = object.member(SaveName.lists) {
                guard lists.kind == JSON_ARRAY else { throw misread() }
                try lists.forEachElement { try applyLists($0) }
            }
            try members(object, Document.nextKeys) { space, key in
                guard let key = key.integer, key > 0 else { throw misread() }
                try replay.setNextKey(key, of: space.entityName)
            }
            if let history = object.member(Document.history) {
                guard history.kind == JSON_ARRAY else { throw misread() }
                try history.forEachElement { try applyHistory($0) }
            }
            try replay.finishSave()
        } catch let fault as RecordFault {
            throw SwiftDataError(
                .corruptStore, entity: fault.entity, property: fault.property,
                detail: "a row does not fit: \(fault.detail)")
        }
    }

    /// Refuses a save that is not the next one: lines have been taken away, doubled or swapped.
    private func checkNumber(_ node: JSONNode?, _ expected: Int?) throws {
        guard let expected else {
            if node != nil { throw misread() }
            return
        }
        guard let found = node?.integer else {
            throw SwiftDataError(.corruptStore, detail: "it lacks the number of the save")
        }
        guard found == Int64(expected) else {
            throw SwiftDataError(
                .corruptStore, detail: "it is the save \(found), and the save \(expected) has to come here")
        }
    }

    /// Goes through a member of the save that has something for each entity.
    private func members(_ object: JSONNode, _ name: String, _ body: (RecordSpace, JSONNode) throws -> Void) throws {
        guard let object = object.member(name) else { return }
        guard object.kind == JSON_OBJECT else { throw misread() }
        try object.forEachMember { name, value in try body(try space(name), value) }
    }

    private mutating func applyRows(_ object: JSONNode) throws {
        /// The rows that links lead to, which may come later in the same save.
        var targets: [(field: RecordField, key: Int64)] = []
        var readers = rows
        try members(object, Document.rows) { space, nodes in
            guard nodes.kind == JSON_ARRAY else { throw misread() }
            var reader = readers[space.index] ?? RowReader(space)
            try nodes.forEachElement { node in
                try reader.read(node)
                try replay.put(reader.batch, row: 0, in: space)
                for field in space.links {
                    let cell = reader.batch.cell(row: 0, slot: field.slot)
                    if cell.kind == .reference { targets.append((field, cell.integer)) }
                }
            }
            readers[space.index] = reader
        }
        rows = readers
        for (field, key) in targets where try !exists(key, in: field.destination ?? 0) {
            throw RecordFault(
                entity: field.entityName, key: nil, property: field.property,
                detail: "it leads to a row that is not there")
        }
    }

    private func exists(_ key: Int64, in space: Int) throws -> Bool {
        try writer.get(layout.spaces[space].rows, key) != nil
    }

    private func applyLists(_ node: JSONNode) throws {
        guard let entity = node.member("entity")?.text, let property = node.member("property")?.string,
            let lists = node.member("lists"), lists.kind == JSON_ARRAY
        else { throw misread() }
        let (space, name) = (try space(entity), String(decoding: entity, as: UTF8.self))
        let list = space.lists.first { $0.property == property && space.entityName(ofSlot: $0.slot) == name }
        guard let list else { throw misread() }
        try lists.forEachElement { pair in
            guard pair.kind == JSON_ARRAY, json_array_size(pair) == 2, let owner = json_array_get(pair, 0)?.integer,
                let members = json_array_get(pair, 1)?.integers
            else { throw misread() }
            let target = layout.destination(of: list.place)
            // A row that is deleted leaves an empty list.
            let isThere = try members.isEmpty || exists(owner, in: space.index)
            guard isThere, try members.allSatisfy({ try exists($0, in: target) }) else {
                throw RecordFault(
                    entity: name, key: owner, property: property, detail: "a list has a row that is not there")
            }
            try replay.setList(members, of: owner, at: list.place)
        }
    }

    private func applyHistory(_ node: JSONNode) throws {
        guard let entry = try HistoryText.read(node) else { throw misread() }
        if let text = entry.text {
            try RecordHistory.restore(text, number: entry.number, writer)
        } else {
            try RecordHistory.remove(entry.number, writer)
        }
    }

    private func space(_ name: UnsafeRawBufferPointer) throws -> RecordSpace {
        if let space = layout.space(of: String(decoding: name, as: UTF8.self)) { return space }
        throw misread()
    }

    private func misread() -> SwiftDataError {
        SwiftDataError(.corruptStore, detail: "it does not fit the archive")
    }
}
