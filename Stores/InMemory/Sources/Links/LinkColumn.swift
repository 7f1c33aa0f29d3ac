/// The rows of one table by where their to-one link leads.
///
/// It finds the rows that a deletion concerns, and is the list on the other side where the relationship has an inverse.
final class LinkColumn {
    /// The table whose rows have the link, and the link's slot.
    let table: Int
    let column: MemoryColumn
    /// The table the link leads to.
    let destination: Int
    /// The position of the row that a row is threaded under, plus one; zero for none.
    @exclusivity(unchecked) private var owners: [UInt32] = []
    @exclusivity(unchecked) private(set) var thread = LinkThread()

    init(table: Int, column: MemoryColumn, destination: Int) {
        self.table = table
        self.column = column
        self.destination = destination
    }

    var slot: Int { column.slot }

    /// Makes room for rows of both tables.
    func reserve(rows: Int, owners count: Int) {
        if owners.count < rows { owners.append(contentsOf: repeatElement(0, count: rows - owners.count)) }
        thread.reserve(members: rows, owners: count)
    }

    /// Puts a row under another owner, or under none.
    @inline(__always)
    func relink(_ row: Int, to owner: Int?) {
        let number = owner.map { UInt32($0 + 1) } ?? 0
        let old = owners[row]
        if old == number { return }
        if old != 0 { thread.remove(row, from: Int(old) - 1) }
        owners[row] = number
        if let owner { thread.append(row, to: owner) }
    }

    /// The position of the row that a row is threaded under.
    func owner(of row: Int) -> Int? {
        row < owners.count && owners[row] != 0 ? Int(owners[row]) - 1 : nil
    }

    /// Puts rows into the given order; those that belong to another owner are passed over.
    ///
    /// - Parameter rows: the positions wanted first, in order; the owner's other rows follow them.
    /// - Complexity: O(*rows*).
    func arrange(_ rows: [Int], of owner: Int) {
        let number = UInt32(owner + 1)
        for row in rows.reversed() where owners[row] == number { thread.moveToFront(row, of: owner) }
        thread.arrange(owner, !isAscending(owner))
    }

    private func isAscending(_ owner: Int) -> Bool {
        var last = -1
        var isAscending = true
        thread.forEach(of: owner) {
            if $0 < last { isAscending = false }
            last = $0
        }
        return isAscending
    }

    // MARK: Moving

    /// Follows the rows of the link's own table to new positions.
    func moveRows(_ positions: [UInt32], count: Int) {
        for old in 0..<min(owners.count, positions.count) where positions[old] != .max {
            owners[Int(positions[old])] = owners[old]
        }
        if owners.count > count { owners.removeLast(owners.count - count) }
        thread.moveMembers(positions, count: count)
    }

    /// Follows the rows that the link leads to.
    func moveOwners(_ positions: [UInt32], count: Int) {
        for row in owners.indices where owners[row] != 0 { owners[row] = positions[Int(owners[row]) - 1] + 1 }
        thread.moveOwners(positions, count: count)
    }

    /// Forgets everything.
    func removeAll() {
        owners = []
        thread = LinkThread()
    }
}
