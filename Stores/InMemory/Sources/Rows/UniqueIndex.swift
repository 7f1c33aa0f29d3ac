import CofferCore

/// The rows of a table by the values of a uniqueness constraint: a hash table of positions with open addressing.
///
/// Rows without one of the values are not in it.
struct UniqueIndex {
    let layout: TableLayout.Unique
    /// The hash in the upper half, the position plus one in the lower; zero for a free entry.
    private var entries: [UInt64] = Array(repeating: 0, count: 16)
    private var count = 0

    init(_ layout: TableLayout.Unique) { self.layout = layout }

    /// The position of another row with the same values as the given one.
    ///
    /// Complexity: O(1) on average.
    func find(_ hash: UInt32, equalTo row: Int, in rows: RowBatch) -> Int? {
        let mask = entries.count - 1
        var index = Int(hash) & mask
        while entries[index] != 0 {
            let entry = entries[index]
            if UInt32(truncatingIfNeeded: entry >> 32) == hash {
                let position = Int(UInt32(truncatingIfNeeded: entry)) - 1
                if position == row || CellHash.areEqual(rows, position, rows, row, slots: layout.slots) {
                    return position
                }
            }
            index = (index + 1) & mask
        }
        return nil
    }

    /// The position of the row with the values of another batch's only row.
    func find(_ probe: RowBatch, in rows: RowBatch) -> Int? {
        guard let hash = CellHash.hash(probe, row: 0, slots: layout.slots) else { return nil }
        let mask = entries.count - 1
        var index = Int(hash) & mask
        while entries[index] != 0 {
            if UInt32(truncatingIfNeeded: entries[index] >> 32) == hash {
                let position = Int(UInt32(truncatingIfNeeded: entries[index])) - 1
                if CellHash.areEqual(rows, position, probe, 0, slots: layout.slots) { return position }
            }
            index = (index + 1) & mask
        }
        return nil
    }

    mutating func insert(_ hash: UInt32, _ position: Int) {
        if (count + 1) * 4 > entries.count * 3 { grow(to: entries.count * 2) }
        put(UInt64(hash) << 32 | UInt64(position + 1))
        count += 1
    }

    /// Makes room for more entries.
    mutating func reserve(_ additional: Int) {
        var size = entries.count
        while (count + additional) * 4 > size * 3 { size *= 2 }
        if size > entries.count { grow(to: size) }
    }

    private mutating func put(_ entry: UInt64) {
        let mask = entries.count - 1
        var index = Int(entry >> 32) & mask
        while entries[index] != 0 { index = (index + 1) & mask }
        entries[index] = entry
    }

    private mutating func grow(to size: Int) {
        let old = entries
        entries = Array(repeating: 0, count: size)
        for entry in old where entry != 0 { put(entry) }
    }

    /// Removes a row's entry; false where it has none.
    @discardableResult
    mutating func remove(_ hash: UInt32, _ position: Int) -> Bool {
        let wanted = UInt64(hash) << 32 | UInt64(position + 1)
        let mask = entries.count - 1
        var index = Int(hash) & mask
        while entries[index] != wanted {
            if entries[index] == 0 { return false }
            index = (index + 1) & mask
        }
        // Those that follow move up, so that no search ends at the gap too soon.
        var gap = index
        while true {
            index = (index + 1) & mask
            let entry = entries[index]
            if entry == 0 { break }
            let home = Int(entry >> 32) & mask
            if (index - home) & mask >= (index - gap) & mask {
                entries[gap] = entry
                gap = index
            }
        }
        entries[gap] = 0
        count -= 1
        return true
    }

    /// Follows rows that have moved.
    ///
    /// - Parameter positions: the new position by the old one.
    mutating func move(_ positions: [UInt32]) {
        for index in entries.indices where entries[index] != 0 {
            let position = Int(UInt32(truncatingIfNeeded: entries[index])) - 1
            entries[index] = entries[index] & 0xFFFF_FFFF_0000_0000 | UInt64(positions[position] + 1)
        }
    }
}
