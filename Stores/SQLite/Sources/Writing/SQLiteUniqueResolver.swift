import CSQLite
import CofferCore

/// Finds out which new rows are new, and which go onto a row that has the same unique values already.
///
/// Rows of the save itself count too: of several with the same values the first is inserted and the others are written
/// onto it, in order. A row without a value for a property of a constraint does not collide by it.
///
/// A row whose values include a link to another new row of its table comes after that one, which may turn out to be a row
/// that is stored.
///
/// Rows of all classes of a hierarchy are looked at together. A row does not change its class, so that one with the values
/// of a row of another class is refused.
struct SQLiteUniqueResolver {
    /// What a row turned out to be.
    fileprivate enum Target: Hashable {
        /// A row of the table, by key.
        case stored(Int64)
        /// The first of the save's rows with these values, by place in the list of all.
        case new(Int)
    }

    private let connection: SQLiteConnection
    /// The rows that links may lead to, by table.
    private let linked: [SQLiteTargets]

    init(_ connection: SQLiteConnection, _ linked: [SQLiteTargets]) {
        self.connection = connection
        self.linked = linked
    }

    /// Fills in the keys of the rows, and which of them are written onto others.
    ///
    /// - Parameter take: gives a run of new keys.
    mutating func resolve(
        _ insertions: inout ArraySlice<SQLiteCommit.Insertion>, take: (Int) throws -> Int64
    ) throws {
        let rows = insertions.indices.flatMap { index in
            (0..<insertions[index].batch.count).map { (insertion: index, row: $0) }
        }
        guard let first = insertions.first else { return }
        let hasRows = try connection.integer("SELECT EXISTS (SELECT 1 FROM \(first.table.quoted))") == 1
        // Which constraints the rows of each insertion are under.
        var constraints: [Constraint] = []
        var numbers: [String: Int] = [:]
        let own = try insertions.map { insertion in
            try insertion.table.uniques.map { index in
                if let known = numbers[index.name] { return known }
                numbers[index.name] = constraints.count
                constraints.append(
                    try Constraint(
                        index, insertion.table, connection, linked, hasRows: hasRows, rowCount: rows.count))
                return constraints.count - 1
            }
        }
        let start = insertions.startIndex
        // Links within the table, where any take part in a constraint.
        let ownLinks =
            constraints.contains { $0.hasOwnLinks }
            ? SQLiteOwnLinks(rows.map { insertions[$0.insertion].batch.key(ofRow: $0.row) }) : nil
        let order =
            ownLinks?.order { place in
                let (insertion, row) = rows[place]
                return own[insertion - start].flatMap { constraints[$0].ownLinks(insertions[insertion].batch, row) }
            } ?? Array(rows.indices)
        var targets = [Target?](repeating: nil, count: rows.count)
        var newCount = 0
        for place in order {
            let (insertion, row) = rows[place]
            let batch = insertions[insertion].batch
            let table = insertions[insertion].table
            var target: Target?
            for number in own[insertion - start] {
                let constraint = constraints[number]
                guard var found = try constraint.find(batch, row, table, ownLinks) else { continue }
                if case .new(let first) = found, let known = targets[first] { found = known }
                if case .new(let first) = found {
                    let other = insertions[rows[first].insertion].table
                    if other !== table { throw constraint.otherClass(other.entityName, table) }
                }
                if let target, target != found {
                    throw SwiftDataError(
                        .uniquenessConflict, entity: table.entityName, property: constraint.properties,
                        detail: "a new row has the unique values of two different rows")
                }
                target = found
            }
            if target == nil { newCount += 1 }
            targets[place] = target ?? .new(place)
            switch target {
            case .stored(let key): ownLinks?.resolve(place, to: key)
            case .new(let first): ownLinks?.resolve(place, as: first)
            case nil: break
            }
            for number in own[insertion - start] { constraints[number].insert(batch, row, place, ownLinks) }
        }
        for constraint in constraints { constraint.finish() }
        var next = newCount == 0 ? 0 : try take(newCount)
        var keys = [Int64](repeating: 0, count: rows.count)
        let replacesAny = newCount < rows.count
        for index in insertions.indices {
            let count = insertions[index].batch.count
            insertions[index].keys.reserveCapacity(count)
            if replacesAny { insertions[index].replaces = Array(repeating: false, count: count) }
        }
        for place in rows.indices where targets[place] == .new(place) {
            keys[place] = next
            next += 1
        }
        for (place, (insertion, row)) in rows.enumerated() {
            switch targets[place] {
            case .stored(let key):
                keys[place] = key
                insertions[insertion].replaces[row] = true
            case .new(let first) where first != place:
                keys[place] = keys[first]
                insertions[insertion].replaces[row] = true
            default: break
            }
            insertions[insertion].keys.append(keys[place])
        }
    }

