import CSQLite
import CofferCore

extension SQLiteStore {
    public func fetchRows(_ plan: FetchPlan, into batch: RowBatch) throws {
        let table = try table(of: plan.entityName, .fetch)
        try check(batch, table)
        let first = batch.count
        try fetchNamed(plan, table, into: batch)
        try fillExternals(plan, table, batch, from: first)
    }

    /// The rows of a plan as they stand in the file, with names in the place of values that lie in others.
    private func fetchNamed(_ plan: FetchPlan, _ table: SQLiteTable, into batch: RowBatch) throws {
        try read(.fetch, entity: plan.entityName, restart: batch.removeAll) { connection in
            if plan.isPlain {
                switch plan.scope {
                case .keys(let keys):
                    return try fetch(keys, plan, table, connection, into: batch)
                case .related(let owner, let slot, let owners) where plan.isWhole(of: table):
                    return try fetchRelated(owner, slot, owners, plan, table, connection, into: batch)
                case .all, .related: break
                }
            }
            try fetchCompiled(plan, table, connection, into: batch)
        }
    }

    /// The table of an entity.
    func table(of entityName: String, _ operation: SwiftDataError.Operation) throws -> SQLiteTable {
        if let table = layout.table(of: entityName) { return table }
        throw SwiftDataError(
            .unknownModelType, operation: operation, store: place.name, entity: entityName, file: place.path,
            detail: "the store's schema does not have it")
    }

    /// Refuses a batch whose rows are not those of the plan; rows of a hierarchy have room for all of its classes.
    private func check(_ batch: RowBatch, _ table: SQLiteTable) throws {
        if table.hierarchy == nil ? batch.width == table.slotCount : batch.width >= table.slotCount { return }
        throw SwiftDataError(
            .storeFailure, operation: .fetch, store: place.name, entity: table.entityName, file: place.path,
            detail: "the batch is for rows with \(batch.width) properties")
    }

    /// What to read of a table for a plan's entities and slots.
    func projection(of table: SQLiteTable, _ plan: FetchPlan) -> SQLiteProjection {
        if plan.slots == nil, plan.isWhole(of: table), plan.subentityNames == table.subentityNames {
            return projections[table.index]
        }
        return SQLiteProjection.of(table, layout, below: plan.subentityNames, slots: plan.slots)
    }

    /// Whether keys, which ascend, lie so close together that a walk along the index is faster than a search for each.
    private static func lieClose(_ keys: [Int64], _ gap: Int64) -> Bool {
        guard keys.count >= 8, let first = keys.first, let last = keys.last, first > 0 else { return false }
        return (last - first) / Int64(keys.count) < gap
    }

    // MARK: By key

    func fetch(
        _ keys: [Int64], _ plan: FetchPlan, _ table: SQLiteTable, _ connection: SQLiteConnection, into batch: RowBatch
    ) throws {
        let projection = projection(of: table, plan)
        if keys.count == 1, projection.lists.isEmpty {
            return try fetchOne(keys[0], projection, plan, table, connection, into: batch)
        }
        let keys = SQLiteStatement.ascending(keys)
        func read() throws {
            let first = batch.count
            if !Self.lieClose(keys, 4) {
                for key in keys { try fetchOne(key, projection, plan, table, connection, into: batch) }
            } else {
                let key = "\(table.quoted).\(SQLiteTable.keyName)"
                let statement = try connection.statement(
                    "SELECT \(key)\(projection.list) FROM \(table.quoted) WHERE \(key) BETWEEN ?1 AND ?2 "
                        + (plan.condition(in: table).map { "AND \($0) " } ?? "") + "ORDER BY \(key)")
                try statement.walk(keys, patience: 8) { key in
                    try projection.append(statement.handle, first: 1, key: key, to: batch)
                    return true
                }
            }
            try fillLists(projection, table, connection, batch, from: first)
        }
        try connection.snapshot(read)
    }

    @inline(__always)
    private func fetchOne(
        _ key: Int64, _ projection: SQLiteProjection, _ plan: FetchPlan, _ table: SQLiteTable,
        _ connection: SQLiteConnection, into batch: RowBatch
    ) throws {
        let statement = try byKeyStatement(projection, plan, table, connection)
        statement.bind(key, at: 1)
        defer { statement.reset() }
        if try statement.step() { try projection.append(statement.handle, first: 0, key: key, to: batch) }
    }

