import CofferCore

extension SQLiteStore {
    public func commit(_ changes: RowChanges) throws -> RowChangesResult {
        let result = try inTransaction { connection, files in
            var commit = SQLiteCommit(self, connection, files)
            return try commit.run(changes)
        }
        hasHistory.store(true, ordering: .relaxed)
        return result
    }

    public func importRows(_ batches: [RowBatch]) throws {
        try inTransaction { connection, files in
            try SQLiteCommit(self, connection, files, trusts: true).importRows(batches)
        }
    }

    private func inTransaction<T>(_ body: (SQLiteConnection, SQLiteExternalWriter?) throws -> T) throws -> T {
        try write(.save) { connection in
            keys.mark()
            let files = externals.map { SQLiteExternalWriter($0, connection) }
            do {
                let result = try connection.transaction { try body(connection, files) }
                // What does not wait for the disk may come back as it was, with the files that it had.
                if let files, files.changes.hasDropped,
                    configuration.durability == .full || connection.bringsToDisk()
                {
                    files.changes.finish()
                }
                return result
            } catch {
                keys.revert()
                files?.changes.revert()
                throw error
            }
        }
    }

    public func nextKeys() throws -> [String: Int64] {
        try read(.load) { connection in
            let statement = try SQLiteStatement(
                "SELECT value FROM \(SQLiteMetadata.tableName) WHERE name = ?1", on: connection.handle)
            var keys: [String: Int64] = [:]
            for table in layout.tables where table.isRoot {
                try statement.bind(SQLiteMetadata.counterName(table.entityName), at: 1)
                if try statement.step() { keys[table.entityName] = statement.integer(0) }
                statement.reset()
            }
            return keys
        }
    }

    public func reserveKeys(_ next: [String: Int64]) throws {
        try write(.save) { connection in
            try connection.transaction {
                let statement = try connection.statement(
                    "UPDATE \(SQLiteMetadata.tableName) SET value = max(value, ?1) WHERE name = ?2")
                for (entity, key) in next {
                    statement.bind(key, at: 1)
                    try statement.bind(SQLiteMetadata.counterName(entity), at: 2)
                    try statement.run()
                }
            }
        }
    }
}

/// One save in one transaction.
struct SQLiteCommit {
    private let store: SQLiteStore
    private let layout: SQLiteSchema
    private let keys: SQLiteKeys
    private let connection: SQLiteConnection
    /// What happens to the files of large values; nil where the schema has none.
    private let files: SQLiteExternalWriter?
    /// The rows that links may lead to, by table.
    private let targets: [SQLiteTargets]

    /// New rows of one batch.
    struct Insertion {
        let index: Int
        let batch: RowBatch
        let table: SQLiteTable
        /// The rows' permanent keys.
        var keys: [Int64] = []
        /// Which rows go onto rows that exist; empty for none.
        var replaces: [Bool] = []
    }

    /// - Parameter trusts: whether links may lead to rows that come later.
    init(
        _ store: SQLiteStore, _ connection: SQLiteConnection, _ files: SQLiteExternalWriter?, trusts: Bool = false
    ) {
        self.store = store
        self.files = files
        layout = store.layout
        keys = store.keys
        self.connection = connection
        // Links may lead to any row of a hierarchy's table.
        let shared = store.layout.tables.map { SQLiteTargets($0, connection, trusts: trusts) }
        targets = store.layout.tables.map { shared[$0.root] }
    }

