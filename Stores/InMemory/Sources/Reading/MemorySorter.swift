import CofferCore

/// Puts positions into a plan's order.
struct MemorySorter {
    private let keys: [SortKey]
    private let rows: RowBatch
    private let source: MemoryRowSource

    init(_ keys: [SortKey], _ rows: RowBatch, _ source: MemoryRowSource) {
        self.keys = keys
        self.rows = rows
        self.source = source
    }

    /// The first of some positions in the plan's order; equal rows are in the order of their keys.
    ///
    /// - Complexity: O(*n* log *limit*) where the keys are the rows' own values.
    func sort(_ positions: [Int], limit: Int) throws -> [Int] {
        if let own = Self.ownSlots(keys) { return CellOrder.sorted(positions, own, rows, limit: limit) }
        return try RowSorter(keys).sort(positions, of: rows, in: source, limit: limit < positions.count ? limit : nil)
    }

    /// The slots of the keys where all are the rows' own values in their stored order.
    static func ownSlots(_ keys: [SortKey]) -> [(slot: Int, isDescending: Bool)]? {
        guard keys.allSatisfy({ $0.path.count == 1 && $0.comparison == .standard }) else { return nil }
        return keys.map { (slot: $0.path[0], isDescending: $0.isDescending) }
    }
}
