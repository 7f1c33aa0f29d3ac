import CofferCore

/// The rows that an index finds for some terms of a filter: those with given first values, and the next value within
/// bounds.
struct IndexRange {
    let index: OrderedIndex
    let order: IndexOrder
    let start: IndexOrder.Place
    let end: IndexOrder.Place
    /// The terms that every row of the range meets, by their places in the filter.
    let met: Set<Int>
    /// How many of the index's first values are given.
    let equalities: Int

    var count: Int { order.distance(start, end) }

    /// The range of an index for a filter's terms; nil where the index is not made, or the terms say nothing of its
    /// first value.
    ///
    /// - Parameter wantsAll: whether a range of all rows is of use, for its order.
    init?(_ index: OrderedIndex, _ terms: [ScanTerm], _ table: MemoryTable, wantsAll: Bool) {
        let probe = RowBatch(space: table.space, width: table.layout.width, capacity: 3)
        for key in 0..<3 { probe.appendRow(key: Int64(key)) }
        var met: Set<Int> = []
        var equalities = 0
        for slot in index.slots {
            guard
                let place = terms.firstIndex(where: {
                    $0.slot == slot && $0.comparison == .equal && $0.writeConstant(to: probe, row: 0)
                })
            else { break }
            met.insert(place)
            equalities += 1
        }
        let bounded = equalities < index.slots.count ? index.slots[equalities] : nil
        func bound(_ comparisons: [FilterComparison], row: Int) -> ScanTerm? {
            guard
                let place = terms.firstIndex(where: {
                    $0.slot == bounded && comparisons.contains($0.comparison) && $0.writeConstant(to: probe, row: row)
                })
            else { return nil }
            met.insert(place)
            return terms[place]
        }
        let lower = bound([.greater, .greaterOrEqual], row: 1)
        let upper = bound([.less, .lessOrEqual], row: 2)
        guard wantsAll || equalities > 0 || lower != nil || upper != nil, let order = index.order(of: table)
        else { return nil }

        let rows = table.rows
        let given = index.slots.prefix(equalities)
        func compareGiven(_ position: Int) -> Int {
            for slot in given {
                let order = CellOrder.compare(
                    rows.cell(row: position, slot: slot), rows, probe.cell(row: 0, slot: slot), probe)
                if order != 0 { return order }
            }
            return 0
        }
        func compare(_ position: Int, _ slot: Int, row: Int) -> Int {
            CellOrder.compare(rows.cell(row: position, slot: slot), rows, probe.cell(row: row, slot: slot), probe)
        }
        // Comparisons hold between values of one kind only; an unsigned number above all integers counts as one.
        let bounds = bounded.flatMap { slot in
            lower.map { _ in probe.cell(row: 1, slot: slot) } ?? upper.map { _ in probe.cell(row: 2, slot: slot) }
        }
        let firstRank = bounds.map { CellOrder.rank($0) } ?? 0
        let lastRank = firstRank == 1 ? 2 : firstRank
        start = order.firstPlace { position in
            let given = compareGiven(position)
            guard given == 0, let slot = bounded, lower != nil || upper != nil else { return given < 0 }
            guard let lower else { return CellOrder.rank(rows.cell(row: position, slot: slot)) < firstRank }
            let order = compare(position, slot, row: 1)
            return lower.comparison == .greater ? order <= 0 : order < 0
        }
        end = order.firstPlace { position in
            let given = compareGiven(position)
            guard given == 0, let slot = bounded, lower != nil || upper != nil else { return given <= 0 }
            guard let upper else { return CellOrder.rank(rows.cell(row: position, slot: slot)) <= lastRank }
            let order = compare(position, slot, row: 2)
            return upper.comparison == .less ? order < 0 : order <= 0
        }
        self.index = index
        self.order = order
        self.met = met
        self.equalities = equalities
    }

    /// Whether the range is in the order of some sort keys.
    func isOrdered(by keys: [(slot: Int, isDescending: Bool)]) -> Bool {
        // With values left that are no sort keys, rows that are equal would not be in the order of their keys.
        index.slots.dropFirst(equalities).elementsEqual(keys.map(\.slot)) && keys.allSatisfy { !$0.isDescending }
    }

    /// The positions in the order of the index.
    func positions() -> [Int] {
        var positions: [Int] = []
        positions.reserveCapacity(count)
        order.forEachBlock(start, end) {
            for position in $0 { positions.append(Int(position)) }
            return true
        }
        return positions
    }
}
