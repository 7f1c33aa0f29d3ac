import CofferCore

/// The rows of one entity: one batch in the order of the keys, to which new rows are appended.
///
/// A changed value takes the old one's cell; bytes that no cell refers to any more, and deleted rows, stay until they
/// are enough to be worth closing the gaps. The store's lock guards everything.
final class MemoryTable {
    let layout: TableLayout
    /// Store and entity of the rows' identifiers.
    let space: _IdentifierSpace
    @exclusivity(unchecked) private(set) var rows: RowBatch
    @exclusivity(unchecked) var directory = KeyDirectory(from: 0)
    /// The key of the next new row.
    @exclusivity(unchecked) var nextKey: Int64 = 1
    @exclusivity(unchecked) var uniques: [UniqueIndex]
    /// The to-one links of the rows, by slot order.
    let links: [LinkColumn]
    /// What the schema's indexes ask for.
    let indexes: [OrderedIndex]
    /// Rows that are deleted and still take a place.
    @exclusivity(unchecked) private(set) var deadRows = 0
    /// Bytes that no cell refers to.
    @exclusivity(unchecked) private var deadBytes = 0

    init(_ layout: TableLayout, space: _IdentifierSpace) {
        self.layout = layout
        self.space = space
        rows = RowBatch(space: space, width: layout.width)
        uniques = layout.uniques.map { UniqueIndex($0) }
        indexes = layout.indexes.map { OrderedIndex($0) }
        links = layout.links.compactMap { column in
            column.destination.map { LinkColumn(table: layout.index, column: column, destination: $0) }
        }
    }

    /// The number of rows.
    var count: Int { rows.count - deadRows }

    /// Whether a position holds a row that is not deleted.
    @inline(__always)
    func isLive(_ position: Int) -> Bool { directory.position(of: rows.key(ofRow: position)) == position }

    /// Whether rows of an entity are in the table.
    func holds(_ entityName: String) -> Bool {
        entityName == layout.entityName || layout.hierarchy?.number(of: entityName) != nil
    }

    func link(ofSlot slot: Int) -> LinkColumn? { links.first { $0.slot == slot } }

    /// Forgets all rows; keys go on from where they are.
    func removeAll() {
        rows = RowBatch(space: space, width: layout.width)
        directory = KeyDirectory(from: nextKey)
        uniques = layout.uniques.map { UniqueIndex($0) }
        for link in links { link.removeAll() }
        for index in indexes { index.forget() }
        (deadRows, deadBytes) = (0, 0)
    }

    /// Has to come before the first change that a save makes to the rows: where a fetch is still reading them, they are
    /// left to it and copied.
    ///
    /// - Complexity: O(1), or O(*rows*) where they are copied.
    func prepareToChange() {
        if isKnownUniquelyReferenced(&rows) { return }
        let copy = RowBatch(space: space, width: layout.width, capacity: rows.count + 16)
        copy.appendRows(copying: rows, rows: 0..<rows.count)
        deadBytes = max(0, deadBytes - (rows.heapByteCount - copy.heapByteCount))
        rows = copy
    }

    // MARK: Gaps

    /// Counts rows and bytes that are of no use any more.
    func noteGarbage(rows: Int, bytes: Int) {
        deadRows += rows
        deadBytes += bytes
    }

    /// Whether so much is of no use that closing the gaps pays: work in proportion to what was thrown away.
    var isWorthCompacting: Bool {
        deadRows > 64 && deadRows > rows.count / 3 || deadBytes > 4096 && deadBytes > rows.heapByteCount / 2
    }

    /// Closes the gaps.
    ///
    /// - Returns: the new position of each row by its old one, `UInt32.max` for deleted ones; nil where none has moved.
    /// - Complexity: O(*rows*).
    func compact() -> [UInt32]? {
        let compacted = RowBatch(space: space, width: layout.width, capacity: max(16, count))
        var positions: [UInt32]?
        if deadRows == 0 {
            compacted.appendRows(copying: rows, rows: 0..<rows.count)
        } else {
            var moved = [UInt32](repeating: .max, count: rows.count)
            directory.forEachRun { run in
                for position in run { moved[position] = UInt32(compacted.count + position - run.lowerBound) }
                compacted.appendRows(copying: rows, rows: run)
                return true
            }
            directory.compact()
            for index in uniques.indices { uniques[index].move(moved) }
            for index in indexes { index.move(moved) }
            positions = moved
        }
        rows = compacted
        (deadRows, deadBytes) = (0, 0)
        return positions
    }
}
