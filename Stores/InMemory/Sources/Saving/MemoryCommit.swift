import CofferCore

/// One save. It changes rows and uniqueness indexes at once, logging what it overwrites; lists, links and gaps follow
/// when nothing can fail any more.
struct MemoryCommit {
    let data: MemoryTables
    var tables: [MemoryTable] { data.tables }
    var log = CommitLog()
    /// The new rows, by table.
    var new: [NewRows]
    /// Stored rows whose link leads to a row that this save deletes.
    var orphans: [(link: LinkColumn, position: Int)] = []
    var lists: [ListChange] = []
    /// Rows that new ones were written onto, in tables with links between one row and one.
    var overwritten: [RowPlace] = []
    /// New rows of tables with a link in a constraint whose fate is known.
    var settled: Set<RowPlace> = []

    /// A row by table and position.
    struct RowPlace: Hashable {
        let table: Int
        let position: Int
    }

    init(_ data: MemoryTables) {
        self.data = data
        new = Array(repeating: NewRows(), count: data.tables.count)
    }

    /// Makes all changes, or none.
    mutating func run(_ changes: RowChanges) throws -> RowChangesResult {
        let changes = try flattened(changes)
        do {
            forgetIndexes(changes)
            try delete(changes.deleted)
            for (index, batch) in changes.inserted.enumerated() { try append(batch, index: index) }
            let updates = try changes.updated.map { (batch: $0, table: try table(of: $0)) }
            // What is unique by attributes alone can be told first; what a link makes unique needs those rows' keys.
            for hasLink in [false, true] {
                for (batch, table) in updates where table.layout.hasLinkInUnique == hasLink {
                    try giveUpUniques(batch, table)
                }
                for (batch, table) in updates where table.layout.hasLinkInUnique == hasLink {
                    try update(batch, table)
                }
                for (batch, table) in updates where table.layout.hasLinkInUnique == hasLink {
                    try takeUniques(batch, table)
                }
                for table in tables where table.layout.hasLinkInUnique == hasLink { try settleNewRows(of: table) }
            }
            try resolveLinks()
            try leavePartners()
            try cutOrphans()
            try collectLists(changes)
        } catch {
            log.undo(tables)
            throw error
        }
        finish()
        return RowChangesResult(keys: keys(changes.inserted.count))
    }

    /// The changes in the slots of the tables, where hierarchies lie in them.
    private func flattened(_ changes: RowChanges) throws -> RowChanges {
        guard let hierarchies = data.hierarchies else { return changes }
        func flattened(_ batch: RowBatch, areNew: Bool) throws -> RowBatch {
            guard let hierarchy = hierarchies.hierarchy(of: batch.entityName),
                let table = data.table(named: batch.entityName)
            else { return batch }
            return try hierarchy.flatten(batch, areNew: areNew, space: table.space)
        }
        var flat = changes
        flat.inserted = try changes.inserted.map { try flattened($0, areNew: true) }
        flat.updated = try changes.updated.map { try flattened($0, areNew: false) }
        flat.deleted = changes.deleted.map { (hierarchies.table(of: $0.entityName), $0.keys) }
        return flat
    }

    /// The keys of the new rows, by batch.
    private func keys(_ count: Int) -> [[Int64]] {
        var result = [[Int64]](repeating: [], count: count)
        for rows in new {
            for part in rows.parts {
                let count = part.batch.count
                result[part.index] = Array(unsafeUninitializedCapacity: count) { keys, initialized in
                    for row in 0..<count { keys[row] = part.key + Int64(row) }
                    initialized = count
                }
                if rows.redirects.isEmpty { continue }
                for row in 0..<count { result[part.index][row] = rows.finalKey(part.key + Int64(row)) }
            }
        }
        return result
    }

    /// Forgets the order of indexes that would cost more to keep up than to make anew.
    private func forgetIndexes(_ changes: RowChanges) {
        for table in tables where table.indexes.contains(where: \.isMade) {
            let name = table.layout.entityName
            var count = changes.deleted.reduce(0) { $1.entityName == name ? $0 + $1.keys.count : $0 }
            for batch in changes.inserted + changes.updated where batch.entityName == name { count += batch.count }
            if count > max(64, table.count / 16) { table.indexes.forEach { $0.forget() } }
        }
    }

    // MARK: Errors