    /// Makes all changes.
    mutating func run(_ changes: RowChanges) throws -> RowChangesResult {
        var result = RowChangesResult(keys: [])
        var deleted = changes.deleted
        let deletes = !deleted.isEmpty || !changes.batchDeletes.isEmpty
        let deleter = deletes ? SQLiteDeleter(layout, connection) : nil
        if let deleter, !changes.batchDeletes.isEmpty {
            let doomed = try SQLiteBatchDeleter(store, connection, deleter).run(changes.batchDeletes, besides: deleted)
            result.batchDeleted = doomed.all
            deleted += doomed.waiting
        }
        let preserved = try store.preserved(of: deleted, connection)
        try files?.dropFiles(of: deleted, layout)
        try deleter?.delete(deleted)
        for update in changes.batchUpdates {
            let keys = try SQLiteBatchUpdater(store, connection).update(update)
            result.batchUpdated.append((update.plan.entityName, keys))
        }
        var insertions = try changes.inserted.enumerated().map { index, batch in
            let table = try table(of: batch)
            return Insertion(index: index, batch: try files?.moveOut(batch, table, isNew: true) ?? batch, table: table)
        }
        // Rows that others refer to come first, so that SQLite finds a link's target at once.
        let ranks = layout.ranks
        insertions.sort { (ranks[$0.table.index], $0.index) < (ranks[$1.table.index], $1.index) }
        let updates = try changes.updated.map { batch in
            let table = try table(of: batch)
            return (batch: try files?.moveOut(batch, table, isNew: false) ?? batch, table: table)
        }
        try clearTheWay(for: insertions, updates)
        try resolve(&insertions)
        for insertion in insertions { try insert(insertion) }
        if !updates.isEmpty {
            let updater = SQLiteUpdater(connection, targets)
            try updater.update(updates)
        }
        // A new row that is written onto another has the last word, and its lists join what the other's are by then.
        for insertion in insertions where !insertion.replaces.isEmpty { try replace(insertion) }
        let lists = SQLiteListWriter(layout, connection, targets)
        for (batch, table) in updates { try lists.write(batch, table, keys: nil, .changed) }
        for insertion in insertions {
            try lists.write(
                insertion.batch, insertion.table, keys: insertion.keys,
                insertion.replaces.isEmpty ? .new : .joining)
        }
        try deleter?.check()
        try files?.changes.prepare()
        result.keys = [[Int64]](repeating: [], count: changes.inserted.count)
        for insertion in insertions { result.keys[insertion.index] = insertion.keys }
        if !store.hasHistory.load(ordering: .relaxed) { try SQLiteHistory.prepare(connection) }
        var told = changes
        if let missing = deleter?.missing, !missing.isEmpty {
            for (index, rows) in told.deleted.enumerated() {
                guard let root = layout.table(of: rows.entityName)?.root, let keys = missing[root] else { continue }
                told.deleted[index].keys.removeAll(where: keys.contains)
            }
        }
        if let entry = store.recorder.transaction(told, result, upserted(insertions), preserved: preserved) {
            result.historyNumber = try SQLiteHistory.append(entry, connection)
        }
        return result
    }

    /// The keys of new rows that were written onto stored ones, by batch; empty where there are none.
    private func upserted(_ insertions: [Insertion]) -> [Set<Int64>] {
        if insertions.allSatisfy({ $0.replaces.isEmpty }) { return [] }
        var result = [Set<Int64>](repeating: [], count: insertions.count)
        for insertion in insertions where !insertion.replaces.isEmpty {
            for (row, key) in insertion.keys.enumerated() where insertion.replaces[row] {
                result[insertion.index].insert(key)
            }
        }
        // What went onto another new row is a part of that.
        for insertion in insertions {
            for (row, key) in insertion.keys.enumerated() where insertion.replaces.isEmpty || !insertion.replaces[row] {
                for other in insertions where other.table.root == insertion.table.root {
                    result[other.index].remove(key)
                }
            }
        }
        return result
    }

    /// Stores rows of another store under their own keys. Indexes refuse two rows with the same unique values.
    func importRows(_ batches: [RowBatch]) throws {
        for (index, batch) in batches.enumerated() {
            let table = try table(of: batch)
            var insertion = Insertion(
                index: index, batch: try files?.moveOut(batch, table, isNew: true) ?? batch, table: table)
            insertion.keys = (0..<batch.count).map { batch.key(ofRow: $0) }
            try insert(insertion)
        }
        try files?.changes.prepare()
    }

