extension Page {
    /// All numbers.
    var tableSection: String {
        let titles = [
            "", "workload", "store", "time/op", "baseline", "ratio", "min–max", "operations/s", "allocations/op",
            "bytes held/op", "peak", "files", "requests/op", "statements/op",
        ]
        let head = titles.map { "<th>\($0)</th>" }.joined()
        let body = report.results.filter { $0.rows == rows }.map { row($0) }.joined()
        return """
            <section>
            <h2>All numbers</h2>
            <p class="note">Bytes held: what is allocated for one object while all that were fetched are in memory. Peak:
            the most that was allocated beyond what was there before. Files: after the work, closed.</p>
            <div class="scroll"><table><thead><tr>\(head)</tr></thead><tbody>\(body)</tbody></table></div>
            </section>
            """
    }

    private func row(_ result: WorkloadResult) -> String {
        var cells = [result.workload, result.title, result.store]
        if let absence = result.ours.absence {
            cells.append(result.ours.isFailure ? "failed" : "–")
            return "<tr>" + cells.map { "<td>\(Self.escaped($0))</td>" }.joined()
                + "<td colspan=\"10\" style=\"text-align:left\">\(Self.escaped(absence))</td></tr>"
        }
        let operations = Double(result.operations)
        let seconds = result.ours.samples.median / operations
        let spread = result.ratios.min().flatMap { low in result.ratios.max().map { "\(low.short)–\($0.short)" } }
        cells += [
            Self.time(seconds),
            result.baseline.map { Self.time($0.samples.median / operations) } ?? "",
            result.ratio?.short ?? "", spread ?? "", result.operationsPerSecond?.grouped ?? "",
            result.allocationsPerOperation?.short ?? "", result.liveBytesPerOperation?.text(0) ?? "",
            result.ours.counts?.peakBytes.bytes ?? "", result.ours.fileBytes?.bytes ?? "",
            result.requestsPerOperation?.short ?? "", result.statementsPerOperation?.short ?? "",
        ]
        return "<tr>" + cells.map { "<td>\(Self.escaped($0))</td>" }.joined() + "</tr>"
    }
}
