/// The filter, order and page of a plan, run over packed rows: what a store does that has rows and no query engine.
public struct RowQuery {
    private let filter: RowFilter?
    private let sorter: RowSorter
    private let isSorted: Bool
    private let offset: Int
    private let limit: Int?

    /// Compiles a plan; its scope is the store's to apply.
    public init(_ plan: FetchPlan) {
        filter = plan.filter.map { RowFilter($0) }
        sorter = RowSorter(plan.sort)
        if case .related = plan.scope, plan.sort.isEmpty {
            isSorted = false
        } else {
            isSorted = true
        }
        offset = plan.offset
        limit = plan.limit
    }

    /// The indexes of the rows that the plan asks for, in its order.
    ///
    /// - Throws: what the source throws when links are followed.
    public func rows(of batch: RowBatch, in source: some RowSource) throws -> [Int] {
        var rows = try filter?.matches(in: batch, source) ?? Array(0..<batch.count)
        let end = limit.map { offset + $0 }
        if isSorted { rows = try sorter.sort(rows, of: batch, in: source, limit: end) }
        let last = min(rows.count, end ?? rows.count)
        return offset >= last ? [] : Array(rows[offset..<last])
    }

    /// How many rows the plan asks for.
    ///
    /// - Throws: what the source throws when links are followed.
    public func count(of batch: RowBatch, in source: some RowSource) throws -> Int {
        let count = try filter?.matches(in: batch, source).count ?? batch.count
        return max(0, min(count - offset, limit ?? .max))
    }
}
