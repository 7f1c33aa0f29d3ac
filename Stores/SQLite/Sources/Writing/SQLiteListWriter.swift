import CofferCore

/// Writes what the lists of to-many relationships say: the rows of join tables, and places in lists that are not in the
/// order of their rows' keys.
///
/// A list whose rows have a link back is made by those links. Its order is that of the keys until the owner's list says
/// otherwise; only then do the rows keep their places.
struct SQLiteListWriter {
    private let layout: SQLiteSchema
    private let connection: SQLiteConnection
    private let targets: [SQLiteTargets]

    /// How the rows of a batch stand to what is stored.
    enum Rows {
        /// None was stored before.
        case new
        /// Some replace stored rows, whose lists grow by theirs.
        case joining
        /// Their lists replace the stored ones.
        case changed
    }

    init(_ layout: SQLiteSchema, _ connection: SQLiteConnection, _ targets: [SQLiteTargets]) {
        self.layout = layout
        self.connection = connection
        self.targets = targets
    }

    /// Writes the lists of a batch's rows.
    ///
    /// - Parameter keys: the rows' keys, where the batch has temporary ones.
    func write(_ batch: RowBatch, _ table: SQLiteTable, keys: [Int64]?, _ rows: Rows) throws {
        for slot in table.listSlots {
            var writer: (any ListWriter)?
            for row in 0..<batch.count {
                let cell = batch.cell(row: row, slot: slot)
                switch cell.kind {
                case .absent: continue
                case .references: if case .changed = rows {} else if cell.length == 0 { continue }
                case .null: guard case .changed = rows else { continue }
                default:
                    throw SwiftDataError(
                        .invalidRelationship, entity: table.entityName,
                        detail: "slot \(slot): a cell of the kind \(cell.kind) is no list of rows")
                }
                let bytes = cell.kind == .null ? UnsafeRawBufferPointer(start: nil, count: 0) : batch.bytes(of: cell)
                let known = try writer ?? makeWriter(table, slot, rows)
                writer = known
                try known.write(bytes, owner: keys?[row] ?? batch.key(ofRow: row))
            }
        }
    }

    private func makeWriter(_ table: SQLiteTable, _ slot: Int, _ rows: Rows) throws -> any ListWriter {
        switch table.places[slot] {
        case .inverse(let child, let column):
            PositionWriter(
                layout.tables[child], column, rows, MemberKeys(targets[child], table, slot), connection)
        case .join(let index, let side):
            try JoinWriter(
                layout.joins[index], side, rows,
                MemberKeys(targets[layout.joins[index].table(beyond: side)], table, slot), connection)
        case .column, .none:
            throw SwiftDataError(.storeFailure, entity: table.entityName, detail: "slot \(slot) is no list")
        }
    }
}

/// Writes lists of one relationship.
private protocol ListWriter {
    /// Writes one list: keys of eight bytes each.
    func write(_ list: UnsafeRawBufferPointer, owner: Int64) throws
}

/// Reads the keys of a list, with those of new rows replaced.
private struct MemberKeys {
    let targets: SQLiteTargets
    let table: SQLiteTable
    let slot: Int

    init(_ targets: SQLiteTargets, _ table: SQLiteTable, _ slot: Int) {
        self.targets = targets
        self.table = table
        self.slot = slot
    }

    @inline(__always)
    func key(_ list: UnsafeRawBufferPointer, _ index: Int) throws -> Int64 {
        let key = list.loadUnaligned(fromByteOffset: index * 8, as: Int64.self)
        if key >= 0 { return key }
        if let key = targets.findNew(key) { return key }
        throw missing()
    }

    /// A key whose row is known to be there.
    func storedKey(_ list: UnsafeRawBufferPointer, _ index: Int) throws -> Int64 {
        let key = list.loadUnaligned(fromByteOffset: index * 8, as: Int64.self)
        if let key = try targets.find(key) { return key }
        throw missing()
    }

    /// Whether the keys ascend.
    func isAscending(_ list: UnsafeRawBufferPointer) throws -> Bool {
        var last = Int64.min
        for index in 0..<list.count / 8 {
            let key = try key(list, index)
            if key <= last { return false }
            last = key
        }
        return true
    }

    private func missing() -> SwiftDataError {
        SwiftDataError(
            .invalidRelationship, entity: table.entityName,
            detail: "slot \(slot): it holds a model that is neither stored nor saved along")
    }
}

/// Lists whose rows have a link back.
private final class PositionWriter: ListWriter {
    private let members: MemberKeys
    private let rows: SQLiteListWriter.Rows
    private let connection: SQLiteConnection
    private let place: String
    private let clear: String
    private let hasPositions: Bool

