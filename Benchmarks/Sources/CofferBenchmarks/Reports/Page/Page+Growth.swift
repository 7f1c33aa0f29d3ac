import Foundation

extension Page {
    /// How the time of one operation grows, where several sizes were measured.
    var growthSection: String {
        guard report.sizes.count > 1 else { return "" }
        let legend = report.stores.map { store in
            "<span><span class=\"key\" style=\"background:\(colour(of: store))\"></span>\(Self.escaped(store))</span>"
        }
        let cards = Workload.all.compactMap(growthCard)
        return """
            <section>
            <h2>Growth</h2>
            <p class="note">Time of one operation by the number of rows, both axes logarithmic. A flat line costs the same
            however much is stored; the number behind a store is the exponent from \(report.growthStart.grouped) rows on.</p>
            <p class="legend">\(legend.joined())</p>
            <div class="cards">\(cards.joined())</div>
            </section>
            """
    }

    private func growthCard(_ workload: Workload) -> String? {
        let growths = report.stores.compactMap { store in
            report.growths(store: store).first { $0.workload.id == workload.id }.map { (store: store, growth: $0) }
        }
        let all = growths.flatMap(\.growth.points)
        guard let least = all.map(\.seconds).min(), let most = all.map(\.seconds).max(), least > 0,
            let first = report.sizes.first, let last = report.sizes.last
        else { return nil }
        let bottom = Foundation.floor(log10(least))
        let top = max(Foundation.ceil(log10(most)), bottom + 1)
        let (left, right, upper, lower) = (46.0, 252.0, 8.0, 118.0)
        func x(_ rows: Int) -> Double {
            left + (right - left) * (log10(Double(rows)) - log10(Double(first))) / log10(Double(last) / Double(first))
        }
        func y(_ seconds: Double) -> Double { lower - (lower - upper) * (log10(seconds) - bottom) / (top - bottom) }
        var marks = ""
        for power in stride(from: bottom, through: top, by: top - bottom > 4 ? 2 : 1) {
            let place = y(pow(10, power)).text(1)
            marks += "<line class=\"grid\" x1=\"\(left)\" x2=\"\(right)\" y1=\"\(place)\" y2=\"\(place)\"/>"
            marks += "<text x=\"\(left - 5)\" y=\"\(place)\" dy=\"4\" text-anchor=\"end\">\(Self.power(power))</text>"
        }
        for rows in report.sizes {
            marks +=
                "<text x=\"\(x(rows).text(1))\" y=\"\(lower + 15)\" text-anchor=\"middle\">\(Self.count(rows))</text>"
        }
        for (store, growth) in growths {
            let colour = colour(of: store)
            let line = growth.points.map { "\(x($0.rows).text(1)),\(y($0.seconds).text(1))" }
            marks +=
                "<polyline fill=\"none\" stroke=\"\(colour)\" stroke-width=\"2\" points=\"\(line.joined(separator: " "))\"/>"
            for point in growth.points {
                marks +=
                    "<circle cx=\"\(x(point.rows).text(1))\" cy=\"\(y(point.seconds).text(1))\" r=\"3\" fill=\"\(colour)\"/>"
            }
        }
        let exponents = growths.compactMap { store, growth in
            growth.exponent.map { "\(store) \($0.text(2))" }
        }.joined(separator: " · ")
        return """
            <div class="card"><h3>\(workload.id) · \(Self.escaped(workload.title))</h3>\
            <svg viewBox="0 0 260 138" role="img" aria-label="growth of \(workload.id): \(Self.escaped(exponents))">\
            \(marks)</svg><div class="note">\(Self.escaped(exponents))</div></div>
            """
    }

    /// A power of ten seconds.
    private static func power(_ power: Double) -> String {
        let names: [Int: String] = [
            -9: "1 ns", -8: "10 ns", -7: "100 ns", -6: "1 µs", -5: "10 µs", -4: "100 µs", -3: "1 ms", -2: "10 ms",
            -1: "100 ms", 0: "1 s", 1: "10 s",
        ]
        return names[Int(power)] ?? "1e\(Int(power)) s"
    }

    private static func count(_ rows: Int) -> String {
        rows >= 1_000_000 ? "\(rows / 1_000_000)M" : rows >= 1000 ? "\(rows / 1000)k" : "\(rows)"
    }
}
