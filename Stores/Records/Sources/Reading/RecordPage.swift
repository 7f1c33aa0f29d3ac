import CofferCore

/// What offset and limit leave of rows that come one by one.
struct RecordPage {
    private var skipped: Int
    private var remaining: Int

    init(_ plan: FetchPlan) {
        skipped = max(plan.offset, 0)
        remaining = max(plan.limit ?? .max, 0)
    }

    /// How many rows have to be found to fill the page.
    var end: Int {
        let (end, overflow) = skipped.addingReportingOverflow(remaining)
        return overflow ? .max : end
    }

    /// Whether no more rows are wanted.
    var isFull: Bool { remaining == 0 }

    /// Whether the next row belongs to the page.
    mutating func take() -> Bool {
        if skipped > 0 {
            skipped -= 1
            return false
        }
        guard remaining > 0 else { return false }
        remaining -= 1
        return true
    }

    /// How many of so many rows belong to the page.
    func count(_ rows: Int) -> Int { min(max(0, rows - skipped), remaining) }
}
