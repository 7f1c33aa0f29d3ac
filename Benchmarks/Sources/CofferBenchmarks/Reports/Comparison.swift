import Foundation

/// What moved from one report to another.
struct Comparison {
    /// One workload that both reports have.
    struct Row {
        let result: WorkloadResult
        /// The ratios to the baseline, or the times in seconds where there is none.
        let before: [Double]
        let after: [Double]
        let isRatio: Bool

        /// By how much it changed: 0.1 is a tenth slower.
        var change: Double { before.median > 0 ? after.median / before.median - 1 : 0 }

        /// Whether all repetitions of one report lie beyond all of the other, and not by a hair's breadth.
        var hasMoved: Bool {
            guard let a = before.min(), let b = before.max(), let c = after.min(), let d = after.max() else {
                return false
            }
            return (c > b || d < a) && abs(change) > 0.03
        }
    }

    let rows: [Row]
    /// Workloads that only one of the reports has.
    let unmatched: Int

    init(_ before: Report, _ after: Report) {
        rows = after.results.compactMap { result in
            guard !result.ours.samples.isEmpty,
                let earlier = before.results.first(where: {
                    $0.workload == result.workload && $0.store == result.store && $0.rows == result.rows
                }), !earlier.ours.samples.isEmpty
            else { return nil }
            let isRatio = !result.ratios.isEmpty && !earlier.ratios.isEmpty
            return Row(
                result: result, before: isRatio ? earlier.ratios : earlier.ours.samples.seconds,
                after: isRatio ? result.ratios : result.ours.samples.seconds, isRatio: isRatio)
        }
        let measured = (before.results + after.results).count { !$0.ours.samples.isEmpty }
        unmatched = measured - 2 * rows.count
    }

    /// A table of all rows; those that moved beyond the noise are marked.
    var text: String {
        var table = TextTable(
            ["", "workload", "store", "rows", "before", "min..max", "after", "min..max", "change", ""], left: [0, 1, 2])
        for row in rows {
            let mark = row.hasMoved ? (row.change > 0 ? "▲ slower" : "▼ faster") : ""
            table.add([
                row.result.workload, row.result.title, row.result.store, row.result.rows.grouped,
                text(row.before.median, row), spread(row.before, row), text(row.after.median, row),
                spread(row.after, row), (row.change >= 0 ? "+" : "") + (row.change * 100).text(1) + "%", mark,
            ])
        }
        let moved = rows.count(where: \.hasMoved)
        var text = table.text + "\n\(moved) of \(rows.count) moved beyond the noise."
        if unmatched > 0 { text += " \(unmatched) results have no counterpart." }
        if rows.contains(where: { !$0.isRatio }) {
            text += " Times in milliseconds compare only where both runs are of one machine."
        }
        return text + "\n"
    }

    private func text(_ value: Double, _ row: Row) -> String { row.isRatio ? value.text(2) : value.milliseconds }

    private func spread(_ values: [Double], _ row: Row) -> String {
        guard let low = values.min(), let high = values.max() else { return "" }
        return "\(text(low, row))..\(text(high, row))"
    }
}
