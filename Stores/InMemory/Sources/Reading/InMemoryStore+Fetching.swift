import CofferCore

extension InMemoryStore {
    /// The rows of a plan, sorted or in ascending order of their keys; related ones owner by owner, in the
    /// relationship's order.
    ///
    /// - Throws: ``SwiftDataError`` where the plan does not fit the schema.
    /// - Complexity: O(*rows fetched*) where keys, a link, unique values or an index name them, otherwise
    ///   O(*rows of the entity*); rows that lie together are copied in one block.
    public func fetchRows(_ plan: FetchPlan, into batch: RowBatch) throws {
        try lock.read {
            let table = try table(of: plan, batch)
            let copier = copier(plan, table)
            let plan = data.hierarchies?.plan(plan) ?? plan
            if case .related = plan.scope {
                try RelatedRows(plan, table, data).forEachRun { owner, run in
                    copier.append(table.rows, run, of: owner, to: batch)
                }
            } else {
                try forEachRun(plan, table) { copier.append(table.rows, $0, to: batch) }
            }
        }
    }

    /// The rows of a plan, block by block.
    ///
    /// All blocks show the store as it was at the call. Saves that come while the blocks are taken in do not wait; one
    /// that changes rows of the entity copies them first.
    ///
    /// - Parameters:
    ///   - batch: an empty batch; after the call it is empty again.
    ///   - size: how many rows make a block. The rows of one owner are never divided.
    ///   - body: takes a block; what it throws ends the fetch. It may use the store.
    public func fetchBlocks(
        _ plan: FetchPlan, into batch: RowBatch, of size: Int, _ body: (RowBatch) throws -> Void
    ) throws {
        var runs: [(owner: Int64, run: Range<Int>)] = []
        let (rows, copier): (RowBatch, MemoryCopier) = try lock.read {
            let table = try table(of: plan, batch)
            let copier = self.copier(plan, table)
            let plan = data.hierarchies?.plan(plan) ?? plan
            if case .related = plan.scope {
                try RelatedRows(plan, table, data).forEachRun { runs.append((owner: $0, run: $1)) }
            } else {
                try forEachRun(plan, table) { runs.append((owner: 0, run: $0)) }
            }
            return (table.rows, copier)
        }
        defer { batch.removeAll() }
        let size = max(size, 1)
        if case .related = plan.scope {
            for (index, (owner, run)) in runs.enumerated() {
                if batch.count >= size, runs[index - 1].owner != owner {
                    try body(batch)
                    batch.removeAll()
                }
                copier.append(rows, run, of: owner, to: batch)
            }
        } else {
            for (_, run) in runs {
                var start = run.lowerBound
                while start < run.upperBound {
                    let end = min(run.upperBound, start + size - batch.count)
                    copier.append(rows, start..<end, to: batch)
                    start = end
                    if batch.count < size { continue }
                    try body(batch)
                    batch.removeAll()
                }
            }
        }
        if batch.count > 0 { try body(batch) }
    }

    /// How many rows ``fetchRows(_:into:)`` would give.
    public func countRows(_ plan: FetchPlan) throws -> Int {
        try lock.read {
            let table = try table(named: plan.entityName)
            let plan = data.hierarchies?.plan(plan) ?? plan
            var count = 0
            if case .related = plan.scope {
                try RelatedRows(plan, table, data).forEachRun { _, run in count += run.count }
            } else if case .all = plan.scope, plan.filter == nil {
                count = min(max(0, table.count - max(plan.offset, 0)), max(plan.limit ?? .max, 0))
            } else {
                var keys: [Int64]?
                if case .keys(let listed) = plan.scope { keys = listed }
                count = try MemoryFilter(
                    plan.filter, table, MemoryRowSource(data: data), usesIndexes: keys == nil
                ).count(within: keys)
                count = min(max(0, count - max(plan.offset, 0)), max(plan.limit ?? .max, 0))
            }
            return count
        }
    }

    /// The keys of the rows that ``fetchRows(_:into:)`` would give, in the same order.
    public func fetchKeys(_ plan: FetchPlan) throws -> [Int64] {
        try lock.read {
            let table = try table(named: plan.entityName)
            let plan = data.hierarchies?.plan(plan) ?? plan
            var keys: [Int64] = []
            if case .related = plan.scope {
                try RelatedRows(plan, table, data).forEachRun { _, run in
                    for position in run { keys.append(table.rows.key(ofRow: position)) }
                }
            } else {
                try forEachRun(plan, table) { for position in $0 { keys.append(table.rows.key(ofRow: position)) } }
            }
            return keys
        }
    }

    // MARK: Tables

    @inline(__always)
    private func table(of plan: FetchPlan, _ batch: RowBatch) throws -> MemoryTable {
        if let table = data.table(of: batch), table.layout.entityName == plan.entityName,
            table.layout.width == batch.width
        {
            return table
        }
        let table = try table(named: plan.entityName)
        if let hierarchy = table.layout.hierarchy, batch.entityName == plan.entityName,
            ([plan.entityName] + plan.subentityNames).allSatisfy({ hierarchy.slots(of: $0).count <= batch.width })
        {
            return table
        }
        throw SwiftDataError(
            .storeFailure, operation: .fetch, store: configuration.name, entity: plan.entityName,
            detail: "the batch is for \(batch.entityName) with \(batch.width) properties")
    }

    private func table(named name: String) throws -> MemoryTable {
        if let table = data.table(named: name) { return table }
        throw SwiftDataError(
            .unknownModelType, operation: .fetch, store: configuration.name, entity: name,
            detail: "the store's schema does not have it")
    }

    /// What copies rows of the plan out.
    private func copier(_ plan: FetchPlan, _ table: MemoryTable) -> MemoryCopier {
        if let hierarchy = table.layout.hierarchy {
            return .members(
                FlatHierarchy.Reader(plan, hierarchy) { table.layout.column(ofSlot: $0) != nil })
        }
        return .rows(slots: plan.slots.map { $0.filter { table.layout.column(ofSlot: $0) != nil } })
    }

    // MARK: Rows

    /// The positions of a plan's rows within its offset and limit, in the plan's order, in runs.
    @inline(__always)
    private func forEachRun(_ plan: FetchPlan, _ table: MemoryTable, _ body: (Range<Int>) -> Void) throws {
        var page = FetchPage(plan)
        var keys: [Int64]?
        if case .keys(let listed) = plan.scope { keys = listed }
        if plan.filter == nil, plan.sort.isEmpty {
            // A single row, or the whole table: nothing needs to be gathered first.
            if let keys, keys.count == 1 {
                guard let position = table.directory.position(of: keys[0]) else { return }
                if let run = page.take(position..<position + 1) { body(run) }
                return
            }
            if keys == nil {
                return table.directory.forEachRun { run in
                    if let run = page.take(run) { body(run) }
                    return !page.isFull
                }
            }
        }
        let source = MemoryRowSource(data: data)
        let filter = MemoryFilter(plan.filter, table, source, order: plan.sort, usesIndexes: keys == nil)
        var positions: [Int]
        if plan.sort.isEmpty {
            positions = try filter.matches(within: keys, limit: page.end)
        } else if keys == nil, let ordered = try filter.ordered(by: plan.sort, limit: page.end) {
            positions = ordered
        } else {
            positions = try filter.matches(within: keys, limit: .max)
            positions = try MemorySorter(plan.sort, table.rows, source).sort(positions, limit: page.end)
        }
        PositionRuns(positions).forEach { run in
            if let run = page.take(run) { body(run) }
            return !page.isFull
        }
    }
}
