/// Makes the history of saves: from what a store was told to change, and what came of it, to the changes that it keeps.
///
/// A store makes one when it is opened. In each commit it reads the rows that are about to go, where
/// ``preservedSlots(of:)`` says so, and when all is written keeps the transaction of ``transaction(_:_:_:preserved:)``.
public struct HistoryRecorder: Sendable {
    private struct Entity: Sendable {
        var properties: [String] = []
        var isRelationship: [Bool] = []
        var preserved: [Int] = []
    }

    private let entities: [String: Entity]
    /// Whether any entity has values that outlive their rows.
    public let preservesValues: Bool

    /// A recorder for the stores of a schema.
    public init(_ schema: Schema) {
        var entities: [String: Entity] = [:]
        for entity in schema.entities {
            var entry = Entity()
            for (slot, property) in entity.properties.enumerated() {
                entry.properties.append(property.name)
                entry.isRelationship.append(property is Schema.Relationship)
                guard let attribute = property as? Schema.Attribute else { continue }
                if attribute.options.contains(.preserveValueOnDeletion), !attribute.isTransient {
                    entry.preserved.append(slot)
                }
            }
            entities[entity.name] = entry
        }
        self.entities = entities
        preservesValues = entities.values.contains { !$0.preserved.isEmpty }
    }

    /// The slots of an entity's own layout whose values outlive its rows.
    public func preservedSlots(of entityName: String) -> [Int] { entities[entityName]?.preserved ?? [] }

    /// The transaction of a save.
    ///
    /// - Parameters:
    ///   - changes: what the store was asked for.
    ///   - result: what came of it: keys, and the rows of plans.
    ///   - upserted: the keys in `result` of new rows that were written onto stored ones, for each batch of new rows;
    ///     empty where there are none at all.
    ///   - preserved: of deleted rows the values that outlive them, under their own entities.
    /// - Returns: nil where nothing was changed.
    /// - Complexity: O(*changed rows*); keys that do not ascend are sorted.
    public func transaction(
        _ changes: RowChanges, _ result: RowChangesResult, _ upserted: [Set<Int64>] = [], preserved: [RowBatch] = []
    ) -> StoredTransaction? {
        guard changes.isRecorded else { return nil }
        var list: [StoredChange] = []
        var updates = Updates()
        for (index, batch) in changes.inserted.enumerated() where batch.count > 0 {
            let onto = index < upserted.count ? upserted[index] : []
            var keys = result.keys[index]
            if !onto.isEmpty {
                updates.add(batch, keys, isRelationship: entities[batch.entityName]?.isRelationship ?? [], only: onto)
                keys.removeAll(where: onto.contains)
            }
            if !keys.isEmpty { list.append(StoredChange(.insert, of: batch.entityName, keys: KeyRanges(keys))) }
        }
        for batch in changes.updated where batch.count > 0 { updates.add(batch) }
        for (update, rows) in zip(changes.batchUpdates, result.batchUpdated) where !rows.keys.isEmpty {
            updates.add(rows.entityName, rows.keys, slots: update.assignments.map(\.slot))
        }
        let deletions = deletions(changes, result)
        if !updates.isEmpty {
            // What goes in the same save need not be known as changed before.
            let gone = deletions.filter { updates.contains($0.entityName) }
            for (name, slots, keys) in updates.groups(without: gone) {
                var change = StoredChange(.update, of: name, keys: KeyRanges(keys))
                let known = entities[name]?.properties ?? []
                change.properties = slots.filter { $0 < known.count }.map { known[$0] }
                list.append(change)
            }
        }
        for (name, keys) in deletions {
            var change = StoredChange(.delete, of: name, keys: KeyRanges(keys))
            for batch in preserved { add(batch, of: name, to: &change) }
            list.append(change)
        }
        return list.isEmpty ? nil : StoredTransaction(author: changes.editingState.author, changes: list)
    }

    private func deletions(
        _ changes: RowChanges, _ result: RowChangesResult
    ) -> [(entityName: String, keys: [Int64])] {
        var keys: [String: [Int64]] = [:]
        for rows in changes.deleted + result.batchDeleted where !rows.keys.isEmpty {
            if keys[rows.entityName] == nil {
                keys[rows.entityName] = rows.keys
            } else {
                keys[rows.entityName]?.append(contentsOf: rows.keys)
            }
        }
        return keys.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    private func add(_ batch: RowBatch, of entityName: String, to change: inout StoredChange) {
        for row in 0..<batch.count where batch.entityName(ofRow: row) == entityName {
            var values: [String: StoredValue] = [:]
            for slot in preservedSlots(of: entityName) where slot < batch.width {
                let cell = batch.cell(row: row, slot: slot)
                if cell.kind == .absent || cell.kind == .null { continue }
                values[entities[entityName]?.properties[slot] ?? ""] = batch.value(of: cell)
            }
            if !values.isEmpty { change.preserved[batch.key(ofRow: row)] = values }
        }
    }
}

/// Which slots of some entity's row a save has set, a bit for each.
private struct SlotMask: Hashable {
    var low: UInt64 = 0
    /// The bits from the 65th on.
    var high: [UInt64] = []

