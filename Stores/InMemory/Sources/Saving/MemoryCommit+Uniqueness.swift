import CofferCore

// Uniqueness. A new row with the unique values of another row is written onto it; everything else that would give two
// rows the same values is refused. All changed rows give up their old values before any takes its new ones, so that
// rows may swap them.

extension MemoryCommit {
    // MARK: Changed rows

    /// Takes rows whose unique values a batch changes out of the indexes.
    mutating func giveUpUniques(_ batch: RowBatch, _ table: MemoryTable) throws {
        guard !table.uniques.isEmpty else { return }
        for row in 0..<batch.count where changesUnique(batch, row, table) {
            removeUniques(table, try position(of: batch.key(ofRow: row), in: table))
        }
    }

    /// Enters those rows under their new values.
    mutating func takeUniques(_ batch: RowBatch, _ table: MemoryTable) throws {
        guard !table.uniques.isEmpty else { return }
        for row in 0..<batch.count where changesUnique(batch, row, table) {
            let position = try position(of: batch.key(ofRow: row), in: table)
            try settleTargets(of: RowPlace(table: table.layout.index, position: position))
            try insertUniques(table, position)
        }
    }

    private func changesUnique(_ batch: RowBatch, _ row: Int, _ table: MemoryTable) -> Bool {
        table.layout.uniqueSlots.contains { batch.cell(row: row, slot: $0).kind != .absent }
    }

    /// Takes a row out of the indexes, or out of those that a slot takes part in.
    mutating func removeUniques(_ table: MemoryTable, _ position: Int, with slot: Int? = nil) {
        for index in table.uniques.indices {
            let layout = table.uniques[index].layout
            if let slot, !layout.slots.contains(slot) { continue }
            guard let hash = layout.hash(table.rows, row: position) else { continue }
            log.removeUnique(table, index, hash, position)
        }
    }

    /// Enters a row into the indexes.
    ///
    /// - Throws: ``SwiftDataError/uniquenessConflict`` where another row has the same values.
    private mutating func insertUniques(_ table: MemoryTable, _ position: Int) throws {
        for index in table.uniques.indices {
            let layout = table.uniques[index].layout
            guard let hash = layout.hash(table.rows, row: position) else { continue }
            if let other = table.uniques[index].find(hash, equalTo: position, in: table.rows) {
                if other == position { continue }
                throw SwiftDataError(
                    .uniquenessConflict, entity: table.layout.entityName(of: position, in: table.rows),
                    property: layout.properties, detail: "another row has the same values")
            }
            log.insertUnique(table, index, hash, position)
        }
    }

    // MARK: New rows

    /// Finds out which new rows are rows of their own, and writes the others onto the rows they belong to.
    mutating func settleNewRows(of table: MemoryTable) throws {
        let index = table.layout.index
        guard !table.uniques.isEmpty, let first = log.firstNew(in: index) else { return }
        let end = table.rows.count
        for unique in table.uniques.indices { table.uniques[unique].reserve(end - first) }
        for position in first..<end {
            let place = RowPlace(table: index, position: position)
            if table.layout.hasLinkInUnique {
                try settleTargets(of: place)
                if settled.contains(place) { continue }
                settled.insert(place)
            }
            try settle(table, position)
        }
        for column in table.layout.columns where !column.isRequired {
            for position in first..<end where table.rows.cell(row: position, slot: column.slot).kind == .absent {
                table.rows.set(RowCell(.null), row: position, slot: column.slot)
            }
        }
    }

    private mutating func settle(_ table: MemoryTable, _ position: Int) throws {
        var survivor: Int?
        var hashes: [UInt32?] = []
        for index in table.uniques.indices {
            let layout = table.uniques[index].layout
            let hash = layout.hash(table.rows, row: position)
            hashes.append(hash)
            guard let hash, let other = table.uniques[index].find(hash, equalTo: position, in: table.rows)
            else { continue }
            if let survivor, survivor != other {
                throw SwiftDataError(
                    .uniquenessConflict, entity: table.layout.entityName(of: position, in: table.rows),
                    property: layout.properties, detail: "a new row has the unique values of two different rows")
            }
            try checkKinds(table, position, other, layout)
            survivor = other
        }
        if let survivor { return try merge(table, position, onto: survivor) }
        for (index, hash) in hashes.enumerated() {
            if let hash { log.insertUnique(table, index, hash, position) }
        }
    }

