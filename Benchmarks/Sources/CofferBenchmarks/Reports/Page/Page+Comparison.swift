extension Page {
    /// The stores side by side, one card for each workload.
    var comparisonSection: String {
        let cards = Workload.all.compactMap(card)
        if cards.isEmpty { return "" }
        return """
            <section>
            <h2>Stores side by side</h2>
            <p class="note">Processor time of one operation, shorter is faster. Grey: the engine used directly.</p>
            <div class="cards">\(cards.joined())</div>
            </section>
            """
    }

    /// One participant's time.
    private struct Bar {
        let name: String
        let seconds: Double
        let colour: String
    }

    private func card(_ workload: Workload) -> String? {
        let results = report.results.filter { $0.workload == workload.id && $0.rows == rows }
        var bars: [Bar] = []
        for result in results {
            for (measurement, colour) in [
                (result.baseline, "var(--base)"), (result.ours, self.colour(of: result.store)),
            ] {
                guard let measurement, !measurement.samples.isEmpty,
                    !bars.contains(where: { $0.name == measurement.participant })
                else { continue }
                bars.append(
                    Bar(
                        name: measurement.participant,
                        seconds: measurement.samples.median / Double(result.operations), colour: colour))
            }
        }
        guard let longest = bars.map(\.seconds).max(), longest > 0 else { return nil }
        let lines = bars.map { bar in
            let width = max(bar.seconds / longest * 100, 0.5).text(2)
            return """
                <div class="bar"><span>\(Self.escaped(bar.name))</span>\
                <svg width="100%" height="12" aria-hidden="true"><rect width="\(width)%" height="12" rx="2" \
                fill="\(bar.colour)"/></svg><span>\(Self.time(bar.seconds))</span></div>
                """
        }
        return """
            <div class="card"><h3>\(workload.id) · \(Self.escaped(workload.title))</h3>\(lines.joined())</div>
            """
    }

    /// A time with the unit that suits it.
    static func time(_ seconds: Double) -> String {
        switch seconds {
        case ..<0.000_001: (seconds * 1e9).text(0) + " ns"
        case ..<0.001: (seconds * 1e6).short + " µs"
        case ..<1: (seconds * 1e3).short + " ms"
        default: seconds.short + " s"
        }
    }
}
