import CofferCore

/// A plan's filter, taken apart: what an index narrows down, what a scan tests cell by cell, and the rest.
struct MemoryFilter {
    private let table: MemoryTable
    private let source: MemoryRowSource
    private var terms: [ScanTerm] = []
    private var rest: RowFilter?
    /// The only keys that can match; nil for all.
    private var keys: [Int64]?
    /// Whether no row can match.
    private var matchesNothing = false
    /// What the table's indexes find.
    private var ranges: [IndexRange] = []

    /// How many rows are tested at a time, so that a page that is full ends the scan.
    private static let chunk = 4096

    /// Takes a filter apart.
    ///
    /// - Parameters:
    ///   - filter: nil for all rows.
    ///   - order: the plan's order, for which an index is asked, too.
    ///   - usesIndexes: whether the whole table is to be filtered, rather than a few of its rows.
    init(
        _ filter: FilterExpression?, _ table: MemoryTable, _ source: MemoryRowSource, order: [SortKey] = [],
        usesIndexes: Bool
    ) {
        self.table = table
        self.source = source
        if let filter { take(filter) }
        guard usesIndexes, keys == nil, !matchesNothing else { return }
        let first = order.first.flatMap { $0.path.count == 1 ? $0.path[0] : nil }
        ranges = table.indexes.compactMap { index in
            IndexRange(index, terms, table, wantsAll: first.map(index.slots.contains) ?? false)
        }
    }

    private mutating func take(_ filter: FilterExpression) {
        var conditions: [FilterExpression] = []
        Self.flatten(filter, into: &conditions)
        var others: [FilterExpression] = []
        for condition in conditions {
            if let truth = condition.constantTruth {
                if !truth { matchesNothing = true }
            } else if let found = identities(condition) {
                keys = keys.map { keys in keys.filter(Set(found).contains) } ?? found
            } else if let term = ScanTerm(condition, table: table, source.data.hierarchies) {
                terms.append(term)
            } else {
                others.append(condition)
            }
        }
        if !others.isEmpty { rest = RowFilter(others.count == 1 ? others[0] : .all(others)) }
    }

    private static func flatten(_ filter: FilterExpression, into conditions: inout [FilterExpression]) {
        if case .all(let parts) = filter {
            for part in parts { flatten(part, into: &conditions) }
        } else {
            conditions.append(filter)
        }
    }

    /// The keys of a condition that the row be one of some; nil where it is none.
    private func identities(_ condition: FilterExpression) -> [Int64]? {
        func isRow(_ path: FilterPath) -> Bool { path.steps.isEmpty && path.variable.number == 0 }
        func key(_ value: StoredValue) -> Int64? {
            guard case .reference(let identifier) = value, table.holds(identifier.entityName),
                identifier._textKey == nil, identifier.storeIdentifier == table.space.storeIdentifier
            else { return nil }
            return identifier._key
        }
        switch condition {
        case .compare(.equal, .property(let path), .constant(let value, _)) where isRow(path),
            .compare(.equal, .constant(let value, _), .property(let path)) where isRow(path):
            return key(value).map { [$0] } ?? []
        case .includes(let sequence, .property(let path)) where isRow(path) && sequence.conditions.isEmpty:
            guard case .captured(let list) = sequence.source else { return nil }
            return list.values.compactMap(key)
        default: return nil
        }
    }

    // MARK: Running

    /// The number of matching rows.
    func count(within scope: [Int64]?) throws -> Int {
        if matchesNothing { return 0 }
        // An index that meets every term need not be looked at further.
        if rest == nil, keys == nil, scope == nil, let range = bestRange(), range.met.count == terms.count {
            return range.count
        }
        return try matches(within: scope, limit: .max).count
    }

    /// The matching rows in the order of some of their own values, where an index has them in that order.
    func ordered(by keys: [SortKey], limit: Int) throws -> [Int]? {
        guard !matchesNothing, self.keys == nil, let keys = MemorySorter.ownSlots(keys) else { return nil }
        for range in ranges where range.isOrdered(by: keys) {
            let others = without(range)
            var found: [Int] = []
            try range.order.forEachBlock(range.start, range.end) { block in
                var positions = block.map { Int($0) }
                found += try others.filter(&positions, limit: limit - found.count)
                return found.count < limit
            }
            return found
        }
        return nil
    }

