extension Report {
    /// The results of the main size as tables, one for each store.
    var tables: String {
        let rows = mainSize
        return stores.map { store in
            let results = results(store: store, rows: rows)
            return results.isEmpty ? "" : table(results, store: store, rows: rows) + "\n"
        }.joined()
    }

    private func table(_ results: [WorkloadResult], store: String, rows: Int) -> String {
        let baseline = results.lazy.compactMap(\.baseline).first?.participant
        let other = results.lazy.compactMap { $0.target?.store }.first
        var titles = ["", "workload"]
        if let baseline { titles += ["\(baseline) ms"] }
        titles += ["\(store) ms"]
        if baseline != nil { titles += ["ratio", "min..max"] }
        if let other { titles += ["of \(other)"] }
        titles += [
            "target", "", "rows/s", "allocs/op", "bytes/op", "peak", "files", "requests/op", "statements/op",
        ]
        var table = TextTable(titles, left: [0, 1])
        for result in results {
            var cells = [result.workload, result.title]
            if baseline != nil { cells.append(time(result.baseline)) }
            cells.append(time(result.ours))
            if baseline != nil { cells += [result.ratio?.text(2) ?? "", spread(result.ratios)] }
            if other != nil { cells.append(result.targetRatio?.text(2) ?? "") }
            cells += [result.target?.ratio.text(2) ?? "", mark(result)]
            if result.ours.absence == nil {
                cells += [
                    result.operationsPerSecond?.grouped ?? "",
                    result.allocationsPerOperation?.short ?? "", result.liveBytesPerOperation?.text(0) ?? "",
                    result.ours.counts?.peakBytes.bytes ?? "", result.ours.fileBytes?.bytes ?? "",
                    result.requestsPerOperation?.short ?? "", result.statementsPerOperation?.short ?? "",
                ]
            }
            table.add(cells)
        }
        let heading =
            "\(store), \(rows.grouped) rows, median of \(repetitions), processor time"
            + (rows == 100_000 ? "\n\n" : "; the targets are meant for 100,000 rows\n\n")
        let absences = results.compactMap { result -> String? in
            guard let absence = result.ours.absence ?? result.baseline?.absence else { return nil }
            return "\(result.workload): \(absence)\n"
        }
        let remarks = results.compactMap(limitText) + absences
        return heading + table.text + (remarks.isEmpty ? "" : "\n" + remarks.joined())
    }

    /// What is limited besides time: memory after a full fetch, and the size of a file.
    private func limitText(_ result: WorkloadResult) -> String? {
        if let limit = result.memoryLimit, let bytes = result.liveBytesPerOperation {
            let mark = bytes <= limit ? "✓" : "✗"
            return
                "\(result.workload): an object takes \(bytes.text(0)) bytes of memory, at most \(limit.text(0)) \(mark)\n"
        }
        if let ratio = result.fileRatio {
            let mark = ratio <= WorkloadResult.fileRatioLimit ? "✓" : "✗"
            return "\(result.workload): the file is \(ratio.text(2)) times the baseline's, at most 1.10 \(mark)\n"
        }
        return nil
    }

    private func time(_ measurement: Measurement?) -> String {
        guard let measurement else { return "" }
        if measurement.absence != nil { return measurement.isFailure ? "failed" : "–" }
        return measurement.samples.median.milliseconds
    }

    private func mark(_ result: WorkloadResult) -> String {
        result.meetsTarget.map { $0 ? "✓" : "✗" } ?? ""
    }

    private func spread(_ ratios: [Double]) -> String {
        guard let low = ratios.min(), let high = ratios.max() else { return "" }
        return "\(low.text(2))..\(high.text(2))"
    }
}
