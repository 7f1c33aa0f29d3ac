import CofferCore
import CofferRecords

/// Hands changes on to another writer and notes what a document or a journal has to say about them.
final class ChangeRecorder: RecordWriter {
    private let writer: any RecordWriter
    private let layout: RecordSchema?
    private let uses: TableUses?
    /// Notes by the tables' indices.
    private var notes: [Notes?] = []
    private var counters: Set<String> = []
    private var needsRewriting = false
    private var newTables: Set<String> = []

    /// What was done to one table.
    private final class Notes {
        let use: TableUses.Use?
        /// Rows, or owners of lists, that were touched.
        var keys: [Int64] = []
        /// Entries of lists that were removed, and may be there again.
        var removed: [(owner: Int64, member: Int64)] = []
        let table: RecordTable

        init(_ use: TableUses.Use?, _ table: RecordTable) {
            self.use = use
            self.table = table
        }

        func touch(_ key: Int64?) {
            if let key, key != keys.last { keys.append(key) }
        }
    }

    /// - Parameter layout: nil where there are no tables yet.
    init(_ writer: any RecordWriter, _ layout: RecordSchema?) {
        self.writer = writer
        self.layout = layout
        uses = layout.map { TableUses($0) }
    }

    private func notes(of table: RecordTable) -> Notes {
        while notes.count <= table.index { notes.append(nil) }
        if let known = notes[table.index], known.table.name == table.name { return known }
        let new = Notes(uses?[table.name], table)
        if new.use == nil { newTables.insert(table.name) }
        // A table that is not known, or stands elsewhere, belongs to a new layout.
        if new.use == nil || notes[table.index] != nil { needsRewriting = true }
        notes[table.index] = new
        return new
    }

    // MARK: Reading

    func openTable(_ table: RecordTable) throws -> Bool { try writer.openTable(table) }

    func get(_ table: RecordTable, _ key: UnsafeRawBufferPointer) throws -> UnsafeRawBufferPointer? {
        try writer.get(table, key)
    }

    func scan(
        _ table: RecordTable, _ range: KeyRange, descending: Bool,
        _ body: (_ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) throws -> Bool
    ) throws {
        try writer.scan(table, range, descending: descending, body)
    }

    func count(_ table: RecordTable) throws -> Int { try writer.count(table) }

    // MARK: Changing

    func makeTable(_ table: RecordTable) throws {
        if try !writer.openTable(table) {
            needsRewriting = true
            newTables.insert(table.name)
        }
        try writer.makeTable(table)
    }

    func dropTable(named name: String) throws {
        needsRewriting = true
        try writer.dropTable(named: name)
    }

    func removeAll(_ table: RecordTable) throws {
        needsRewriting = true
        try writer.removeAll(table)
    }

    func put(
        _ table: RecordTable, _ key: UnsafeRawBufferPointer, count: Int, ascending: Bool,
        _ fill: (UnsafeMutableRawBufferPointer) -> Void
    ) throws {
        let notes = notes(of: table)
        switch notes.use {
        case .rows, .history: notes.touch(IndexKey.row(key))
        case .pairs:
            // The other side may say the same once more.
            let old = try writer.get(table, key)
            if old == nil || count > 0 || old?.isEmpty == false { notes.touch(LinkKey.owner(key)) }
        case .order:
            let hadPlace = try count > 0 || writer.get(table, key)?.isEmpty == false
            if hadPlace { notes.touch(LinkKey.owner(key)) }
        case .metadata: noteEntry(key)
        case .derived, nil: break
        }
        try writer.put(table, key, count: count, ascending: ascending, fill)
    }

    func delete(_ table: RecordTable, _ key: UnsafeRawBufferPointer) throws -> Bool {
        let notes = notes(of: table)
        switch notes.use {
        case .rows, .history: notes.touch(IndexKey.row(key))
        case .pairs: notes.removed.append((LinkKey.owner(key), LinkKey.member(key)))
        case .order:
            if try writer.get(table, key)?.isEmpty == false {
                notes.removed.append((LinkKey.owner(key), LinkKey.member(key)))
            }
        case .metadata: needsRewriting = true
        case .derived, nil: break
        }
        return try writer.delete(table, key)
    }

    private func noteEntry(_ key: UnsafeRawBufferPointer) {
        let name = String(decoding: key, as: UTF8.self)
        if name.hasPrefix(RecordMetadata.counterPrefix) {
            counters.insert(String(name.dropFirst(RecordMetadata.counterPrefix.count)))
        } else {
            needsRewriting = true
        }
    }

    // MARK: The result

    /// What was changed, now that nothing more will be.
    func changes() throws -> ArchiveChanges {
        var changes = ArchiveChanges()
        guard let layout, !needsRewriting else {
            changes.needsRewriting = needsRewriting
            changes.newTables = newTables
            return changes
        }
        changes.counters = counters.sorted()
        var orders: [ArchiveChanges.Lists] = []
        for notes in notes {
            guard let notes else { continue }
            switch notes.use {
            case .rows(let index):
                var rows = ArchiveChanges.Rows(space: index)
                for key in Self.ascending(notes.keys) {
                    if try exists(key, in: layout.spaces[index]) {
                        rows.changed.append(key)
                    } else {
                        rows.deleted.append(key)
                    }
                }
                if !notes.keys.isEmpty { changes.rows.append(rows) }
            case .pairs(let space, let list):
                let owners = try changedPairs(notes, layout, space, list)
                if !owners.isEmpty { changes.lists.append(.init(space: space, list: list, owners: owners)) }
            case .order(let space, let list):
                let owners = try changedOrders(notes, layout.spaces[space])
                if !owners.isEmpty { orders.append(.init(space: space, list: list, owners: owners)) }
            case .history: changes.history = Self.ascending(notes.keys)
            case .metadata, .derived, nil: break
            }
        }
        changes.lists += orders
        return changes
    }

    /// The owners of changed lists of pairs; pairs that go with a deleted row need not be told.
    private func changedPairs(_ notes: Notes, _ layout: RecordSchema, _ space: Int, _ list: Int) throws -> [Int64] {
        guard case .pairs(let index, let side) = layout.spaces[space].lists[list].place else { return [] }
        let member = layout.spaces[layout.pairs[index].space(at: side.opposite)]
        for (owner, key) in notes.removed where try exists(key, in: member) { notes.touch(owner) }
        return try Self.ascending(notes.keys).filter { try exists($0, in: layout.spaces[space]) }
    }

    /// The owners of lists in which a row has another place.
    private func changedOrders(_ notes: Notes, _ space: RecordSpace) throws -> [Int64] {
        for (owner, member) in notes.removed {
            // A row that has left a list leaves no place to be told of.
            let isBack = try LinkKey.with(owner, member) { try writer.get(notes.table, $0) != nil }
            if isBack { notes.touch(owner) }
        }
        return try Self.ascending(notes.keys).filter { try exists($0, in: space) }
    }

    private func exists(_ key: Int64, in space: RecordSpace) throws -> Bool { try writer.get(space.rows, key) != nil }

    /// Sorted, each once.
    private static func ascending(_ keys: [Int64]) -> [Int64] {
        var result: [Int64] = []
        for key in keys.sorted() where key != result.last { result.append(key) }
        return result
    }
}