    init(
        _ child: SQLiteTable, _ column: Int, _ rows: SQLiteListWriter.Rows, _ members: MemberKeys,
        _ connection: SQLiteConnection
    ) {
        self.members = members
        self.rows = rows
        self.connection = connection
        let link = child.columns[column]
        let position = link.quotedPosition ?? ""
        hasPositions = link.quotedPosition != nil
        place =
            "UPDATE \(child.quoted) SET \(position) = ?2 WHERE \(SQLiteTable.keyName) = ?1 AND \(link.quoted) = ?3 "
            + "AND \(position) IS NOT ?2"
        clear = "UPDATE \(child.quoted) SET \(position) = NULL WHERE \(link.quoted) = ?1 AND \(position) IS NOT NULL"
    }

    func write(_ list: UnsafeRawBufferPointer, owner: Int64) throws {
        guard hasPositions else { return }
        if try members.isAscending(list) {
            // Rows that come from elsewhere have lost their place with their old link.
            guard case .changed = rows else { return }
            let statement = try connection.statement(clear)
            statement.bind(owner, at: 1)
            return try statement.run()
        }
        let statement = try connection.statement(place)
        statement.bind(owner, at: 3)
        // Backwards: of a row that is in the list twice, since a new one turned out to be it, the first place stays.
        for index in (0..<list.count / 8).reversed() {
            statement.bind(try members.key(list, index), at: 1)
            statement.bind(Int64(index), at: 2)
            try statement.run()
        }
    }
}

/// Lists in a join table.
private final class JoinWriter: ListWriter {
    private let members: MemberKeys
    private let rows: SQLiteListWriter.Rows
    private let connection: SQLiteConnection
    private let insert: SQLiteStatement
    private let select: String
    private let delete: String
    /// Enters a pair from its other end; nil where that is not a row of its own.
    private let mirror: SQLiteStatement?

    init(
        _ join: SQLiteJoinTable, _ side: SQLiteJoinTable.Side, _ rows: SQLiteListWriter.Rows, _ members: MemberKeys,
        _ connection: SQLiteConnection
    ) throws {
        self.members = members
        self.rows = rows
        self.connection = connection
        let (here, there, position) = (join.column(side), join.otherColumn(side), join.position(side))
        insert = try connection.statement(
            "INSERT INTO \(join.quoted) (\(here), \(there), \(position)) VALUES (?1, ?2, ?3) "
                + "ON CONFLICT (owner, member) DO UPDATE SET \(position) = excluded.\(position) "
                + "WHERE \(position) IS NOT excluded.\(position)")
        select = "SELECT \(there) FROM \(join.quoted) WHERE \(here) = ?1"
        delete =
            "DELETE FROM \(join.quoted) WHERE \(here) = ?1 AND \(there) = ?2"
            + (join.isMutual ? " OR \(here) = ?2 AND \(there) = ?1" : "")
        mirror =
            join.isMutual
            ? try connection.statement("INSERT OR IGNORE INTO \(join.quoted) (\(there), \(here)) VALUES (?1, ?2)") : nil
    }

    func write(_ list: UnsafeRawBufferPointer, owner: Int64) throws {
        if case .changed = rows { try removeOthers(list, owner: owner) }
        let isAscending = try members.isAscending(list)
        insert.bind(owner, at: 1)
        let count = list.count / 8
        for step in 0..<count {
            // Backwards where places are written, so that the first one stays of a row that is in the list twice.
            let index = isAscending ? step : count - 1 - step
            insert.bind(try members.storedKey(list, index), at: 2)
            if isAscending { insert.bindNull(at: 3) } else { insert.bind(Int64(index), at: 3) }
            try insert.run()
        }
        guard let mirror else { return }
        mirror.bind(owner, at: 1)
        for index in 0..<count {
            mirror.bind(try members.storedKey(list, index), at: 2)
            try mirror.run()
        }
    }

    /// Removes the rows of the owner that the new list lacks.
    private func removeOthers(_ list: UnsafeRawBufferPointer, owner: Int64) throws {
        let select = try connection.statement(select)
        select.bind(owner, at: 1)
        let kept = Set(try (0..<list.count / 8).map { try members.key(list, $0) })
        var removed: [Int64] = []
        while try select.step() {
            let member = select.integer(0)
            if !kept.contains(member) { removed.append(member) }
        }
        select.reset()
        guard !removed.isEmpty else { return }
        let delete = try connection.statement(delete)
        delete.bind(owner, at: 1)
        for member in removed {
            delete.bind(member, at: 2)
            try delete.run()
        }
    }
}
