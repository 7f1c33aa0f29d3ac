import CofferCore

/// What a save has done so far, so that it can be undone.
struct CommitLog {
    struct CellChange {
        let table: Int
        let position: Int
        let slot: Int
        let old: RowCell
    }

    struct UniqueChange {
        let table: Int
        let index: Int
        let position: Int
        let hash: UInt32
        let wasInserted: Bool
    }

    /// A table's extent before the save.
    struct Mark {
        let rows: Int
        let heap: Int
        let nextKey: Int64
    }

    /// Cells of stored rows that were overwritten, in order.
    private(set) var cells: [CellChange] = []
    private var uniques: [UniqueChange] = []
    /// Rows that are deleted: those of the request, and new ones that were written onto others.
    private(set) var deleted: [(table: Int, key: Int64, position: Int)] = []
    private var marks: [Int: Mark] = [:]
    /// Rows that were taken out of ordered indexes because they change; they are entered again at the end.
    private var unindexed: [(table: Int, index: Int, position: Int)] = []

    /// Remembers a table's extent, the first time.
    mutating func mark(_ table: MemoryTable) {
        if marks[table.layout.index] == nil {
            marks[table.layout.index] = Mark(
                rows: table.rows.count, heap: table.rows.heapByteCount, nextKey: table.nextKey)
        }
    }

    /// The tables that have new rows, and the position of the first.
    var appended: [(table: Int, first: Int)] {
        marks.map { ($0.key, $0.value.rows) }.sorted { $0.0 < $1.0 }
    }

    /// The first position of a table that this save has filled; nil where it has none.
    func firstNew(in table: Int) -> Int? { marks[table]?.rows }

    /// Overwrites a cell.
    mutating func write(_ cell: RowCell, _ table: MemoryTable, _ position: Int, _ slot: Int) {
        cells.append(
            CellChange(
                table: table.layout.index, position: position, slot: slot,
                old: table.rows.cell(row: position, slot: slot)))
        table.rows.set(cell, row: position, slot: slot)
    }

    /// Takes a row out of the ordered indexes, before its values change.
    ///
    /// - Parameter changes: whether a slot is among those that change.
    mutating func unindex(_ table: MemoryTable, _ position: Int, where changes: (Int) -> Bool = { _ in true }) {
        for (number, index) in table.indexes.enumerated() where index.slots.contains(where: changes) {
            if index.remove(position, table.rows) { unindexed.append((table.layout.index, number, position)) }
        }
    }

    /// Enters those rows again that are not deleted, and new ones.
    func reindex(_ tables: [MemoryTable]) {
        for (table, index, position) in unindexed where tables[table].isLive(position) {
            tables[table].indexes[index].insert(position, tables[table].rows)
        }
        for (index, first) in appended {
            let table = tables[index]
            for index in table.indexes where index.isMade {
                for position in first..<table.rows.count where table.isLive(position) {
                    index.insert(position, table.rows)
                }
            }
        }
    }

    mutating func delete(_ table: MemoryTable, key: Int64, position: Int) {
        table.directory.remove(key)
        deleted.append((table.layout.index, key, position))
    }

    mutating func insertUnique(_ table: MemoryTable, _ index: Int, _ hash: UInt32, _ position: Int) {
        table.uniques[index].insert(hash, position)
        uniques.append(
            UniqueChange(
                table: table.layout.index, index: index, position: position, hash: hash, wasInserted: true))
    }

    mutating func removeUnique(_ table: MemoryTable, _ index: Int, _ hash: UInt32, _ position: Int) {
        guard table.uniques[index].remove(hash, position) else { return }
        uniques.append(
            UniqueChange(
                table: table.layout.index, index: index, position: position, hash: hash, wasInserted: false))
    }

    /// Puts everything back.
    func undo(_ tables: [MemoryTable]) {
        for change in cells.reversed() {
            tables[change.table].rows.set(change.old, row: change.position, slot: change.slot)
        }
        for change in uniques.reversed() {
            if change.wasInserted {
                tables[change.table].uniques[change.index].remove(change.hash, change.position)
            } else {
                tables[change.table].uniques[change.index].insert(change.hash, change.position)
            }
        }
        for (table, key, _) in deleted { tables[table].directory.restore(key) }
        for (table, index, position) in unindexed {
            tables[table].indexes[index].insert(position, tables[table].rows)
        }
        for (index, mark) in marks {
            let table = tables[index]
            table.rows.removeLast(keepingRows: mark.rows, heapByteCount: mark.heap)
            table.directory.truncate(from: mark.nextKey)
            table.nextKey = mark.nextKey
        }
    }
}
