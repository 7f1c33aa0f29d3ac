import CofferCore

// Uniqueness. A new row with the unique values of another row is written onto it; everything else that would give two
// rows the same values is refused. All changed rows give up their old values before any takes its new ones, so that
// rows may swap them.
//
// The indexes of constraints are brought up to date here, before any record is written; the values that a row will have
// are seen through `layers`.

extension RecordCommit {
    mutating func settleUniques(_ updates: [(batch: RowBatch, space: RecordSpace)], hasLink: Bool) throws {
        func concerns(_ space: RecordSpace) -> Bool { !space.uniques.isEmpty && space.hasLinkInUnique == hasLink }
        let changes = updates.filter { concerns($0.space) }
        for (batch, space) in changes {
            for row in 0..<batch.count where Self.changesUnique(batch, row, space) {
                let key = batch.key(ofRow: row)
                for index in space.uniques { try removeUnique(index, space, key) }
            }
        }
        for (batch, space) in changes {
            for row in 0..<batch.count where Self.changesUnique(batch, row, space) {
                layers[RowPlace(space: space.index, key: batch.key(ofRow: row)), default: []].append((batch, row))
            }
        }
        for (batch, space) in changes {
            for row in 0..<batch.count where Self.changesUnique(batch, row, space) {
                let place = RowPlace(space: space.index, key: batch.key(ofRow: row))
                try settleTargets(of: place)
                for index in space.uniques { try insertUnique(index, space, place.key) }
            }
        }
        for space in layout.spaces where concerns(space) { try settleNewRows(of: space) }
    }

    private static func changesUnique(_ batch: RowBatch, _ row: Int, _ space: RecordSpace) -> Bool {
        space.uniqueSlots.contains { batch.cell(row: row, slot: $0).kind != .absent }
    }

    // MARK: Entries

    /// Takes a row out of an index.
    func removeUnique(_ index: RecordIndex, _ space: RecordSpace, _ key: Int64) throws {
        try writer.delete(index.table, try self.key(of: index, space, key).entry.bytes)
    }

    /// Enters a row into an index.
    ///
    /// - Throws: `uniquenessConflict` where another row has the same values.
    mutating func insertUnique(_ index: RecordIndex, _ space: RecordSpace, _ key: Int64) throws {
        let values = try self.key(of: index, space, key)
        if let other = try find(values, index, space, besides: key), other != key {
            throw SwiftDataError(
                .uniquenessConflict, entity: try entityName(space, key), property: index.properties,
                detail: "another row has the same values")
        }
        try writer.putEntry(index.table, values.entry)
    }

    /// The values of a row in an index as this save leaves them.
    private struct UniqueKey {
        /// The index entry, with the row's key.
        var entry: IndexKey
        /// Whether a value is missing: the row then collides with none.
        var isPartial = false

        /// The entry without the row's key.
        var values: ArraySlice<UInt8> { entry.bytes.dropLast(IndexKey.rowKeySize) }
    }

    private func key(of index: RecordIndex, _ space: RecordSpace, _ key: Int64) throws -> UniqueKey {
        var result = UniqueKey(entry: IndexKey(valueCount: index.fields.count, maximumSize: maximumKeySize))
        for field in index.fields {
            try withValue(space, key, space.fields[field]) { kind, word, content in
                if kind == .null { result.isPartial = true }
                result.entry.append(kind, word: word, content: content)
            }
        }
        result.entry.append(row: key)
        if let kinds = index.uniqueKinds, try !kinds.contains(kind(space, key)) { result.isPartial = true }
        return result
    }

    /// The place of a row's entity in its hierarchy.
    private func kind(_ space: RecordSpace, _ key: Int64) throws -> Int {
        guard let slot = space.kindField?.slot else { return 0 }
        if let (batch, row) = new[space.index].row(key) { return Int(batch.cell(row: row, slot: slot).integer) }
        guard let bytes = try writer.get(space.rows, key) else { throw goneRow(space) }
        return space.kind(of: try Record(bytes))
    }

