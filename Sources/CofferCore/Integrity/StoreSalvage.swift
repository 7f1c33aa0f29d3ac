/// Copies what can be read of a damaged store into a new one, and lists the rest.
///
/// The new store is whole: values that cannot be read are nil, or the property's default value where it must have one;
/// links to rows that are lost are removed; rows that cannot be without such a link are lost with it, and of rows with the
/// same unique values the first stays.
///
/// ```swift
/// let (store, losses) = try StoreOpening.openDamaged(damaged)
/// let copy = try StoreOpening.make(configuration, schema: store.schema, identifier: store.identifier)
/// let report = try StoreSalvage(from: store, to: copy.store, known: losses).run()
/// try copy.finish()
/// ```
public final class StoreSalvage {
    private let source: any ImportingRowStore
    private let target: any ImportingRowStore
    private let reader: LenientReader
    private let entities: [Schema.Entity]
    private var report = SalvageReport()
    private var figures: [String: SalvageReport.Entity] = [:]
    /// The rows that go into the new store, by entity.
    private var kept: [String: Set<Int64>] = [:]
    /// The links of rows that must have them.
    private var required: [String: [(key: Int64, property: String, destination: String, target: Int64)]] = [:]
    /// Where links lead that are the other side of a list.
    private var owners: [String: [Int64: Int64]] = [:]
    private var highestKeys: [String: Int64] = [:]
    private var unique: UniqueValues
    /// What could not be read, and was told.
    private var unread: Set<Place> = []

    private struct Place: Hashable {
        let entity: String
        let key: Int64?
        let property: String?
    }

    /// A salvage of an open store into an empty one of the same schema.
    ///
    /// - Parameters:
    ///   - source: the damaged store.
    ///   - target: the store that takes what can be read; it has to be empty.
    ///   - losses: what is known to be lost already.
    public init(
        from source: any ImportingRowStore, to target: any ImportingRowStore, known losses: [StoreProblem] = []
    ) {
        report.losses = losses
        self.source = source
        self.target = target
        reader = LenientReader(store: source)
        unique = UniqueValues(source.schema)
        entities = source.schema.entities.sorted { $0.name < $1.name }
    }

    /// Copies what can be read.
    ///
    /// - Parameter progress: is called after each block of rows; what it throws ends the salvage.
    /// - Throws: what the new store or the progress throws. What the old one throws is a loss.
    public func run(progress: ((_ entityName: String, _ rows: Int) throws -> Void)? = nil) throws -> SalvageReport {
        // Twice, since which rows stay is known only when all were looked at.
        try source.withOneState { try copy(progress) }
    }

    private func copy(_ progress: ((_ entityName: String, _ rows: Int) throws -> Void)?) throws -> SalvageReport {
        for entity in entities { figures[entity.name] = SalvageReport.Entity(name: entity.name) }
        // What is known of an entity is a row that could not be read at all.
        for loss in report.losses {
            if let name = loss.entity { figures[name]?.lostRows += 1 }
        }
        for entity in entities { try look(at: entity) }
        dropRowsWithoutTargets()
        for entity in entities { try copyRows(of: entity, progress) }
        for entity in entities { try copyLists(of: entity) }
        try reserveKeys()
        try copyHistory()
        report.entities = entities.compactMap { figures[$0.name] }
        return report
    }

    /// Copies the transactions under their numbers, as far as they can be read.
    private func copyHistory() throws {
        guard source.capabilities.features.contains(.history), target.capabilities.features.contains(.history) else {
            return
        }
        var blocks = HistoryBlocks(of: source, blockSize: 256)
        while true {
            let block: StoredHistory?
            do {
                block = try blocks.next()
            } catch {
                report.losses.append(
                    StoreProblem("the history after transaction \(blocks.after): \(StoreCheck.text(error))"))
                return
            }
            guard let block else { return }
            try target.importHistory(block.transactions, start: block.start)
        }
    }

    private func lose(_ entity: Schema.Entity, _ key: Int64?, _ property: String?, _ detail: String) {
        report.losses.append(StoreProblem(entity: entity.name, key: key, property: property, detail))
        if property == nil, key != nil { figures[entity.name]?.lostRows += 1 }
    }