    func table(of batch: RowBatch) throws -> MemoryTable {
        guard let table = data.table(of: batch) else { throw unknown(batch.entityName) }
        guard table.layout.width == batch.width else {
            throw SwiftDataError(
                .storeFailure, entity: batch.entityName,
                detail: "its rows have \(batch.width) values, and the schema has \(table.layout.width) properties")
        }
        return table
    }

    private func unknown(_ entityName: String) -> SwiftDataError {
        SwiftDataError(.unknownModelType, entity: entityName, detail: "the store's schema does not have it")
    }

    @inline(never)
    func mismatch(_ cell: RowCell, _ column: MemoryColumn, _ table: MemoryTable) -> SwiftDataError {
        let isMissing = cell.kind == .null || cell.kind == .absent
        return SwiftDataError(
            isMissing ? .missingRequiredValue : .valueEncoding, entity: column.entityName,
            property: column.property,
            detail: isMissing ? nil : "a cell of the kind \(cell.kind) does not fit the property")
    }

    @inline(never)
    func brokenLink(_ table: MemoryTable, _ property: String?, toNew isNew: Bool) -> SwiftDataError {
        let column = property.flatMap { name in table.layout.columns.first { $0.property == name } }
        return SwiftDataError(
            .invalidRelationship, entity: column?.entityName ?? table.layout.entityName, property: property,
            detail: isNew
                ? "it leads to a model that is neither stored nor saved along"
                : "it leads to a model that is not stored")
    }

    // MARK: Deleting

    /// Marks rows as deleted and notes the rows that have links to them. Unknown keys are passed over.
    private mutating func delete(_ deleted: [(entityName: String, keys: [Int64])]) throws {
        for (entityName, keys) in deleted {
            guard let table = data.table(named: entityName) else { throw unknown(entityName) }
            for key in keys {
                guard let position = table.directory.position(of: key) else { continue }
                removeUniques(table, position)
                log.unindex(table, position)
                log.delete(table, key: key, position: position)
            }
        }
        for (index, _, position) in log.deleted {
            for link in data.linksTo[index] {
                link.thread.forEach(of: position) { row in
                    if tables[link.table].isLive(row) { orphans.append((link, row)) }
                }
            }
        }
    }

    /// Cuts what still leads to deleted rows, or finds that it must not.
    private mutating func cutOrphans() throws {
        for (link, position) in orphans {
            let table = tables[link.table]
            let cell = table.rows.cell(row: position, slot: link.slot)
            guard cell.kind == .reference, tables[link.destination].directory.position(of: cell.integer) == nil
            else { continue }
            try cut(link, position)
        }
    }

    private mutating func cut(_ link: LinkColumn, _ position: Int) throws {
        let table = tables[link.table]
        if link.column.isRequired { throw brokenLink(table, link.column.property, toNew: false) }
        table.prepareToChange()
        removeUniques(table, position, with: link.slot)
        log.unindex(table, position) { $0 == link.slot }
        log.write(RowCell(.null), table, position, link.slot)
    }

    /// Takes the links of rows that new ones were written onto away from whoever had them before.
    private mutating func leavePartners() throws {
        for place in overwritten {
            let table = tables[place.table]
            let key = table.rows.key(ofRow: place.position)
            for link in data.linksTo[place.table] {
                guard
                    let column = table.layout.links.first(where: {
                        $0.partner == link.slot && $0.destination == link.table
                    })
                else { continue }
                let cell = table.rows.cell(row: place.position, slot: column.slot)
                let other = tables[link.table]
                let holder = cell.kind == .reference ? other.directory.position(of: cell.integer) : nil
                for position in candidates(link, place) where position != holder && other.isLive(position) {
                    let cell = other.rows.cell(row: position, slot: link.slot)
                    if cell.kind == .reference, cell.integer == key { try cut(link, position) }
                }
            }
        }
    }

    /// The rows whose link may lead to a row: those whose did before, and those that this save writes.
    private func candidates(_ link: LinkColumn, _ place: RowPlace) -> [Int] {
        var positions: [Int] = []
        if place.position < log.firstNew(in: place.table) ?? .max {
            link.thread.forEach(of: place.position) { positions.append($0) }
        }
        for change in log.cells where change.table == link.table && change.slot == link.slot {
            positions.append(change.position)
        }
        for (index, first) in log.appended where index == link.table {
            positions += first..<tables[index].rows.count
        }
        return positions
    }

    // MARK: Inserting