    /// The positions of the matching rows in ascending order.
    ///
    /// - Parameters:
    ///   - scope: the only keys to look at; nil for the whole table.
    ///   - limit: how many are wanted at most.
    func matches(within scope: [Int64]?, limit: Int) throws -> [Int] {
        if matchesNothing || limit <= 0 { return [] }
        if var candidates = candidates(within: scope) { return try filter(&candidates, limit: limit) }
        if let range = bestRange(), range.count < table.count / 4 {
            let others = without(range)
            var positions = range.positions()
            positions.sort()
            return try others.filter(&positions, limit: limit)
        }
        var found: [Int] = []
        var failure: (any Error)?
        table.directory.forEachRun { run in
            var start = run.lowerBound
            while start < run.upperBound, found.count < limit {
                let end = min(start + Self.chunk, run.upperBound)
                do {
                    try scan(start..<end, into: &found, limit: limit)
                } catch {
                    failure = error
                    return false
                }
                start = end
            }
            return found.count < limit
        }
        if let failure { throw failure }
        if found.count > limit { found.removeLast(found.count - limit) }
        return found
    }

    private func scan(_ run: Range<Int>, into found: inout [Int], limit: Int) throws {
        guard let first = terms.first else {
            found += try filterRest(Array(run), limit: limit - found.count)
            return
        }
        if terms.count == 1, rest == nil {
            first.scan(run, of: table.rows, into: &found)
            return
        }
        var positions: [Int] = []
        first.scan(run, of: table.rows, into: &positions)
        for term in terms.dropFirst() where !positions.isEmpty { term.filter(&positions, of: table.rows) }
        found += try filterRest(positions, limit: limit - found.count)
    }

    /// Those of some positions that match, in their order.
    func filter(_ positions: inout [Int], limit: Int) throws -> [Int] {
        if matchesNothing { return [] }
        if let keys {
            let allowed = Set(keys)
            positions.removeAll { !allowed.contains(table.rows.key(ofRow: $0)) }
        }
        for term in terms where !positions.isEmpty { term.filter(&positions, of: table.rows) }
        return try filterRest(positions, limit: limit)
    }

    private func filterRest(_ positions: [Int], limit: Int) throws -> [Int] {
        guard let rest, !positions.isEmpty else {
            return positions.count > limit ? Array(positions[..<limit]) : positions
        }
        return try rest.matches(among: positions, of: table.rows, in: source, limit: limit)
    }

    // MARK: Narrowing down

    /// The positions of rows that can match at all, in ascending order; nil where only a scan can tell.
    private func candidates(within scope: [Int64]?) -> [Int]? {
        if let listed = scope ?? keys { return positions(of: listed) }
        if let position = uniqueMatch() { return position }
        for term in terms {
            guard let required = term.requiredLink, let link = table.link(ofSlot: term.slot) else { continue }
            guard let key = required, let owner = source.data.tables[link.destination].directory.position(of: key)
            else { return [] }
            var rows: [Int] = []
            link.thread.forEach(of: owner) { rows.append($0) }
            rows.sort()
            return rows
        }
        return nil
    }

    /// The smallest range that an index gives.
    private func bestRange() -> IndexRange? {
        ranges.filter { !$0.met.isEmpty }.min { $0.count < $1.count }
    }

    /// The filter without what a range's rows meet.
    private func without(_ range: IndexRange) -> MemoryFilter {
        var others = self
        others.terms = terms.indices.filter { !range.met.contains($0) }.map { terms[$0] }
        return others
    }

    private func positions(of keys: [Int64]) -> [Int] {
        var positions = keys.compactMap { table.directory.position(of: $0) }
        positions.sort()
        var kept = 0
        for index in positions.indices where index == 0 || positions[index] != positions[index - 1] {
            positions[kept] = positions[index]
            kept += 1
        }
        positions.removeLast(positions.count - kept)
        return positions
    }

    /// The row that has the values which the filter demands of a uniqueness constraint; nil where it demands none.
    private func uniqueMatch() -> [Int]? {
        for unique in table.uniques {
            // A constraint of some of the table's entities says nothing of the others.
            if unique.layout.kinds != nil { continue }
            let slots = unique.layout.slots
            let equalities = slots.compactMap { slot in
                terms.first { $0.slot == slot && $0.comparison == .equal }
            }
            guard equalities.count == slots.count else { continue }
            let probe = RowBatch(space: table.space, width: table.layout.width, capacity: 1)
            probe.appendRow(key: 0)
            guard equalities.allSatisfy({ $0.writeConstant(to: probe, row: 0) }) else { continue }
            return unique.find(probe, in: table.rows).map { [$0] } ?? []
        }
        return nil
    }
}