    private func lose(_ entity: Schema.Entity, _ loss: LenientReader.Loss) {
        guard unread.insert(Place(entity: entity.name, key: loss.key, property: loss.property)).inserted else { return }
        lose(entity, loss.key, loss.property, StoreCheck.text(loss.cause))
    }

    private func isKept(_ key: Int64, _ destination: String) -> Bool {
        source.schema.entitiesByName[destination]?.subtree.contains { kept[$0.name]?.contains(key) == true } == true
    }

    // MARK: The first look

    private struct Column {
        let slot: Int
        let property: any SchemaProperty
        let check: CellCheck?

        var relationship: Schema.Relationship? { property as? Schema.Relationship }
    }

    private func columns(of entity: Schema.Entity) -> [Column] {
        entity.properties.enumerated().compactMap { slot, property in
            if property.isTransient { return nil }
            if (property as? Schema.Relationship)?.isToOneRelationship == false { return nil }
            return Column(slot: slot, property: property, check: (property as? Schema.Attribute).map(CellCheck.init))
        }
    }

    /// Finds out which rows can be kept.
    private func look(at entity: Schema.Entity) throws {
        let columns = columns(of: entity)
        try reader.read(
            entity, columns.map(\.slot),
            { batch in
                for row in 0..<batch.count {
                    let key = batch.key(ofRow: row)
                    if key <= 0 || key == .max {
                        lose(entity, key, nil, "its id is none")
                    } else if let missing = columns.first(where: { isLostWithout($0, batch, row) }) {
                        lose(entity, key, nil, "its \(missing.property.name) cannot be made up")
                    } else if let (names, other) = unique.add(entity, batch, row) {
                        lose(
                            entity, key, nil,
                            "it has the unique values of \(names.joined(separator: ", ")) that row \(other) has")
                    } else {
                        kept[entity.name, default: []].insert(key)
                        noteRequired(columns, entity, batch, row)
                    }
                }
            },
            lost: { lose(entity, $0) })
    }

    /// Whether a row cannot be without a value that it does not have.
    private func isLostWithout(_ column: Column, _ batch: RowBatch, _ row: Int) -> Bool {
        if column.property.isOptional { return false }
        let cell = batch.cell(row: row, slot: column.slot)
        if let check = column.check {
            return (cell.kind == .absent || check.problem(cell, batch) != nil) && replacement(column) == nil
        }
        return cell.kind != .reference
    }

    private func replacement(_ column: Column) -> StoredValue? {
        guard let attribute = column.property as? Schema.Attribute else { return nil }
        return attribute._storedDefault ?? attribute._storedPlaceholder
    }

    private func noteRequired(_ columns: [Column], _ entity: Schema.Entity, _ batch: RowBatch, _ row: Int) {
        for column in columns where !column.property.isOptional {
            guard let relationship = column.relationship else { continue }
            required[entity.name, default: []].append(
                (
                    batch.key(ofRow: row), relationship.name, relationship.destination,
                    batch.cell(row: row, slot: column.slot).integer
                ))
        }
    }

    /// Rows that must lead to others are lost with these, and so on.
    private func dropRowsWithoutTargets() {
        var isDone = false
        while !isDone {
            isDone = true
            for entity in entities {
                for link in required[entity.name] ?? []
                where kept[entity.name]?.contains(link.key) == true && !isKept(link.target, link.destination) {
                    kept[entity.name]?.remove(link.key)
                    lose(entity, link.key, nil, "its \(link.property) must lead to a row, and that one is lost")
                    isDone = false
                }
            }
        }
    }

    // MARK: Rows

    private func copyRows(
        of entity: Schema.Entity, _ progress: ((_ entityName: String, _ rows: Int) throws -> Void)?
    ) throws {
        let columns = columns(of: entity)
        try reader.read(
            entity, columns.map(\.slot),
            { rows in
                let batch = StoreCopier.batch(entity, target)
                for row in 0..<rows.count where kept[entity.name]?.contains(rows.key(ofRow: row)) == true {
                    let new = batch.appendRow(key: rows.key(ofRow: row))
                    for column in columns { copy(column, entity, from: rows, row, into: batch, new) }
                }
                if batch.count == 0 { return }
                try target.importRows([batch])
                let root = entity.rootEntity.name
                highestKeys[root] = max(highestKeys[root] ?? 0, batch._keys.max() ?? 0)
                figures[entity.name]?.rows += batch.count
                try progress?(entity.name, figures[entity.name]?.rows ?? 0)
            },
            // All of it was told at the first look, but for files that somebody has removed since.
            lost: { lose(entity, $0) })
    }

