import CofferCore

/// Copies rows of a table into the batch of a plan.
enum MemoryCopier {
    /// Rows as they are, a block at a time. With the slots to copy; nil where whole rows are wanted, which hold nothing
    /// but what is stored in them.
    case rows(slots: [Int]?)
    /// Rows of a hierarchy, each in the slots of its own entity.
    case members(FlatHierarchy.Reader)

    @inline(__always)
    func append(_ rows: RowBatch, _ run: Range<Int>, to batch: RowBatch) {
        switch self {
        case .rows(let slots): batch.appendRows(copying: rows, rows: run, slots: slots)
        case .members(let reader): reader.append(rows, run, to: batch)
        }
    }

    /// The same for rows of a to-many relationship's owner.
    func append(_ rows: RowBatch, _ run: Range<Int>, of owner: Int64, to batch: RowBatch) {
        let before = batch.count
        append(rows, run, to: batch)
        batch.owners.append(contentsOf: repeatElement(owner, count: batch.count - before))
    }
}