    /// A row stays of the class it was made of, so that only a new row of the same class can be written onto it.
    private func checkKinds(
        _ table: MemoryTable, _ position: Int, _ other: Int, _ unique: TableLayout.Unique
    ) throws {
        guard table.layout.hierarchy != nil else { return }
        let (new, old) = (
            table.layout.entityName(of: position, in: table.rows), table.layout.entityName(of: other, in: table.rows)
        )
        if new == old { return }
        throw SwiftDataError(
            .uniquenessConflict, entity: new, property: unique.properties,
            detail: "a \(old) has the same values, and a row does not change its class")
    }

    /// Writes a new row onto another one.
    private mutating func merge(_ table: MemoryTable, _ position: Int, onto survivor: Int) throws {
        let rows = table.rows
        removeUniques(table, survivor)
        log.unindex(table, survivor)
        for column in table.layout.columns {
            // Both rows are of one batch, so that bytes need not be copied.
            let cell = rows.cell(row: position, slot: column.slot)
            if cell.kind != .absent { log.write(cell, table, survivor, column.slot) }
        }
        try insertUniques(table, survivor)
        let key = rows.key(ofRow: position)
        log.delete(table, key: key, position: position)
        new[table.layout.index].redirect(key, to: rows.key(ofRow: survivor))
        if table.layout.links.contains(where: { $0.partner != nil }) {
            overwritten.append(RowPlace(table: table.layout.index, position: survivor))
        }
    }

    // MARK: Links in constraints

    /// Gives the links in a row's constraints their permanent keys, settling the rows they lead to first.
    ///
    /// Rows whose constraints lead in a circle are new rows; nothing that is stored can have the same values.
    private mutating func settleTargets(of place: RowPlace) throws {
        guard tables[place.table].layout.hasLinkInUnique else { return }
        var stack = [place]
        var entered: Set<RowPlace> = []
        while let top = stack.last {
            let table = tables[top.table]
            if entered.insert(top).inserted {
                let waiting = try unsettledTargets(of: top).filter { !entered.contains($0) }
                if !waiting.isEmpty {
                    stack += waiting
                    continue
                }
            }
            stack.removeLast()
            try resolveUniqueLinks(table, top.position)
            if top != place, settled.insert(top).inserted { try settle(table, top.position) }
        }
    }

    private mutating func unsettledTargets(of place: RowPlace) throws -> [RowPlace] {
        let table = tables[place.table]
        var targets: [RowPlace] = []
        for link in table.links where table.layout.uniqueSlots.contains(link.slot) {
            let cell = table.rows.cell(row: place.position, slot: link.slot)
            guard cell.kind == .reference, cell.integer < 0, tables[link.destination].layout.hasLinkInUnique
            else { continue }
            guard let key = new[link.destination].givenKey(cell.integer) else {
                throw brokenLink(table, link.column.property, toNew: true)
            }
            guard let position = tables[link.destination].directory.position(of: key) else { continue }
            let target = RowPlace(table: link.destination, position: position)
            if !settled.contains(target) { targets.append(target) }
        }
        return targets
    }

    private mutating func resolveUniqueLinks(_ table: MemoryTable, _ position: Int) throws {
        for link in table.links where table.layout.uniqueSlots.contains(link.slot) {
            let cell = table.rows.cell(row: position, slot: link.slot)
            guard cell.kind == .reference, cell.integer < 0 else { continue }
            let key = try resolve(cell, link.column, link.destination, table)
            table.rows.set(RowCell(.reference, bits: UInt64(bitPattern: key)), row: position, slot: link.slot)
        }
    }
}