    /// One constraint: the rows of the save by their values, and the question to the table.
    private struct Constraint {
        private let columns: [SQLiteColumn]
        private let binder: SQLiteBinder
        private let statement: SQLiteStatement?
        private let connection: SQLiteConnection
        /// Places of rows by hash, −1 for none.
        private var slots: [Int32]
        private var rows: [(batch: RowBatch, row: Int)?]
        private let namesEntity: Bool
        /// Which of the columns are links to rows of the same table.
        private let isOwnLink: [Bool]

        init(
            _ index: SQLiteTable.Index, _ table: SQLiteTable, _ connection: SQLiteConnection,
            _ targets: [SQLiteTargets], hasRows: Bool, rowCount: Int
        ) throws {
            columns = index.columns.map { table.columns[$0] }
            binder = SQLiteBinder(table, columns: index.columns, first: 1, targets: targets)
            self.connection = connection
            namesEntity = table.hierarchy != nil
            // Tables of a hierarchy are one: their targets are the same.
            isOwnLink = columns.map { $0.destination.map { targets[$0] === targets[table.index] } ?? false }
            let conditions =
                columns.enumerated().map { "\($1.quoted) = ?\($0 + 1)" } + (index.condition.map { [$0] } ?? [])
            let result = SQLiteTable.keyName + (namesEntity ? ", " + SQLiteTable.entityName : "")
            statement =
                hasRows
                ? try connection.statement(
                    "SELECT \(result) FROM \(table.quoted) WHERE \(conditions.joined(separator: " AND "))")
                : nil
            var size = 16
            while size < rowCount * 2 { size *= 2 }
            slots = Array(repeating: -1, count: size)
            rows = Array(repeating: nil, count: rowCount)
        }

        var hasOwnLinks: Bool { isOwnLink.contains(true) }

        /// The temporary keys that a row's values refer to.
        func ownLinks(_ batch: RowBatch, _ row: Int) -> [Int64] {
            columns.indices.compactMap { index in
                guard isOwnLink[index] else { return nil }
                let cell = batch.cell(row: row, slot: columns[index].slot)
                return cell.kind == .reference && cell.integer < 0 ? cell.integer : nil
            }
        }

        /// What a link leads to, alike for all links that lead to one row: a key, temporary where the row is new.
        private func target(_ cell: RowCell, _ index: Int, _ ownLinks: SQLiteOwnLinks?) -> Int64 {
            if cell.integer >= 0 { return cell.integer }
            if isOwnLink[index] { return ownLinks?.target(of: cell.integer) ?? cell.integer }
            return binder.fields[index].targets?.findNew(cell.integer) ?? cell.integer
        }

        var properties: String { columns.map(\.property).joined(separator: ", ") }

        func finish() { statement?.finish() }

