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

    /// A count that does not depend on the machine and is another one now.
    struct Count {
        let result: WorkloadResult
        let name: String
        let before: Double
        let after: Double
    }

    let rows: [Row]
    let counts: [Count]
    /// Workloads that only one of the reports has.
    let unmatched: Int

    init(_ before: Report, _ after: Report) {
        rows = after.results.compactMap { result in
            guard !result.ours.samples.isEmpty,
                let earlier = before.results.first(where: { $0.isSameWork(as: result) }), !earlier.ours.samples.isEmpty
            else { return nil }
            let isRatio = !result.ratios.isEmpty && !earlier.ratios.isEmpty
            return Row(
                result: result, before: isRatio ? earlier.ratios : earlier.ours.samples.seconds,
                after: isRatio ? result.ratios : result.ours.samples.seconds, isRatio: isRatio)
        }
        counts = Self.changedCounts(before, after)
        let measured = (before.results + after.results).count { !$0.ours.samples.isEmpty }
        unmatched = measured - 2 * rows.count
    }

    /// The counts that are others than before by more than they may be by chance.
    private static func changedCounts(_ before: Report, _ after: Report) -> [Count] {
        let isAlike = before.machine.isOptimised == after.machine.isOptimised
        var changed: [Count] = []
        for result in after.results {
            guard let earlier = before.results.first(where: { $0.isSameWork(as: result) }) else { continue }
            for name in WorkloadCounts.names where isAlike || name != "allocations" {
                guard let old = earlier.workloadCounts[name], let new = result.workloadCounts[name] else { continue }
                let noise = max(old, new) * WorkloadCounts.tolerance(of: name)
                if abs(new - old) > noise {
                    changed.append(Count(result: result, name: name, before: old, after: new))
                }
            }
        }
        return changed
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
        text += "\n"
        if !counts.isEmpty {
            var table = TextTable(
                ["", "workload", "store", "rows", "for one operation", "before", "after", ""], left: [0, 1, 2, 4])
            for count in counts {
                table.add([
                    count.result.workload, count.result.title, count.result.store, count.result.rows.grouped,
                    count.name, count.before.short, count.after.short, count.after > count.before ? "▲" : "▼",
                ])
            }
            text += "\nCounts that changed:\n\n" + table.text
        }
        return text
    }

    private func text(_ value: Double, _ row: Row) -> String { row.isRatio ? value.text(2) : value.milliseconds }

    private func spread(_ values: [Double], _ row: Row) -> String {
        guard let low = values.min(), let high = values.max() else { return "" }
        return "\(text(low, row))..\(text(high, row))"
    }
}

extension WorkloadResult {
    /// Whether another result is of the same store, workload and size.
    fileprivate func isSameWork(as other: WorkloadResult) -> Bool {
        workload == other.workload && store == other.store && rows == other.rows
    }
}
