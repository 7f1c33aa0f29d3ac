import Foundation

/// The report as one page without anything beside it: charts in SVG, light and dark, readable on a phone.
struct Page {
    let report: Report
    /// The size that all but the growth charts show: 100,000 rows, or what comes nearest.
    let rows: Int

    init(_ report: Report) {
        self.report = report
        rows = report.mainSize
    }

    func write(to url: URL) throws { try Data(text.utf8).write(to: url) }

    var text: String {
        """
        <!DOCTYPE html>
        <html lang="en">
        <head>
        <meta charset="utf-8"/>
        <meta name="viewport" content="width=device-width, initial-scale=1"/>
        <meta name="color-scheme" content="light dark"/>
        <title>Coffer: what the stores cost</title>
        <style>
        \(Self.style)
        </style>
        </head>
        <body>
        <header>
        <h1>What the stores cost</h1>
        <p>\(introduction)</p>
        <p class="facts">\(facts)</p>
        </header>
        <main>
        \(report.stores.map(targetSection).joined())
        \(comparisonSection)
        \(growthSection)
        \(tableSection)
        </main>
        <footer><p>\(footnote)</p></footer>
        </body>
        </html>

        """
    }

    private var introduction: String {
        "Each store does the same work on the same data, in turns with a program that uses its engine directly. A ratio "
            + "of 2 means twice the processor time of that program; waiting for disks is not in it."
    }

    private var facts: String {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.dateFormat = "d MMMM yyyy, HH:mm"
        let memory = (Double(report.machine.memory) / 1_073_741_824).text(0)
        return Self.escaped(
            "\(rows.grouped) rows, median of \(report.repetitions) repetitions · \(formatter.string(from: report.date))"
                + " · \(report.machine.system), \(report.machine.processors) processors, \(memory) GiB"
                + (report.machine.isOptimised ? "" : " · built without optimisation: the numbers mean nothing"))
    }

    private var footnote: String {
        (report.remarks ?? []).map { Self.escaped($0) + " " }.joined()
            + "Written by coffer-bench. Times of one machine do not compare with those of another; ratios mostly do."
    }

    static func escaped(_ text: String) -> String {
        text.replacingOccurrences(of: "&", with: "&amp;").replacingOccurrences(of: "<", with: "&lt;")
            .replacingOccurrences(of: ">", with: "&gt;").replacingOccurrences(of: "\"", with: "&quot;")
    }

    /// The colour of a store, the same in all charts.
    func colour(of store: String) -> String {
        "var(--series-\((report.stores.firstIndex(of: store) ?? 0) % 6))"
    }
}