        /// The row that has the same values: one of the save, or one of the table.
        ///
        /// - Throws: ``SwiftDataError/uniquenessConflict`` where a row of the table is of another entity.
        func find(
            _ batch: RowBatch, _ row: Int, _ table: SQLiteTable, _ ownLinks: SQLiteOwnLinks?
        ) throws -> Target? {
            guard let hash = hash(batch, row, ownLinks) else { return nil }
            var index = hash & (slots.count - 1)
            while slots[index] >= 0 {
                let place = Int(slots[index])
                if let known = rows[place], isEqual(batch, row, known.batch, known.row, ownLinks) { return .new(place) }
                index = (index + 1) & (slots.count - 1)
            }
            guard let statement else { return nil }
            let cells = batch._cells(ofRow: row)
            var replaced: [RowCell]?
            for (index, column) in columns.enumerated() {
                let cell = cells[column.slot]
                guard cell.kind == .reference, cell.integer < 0 else { continue }
                let target = target(cell, index, ownLinks)
                // A link to a row that is new itself leads to no row that others link to.
                if target < 0 { return nil }
                guard isOwnLink[index] else { continue }
                if replaced == nil { replaced = Array(UnsafeBufferPointer(start: cells, count: batch.width)) }
                replaced?[column.slot] = RowCell(.reference, bits: UInt64(bitPattern: target))
            }
            if let replaced {
                try replaced.withUnsafeBufferPointer { cells in
                    guard let cells = cells.baseAddress else { return }
                    try binder.bind(cells, batch._heap, to: statement.handle)
                }
            } else {
                try binder.bind(cells, batch._heap, to: statement.handle)
            }
            defer { statement.reset() }
            guard try statement.step() else { return nil }
            if namesEntity, let name = statement.text(1), name != table.entityName { throw otherClass(name, table) }
            return .stored(statement.integer(0))
        }

        func otherClass(_ other: String, _ table: SQLiteTable) -> SwiftDataError {
            SwiftDataError(
                .uniquenessConflict, entity: table.entityName, property: properties,
                detail: "a \(other) has the same values, and a row does not change its class")
        }

        /// Enters a row under its values; where they are known already the first row stays.
        mutating func insert(_ batch: RowBatch, _ row: Int, _ place: Int, _ ownLinks: SQLiteOwnLinks?) {
            guard let hash = hash(batch, row, ownLinks) else { return }
            rows[place] = (batch, row)
            var index = hash & (slots.count - 1)
            while slots[index] >= 0 {
                if let known = rows[Int(slots[index])], isEqual(batch, row, known.batch, known.row, ownLinks) { return }
                index = (index + 1) & (slots.count - 1)
            }
            slots[index] = Int32(place)
        }

        /// A hash of the row's values; nil where one is missing.
        private func hash(_ batch: RowBatch, _ row: Int, _ ownLinks: SQLiteOwnLinks?) -> Int? {
            var hasher = Hasher()
            let cells = batch._cells(ofRow: row)
            for (index, column) in columns.enumerated() {
                let cell = cells[column.slot]
                switch cell.kind {
                case .reference: hasher.combine(target(cell, index, ownLinks))
                case .null, .absent: return nil
                case .text, .blob: hasher.combine(bytes: batch.bytes(of: cell))
                case .real: hasher.combine(cell.real == 0 ? 0 : cell.bits)
                default: hasher.combine(cell.bits)
                }
            }
            return hasher.finalize() & Int.max
        }

        private func isEqual(
            _ left: RowBatch, _ leftRow: Int, _ right: RowBatch, _ rightRow: Int, _ ownLinks: SQLiteOwnLinks?
        ) -> Bool {
            columns.indices.allSatisfy { index in
                let a = left.cell(row: leftRow, slot: columns[index].slot)
                let b = right.cell(row: rightRow, slot: columns[index].slot)
                guard a.kind == b.kind else { return false }
                switch a.kind {
                case .reference: return target(a, index, ownLinks) == target(b, index, ownLinks)
                case .text, .blob: return left.bytes(of: a).elementsEqual(right.bytes(of: b))
                case .real: return a.bits == b.bits || a.real == b.real
                default: return a.bits == b.bits
                }
            }
        }
    }
}