    @inline(__always)
    private func byKeyStatement(
        _ projection: SQLiteProjection, _ plan: FetchPlan, _ table: SQLiteTable, _ connection: SQLiteConnection
    ) throws -> SQLiteStatement {
        let isKept = plan.slots == nil && plan.isWhole(of: table)
        if isKept, let known = connection.statements(of: table).byKey { return known }
        let list = projection.list.isEmpty ? "1" : String(projection.list.dropFirst(2))
        let statement = try connection.statement(
            "SELECT \(list) FROM \(table.quoted) WHERE \(table.quoted).\(SQLiteTable.keyName) = ?1"
                + (plan.condition(in: table).map { " AND \($0)" } ?? ""))
        if isKept { connection.statements(of: table).byKey = statement }
        return statement
    }

    // MARK: Lists

    /// The rows of to-many relationships, owner by owner, in the relationship's order.
    func fetchRelated(
        _ ownerEntity: String, _ slot: Int, _ owners: [Int64], _ plan: FetchPlan, _ table: SQLiteTable,
        _ connection: SQLiteConnection, into batch: RowBatch, _ blocks: RowBlocks? = nil
    ) throws {
        let list = try list(ownerEntity, slot, of: table)
        let projection = projection(of: table, plan)
        let owners = SQLiteStatement.ascending(owners)
        let walks = Self.lieClose(owners, 16)
        let statement = try connection.statement(
            "SELECT \(list.owner), \(list.position), \(table.quoted).\(SQLiteTable.keyName)\(projection.list) "
                + "FROM \(list.source) WHERE \(list.owner) \(walks ? "BETWEEN ?1 AND ?2" : "= ?1") "
                + "ORDER BY \(list.owner), \(list.key)")
        func read() throws {
            // Whoever takes a block may throw, and an unfinished statement would hold on to the state it reads.
            defer { statement.reset() }
            let first = batch.count
            var lists = ListReader(statement, projection, batch, blocks)
            if walks {
                try statement.walk(owners, patience: 32) { owner in
                    try lists.take(owner)
                    return true
                }
            } else {
                for owner in owners {
                    statement.bind(owner, at: 1)
                    while try statement.step() { try lists.take(owner) }
                    statement.reset()
                }
            }
            lists.finish()
            try fillLists(projection, table, connection, batch, from: first)
        }
        if owners.count == 1, projection.lists.isEmpty { return try read() }
        try connection.snapshot(read)
    }

    /// Takes the rows of lists from a statement whose first columns are owner, place and key.
    private struct ListReader {
        private let statement: SQLiteStatement
        private let projection: SQLiteProjection
        private let batch: RowBatch
        private let blocks: RowBlocks?
        private var places: ListPlaces
        private var rowOwners: [Int64] = []
        private var lastOwner: Int64 = -1

        init(_ statement: SQLiteStatement, _ projection: SQLiteProjection, _ batch: RowBatch, _ blocks: RowBlocks?) {
            self.statement = statement
            self.projection = projection
            self.batch = batch
            self.blocks = blocks
            places = ListPlaces(start: batch.count)
        }

        @inline(__always)
        mutating func take(_ owner: Int64) throws {
            if lastOwner != owner { try begin(owner) }
            if !statement.isNull(1) { places.note(statement.integer(1), row: batch.count) }
            try projection.append(statement.handle, first: 3, key: statement.integer(2), to: batch)
            rowOwners.append(owner)
        }

        private mutating func begin(_ owner: Int64) throws {
            places.begin(batch)
            lastOwner = owner
            guard let blocks, batch.count >= blocks.size else { return }
            batch.owners += rowOwners
            rowOwners.removeAll(keepingCapacity: true)
            try blocks.hand(on: batch)
            places = ListPlaces(start: 0)
        }

        /// The last list has ended.
        mutating func finish() {
            places.begin(batch)
            batch.owners += rowOwners
        }
    }

    /// The places of the rows of one list, which come in the order of their keys.
    private struct ListPlaces {
        /// The first row of the list.
        private var start: Int
        /// The places by row; empty while no row has one.
        private var places: [Int64?] = []

        init(start: Int) { self.start = start }

        @inline(__always)
        mutating func note(_ place: Int64, row: Int) {
            while places.count < row - start { places.append(nil) }
            places.append(place)
        }

        /// Puts the rows of the list that has ended into order, those without a place last, and begins another.
        @inline(__always)
        mutating func begin(_ batch: RowBatch) {
            if !places.isEmpty { arrange(batch) }
            start = batch.count
        }

