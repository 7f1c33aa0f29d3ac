import CofferCore

/// A to-many relationship that a save writes, in terms of positions.
struct ListChange {
    /// What becomes of the rows that were in the list and are not in the new one.
    enum Mode {
        /// The owner is new.
        case new
        /// They leave it.
        case replace
        /// They stay, before the new ones: the owner is a new row that was written onto another.
        case join
    }

    let place: TableLayout.ListPlace
    let owner: Int
    let rows: [Int]
    let mode: Mode
}

extension MemoryCommit {
    /// Collects the lists of new and changed rows.
    ///
    /// - Throws: ``SwiftDataError/invalidRelationship`` where one holds a row that is not stored.
    mutating func collectLists(_ changes: RowChanges) throws {
        for table in tables where !table.layout.lists.isEmpty {
            for part in new[table.layout.index].parts {
                for row in 0..<part.batch.count {
                    let given = part.key + Int64(row)
                    let joins = new[table.layout.index].isRedirected(given)
                    guard let owner = table.directory.position(of: new[table.layout.index].finalKey(given))
                    else { continue }
                    try collectLists(part.batch, row, table, owner: owner, mode: joins ? .join : .new)
                }
            }
        }
        for batch in changes.updated {
            let table = try table(of: batch)
            if table.layout.lists.isEmpty { continue }
            for row in 0..<batch.count {
                let hasLists = table.layout.lists.contains { batch.cell(row: row, slot: $0.slot).kind != .absent }
                guard hasLists else { continue }
                let owner = try position(of: batch.key(ofRow: row), in: table)
                try collectLists(batch, row, table, owner: owner, mode: .replace)
            }
        }
    }

    private mutating func collectLists(
        _ batch: RowBatch, _ row: Int, _ table: MemoryTable, owner: Int, mode: ListChange.Mode
    ) throws {
        for (slot, place) in table.layout.lists {
            let cell = batch.cell(row: row, slot: slot)
            switch cell.kind {
            case .absent: continue
            case .references, .null: break
            default:
                throw SwiftDataError(
                    .invalidRelationship, entity: table.layout.entityName,
                    detail: "a cell of the kind \(cell.kind) is no list of rows")
            }
            if cell.length == 0, mode != .replace { continue }
            if case .inverse(let child, let link) = place {
                // Without an order of its own a list is in that of its rows' keys already.
                let isArranged = tables[child].link(ofSlot: link)?.thread.isArranged(owner) ?? false
                if try !isArranged && isAscending(batch, cell, table, child) { continue }
            }
            let rows = try positions(batch, cell, table, place)
            lists.append(ListChange(place: place, owner: owner, rows: rows, mode: mode))
        }
    }

    /// Whether a list is in the order of its rows' keys; found out without copying it.
    private mutating func isAscending(
        _ batch: RowBatch, _ cell: RowCell, _ table: MemoryTable, _ destination: Int
    ) throws -> Bool {
        if cell.kind == .null { return true }
        let bytes = batch.bytes(of: cell)
        var last = Int64.min
        for offset in stride(from: 0, to: bytes.count, by: 8) {
            var key = bytes.loadUnaligned(fromByteOffset: offset, as: Int64.self)
            if key < 0 {
                guard let found = new[destination].key(key) else { throw brokenLink(table, nil, toNew: true) }
                key = found
            }
            if key < last { return false }
            last = key
        }
        return true
    }

    /// The positions of a list's rows.
    private mutating func positions(
        _ batch: RowBatch, _ cell: RowCell, _ table: MemoryTable, _ place: TableLayout.ListPlace
    ) throws -> [Int] {
        if cell.kind == .null { return [] }
        let (destination, isInverse) =
            switch place {
            case .inverse(let table, _): (table, true)
            case .pairs(let set, let side): (data.pairs[set].layout.table(at: side.opposite), false)
            }
        let target = tables[destination]
        let bytes = batch.bytes(of: cell)
        var rows: [Int] = []
        rows.reserveCapacity(bytes.count / 8)
        for offset in stride(from: 0, to: bytes.count, by: 8) {
            var key = bytes.loadUnaligned(fromByteOffset: offset, as: Int64.self)
            if key < 0 {
                guard let found = new[destination].key(key) else { throw brokenLink(table, nil, toNew: true) }
                key = found
            }
            if let position = target.directory.position(of: key) {
                rows.append(position)
            } else if !isInverse {
                throw brokenLink(table, nil, toNew: false)
            }
        }
        return rows
    }

    // MARK: Applying

    /// Puts the lists into effect; cannot fail.
    func applyLists() {
        for change in lists where change.mode == .replace {
            guard case .pairs(let index, let side) = change.place else { continue }
            let kept = Set(change.rows)
            var removed: [Int] = []
            data.pairs[index].forEach(of: change.owner, at: side) { if !kept.contains($0) { removed.append($0) } }
            for row in removed { data.pairs[index].remove(change.owner, row, at: side) }
        }
        for change in lists {
            switch change.place {
            case .pairs(let index, let side):
                let set = data.pairs[index]
                for row in change.rows { set.insert(change.owner, row, at: side) }
                if change.mode != .join { set.arrange(change.rows, of: change.owner, at: side) }
            case .inverse(let table, let slot):
                // Rows that are written onto a stored one bring their children along, behind those that are there.
                if change.mode == .join { continue }
                tables[table].link(ofSlot: slot)?.arrange(change.rows, of: change.owner)
            }
        }
    }
}
