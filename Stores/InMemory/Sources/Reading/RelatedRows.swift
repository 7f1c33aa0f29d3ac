import CofferCore

extension MemoryTables {
    /// The table whose rows a to-many relationship holds, by index.
    func destination(of place: TableLayout.ListPlace) -> Int {
        switch place {
        case .inverse(let table, _): table
        case .pairs(let set, let side): pairs[set].layout.table(at: side.opposite)
        }
    }

    /// Appends the positions of the rows that a to-many relationship of an owner holds: in the order that was given, or
    /// else in that of the keys.
    func collect(_ place: TableLayout.ListPlace, of owner: Int, into positions: inout [Int]) {
        let start = positions.count
        var isAscending = true
        var last = -1
        let isArranged: Bool
        func add(_ row: Int) {
            if row < last { isAscending = false }
            last = row
            positions.append(row)
        }
        switch place {
        case .inverse(let table, let slot):
            guard let link = tables[table].link(ofSlot: slot) else { return }
            link.thread.forEach(of: owner, add)
            isArranged = link.thread.isArranged(owner)
        case .pairs(let set, let side):
            pairs[set].forEach(of: owner, at: side, add)
            isArranged = pairs[set].isArranged(owner, at: side)
        }
        if !isAscending, !isArranged { positions[start...].sort() }
    }
}

/// The rows that a to-many relationship of some owners holds, filtered, ordered and cut as a plan says.
struct RelatedRows {
    private let plan: FetchPlan
    private let data: MemoryTables
    private let table: MemoryTable
    private let owner: MemoryTable
    private let owners: [Int64]
    private let place: TableLayout.ListPlace

    /// - Throws: ``SwiftDataError`` where the plan is not about a to-many relationship of the schema.
    init(_ plan: FetchPlan, _ table: MemoryTable, _ data: MemoryTables) throws {
        guard case .related(let ownerEntity, let slot, let owners) = plan.scope,
            let owner = data.table(named: ownerEntity), let place = owner.layout.list(ofSlot: slot),
            data.destination(of: place) == table.layout.index
        else {
            throw SwiftDataError(
                .invalidRelationship, operation: .fetch, entity: plan.entityName,
                detail: "the fetch asks for a relationship that the store does not have")
        }
        self.plan = plan
        self.data = data
        self.table = table
        self.owner = owner
        self.owners = owners
        self.place = place
    }

    /// The positions of the rows in runs, owner by owner. Sort keys order each owner's rows.
    func forEachRun(_ body: (_ owner: Int64, _ run: Range<Int>) -> Void) throws {
        let source = MemoryRowSource(data: data)
        let filter = plan.filter.map { MemoryFilter($0, table, source, usesIndexes: false) }
        let sorter = MemorySorter(plan.sort, table.rows, source)
        var page = FetchPage(plan)
        var positions: [Int] = []
        for key in owners {
            guard !page.isFull, let position = owner.directory.position(of: key) else { continue }
            positions.removeAll(keepingCapacity: true)
            data.collect(place, of: position, into: &positions)
            if let filter { positions = try filter.filter(&positions, limit: .max) }
            if !plan.sort.isEmpty { positions = try sorter.sort(positions, limit: .max) }
            PositionRuns(positions).forEach { run in
                if let run = page.take(run) { body(key, run) }
                return !page.isFull
            }
        }
    }
}