    mutating func insert(_ slot: Int) {
        if slot < 64 {
            low |= 1 << UInt64(slot)
            return
        }
        let word = slot / 64 - 1
        while high.count <= word { high.append(0) }
        high[word] |= 1 << UInt64(slot % 64)
    }

    mutating func formUnion(_ other: SlotMask) {
        low |= other.low
        for (index, word) in other.high.enumerated() {
            if index < high.count { high[index] |= word } else { high.append(word) }
        }
    }

    var isEmpty: Bool { low == 0 && high.isEmpty }

    var slots: [Int] {
        ([low] + high).enumerated().flatMap { index, word in
            (0..<64).filter { word & 1 << UInt64($0) != 0 }.map { index * 64 + $0 }
        }
    }
}

/// Updated rows by entity and by what of them was set.
private struct Updates {
    /// Rows of one entity in which the same slots were set.
    private struct Group {
        let mask: SlotMask
        var keys: [Int64]
    }

    /// Rows of one source.
    private struct Source {
        var groups: [Group] = []
        private var places: [SlotMask: Int] = [:]
        private var last = 0

        mutating func add(_ key: Int64, _ mask: SlotMask) {
            // Mostly all rows have the same.
            if last < groups.count, groups[last].mask == mask {
                groups[last].keys.append(key)
                return
            }
            if mask.isEmpty { return }
            if let place = places[mask] {
                last = place
                groups[place].keys.append(key)
                return
            }
            last = groups.count
            places[mask] = last
            groups.append(Group(mask: mask, keys: [key]))
        }

        mutating func add(_ keys: [Int64], _ mask: SlotMask) {
            if !mask.isEmpty { groups.append(Group(mask: mask, keys: keys)) }
        }
    }

    private var sources: [String: [Source]] = [:]

    var isEmpty: Bool { sources.isEmpty }

    func contains(_ entityName: String) -> Bool { sources[entityName] != nil }

    mutating func add(_ batch: RowBatch) {
        var source = Source()
        let width = batch.width
        for row in 0..<batch.count {
            let cells = batch._cells(ofRow: row)
            var mask = SlotMask()
            for slot in 0..<width where cells[slot].kind != .absent { mask.insert(slot) }
            source.add(batch.key(ofRow: row), mask)
        }
        if !source.groups.isEmpty { sources[batch.entityName, default: []].append(source) }
    }

    /// Adds new rows that were written onto others: a link that they do not have leaves the other's.
    mutating func add(_ batch: RowBatch, _ keys: [Int64], isRelationship: [Bool], only: Set<Int64>) {
        var source = Source()
        for row in 0..<batch.count where only.contains(keys[row]) {
            let cells = batch._cells(ofRow: row)
            var mask = SlotMask()
            for slot in 0..<batch.width {
                let (kind, isLink) = (cells[slot].kind, slot < isRelationship.count && isRelationship[slot])
                if kind == .absent || isLink && (kind == .null || kind == .references && cells[slot].length == 0) {
                    continue
                }
                mask.insert(slot)
            }
            source.add(keys[row], mask)
        }
        if !source.groups.isEmpty { sources[batch.entityName, default: []].append(source) }
    }

    mutating func add(_ entityName: String, _ keys: [Int64], slots: [Int]) {
        var mask = SlotMask()
        for slot in slots { mask.insert(slot) }
        var source = Source()
        source.add(keys, mask)
        if !source.groups.isEmpty { sources[entityName, default: []].append(source) }
    }

    /// Entities, slots and keys, each key in one group of its entity.
    func groups(without gone: [(entityName: String, keys: [Int64])]) -> [(String, [Int], [Int64])] {
        var result: [(String, [Int], [Int64])] = []
        for (name, sources) in sources.sorted(by: { $0.key < $1.key }) {
            let dead = gone.first { $0.entityName == name }.map { Set($0.keys) } ?? []
            var groups = sources[0].groups
            let isRepeated = sources.count > 1 || groups.count > 1
            if isRepeated || !dead.isEmpty {
                // A row may have been changed in two ways.
                var masks: [Int64: SlotMask] = [:]
                for group in sources.flatMap(\.groups) {
                    for key in group.keys where !dead.contains(key) {
                        masks[key, default: SlotMask()].formUnion(group.mask)
                    }
                }
                var merged = Source()
                for key in masks.keys.sorted() { merged.add(key, masks[key] ?? SlotMask()) }
                groups = merged.groups
            }
            for group in groups { result.append((name, group.mask.slots, group.keys)) }
        }
        return result
    }
}
