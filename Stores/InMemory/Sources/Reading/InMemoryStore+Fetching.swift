import CofferCore

extension InMemoryStore {
    /// The rows of a plan, in ascending order of their keys; related ones owner by owner, in the relationship's order.
    ///
    /// - Throws: ``DataStoreError/preferInMemoryFilter`` and ``DataStoreError/preferInMemorySort`` where the context
    ///   shall do that part.
    /// - Complexity: O(*rows fetched*), a block at a time where rows lie together.
    public func fetchRows(_ plan: FetchPlan, into batch: RowBatch) throws {
        try lock.read {
            try refuseUnsupported(plan)
            let table = try table(of: plan, batch)
            if case .keys(let keys) = plan.scope, keys.count == 1, plan.offset <= 0, plan.limit ?? 1 > 0 {
                guard let position = table.directory.position(of: keys[0]) else { return }
                return batch.appendRows(copying: table.rows, rows: position..<position + 1, slots: slots(plan, table))
            }
            let slots = slots(plan, table)
            if case .related = plan.scope {
                try RelatedRows(plan, data).forEachRun { owner, run in
                    batch.appendRows(copying: table.rows, rows: run, slots: slots)
                    batch.owners.append(contentsOf: repeatElement(owner, count: run.count))
                }
            } else {
                forEachRun(plan, table) { batch.appendRows(copying: table.rows, rows: $0, slots: slots) }
            }
        }
    }

    /// How many rows ``fetchRows(_:into:)`` would give.
    public func countRows(_ plan: FetchPlan) throws -> Int {
        try lock.read {
            if plan.filter != nil { throw DataStoreError.preferInMemoryFilter }
            let table = try table(named: plan.entityName)
            var count = 0
            if case .related = plan.scope {
                try RelatedRows(plan, data).forEachRun { _, run in count += run.count }
            } else if case .all = plan.scope {
                count = min(max(0, table.count - max(plan.offset, 0)), max(plan.limit ?? .max, 0))
            } else {
                forEachRun(plan, table) { count += $0.count }
            }
            return count
        }
    }

    /// The keys of the rows that ``fetchRows(_:into:)`` would give, in the same order.
    public func fetchKeys(_ plan: FetchPlan) throws -> [Int64] {
        try lock.read {
            try refuseUnsupported(plan)
            let table = try table(named: plan.entityName)
            var keys: [Int64] = []
            if case .related = plan.scope {
                try RelatedRows(plan, data).forEachRun { _, run in
                    for position in run { keys.append(table.rows.key(ofRow: position)) }
                }
            } else {
                forEachRun(plan, table) { for position in $0 { keys.append(table.rows.key(ofRow: position)) } }
            }
            return keys
        }
    }

    private func refuseUnsupported(_ plan: FetchPlan) throws {
        if plan.filter != nil { throw DataStoreError.preferInMemoryFilter }
        if !plan.sort.isEmpty { throw DataStoreError.preferInMemorySort }
    }

    private func table(of plan: FetchPlan, _ batch: RowBatch) throws -> MemoryTable {
        let found = data.table(of: batch)
        let table = try found?.layout.entityName == plan.entityName ? found : table(named: plan.entityName)
        guard let table, table.layout.width == batch.width else {
            throw SwiftDataError(
                .storeFailure, operation: .fetch, store: configuration.name, entity: plan.entityName,
                detail: "the batch has \(batch.width) slots, which is not what the schema has")
        }
        return table
    }

    private func table(named name: String) throws -> MemoryTable {
        if let table = data.table(named: name) { return table }
        throw SwiftDataError(
            .unknownModelType, operation: .fetch, store: configuration.name, entity: name,
            detail: "the store's schema does not have it")
    }

    /// The slots to copy; nil where whole rows are wanted, which hold nothing but what is stored in them.
    private func slots(_ plan: FetchPlan, _ table: MemoryTable) -> [Int]? {
        plan.slots.map { $0.filter { table.layout.column(ofSlot: $0) != nil } }
    }

    /// The positions of a plan's rows within its offset and limit, in ascending runs.
    private func forEachRun(_ plan: FetchPlan, _ table: MemoryTable, _ body: (Range<Int>) -> Void) {
        var page = FetchPage(plan)
        if case .keys(let keys) = plan.scope {
            var positions = keys.compactMap { table.directory.position(of: $0) }
            positions.sort()
            PositionRuns(positions, removingDuplicates: true).forEach { run in
                if let run = page.take(run) { body(run) }
                return !page.isFull
            }
        } else {
            table.directory.forEachRun { run in
                if let run = page.take(run) { body(run) }
                return !page.isFull
            }
        }
    }
}