    private func entityName(_ space: RecordSpace, _ key: Int64) throws -> String {
        space.hierarchy == nil ? space.entityName : space.entityName(ofKind: try kind(space, key))
    }

    /// A row stays of the class it was made of, so that only a new row of the same class can be written onto it.
    private func checkKinds(_ space: RecordSpace, _ new: Int64, _ old: Int64, _ index: RecordIndex) throws {
        guard space.hierarchy != nil else { return }
        let (newName, oldName) = (try entityName(space, new), try entityName(space, old))
        if newName == oldName { return }
        throw SwiftDataError(
            .uniquenessConflict, entity: newName, property: index.properties,
            detail: "a \(oldName) has the same values, and a row does not change its class")
    }

    /// Runs a body with the value that a row has for a field once this save is done.
    private func withValue<T>(
        _ space: RecordSpace, _ key: Int64, _ field: RecordField,
        _ body: (CellKind, UInt64, UnsafeRawBufferPointer) throws -> T
    ) throws -> T {
        let none = UnsafeRawBufferPointer(start: nil, count: 0)
        func use(_ batch: RowBatch, _ row: Int) throws -> T {
            let cell = batch.cell(row: row, slot: field.slot)
            switch cell.kind {
            case .absent, .null: return try body(.null, 0, none)
            case .text, .blob: return try body(cell.kind, 0, batch.bytes(of: cell))
            case .reference where cell.integer < 0:
                var keys = new[field.destination ?? 0]
                guard let key = keys.key(cell.integer) else { throw brokenLink(space, field.property, toNew: true) }
                return try body(.reference, UInt64(bitPattern: key), none)
            default: return try body(cell.kind, cell.bits, none)
            }
        }
        if !layers.isEmpty, let layers = layers[RowPlace(space: space.index, key: key)] {
            for layer in layers.reversed() where layer.batch.cell(row: layer.row, slot: field.slot).kind != .absent {
                return try use(layer.batch, layer.row)
            }
        }
        if let (batch, row) = new[space.index].row(key) { return try use(batch, row) }
        guard let bytes = try writer.get(space.rows, key) else { throw goneRow(space) }
        let record = try Record(bytes, fields: space.fields.count)
        let kind = record.kind(field.number)
        return try body(
            kind, record.word(field.number), kind == .text || kind == .blob ? record.bytes(field.number) : none)
    }

    /// The key of another row with the same values; nil where there is none, or where one of the values is nothing.
    private func find(
        _ wanted: UniqueKey, _ index: RecordIndex, _ space: RecordSpace, besides key: Int64
    ) throws -> Int64? {
        if wanted.isPartial { return nil }
        let values = wanted.values
        var candidates: [Int64] = []
        try writer.scan(index.table, KeyRange(from: Array(values))) { entry, _ in
            guard entry.starts(with: values) else { return false }
            // A longer text may begin with the same bytes.
            guard entry.count == values.count + IndexKey.rowKeySize else { return true }
            if let row = IndexKey.row(entry), row != key { candidates.append(row) }
            return candidates.isEmpty || wanted.entry.isLossy || index.uniqueKinds != nil
        }
        if let kinds = index.uniqueKinds {
            candidates = try candidates.filter { try kinds.contains(kind(space, $0)) }
        }
        guard wanted.entry.isLossy else { return candidates.first }
        return try candidates.first { other in
            try index.fields.allSatisfy { try isEqual(space, key, other, space.fields[$0]) }
        }
    }

    /// Whether two rows have the same value for a field.
    private func isEqual(_ space: RecordSpace, _ left: Int64, _ right: Int64, _ field: RecordField) throws -> Bool {
        try withValue(space, left, field) { kind, word, content in
            try withValue(space, right, field) { otherKind, otherWord, otherContent in
                guard kind == otherKind else { return false }
                switch kind {
                case .text, .blob: return RecordOrder.compareBytes(content, otherContent) == 0
                case .real:
                    return word == otherWord || Double(bitPattern: word) == Double(bitPattern: otherWord)
                default: return word == otherWord
                }
            }
        }
    }

