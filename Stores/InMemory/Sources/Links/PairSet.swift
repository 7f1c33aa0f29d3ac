/// The pairs of a relationship between many and many: each pair is in the list of both its rows.
final class PairSet {
    let layout: PairLayout
    /// The positions of the rows of each pair.
    @exclusivity(unchecked) private var pairs: [(owner: UInt32, member: UInt32)] = []
    /// Pairs that are no longer in use.
    @exclusivity(unchecked) private var free: [UInt32] = []
    @exclusivity(unchecked) private var byOwner = LinkThread()
    @exclusivity(unchecked) private var byMember = LinkThread()
    @exclusivity(unchecked) private var index: [UInt64: UInt32] = [:]

    init(_ layout: PairLayout) { self.layout = layout }

    private func key(_ owner: Int, _ member: Int) -> UInt64 { UInt64(owner) << 32 | UInt64(member) }

    /// Makes room for rows of both tables.
    func reserve(owners: Int, members: Int) {
        byOwner.reserve(members: pairs.count, owners: owners)
        byMember.reserve(members: pairs.count, owners: members)
    }

    // MARK: Reading

    /// The positions of the rows that a row is paired with, in order.
    func forEach(of row: Int, at side: PairSide, _ body: (Int) throws -> Void) rethrows {
        if side == .owner {
            try byOwner.forEach(of: row) { try body(Int(pairs[$0].member)) }
        } else {
            try byMember.forEach(of: row) { try body(Int(pairs[$0].owner)) }
        }
    }

    /// Whether a row's list has an order of its own.
    func isArranged(_ row: Int, at side: PairSide) -> Bool {
        side == .owner ? byOwner.isArranged(row) : byMember.isArranged(row)
    }

    // MARK: Changing

    /// Makes a pair, last in both lists; nothing happens where it is there.
    func insert(_ row: Int, _ other: Int, at side: PairSide) {
        if side == .owner { insert(row, other) } else { insert(other, row) }
        if layout.isMirrored { insert(other, row) }
    }

    private func insert(_ owner: Int, _ member: Int) {
        guard index[key(owner, member)] == nil else { return }
        let pair: Int
        if let unused = free.popLast() {
            pair = Int(unused)
            pairs[pair] = (UInt32(owner), UInt32(member))
        } else {
            pair = pairs.count
            pairs.append((UInt32(owner), UInt32(member)))
            byOwner.reserve(members: pairs.count, owners: 0)
            byMember.reserve(members: pairs.count, owners: 0)
        }
        index[key(owner, member)] = UInt32(pair)
        byOwner.append(pair, to: owner)
        byMember.append(pair, to: member)
    }

    /// Removes a pair from both lists.
    func remove(_ row: Int, _ other: Int, at side: PairSide) {
        if side == .owner { remove(row, other) } else { remove(other, row) }
        if layout.isMirrored { remove(other, row) }
    }

    private func remove(_ owner: Int, _ member: Int) {
        guard let pair = index.removeValue(forKey: key(owner, member)) else { return }
        byOwner.remove(Int(pair), from: owner)
        byMember.remove(Int(pair), from: member)
        free.append(pair)
    }

    /// Removes all pairs of a row that stands at one side.
    func removeAll(of row: Int, at side: PairSide) {
        var others: [Int] = []
        forEach(of: row, at: side) { others.append($0) }
        for other in others { remove(row, other, at: side) }
    }

    /// Puts rows that are paired with a row first in its list, in the given order; the others follow.
    func arrange(_ others: [Int], of row: Int, at side: PairSide) {
        for other in others.reversed() {
            let (owner, member) = side == .owner ? (row, other) : (other, row)
            guard let pair = index[key(owner, member)] else { continue }
            if side == .owner {
                byOwner.moveToFront(Int(pair), of: row)
            } else {
                byMember.moveToFront(Int(pair), of: row)
            }
        }
        var last = -1
        var isAscending = true
        forEach(of: row, at: side) {
            if $0 < last { isAscending = false }
            last = $0
        }
        if side == .owner { byOwner.arrange(row, !isAscending) } else { byMember.arrange(row, !isAscending) }
    }

    // MARK: Moving

    /// Follows the rows of a table to new positions.
    func move(table: Int, _ positions: [UInt32], count: Int) {
        let (movesOwners, movesMembers) = (layout.owner == table, layout.member == table)
        guard movesOwners || movesMembers else { return }
        index.removeAll(keepingCapacity: true)
        let unused = Set(free)
        for pair in pairs.indices where !unused.contains(UInt32(pair)) {
            if movesOwners { pairs[pair].owner = positions[Int(pairs[pair].owner)] }
            if movesMembers { pairs[pair].member = positions[Int(pairs[pair].member)] }
            index[key(Int(pairs[pair].owner), Int(pairs[pair].member))] = UInt32(pair)
        }
        if movesOwners { byOwner.moveOwners(positions, count: count) }
        if movesMembers { byMember.moveOwners(positions, count: count) }
    }

    /// Forgets everything.
    func removeAll() {
        pairs = []
        free = []
        index = [:]
        byOwner = LinkThread()
        byMember = LinkThread()
    }
}
