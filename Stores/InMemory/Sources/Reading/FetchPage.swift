import CofferCore

/// What offset and limit leave of rows that come in runs.
struct FetchPage {
    private(set) var skipped: Int
    private(set) var remaining: Int

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

    /// The part of a run that belongs to the page; nil where none does.
    mutating func take(_ run: Range<Int>) -> Range<Int>? {
        let start = run.lowerBound + min(skipped, run.count)
        skipped -= start - run.lowerBound
        let end = start + min(remaining, run.upperBound - start)
        remaining -= end - start
        return start < end ? start..<end : nil
    }
}

/// Positions gathered into runs of consecutive ones.
struct PositionRuns {
    private let positions: [Int]

    init(_ positions: [Int]) { self.positions = positions }

    /// - Parameter body: answers whether to go on.
    @inline(__always)
    func forEach(_ body: (Range<Int>) throws -> Bool) rethrows {
        var start = 0
        while start < positions.count {
            var end = start + 1
            while end < positions.count, positions[end] == positions[end - 1] + 1 { end += 1 }
            if try !body(positions[start]..<positions[end - 1] + 1) { return }
            start = end
        }
    }
}