    // MARK: New rows

    /// Finds out which new rows are rows of their own, and which are to be written onto others.
    private mutating func settleNewRows(of space: RecordSpace) throws {
        for part in new[space.index].parts {
            for row in 0..<part.batch.count {
                let place = RowPlace(space: space.index, key: part.key + Int64(row))
                if space.hasLinkInUnique {
                    try settleTargets(of: place)
                    guard settled.insert(place).inserted else { continue }
                }
                try settle(space, place.key)
            }
        }
    }

    private mutating func settle(_ space: RecordSpace, _ key: Int64) throws {
        var survivor: Int64?
        var keys: [UniqueKey] = []
        for index in space.uniques {
            let values = try self.key(of: index, space, key)
            keys.append(values)
            guard let other = try find(values, index, space, besides: key) else { continue }
            if let survivor, survivor != other {
                throw SwiftDataError(
                    .uniquenessConflict, entity: try entityName(space, key), property: index.properties,
                    detail: "a new row has the unique values of two different rows")
            }
            if isImport {
                throw SwiftDataError(
                    .uniquenessConflict, entity: try entityName(space, key), property: index.properties,
                    detail: "two rows have the same values")
            }
            try checkKinds(space, key, other, index)
            survivor = other
        }
        if let survivor { return try merge(key, onto: survivor, space) }
        for (index, values) in zip(space.uniques, keys) { try writer.putEntry(index.table, values.entry) }
    }

    /// Has a new row written onto another one.
    private mutating func merge(_ key: Int64, onto survivor: Int64, _ space: RecordSpace) throws {
        guard let (batch, row) = new[space.index].row(key) else { return }
        for index in space.uniques { try removeUnique(index, space, survivor) }
        layers[RowPlace(space: space.index, key: survivor), default: []].append((batch, row))
        for index in space.uniques { try insertUnique(index, space, survivor) }
        new[space.index].redirect(key, to: survivor)
        merges.append((space.index, batch, row, survivor))
    }

    // MARK: Links in constraints

    /// Settles the new rows that the links in a row's constraints lead to.
    ///
    /// Rows whose constraints lead in a circle are new rows; nothing that is stored can have the same values.
    private mutating func settleTargets(of place: RowPlace) throws {
        guard layout.spaces[place.space].hasLinkInUnique else { return }
        var stack = [place]
        var entered: Set<RowPlace> = []
        while let top = stack.last {
            if entered.insert(top).inserted {
                let waiting = try unsettledTargets(of: top).filter { !entered.contains($0) }
                if !waiting.isEmpty {
                    stack += waiting
                    continue
                }
            }
            stack.removeLast()
            if top != place, settled.insert(top).inserted { try settle(layout.spaces[top.space], top.key) }
        }
    }

    private mutating func unsettledTargets(of place: RowPlace) throws -> [RowPlace] {
        let space = layout.spaces[place.space]
        var targets: [RowPlace] = []
        for field in space.links where space.uniqueSlots.contains(field.slot) {
            guard let destination = field.destination, layout.spaces[destination].hasLinkInUnique,
                let cell = newCell(of: place, slot: field.slot), cell.kind == .reference, cell.integer < 0
            else { continue }
            guard let key = new[destination].givenKey(cell.integer) else {
                throw brokenLink(space, field.property, toNew: true)
            }
            let target = RowPlace(space: destination, key: key)
            if !settled.contains(target) { targets.append(target) }
        }
        return targets
    }

    /// What this save says of a row's slot; nil where it says nothing.
    private func newCell(of place: RowPlace, slot: Int) -> RowCell? {
        for layer in (layers[place] ?? []).reversed() {
            let cell = layer.batch.cell(row: layer.row, slot: slot)
            if cell.kind != .absent { return cell }
        }
        return new[place.space].row(place.key).map { $0.batch.cell(row: $0.row, slot: slot) }
    }
}
