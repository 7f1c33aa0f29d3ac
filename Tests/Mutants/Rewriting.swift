import CofferCore

// How mutants change what passes.

extension RowBatch {
    /// A copy with some rows only.
    func keeping(_ isKept: (Int) -> Bool) -> RowBatch {
        let copy = RowBatch(space: space, width: width)
        for row in 0..<count where isKept(row) { copy.appendRows(copying: self, rows: row..<row + 1) }
        return copy
    }

    /// A copy with other values: the closure says which, by row, slot and cell; nil leaves a value as it is.
    func rewritten(_ change: (Int, Int, RowCell) -> StoredValue? = { _, _, _ in nil }) -> RowBatch {
        let copy = keeping { _ in true }
        for row in 0..<count {
            for slot in 0..<width {
                if let value = change(row, slot, cell(row: row, slot: slot)) { copy.set(value, row: row, slot: slot) }
            }
        }
        return copy
    }
}

extension FilterExpression {
    /// The expression with every part changed, inner ones first.
    func mapped(_ change: (FilterExpression) -> FilterExpression) -> FilterExpression {
        func map(_ part: FilterExpression) -> FilterExpression { part.mapped(change) }
        func map(_ sequence: FilterSequence) -> FilterSequence {
            var copy = sequence
            copy.conditions = sequence.conditions.map(map)
            return copy
        }
        let result: FilterExpression =
            switch self {
            case .compare(let comparison, let left, let right): .compare(comparison, map(left), map(right))
            case .all(let list): .all(list.map(map))
            case .any(let list): .any(list.map(map))
            case .not(let part): .not(map(part))
            case .exists(let sequence): .exists(map(sequence))
            case .every(let sequence, let condition): .every(map(sequence), map(condition))
            case .count(let sequence): .count(map(sequence))
            case .includes(let sequence, let value): .includes(map(sequence), map(value))
            case .coalesce(let left, let right): .coalesce(map(left), map(right))
            default: self
            }
        return change(result)
    }
}

extension Mutation {
    /// Changes the parts of filters.
    mutating func filters(_ change: @escaping @Sendable (FilterExpression) -> FilterExpression) {
        plan = { plan, _ in plan.filter = plan.filter?.mapped(change) }
    }

    /// Changes the values of new and changed rows on their way in.
    mutating func incoming(_ change: @escaping @Sendable (RowCell, RowBatch) -> StoredValue?) {
        changes = { changes, _ in
            changes.inserted = changes.inserted.map { batch in batch.rewritten { _, _, cell in change(cell, batch) } }
            changes.updated = changes.updated.map { batch in batch.rewritten { _, _, cell in change(cell, batch) } }
        }
    }

    /// Writes the parts of a save one after the other instead of all or none.
    mutating func inPieces(_ pieces: @escaping @Sendable (RowChanges) -> [RowChanges]) {
        commit = { changes, base in
            var keys: [[Int64]] = []
            for piece in pieces(changes) { keys += try base.commit(piece).keys }
            return RowChangesResult(keys: keys)
        }
    }
}

extension RowChanges {
    /// The same state with nothing in it.
    var emptied: RowChanges { RowChanges(editingState: editingState) }

    /// The keys of a list cell's rows are read as references of the destination.
    static func references(_ batch: RowBatch, _ cell: RowCell) -> [PersistentIdentifier]? {
        guard cell.kind == .references, case .references(let list) = batch.value(of: cell) else { return nil }
        return list
    }
}
