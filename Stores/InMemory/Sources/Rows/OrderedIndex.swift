import CofferCore
import Synchronization

/// The rows of a table in the order of some of their values: what an `#Index` asks for.
///
/// The order is a list of blocks of positions, so that a row that comes or goes moves a few hundred numbers at most. It
/// is made when a query could use it for the second time, and forgotten when a save changes a large part of the table:
/// what is only written, or read once after each large change, never pays for it.
///
/// Isolation: queries may ask at the same time; changes come from the store's writer alone.
final class OrderedIndex: Sendable {
    let slots: [Int]
    private let state = Mutex(State())

    private struct State {
        var order: IndexOrder?
        /// Queries that could have used the order since there was one.
        var wishes = 0
    }

    init(_ slots: [Int]) { self.slots = slots }

    /// The order; nil while it is not worth making.
    func order(of table: MemoryTable) -> IndexOrder? {
        state.withLock { state in
            if let order = state.order { return order }
            state.wishes += 1
            guard state.wishes > 1 else { return nil }
            let order = IndexOrder(table, slots)
            state.order = order
            return order
        }
    }

    /// Enters a row.
    func insert(_ position: Int, _ rows: RowBatch) {
        state.withLock { $0.order?.insert(position, rows, slots) }
    }

    /// Takes a row out whose values are still those it was entered with; false where it is not there.
    func remove(_ position: Int, _ rows: RowBatch) -> Bool {
        state.withLock { $0.order?.remove(position, rows, slots) ?? false }
    }

    /// Forgets the order.
    func forget() {
        state.withLock { $0 = State() }
    }

    /// Whether there is an order to keep up.
    var isMade: Bool { state.withLock { $0.order != nil } }

    /// Follows rows that have moved, which leaves them in the same order.
    func move(_ positions: [UInt32]) {
        state.withLock { $0.order?.move(positions) }
    }
}

/// Positions in the order of some slots, and of the rows' keys where those are equal.
struct IndexOrder: Sendable {
    /// Not one of them is empty.
    private(set) var blocks: [[UInt32]] = []
    private(set) var count = 0

    private static let blockSize = 512

    /// Sorts the rows of a table. Complexity: O(*n* log *n*).
    fileprivate init(_ table: MemoryTable, _ slots: [Int]) {
        var positions: [Int] = []
        positions.reserveCapacity(table.count)
        table.directory.forEachRun {
            positions += Array($0)
            return true
        }
        let sorted = CellOrder.sorted(positions, slots.map { (slot: $0, isDescending: false) }, table.rows)
        for start in stride(from: 0, to: sorted.count, by: Self.blockSize / 2) {
            blocks.append(sorted[start..<min(start + Self.blockSize / 2, sorted.count)].map { UInt32($0) })
        }
        count = sorted.count
    }

    private static func isBefore(_ left: Int, _ right: Int, _ rows: RowBatch, _ slots: [Int]) -> Bool {
        for slot in slots {
            let (a, b) = (rows.cell(row: left, slot: slot), rows.cell(row: right, slot: slot))
            let order = CellOrder.compare(a, rows, b, rows)
            if order != 0 { return order < 0 }
        }
        return left < right
    }

    /// A place in the order.
    struct Place: Hashable, Comparable, Sendable {
        var block: Int
        var index: Int

        static func < (left: Place, right: Place) -> Bool {
            left.block != right.block ? left.block < right.block : left.index < right.index
        }
    }

    var start: Place { Place(block: 0, index: 0) }
    var end: Place { Place(block: blocks.count, index: 0) }

    /// The first place whose row is not before something, given that all rows before it are. Complexity: O(log *n*).
    func firstPlace(notBefore isBefore: (Int) -> Bool) -> Place {
        var low = 0
        var high = blocks.count
        while low < high {
            let middle = (low + high) / 2
            if isBefore(Int(blocks[middle][blocks[middle].count - 1])) { low = middle + 1 } else { high = middle }
        }
        guard low < blocks.count else { return end }
        let block = low
        low = 0
        high = blocks[block].count
        while low < high {
            let middle = (low + high) / 2
            if isBefore(Int(blocks[block][middle])) { low = middle + 1 } else { high = middle }
        }
        return Place(block: block, index: low)
    }

    /// The number of rows between two places.
    func distance(_ from: Place, _ to: Place) -> Int {
        if from >= to { return 0 }
        if from.block == to.block { return to.index - from.index }
        var distance = blocks[from.block].count - from.index + to.index
        for block in from.block + 1..<to.block { distance += blocks[block].count }
        return distance
    }

    /// The positions between two places, block by block.
    ///
    /// - Parameter body: answers whether to go on.
    func forEachBlock(_ from: Place, _ to: Place, _ body: (ArraySlice<UInt32>) throws -> Bool) rethrows {
        if from >= to { return }
        for block in from.block...min(to.block, blocks.count - 1) {
            let lower = block == from.block ? from.index : 0
            let upper = block == to.block ? to.index : blocks[block].count
            if lower < upper, try !body(blocks[block][lower..<upper]) { return }
        }
    }

    fileprivate mutating func insert(_ position: Int, _ rows: RowBatch, _ slots: [Int]) {
        count += 1
        var place = firstPlace { Self.isBefore($0, position, rows, slots) }
        if place.block == blocks.count {
            guard !blocks.isEmpty else {
                blocks.append([UInt32(position)])
                return
            }
            place = Place(block: blocks.count - 1, index: blocks[blocks.count - 1].count)
        }
        blocks[place.block].insert(UInt32(position), at: place.index)
        guard blocks[place.block].count > Self.blockSize else { return }
        let half = Array(blocks[place.block][(Self.blockSize / 2)...])
        blocks[place.block].removeLast(half.count)
        blocks.insert(half, at: place.block + 1)
    }

    fileprivate mutating func remove(_ position: Int, _ rows: RowBatch, _ slots: [Int]) -> Bool {
        let place = firstPlace { Self.isBefore($0, position, rows, slots) }
        guard place.block < blocks.count, blocks[place.block][place.index] == UInt32(position) else { return false }
        count -= 1
        blocks[place.block].remove(at: place.index)
        if blocks[place.block].isEmpty { blocks.remove(at: place.block) }
        return true
    }

    fileprivate mutating func move(_ positions: [UInt32]) {
        for block in blocks.indices {
            for index in blocks[block].indices { blocks[block][index] = positions[Int(blocks[block][index])] }
        }
    }
}