    /// Appends a batch's rows, each under a key of its own; which of them are to go onto others is found out later.
    private mutating func append(_ batch: RowBatch, index: Int) throws {
        let table = try table(of: batch)
        table.prepareToChange()
        let position = table.rows.count
        guard position + batch.count < Int(UInt32.max) else {
            throw SwiftDataError(.storeFull, entity: table.layout.entityName)
        }
        log.mark(table)
        let key = table.nextKey
        table.rows.appendRows(copying: batch, rows: 0..<batch.count, slots: table.layout.storedSlots)
        for row in 0..<batch.count { table.rows.setKey(key + Int64(row), row: position + row) }
        table.directory.append(key..<key + Int64(batch.count), at: position)
        table.nextKey = key + Int64(batch.count)
        new[table.layout.index].append(batch, index: index, position: position, key: key)
        try check(table, from: position)
    }

    /// Checks the cells of new rows.
    private func check(_ table: MemoryTable, from position: Int) throws {
        let rows = table.rows
        let width = rows.width
        // A row that may yet be written onto another must not give up there what it does not say.
        let completes = table.uniques.isEmpty
        try table.layout.columns.withUnsafeBufferPointer { columns in
            var cells = rows._allCells + position * width
            for _ in position..<rows.count {
                for column in columns {
                    let cell = cells[column.slot]
                    if !column.accepts(cell) { throw mismatch(cell, column, table) }
                    if cell.kind == .absent, completes { cells[column.slot] = RowCell(.null) }
                }
                cells += width
            }
        }
    }

    // MARK: Updating

    /// Writes the cells that a batch has.
    private mutating func update(_ batch: RowBatch, _ table: MemoryTable) throws {
        if batch.count == 0 { return }
        table.prepareToChange()
        log.mark(table)
        let rows = table.rows
        let columns = table.layout.columns
        for row in 0..<batch.count {
            var position = -1
            if !table.indexes.isEmpty, let position = table.directory.position(of: batch.key(ofRow: row)) {
                log.unindex(table, position) { batch.cell(row: row, slot: $0).kind != .absent }
            }
            for column in columns {
                let cell = batch.cell(row: row, slot: column.slot)
                if cell.kind == .absent { continue }
                if !column.accepts(cell) { throw mismatch(cell, column, table) }
                if position < 0 { position = try self.position(of: batch.key(ofRow: row), in: table) }
                log.write(cell, table, position, column.slot)
                if cell.kind == .text || cell.kind == .blob {
                    rows.set(cell, copying: batch, row: position, slot: column.slot)
                }
            }
        }
    }

    func position(of key: Int64, in table: MemoryTable) throws -> Int {
        if let position = table.directory.position(of: key) { return position }
        throw SwiftDataError(
            .modelNotFound, entity: table.layout.entityName, detail: "a changed row was deleted by somebody else")
    }

    // MARK: Links

    /// Gives the links that this save has written their permanent keys, and checks that they lead somewhere.
    private mutating func resolveLinks() throws {
        for (index, first) in log.appended {
            let table = tables[index]
            let hasRedirects = !new[index].redirects.isEmpty
            for link in table.links {
                for position in first..<table.rows.count {
                    let cell = table.rows.cell(row: position, slot: link.slot)
                    guard cell.kind == .reference else { continue }
                    if hasRedirects, !table.isLive(position) { continue }
                    let key = try resolve(cell, link.column, link.destination, table)
                    if key != cell.integer {
                        table.rows.set(
                            RowCell(.reference, bits: UInt64(bitPattern: key)), row: position, slot: link.slot)
                    }
                }
            }
        }
        for change in log.cells where tables[change.table].link(ofSlot: change.slot) != nil {
            let table = tables[change.table]
            let cell = table.rows.cell(row: change.position, slot: change.slot)
            guard cell.kind == .reference, let column = table.layout.column(ofSlot: change.slot),
                let destination = column.destination
            else { continue }
            let key = try resolve(cell, column, destination, table)
            if key != cell.integer {
                table.rows.set(
                    RowCell(.reference, bits: UInt64(bitPattern: key)), row: change.position, slot: change.slot)
            }
        }
    }

    /// The permanent key of a link's target.
    @inline(__always)
    mutating func resolve(
        _ cell: RowCell, _ column: MemoryColumn, _ destination: Int, _ table: MemoryTable
    ) throws -> Int64 {
        var key = cell.integer
        if key < 0 {
            guard let found = new[destination].key(key) else {
                throw brokenLink(table, column.property, toNew: true)
            }
            key = found
        }
        guard tables[destination].directory.position(of: key) != nil else {
            throw brokenLink(table, column.property, toNew: false)
        }
        return key
    }
}
