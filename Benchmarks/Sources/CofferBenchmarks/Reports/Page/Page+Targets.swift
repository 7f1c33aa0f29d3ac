import Foundation

extension Page {
    /// A store's ratios, with the targets it is held to.
    func targetSection(_ store: String) -> String {
        let results = report.results(store: store, rows: rows).filter { $0.targetRatio != nil || $0.ratio != nil }
        if results.isEmpty { return "" }
        let other = results.lazy.compactMap { $0.target?.store }.first
        let judged = results.compactMap(\.meetsTarget)
        let against =
            other.map { "the \($0) store" } ?? results.lazy.compactMap { $0.baseline?.participant }.first ?? ""
        let scale = RatioScale(results.flatMap(values))
        var rows = "<div class=\"axis name\"></div><div class=\"axis\">\(axis(scale))</div><div class=\"axis\"></div>"
        for result in results { rows += row(result, scale) }
        let verdict =
            judged.isEmpty ? "" : " \(judged.count { $0 }) of \(judged.count) workloads are within their target."
        return """
            <section>
            <h2><span class="key" style="background:\(colour(of: store))"></span>\
            \(Self.escaped(store)): processor time by that of \(Self.escaped(against))</h2>
            <p class="note">The dot is the median, the line through it the repetitions, the upright mark the target.\(verdict)</p>
            <div class="rows">\(rows)</div>
            </section>
            """
    }

    private func values(_ result: WorkloadResult) -> [Double] {
        [result.targetRatio ?? result.ratio, result.target?.ratio].compactMap { $0 } + ratios(result)
    }

    /// The ratios of the repetitions to whatever the target speaks of.
    private func ratios(_ result: WorkloadResult) -> [Double] {
        guard result.target?.store != nil, let reference = result.reference else { return result.ratios }
        return zip(result.ours.samples.seconds, reference.seconds).compactMap { $1 > 0 ? $0 / $1 : nil }
    }

    private func axis(_ scale: RatioScale) -> String {
        let labels = scale.ticks.map { tick in
            "<text x=\"\(scale.place(tick))%\" y=\"12\" text-anchor=\"middle\">\(RatioScale.label(tick))</text>"
        }
        return "<svg width=\"100%\" height=\"16\" aria-hidden=\"true\">\(labels.joined())</svg>"
    }

    private func row(_ result: WorkloadResult, _ scale: RatioScale) -> String {
        guard let ratio = result.targetRatio ?? result.ratio else { return "" }
        let verdict = result.meetsTarget.map { $0 ? "good" : "bad" } ?? "none"
        var marks = scale.ticks.map { tick in
            let place = scale.place(tick)
            return
                "<line class=\"\(tick == 1 ? "one" : "grid")\" x1=\"\(place)%\" x2=\"\(place)%\" y1=\"0\" y2=\"100%\"/>"
        }
        let repetitions = ratios(result)
        if let low = repetitions.min(), let high = repetitions.max() {
            marks.append(
                "<line class=\"spread\" x1=\"\(scale.place(low))%\" x2=\"\(scale.place(high))%\" y1=\"13\" y2=\"13\"/>")
        }
        if let target = result.target?.ratio {
            let place = scale.place(target)
            marks.append("<line class=\"target\" x1=\"\(place)%\" x2=\"\(place)%\" y1=\"4\" y2=\"22\"/>")
        }
        marks.append("<circle class=\"dot \(verdict)\" cx=\"\(scale.place(ratio))%\" cy=\"13\" r=\"5\"/>")
        let target = result.target.map { ", target \($0.ratio.short)" } ?? ""
        let sign = result.meetsTarget.map { $0 ? " ✓" : " ✗" } ?? ""
        return """
            <div class="name"><b>\(result.workload)</b>\(Self.escaped(result.title))</div>\
            <div><svg width="100%" height="26" role="img" aria-label="\(result.workload): \(ratio.short)\(target)">\
            \(marks.joined())</svg></div><div class="value \(verdict)">\(ratio.short)\(sign)</div>
            """
    }
}

/// A logarithmic scale of ratios, in percent of its width.
struct RatioScale {
    private let low: Double
    private let high: Double

    init(_ values: [Double]) {
        let values = values.filter { $0 > 0 }
        low = Foundation.log2(min(0.5, values.min() ?? 1)) - 0.15
        high = Foundation.log2(max(2, values.max() ?? 1)) + 0.15
    }

    /// Powers of two; fewer where they would crowd.
    var ticks: [Double] {
        let step = high - low > 9 ? 3.0 : high - low > 6 ? 2.0 : 1.0
        return stride(from: (low / step).rounded(.up) * step, through: high, by: step).map { Foundation.pow(2, $0) }
    }

    func place(_ value: Double) -> String {
        ((Foundation.log2(max(value, 1e-9)) - low) / (high - low) * 100).text(2)
    }

    static func label(_ tick: Double) -> String {
        tick >= 1 ? tick.text(0) : tick == 0.5 ? "½" : tick == 0.25 ? "¼" : "1/\((1 / tick).text(0))"
    }
}
