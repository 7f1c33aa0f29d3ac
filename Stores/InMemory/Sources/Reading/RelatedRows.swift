import CofferCore

/// The rows that a to-many relationship of some owners holds.
struct RelatedRows {
    private let data: MemoryTables
    private let owner: MemoryTable
    private let owners: [Int64]
    private let place: TableLayout.ListPlace
    private let page: FetchPage

    /// - Throws: ``SwiftDataError`` where the plan is not about a to-many relationship of the schema.
    init(_ plan: FetchPlan, _ data: MemoryTables) throws {
        guard case .related(let ownerEntity, let slot, let owners) = plan.scope,
            let owner = data.table(named: ownerEntity), let place = owner.layout.list(ofSlot: slot)
        else {
            throw SwiftDataError(
                .invalidRelationship, operation: .fetch, entity: plan.entityName,
                detail: "the fetch asks for a relationship that the store does not have")
        }
        self.data = data
        self.owner = owner
        self.owners = owners
        self.place = place
        page = FetchPage(plan)
    }

    /// The positions of the rows in runs, owner by owner.
    func forEachRun(_ body: (_ owner: Int64, _ run: Range<Int>) -> Void) {
        var page = page
        var positions: [Int] = []
        for key in owners {
            guard !page.isFull, let position = owner.directory.position(of: key) else { continue }
            positions.removeAll(keepingCapacity: true)
            collect(position, into: &positions)
            PositionRuns(positions).forEach { run in
                if let run = page.take(run) { body(key, run) }
                return !page.isFull
            }
        }
    }

    /// The positions of one owner's rows: in the order that was given, or else in that of the keys.
    func collect(_ position: Int, into positions: inout [Int]) {
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
            guard let link = data.tables[table].link(ofSlot: slot) else { return }
            link.thread.forEach(of: position, add)
            isArranged = link.thread.isArranged(position)
        case .pairs(let set, let side):
            data.pairs[set].forEach(of: position, at: side, add)
            isArranged = data.pairs[set].isArranged(position, at: side)
        }
        if !isAscending, !isArranged { positions.sort() }
    }
}
