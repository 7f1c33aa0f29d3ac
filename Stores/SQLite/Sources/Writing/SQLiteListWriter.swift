import CofferCore

/// Writes what the lists of to-many relationships say: the rows of join tables, and places in lists that are not in the
/// order of their rows' keys.
///
/// A list whose rows have a link back is made by those links. Its order is that of the keys until the owner's list says
/// otherwise; only then do the rows keep their places.
struct SQLiteListWriter {
    private let layout: SQLiteSchema
    private let connection: SQLiteConnection
    private let maps: [SQLiteKeyMap?]

    init(_ layout: SQLiteSchema, _ connection: SQLiteConnection, _ maps: [SQLiteKeyMap?]) {
        self.layout = layout
        self.connection = connection
        self.maps = maps
    }

    /// Writes the lists of a batch's rows.
    ///
    /// - Parameters:
    ///   - keys: the rows' keys, where the batch has temporary ones.
    ///   - areNew: whether no row was stored before.
    ///   - joinsOthers: whether the lists add to those of rows that were stored before, instead of replacing them.
    func write(
        _ batch: RowBatch, _ table: SQLiteTable, keys: [Int64]?, areNew: Bool, joinsOthers: Bool
    ) throws {
        for slot in table.listSlots {
            for row in 0..<batch.count {
                let cell = batch.cell(row: row, slot: slot)
                switch cell.kind {
                case .references: break
                case .null where !areNew && !joinsOthers: break
                case .absent, .null: continue
                default: throw failure(table, slot, "a cell of the kind \(cell.kind) is no list of rows")
                }
                let owner = keys?[row] ?? batch.key(ofRow: row)
                switch table.places[slot] {
                case .inverse(let child, let column):
                    guard cell.kind == .references else { continue }
                    try writePositions(
                        batch, cell, owner, child, column, (table, slot), areNew: areNew, joins: joinsOthers)
                case .join(let join, let side):
                    let members = cell.kind == .null ? [] : try targets(batch, cell, (table, slot))
                    try writeJoin(layout.joins[join], side, owner, members, areNew: areNew, joins: joinsOthers)
                case .column, .none: break
                }
            }
        }
    }

    private func failure(_ table: SQLiteTable, _ slot: Int, _ detail: String) -> SwiftDataError {
        SwiftDataError(.invalidRelationship, entity: table.entityName, detail: "slot \(slot): " + detail)
    }

    /// The permanent keys of a list.
    private func targets(
        _ batch: RowBatch, _ cell: RowCell, _ place: (table: SQLiteTable, slot: Int)
    ) throws -> [Int64] {
        let bytes = batch.bytes(of: cell)
        let map = maps[destination(of: place)]?.view ?? .empty
        return try (0..<bytes.count / 8).map { index in
            let key = bytes.loadUnaligned(fromByteOffset: index * 8, as: Int64.self)
            if key >= 0 { return key }
            if let key = map.find(key) { return key }
            throw failure(place.table, place.slot, "it holds a model that is neither stored nor saved along")
        }
    }

    private func destination(of place: (table: SQLiteTable, slot: Int)) -> Int {
        switch place.table.places[place.slot] {
        case .inverse(let table, _): table
        case .join(let join, let side): layout.joins[join].table(beyond: side)
        case .column, .none: place.table.index
        }
    }

    /// Whether a list is in the order of its keys, each once; found out without copying it.
    private func isAscending(
        _ batch: RowBatch, _ cell: RowCell, _ place: (table: SQLiteTable, slot: Int)
    ) throws -> Bool {
        let bytes = batch.bytes(of: cell)
        let map = maps[destination(of: place)]?.view ?? .empty
        var last = Int64.min
        var offset = 0
        while offset < bytes.count {
            var key = bytes.loadUnaligned(fromByteOffset: offset, as: Int64.self)
            if key < 0 {
                guard let found = map.find(key) else {
                    throw failure(place.table, place.slot, "it holds a model that is neither stored nor saved along")
                }
                key = found
            }
            if key <= last { return false }
            last = key
            offset += 8
        }
        return true
    }

    // MARK: Lists with a link back

    private func writePositions(
        _ batch: RowBatch, _ cell: RowCell, _ owner: Int64, _ child: Int, _ column: Int,
        _ place: (table: SQLiteTable, slot: Int), areNew: Bool, joins: Bool
    ) throws {
        let table = layout.tables[child]
        let link = table.columns[column]
        guard let position = link.quotedPosition else { return }
        if try isAscending(batch, cell, place) {
            // Rows that come from elsewhere have lost their place with their old link.
            if areNew || joins { return }
            let statement = try connection.statement(
                "UPDATE \(table.quoted) SET \(position) = NULL WHERE \(link.quoted) = ?1 AND \(position) IS NOT NULL")
            statement.bind(owner, at: 1)
            return try statement.run()
        }
        let statement = try connection.statement(
            "UPDATE \(table.quoted) SET \(position) = ?2 WHERE \(SQLiteTable.keyName) = ?1 AND \(link.quoted) = ?3 "
                + "AND \(position) IS NOT ?2")
        for (index, key) in try targets(batch, cell, place).enumerated() {
            statement.bind(key, at: 1)
            statement.bind(Int64(index), at: 2)
            statement.bind(owner, at: 3)
            try statement.run()
        }
        connection.executed &+= cell.length / 8 - 1
    }

    // MARK: Join tables

    private func writeJoin(
        _ join: SQLiteJoinTable, _ side: SQLiteJoinTable.Side, _ owner: Int64, _ members: [Int64], areNew: Bool,
        joins: Bool
    ) throws {
        let (here, there, position) = (join.column(side), join.otherColumn(side), join.position(side))
        if !areNew && !joins { try removeOthers(join, side, owner, keeping: members) }
        let isAscending = zip(members, members.dropFirst()).allSatisfy { $0 < $1 }
        let statement = try connection.statement(
            "INSERT INTO \(join.quoted) (\(here), \(there), \(position)) VALUES (?1, ?2, ?3) "
                + "ON CONFLICT (owner, member) DO UPDATE SET \(position) = excluded.\(position) "
                + "WHERE \(position) IS NOT excluded.\(position)")
        statement.bind(owner, at: 1)
        for (index, member) in members.enumerated() {
            statement.bind(member, at: 2)
            if isAscending { statement.bindNull(at: 3) } else { statement.bind(Int64(index), at: 3) }
            try statement.run()
        }
        connection.executed &+= members.count - 1
    }

    /// Removes the rows of a join table that an owner's new list lacks.
    private func removeOthers(
        _ join: SQLiteJoinTable, _ side: SQLiteJoinTable.Side, _ owner: Int64, keeping members: [Int64]
    ) throws {
        let (here, there) = (join.column(side), join.otherColumn(side))
        let select = try connection.statement("SELECT \(there) FROM \(join.quoted) WHERE \(here) = ?1")
        select.bind(owner, at: 1)
        let kept = Set(members)
        var removed: [Int64] = []
        while try select.step() {
            let member = select.integer(0)
            if !kept.contains(member) { removed.append(member) }
        }
        select.reset()
        guard !removed.isEmpty else { return }
        let delete = try connection.statement("DELETE FROM \(join.quoted) WHERE \(here) = ?1 AND \(there) = ?2")
        delete.bind(owner, at: 1)
        for member in removed {
            delete.bind(member, at: 2)
            try delete.run()
        }
    }
}