    private func copy(
        _ column: Column, _ entity: Schema.Entity, from rows: RowBatch, _ row: Int, into batch: RowBatch, _ new: Int
    ) {
        let cell = rows.cell(row: row, slot: column.slot)
        let key = rows.key(ofRow: row)
        guard let check = column.check else {
            return copyLink(cell, column, entity, key, into: batch, new)
        }
        if cell.kind != .absent {
            guard let detail = check.problem(cell, rows) else {
                return batch.set(cell, copying: rows, row: new, slot: column.slot)
            }
            lose(entity, key, column.property.name, detail)
        }
        let value = column.property.isOptional ? nil : replacement(column)
        batch.set(value ?? .null, row: new, slot: column.slot)
    }

    private func copyLink(
        _ cell: RowCell, _ column: Column, _ entity: Schema.Entity, _ key: Int64, into batch: RowBatch, _ new: Int
    ) {
        guard let relationship = column.relationship, cell.kind == .reference else {
            return batch.set(RowCell(.null), row: new, slot: column.slot)
        }
        guard isKept(cell.integer, relationship.destination) else {
            lose(
                entity, key, relationship.name,
                "it led to \(relationship.destination) \(cell.integer), which is lost or was not there")
            return batch.set(RowCell(.null), row: new, slot: column.slot)
        }
        batch.set(cell, row: new, slot: column.slot)
        if relationship.inverseName != nil {
            owners["\(entity.rootEntity.name)\u{0}\(relationship.name)", default: [:]][key] = cell.integer
        }
    }

    // MARK: Lists

    private func copyLists(of entity: Schema.Entity) throws {
        for (slot, property) in entity.properties.enumerated() {
            guard let list = property as? Schema.Relationship, !list.isToOneRelationship else { continue }
            let destination = target.schema.entitiesByName[list.destination]
            let inverse = list.inverseName.flatMap { destination?._relationship(named: $0) }
            let isMade = inverse?.isToOneRelationship == true
            let links = isMade ? owners["\(destination?.rootEntity.name ?? "")\u{0}\(inverse?.name ?? "")"] : nil
            try reader.read(
                entity, [slot],
                { rows in
                    let batch = StoreCopier.batch(entity, target)
                    for row in 0..<rows.count where kept[entity.name]?.contains(rows.key(ofRow: row)) == true {
                        let key = rows.key(ofRow: row)
                        let cell = rows.cell(row: row, slot: slot)
                        guard cell.kind == .references else { continue }
                        var seen: Set<Int64> = []
                        let all = rows.keys(of: cell)
                        let keys = all.filter { isKept($0, list.destination) && seen.insert($0).inserted }
                        if !isMade, keys.count < all.count {
                            lose(entity, key, list.name, "\(all.count - keys.count) of its rows are lost")
                        }
                        // Links back make the list by themselves, but for its order.
                        if isMade {
                            if zip(keys, keys.dropFirst()).allSatisfy({ $0 < $1 }) { continue }
                            guard keys.allSatisfy({ links?[$0] == key }) else { continue }
                        }
                        if keys.isEmpty { continue }
                        batch.setReferences(keys, row: batch.appendRow(key: key), slot: slot)
                    }
                    guard batch.count > 0 else { return }
                    var changes = RowChanges(editingState: EditingState())
                    changes.isRecorded = false
                    changes.updated = [batch]
                    _ = try target.commit(changes)
                },
                lost: { loss in
                    guard loss.key.map({ kept[entity.name]?.contains($0) == true }) ?? true else { return }
                    // Who is in the list is known from the links back.
                    lose(entity, loss.key, list.name, isMade ? "its order is lost" : StoreCheck.text(loss.cause))
                })
        }
    }

    private func reserveKeys() throws {
        let old = (try? source.nextKeys()) ?? [:]
        var next: [String: Int64] = [:]
        for entity in entities where entity.superentity == nil {
            next[entity.name] = max(1, old[entity.name] ?? 1, (highestKeys[entity.name] ?? 0) &+ 1)
        }
        try target.reserveKeys(next)
    }
}