    private func table(of batch: RowBatch) throws -> SQLiteTable {
        guard let table = layout.table(of: batch.entityName) else {
            throw SwiftDataError(
                .unknownModelType, entity: batch.entityName, detail: "the store's schema does not have it")
        }
        guard table.slotCount == batch.width else {
            throw SwiftDataError(
                .storeFailure, entity: batch.entityName,
                detail: "its rows have \(batch.width) values, and the schema has \(table.slotCount) properties")
        }
        return table
    }

    // MARK: Keys

    /// Frees the unique values that updated rows give up and that new rows of the same save may take.
    private func clearTheWay(
        for insertions: [Insertion], _ updates: [(batch: RowBatch, table: SQLiteTable)]
    ) throws {
        guard !updates.isEmpty else { return }
        let tables = Set(insertions.lazy.filter { !$0.table.uniques.isEmpty }.map { $0.table.root })
        guard !tables.isEmpty else { return }
        let updater = SQLiteUpdater(connection, targets)
        try updater.updateUniques(updates.filter { tables.contains($0.table.root) })
    }

    /// Gives every new row its key.
    private mutating func resolve(_ insertions: inout [Insertion]) throws {
        var start = 0
        while start < insertions.count {
            let table = insertions[start].table
            var end = start + 1
            while end < insertions.count, insertions[end].table.root == table.root { end += 1 }
            if insertions[start..<end].allSatisfy({ $0.table.uniques.isEmpty }) {
                for index in start..<end {
                    let count = insertions[index].batch.count
                    let first = count == 0 ? 0 : try keys.take(count, table: table.root, on: connection)
                    insertions[index].keys = (0..<count).map { first + Int64($0) }
                }
            } else {
                var resolver = SQLiteUniqueResolver(connection, targets)
                try resolver.resolve(&insertions[start..<end]) {
                    try keys.take($0, table: table.root, on: connection)
                }
            }
            targets[table.index].add(SQLiteKeyMap(insertions[start..<end].map { ($0.batch, $0.keys) }))
            start = end
        }
    }

    // MARK: Inserting

    private func insert(_ insertion: Insertion) throws {
        let (batch, table) = (insertion.batch, insertion.table)
        guard batch.count > 0 else { return }
        try SQLiteInserter(table, connection, targets: targets).insert(
            batch, keys: insertion.keys, isLeftOut: insertion.replaces)
    }

    /// Writes the new rows that go onto others.
    private func replace(_ insertion: Insertion) throws {
        let (batch, table) = (insertion.batch, insertion.table)
        let updater = SQLiteUpdater(connection, targets)
        for row in 0..<batch.count where insertion.replaces[row] {
            try files?.dropFiles(of: insertion.keys[row], table)
            try updater.replace(batch, row, table, key: insertion.keys[row])
        }
        for partner in layout.partners[table.index] {
            for row in 0..<batch.count where insertion.replaces[row] {
                try leave(insertion.keys[row], table, partner)
            }
        }
    }

    /// Takes the link of a row that was written onto another away from whoever had that one before.
    private func leave(_ key: Int64, _ table: SQLiteTable, _ partner: SQLitePartner) throws {
        let other = layout.tables[partner.otherTable]
        let column = other.columns[partner.otherColumn]
        let condition =
            "WHERE \(column.quoted) = ?1 AND \(SQLiteTable.keyName) IS NOT "
            + "(SELECT \(table.columns[partner.column].quoted) FROM \(table.quoted) WHERE \(SQLiteTable.keyName) = ?1)"
        let statement = try connection.statement(
            column.isRequired
                ? "SELECT 1 FROM \(other.quoted) \(condition)"
                : "UPDATE \(other.quoted) SET \(column.quoted) = NULL \(condition)")
        statement.bind(key, at: 1)
        guard column.isRequired else { return try statement.run() }
        defer { statement.reset() }
        if try statement.step() {
            throw SwiftDataError(
                .invalidRelationship, entity: other.entityName, property: column.property,
                detail: "it must have a value, and its \(table.entityName) is another row's now")
        }
    }
}