        private mutating func arrange(_ batch: RowBatch) {
            while places.count < batch.count - start { places.append(nil) }
            let order = places.indices.sorted { left, right in
                switch (places[left], places[right]) {
                case (let a?, let b?): a == b ? left < right : a < b
                case (nil, nil): left < right
                case (_?, nil): true
                case (nil, _?): false
                }
            }
            batch._reorder(order.map { $0 + start }, from: start)
            places.removeAll(keepingCapacity: true)
        }
    }

    /// Where a to-many relationship's rows are found.
    struct ListSource {
        /// What stands after `FROM`.
        let source: String
        /// The column with the owner's key.
        let owner: String
        /// The column with the row's key, in the order of the index that serves the owner.
        let key: String
        /// The column with the row's place in the list.
        let position: String
    }

    /// Where the rows of a relationship are found.
    func list(_ ownerEntity: String, _ slot: Int, of table: SQLiteTable) throws -> ListSource {
        let owner = try self.table(of: ownerEntity, .fetch)
        guard owner.places.indices.contains(slot) else { throw notAList(ownerEntity, slot) }
        let key = SQLiteTable.keyName
        switch owner.places[slot] {
        case .inverse(table.index, let column):
            let link = table.columns[column]
            return ListSource(
                source: table.quoted, owner: "\(table.quoted).\(link.quoted)", key: "\(table.quoted).\(key)",
                position: link.quotedPosition.map { "\(table.quoted).\($0)" } ?? "NULL")
        case .join(let index, let side) where layout.joins[index].table(beyond: side) == table.index:
            let join = layout.joins[index]
            let other = "j.\(join.otherColumn(side))"
            return ListSource(
                source: "\(join.quoted) AS j CROSS JOIN \(table.quoted) ON \(table.quoted).\(key) = \(other)",
                owner: "j.\(join.column(side))", key: other, position: "j.\(join.position(side))")
        case .column(let column) where owner.columns[column].destination == table.index:
            return ListSource(
                source: "\(owner.quoted) AS o CROSS JOIN \(table.quoted) ON \(table.quoted).\(key) = "
                    + "o.\(owner.columns[column].quoted)",
                owner: "o.\(key)", key: "o.\(key)", position: "NULL")
        default: throw notAList(ownerEntity, slot)
        }
    }

    private func notAList(_ entity: String, _ slot: Int) -> SwiftDataError {
        SwiftDataError(
            .invalidRelationship, operation: .fetch, store: place.name, entity: entity, file: place.path,
            detail: "slot \(slot) leads to no rows of the entity that was asked for")
    }

    /// Reads the keys of lists that a plan asks for by name.
    func fillLists(
        _ projection: SQLiteProjection, _ table: SQLiteTable, _ connection: SQLiteConnection, _ batch: RowBatch,
        from first: Int
    ) throws {
        for slot in projection.lists {
            for row in first..<batch.count {
                let keys = try listKeys(of: batch.key(ofRow: row), slot, table, connection)
                batch.setReferences(keys, row: row, slot: slot)
            }
        }
    }

    /// The keys of one list, in order.
    func listKeys(
        of owner: Int64, _ slot: Int, _ table: SQLiteTable, _ connection: SQLiteConnection
    ) throws -> [Int64] {
        let key = SQLiteTable.keyName
        let sql: String
        switch table.places[slot] {
        case .inverse(let child, let column):
            let link = layout.tables[child].columns[column]
            let position = link.quotedPosition ?? "NULL"
            sql =
                "SELECT \(key) FROM \(layout.tables[child].quoted) WHERE \(link.quoted) = ?1 "
                + "ORDER BY \(position) IS NULL, \(position), \(key)"
        case .join(let index, let side):
            let join = layout.joins[index]
            let (other, position) = (join.otherColumn(side), join.position(side))
            sql =
                "SELECT \(other) FROM \(join.quoted) WHERE \(join.column(side)) = ?1 "
                + "ORDER BY \(position) IS NULL, \(position), \(other)"
        case .column, .none: return []
        }
        let statement = try connection.statement(sql)
        defer { statement.reset() }
        statement.bind(owner, at: 1)
        var keys: [Int64] = []
        while try statement.step() { keys.append(statement.integer(0)) }
        return keys
    }
}

extension FetchPlan {
    /// Whether the plan asks for the rows of its scope as they are.
    var isPlain: Bool { filter == nil && sort.isEmpty && limit == nil && offset == 0 }

    /// Whether the plan covers all that a table's entity has below it.
    func isWhole(of table: SQLiteTable) -> Bool { subentityNames.count == table.subentityCount }

    /// The condition that a row be one that the plan covers; nil where all rows of the table are.
    func condition(in table: SQLiteTable) -> String? { table.condition(for: self, alias: table.quoted) }
}
