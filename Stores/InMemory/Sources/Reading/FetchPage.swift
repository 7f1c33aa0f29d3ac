import CofferCore

/// What offset and limit leave of rows that come in runs.
struct FetchPage {
    private var skipped: Int
    private var remaining: Int

    init(_ plan: FetchPlan) {
        skipped = max(plan.offset, 0)
        remaining = max(plan.limit ?? .max, 0)
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

    /// - Parameter removingDuplicates: whether equal neighbours count once.
    init(_ positions: [Int], removingDuplicates: Bool = false) {
        self.positions = removingDuplicates
            ? positions.indices.filter { $0 == 0 || positions[$0] != positions[$0 - 1] }.map { positions[$0] }
            : positions
    }

    /// - Parameter body: answers whether to go on.
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
