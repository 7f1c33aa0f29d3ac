import Foundation
import FoundationXML
import Testing

/// What a run leaves: a table, a JSON file, and a page that needs nothing beside it.
@Suite struct ReportTests {
    /// A folder with the files of a small run.
    private func measured() throws -> BenchmarkFolder {
        let folder = try BenchmarkFolder()
        let run = try BenchmarkRun(
            "--rows", "100", "--repetitions", "1", "--json", folder.path("a.json"), "--html", folder.path("a.html"))
        #expect(run.status == 0, Comment(rawValue: run.output))
        return folder
    }

    private func workloads() throws -> [String] {
        try BenchmarkRun("--list").output.split(separator: "\n").compactMap { line in
            line.hasPrefix("W") ? line.split(separator: " ").first.map(String.init) : nil
        }
    }

    /// Names of elements, and what they refer to.
    private final class Reader: NSObject, XMLParserDelegate {
        var elements: Set<String> = []
        var references: [String] = []

        func parser(
            _ parser: XMLParser, didStartElement element: String, namespaceURI: String?, qualifiedName: String?,
            attributes: [String: String]
        ) {
            elements.insert(element)
            references += ["href", "src", "xlink:href"].compactMap { attributes[$0] }
        }
    }

    @Test func thePageIsWellFormedAndRefersToNothingOutside() throws {
        let page = try measured().text("a.html")
        let reader = Reader()
        let parser = XMLParser(data: Data(page.utf8))
        parser.delegate = reader
        #expect(parser.parse(), "line \(parser.lineNumber): \(parser.parserError.map { "\($0)" } ?? "")")
        #expect(reader.references.allSatisfy { $0.hasPrefix("#") })
        #expect(!page.contains("http://") && !page.contains("https://") && !page.contains("@import"))
        #expect(!reader.elements.contains("script"))
        #expect(reader.elements.isSuperset(of: ["svg", "table", "style", "title"]))
        #expect(page.contains("prefers-color-scheme: dark"))
    }

    @Test func thePageAndTheFileHaveEveryWorkloadOnEveryStore() throws {
        let folder = try measured()
        let page = try folder.text("a.html")
        let results = try #require(try folder.json("a.json")["results"] as? [[String: Any]])
        for workload in try workloads() {
            #expect(page.contains("<td>\(workload)</td>"), Comment(rawValue: workload))
            #expect(page.contains("<h3>\(workload) · "), Comment(rawValue: workload))
            let stores = results.filter { $0["workload"] as? String == workload }.compactMap { $0["store"] as? String }
            #expect(stores == ["sqlite", "memory", "lmdb", "json"], Comment(rawValue: workload))
        }
    }

    @Test func severalSizesGiveGrowthCurves() throws {
        let folder = try measured()
        var report = try folder.json("a.json")
        let results = try #require(report["results"] as? [[String: Any]])
        // The same once more as if it were ten times as large, in the same time: an exponent of zero.
        report["results"] = results.flatMap { result in
            var larger = result
            larger["rows"] = 1000
            return [result, larger]
        }
        try JSONSerialization.data(withJSONObject: report).write(to: URL(fileURLWithPath: folder.path("b.json")))
        let run = try BenchmarkRun("--read", folder.path("b.json"), "--html", folder.path("b.html"))
        #expect(run.status == 0, Comment(rawValue: run.output))
        let page = try folder.text("b.html")
        #expect(page.contains("<h2>Growth</h2>") && page.contains("<polyline"))
        #expect(page.contains("sqlite 0.00") || page.contains("sqlite -0.00"))
        #expect(try !folder.text("a.html").contains("<h2>Growth</h2>"))
    }

    @Test func aComparisonMarksWhatLiesBeyondTheNoise() throws {
        let folder = try BenchmarkFolder()
        func file(_ name: String, _ seconds: [Double], allocations: Int) throws {
            let baseline: [String: Any] = [
                "participant": "raw", "samples": ["seconds": [1.0, 1.0, 1.0]], "isFailure": false,
            ]
            func result(_ workload: String, _ seconds: [Double]) -> [String: Any] {
                [
                    "workload": workload, "title": "a title", "store": "sqlite", "rows": 100, "operations": 100,
                    "iterations": 1, "valueBytes": 1, "baseline": baseline,
                    "ours": [
                        "participant": "sqlite", "samples": ["seconds": seconds], "isFailure": false,
                        "counts": ["allocations": allocations, "peakBytes": 0, "liveBytes": 0],
                    ],
                ]
            }
            let report: [String: Any] = [
                "version": 1, "date": "2026-01-01T00:00:00Z", "repetitions": 3,
                "machine": ["system": "x", "processors": 1, "memory": 1, "isOptimised": true],
                "results": [result("W1", seconds), result("W2", [1, 1.5, 2])],
            ]
            try JSONSerialization.data(withJSONObject: report)
                .write(to: URL(fileURLWithPath: folder.path(name)))
        }
        try file("before.json", [1.0, 1.1, 1.2], allocations: 100)
        try file("after.json", [1.3, 1.4, 1.5], allocations: 200)
        let run = try BenchmarkRun("--compare", folder.path("before.json"), folder.path("after.json"))
        #expect(run.status == 0)
        let lines = run.output.split(separator: "\n").map(String.init)
        #expect(lines.contains { $0.hasPrefix("W1") && $0.contains("+27.3%") && $0.hasSuffix("▲ slower") })
        #expect(lines.contains { $0.hasPrefix("W2") && $0.hasSuffix("+0.0%") })
        #expect(lines.contains("1 of 2 moved beyond the noise."))
        #expect(lines.contains { $0.hasPrefix("W1") && $0.contains("allocations") && $0.hasSuffix("▲") })
        let back = try BenchmarkRun("--compare", folder.path("after.json"), folder.path("before.json"))
        #expect(back.output.contains("▼ faster"))
    }

    @Test func withoutPythonOrNetworkThereAreNoPeersAndAReason() throws {
        let folder = try BenchmarkFolder()
        // A file stands where the environment should be made.
        try "".write(toFile: folder.path("taken"), atomically: true, encoding: .utf8)
        let run = try BenchmarkRun(
            "--rows", "100", "--counts", "--store", "memory", "--workload", "W5", "--peers", folder.path("taken"))
        #expect(run.status == 0, Comment(rawValue: run.output))
        #expect(run.output.contains("No peers were measured: python3 cannot make a virtual environment"))
    }

    @Test(arguments: [["--rows", "0"], ["--workload", "W99"], ["--store", "nothing"], ["--nonsense"], ["file"]])
    func aCommandLineThatCannotBeUnderstoodEndsWithTwo(words: [String]) throws {
        let run = try BenchmarkRun(words[0], words.count > 1 ? words[1] : "--list")
        #expect(run.status == 2)
        #expect(run.output.contains("coffer-bench: "))
    }
}
