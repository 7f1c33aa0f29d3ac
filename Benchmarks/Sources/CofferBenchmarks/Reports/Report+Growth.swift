extension Report {
    /// Growth is judged from this size on: below it, what a request costs at least hides it.
    private static let judgedGrowthStart = 10_000
    /// The size from which growth is fitted: all sizes where too few are large.
    var growthStart: Int {
        let large = sizes.filter { $0 >= Self.judgedGrowthStart }
        return (large.count > 1 ? large.first : sizes.first) ?? Self.judgedGrowthStart
    }

    /// How the time of one operation grows with the number of rows, one table for each store.
    var growthTables: String {
        stores.map { store in
            let sizes = sizes
            var table = TextTable(
                ["", "workload"] + sizes.map { "\($0.grouped)" } + [
                    "exponent", "baseline's", "limit", "", "times", "limit", "",
                ],
                left: [0, 1])
            for growth in growths(store: store) {
                var cells = [growth.workload.id, growth.workload.title]
                for rows in sizes {
                    let point = growth.points.first { $0.rows == rows }
                    cells.append(point.map { ($0.seconds * 1e6).short } ?? "")
                }
                cells += [
                    growth.exponent?.text(2) ?? "", growth.baselineExponent?.text(2) ?? "", growth.limit.text(2),
                    growth.isWithinLimit.map { $0 ? "✓" : "✗" } ?? "",
                    growth.factor?.text(2) ?? "", growth.factorLimit?.text(1) ?? "",
                    growth.isWithinFactor.map { $0 ? "✓" : "✗" } ?? "",
                ]
                table.add(cells)
            }
            return "\(store): microseconds of one operation by rows, the exponent of their growth, and "
                + "how many times the first the last is\n\n"
                + table.text + "\n"
        }.joined()
    }

    /// What is known of the growth of one workload.
    struct WorkloadGrowth {
        let workload: Workload
        let points: [(rows: Int, seconds: Double)]
        let exponent: Double?
        let baselineExponent: Double?
        /// Whether the sizes are such that the exponent can be held to its limit.
        let isJudged: Bool
        /// How many times the time at the smallest size that at the largest may be.
        let factorLimit: Double?

        var limit: Double { workload.growth.limit(baseline: baselineExponent) }
        /// The time at the largest size by that at the smallest.
        var factor: Double? {
            guard points.count > 1, let first = points.first, let last = points.last, first.seconds > 0 else {
                return nil
            }
            return last.seconds / first.seconds
        }
        var isWithinFactor: Bool? {
            guard let factor, let factorLimit else { return nil }
            return factor <= factorLimit
        }
        var isWithinLimit: Bool? { isJudged ? exponent.map { $0 <= limit } : nil }
    }

    func growths(store: String) -> [WorkloadGrowth] {
        Workload.all.compactMap { workload in
            let results = results.filter { $0.store == store && $0.workload == workload.id }
            let points = results.filter { !$0.ours.samples.isEmpty }.map { result in
                (rows: result.rows, seconds: result.ours.samples.median / Double(result.operations))
            }
            if points.isEmpty { return nil }
            let baseline = results.compactMap { result -> (rows: Int, seconds: Double)? in
                guard let baseline = result.baseline, !baseline.samples.isEmpty else { return nil }
                return (result.rows, baseline.samples.median / Double(result.operations))
            }
            return WorkloadGrowth(
                workload: workload, points: points,
                exponent: GrowthFit(points.filter { $0.rows >= growthStart })?.exponent,
                baselineExponent: GrowthFit(baseline.filter { $0.rows >= growthStart })?.exponent,
                isJudged: growthStart >= Self.judgedGrowthStart,
                factorLimit: results.last?.growthLimit)
        }
    }
}
