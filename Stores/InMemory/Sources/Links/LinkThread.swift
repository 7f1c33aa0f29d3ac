/// Ordered lists of members, one for each owner: the members of an owner are threaded together.
///
/// Owners and members are numbers from zero on, the positions of rows. A list takes no memory of its own; its members
/// stand in the order in which they were appended unless another was asked for.
struct LinkThread {
    // All numbers are one more than what they stand for; zero is none.
    private var next: [UInt32] = []
    private var previous: [UInt32] = []
    private var first: [UInt32] = []
    private var last: [UInt32] = []
    /// Owners whose members have an order of their own rather than an ascending one; empty while there are none.
    private var isArranged: [Bool] = []

    /// Makes room for members and owners up to the given numbers.
    mutating func reserve(members: Int, owners: Int) {
        if next.count < members {
            next.append(contentsOf: repeatElement(0, count: members - next.count))
            previous.append(contentsOf: repeatElement(0, count: members - previous.count))
        }
        if first.count < owners {
            first.append(contentsOf: repeatElement(0, count: owners - first.count))
            last.append(contentsOf: repeatElement(0, count: owners - last.count))
        }
    }

    /// Appends a member that is in no list.
    @inline(__always)
    mutating func append(_ member: Int, to owner: Int) {
        let number = UInt32(member + 1)
        let before = last[owner]
        previous[member] = before
        next[member] = 0
        last[owner] = number
        if before == 0 { first[owner] = number } else { next[Int(before) - 1] = number }
    }

    /// Takes a member out of its owner's list.
    mutating func remove(_ member: Int, from owner: Int) {
        let (before, after) = (previous[member], next[member])
        if before == 0 { first[owner] = after } else { next[Int(before) - 1] = after }
        if after == 0 { last[owner] = before } else { previous[Int(after) - 1] = before }
        (previous[member], next[member]) = (0, 0)
        if first[owner] == 0, !isArranged.isEmpty { arrange(owner, false) }
    }

    /// Moves a member to the front of its owner's list.
    mutating func moveToFront(_ member: Int, of owner: Int) {
        let number = UInt32(member + 1)
        if first[owner] == number { return }
        let (before, after) = (previous[member], next[member])
        next[Int(before) - 1] = after
        if after == 0 { last[owner] = before } else { previous[Int(after) - 1] = before }
        previous[Int(first[owner]) - 1] = number
        (previous[member], next[member]) = (0, first[owner])
        first[owner] = number
    }

    /// Whether the order of an owner's list was given, rather than being that of the numbers.
    func isArranged(_ owner: Int) -> Bool { owner < isArranged.count && isArranged[owner] }

    /// Says whether the order of an owner's list is to be kept.
    mutating func arrange(_ owner: Int, _ keepsOrder: Bool) {
        if isArranged.count <= owner {
            if !keepsOrder { return }
            isArranged.append(contentsOf: repeatElement(false, count: max(first.count, owner + 1) - isArranged.count))
        }
        isArranged[owner] = keepsOrder
    }

    /// The first member of an owner.
    @inline(__always)
    func first(of owner: Int) -> Int? {
        owner < first.count && first[owner] != 0 ? Int(first[owner]) - 1 : nil
    }

    /// The member after another one.
    @inline(__always)
    func next(after member: Int) -> Int? {
        next[member] != 0 ? Int(next[member]) - 1 : nil
    }

    /// The members of an owner in the order of the thread.
    @inline(__always)
    func forEach(of owner: Int, _ body: (Int) throws -> Void) rethrows {
        var member = first(of: owner)
        while let current = member {
            member = next(after: current)
            try body(current)
        }
    }

    /// The number of members of an owner. Complexity: O(*members*).
    func count(of owner: Int) -> Int {
        var count = 0
        forEach(of: owner) { _ in count += 1 }
        return count
    }

    // MARK: Moving

    /// Follows members that have new numbers; those without one are in no list.
    mutating func moveMembers(_ numbers: [UInt32], count: Int) {
        let size = min(next.count, numbers.count)
        for old in 0..<size where numbers[old] != .max {
            let new = Int(numbers[old])
            next[new] = Self.moved(next[old], numbers)
            previous[new] = Self.moved(previous[old], numbers)
        }
        if next.count > count {
            next.removeLast(next.count - count)
            previous.removeLast(previous.count - count)
        }
        for owner in first.indices {
            first[owner] = Self.moved(first[owner], numbers)
            last[owner] = Self.moved(last[owner], numbers)
        }
    }

    private static func moved(_ number: UInt32, _ numbers: [UInt32]) -> UInt32 {
        number == 0 ? 0 : numbers[Int(number) - 1] + 1
    }

    /// Follows owners that have new numbers; those without one have empty lists.
    mutating func moveOwners(_ numbers: [UInt32], count: Int) {
        for old in 0..<min(first.count, numbers.count) where numbers[old] != .max {
            let new = Int(numbers[old])
            (first[new], last[new]) = (first[old], last[old])
            if old < isArranged.count { isArranged[new] = isArranged[old] }
        }
        if first.count > count {
            first.removeLast(first.count - count)
            last.removeLast(last.count - count)
        }
        if isArranged.count > count { isArranged.removeLast(isArranged.count - count) }
    }
}
