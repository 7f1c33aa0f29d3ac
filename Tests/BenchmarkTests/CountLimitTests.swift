import Foundation
import Testing

/// What a workload asks of a store, of SQLite and of memory does not grow unnoticed.
@Suite struct CountLimitTests {
    @Test(arguments: ["sqlite", "memory", "lmdb", "json"])
    func workloadsStayWithinTheirLimits(store: String) throws {
        let run = try BenchmarkRun(
            "--counts", "--store", store, "--no-baseline", "--limits", BenchmarkRun.limits)
        #expect(run.status == 0, Comment(rawValue: run.output))
        #expect(run.output.contains("All counts are within their limits."), Comment(rawValue: run.output))
    }

    @Test func aCountOverItsLimitIsNamedAndFails() throws {
        let folder = try BenchmarkFolder()
        let limits = """
            {"debug": {"rows": 100, "stores": {"memory": {"W5": {"requests": 0}}}},
             "release": {"rows": 100, "stores": {"memory": {"W5": {"requests": 0}}}}}
            """
        try limits.write(toFile: folder.path("limits.json"), atomically: true, encoding: .utf8)
        let run = try BenchmarkRun(
            "--counts", "--store", "memory", "--workload", "W5", "--limits", folder.path("limits.json"))
        #expect(run.status == 1)
        #expect(run.output.contains("Over its limit: W5 on memory: 1.000 requests for one operation, at most 0.000"))
    }

    @Test func everyStoreAndWorkloadHasLimits() throws {
        let text = try Data(contentsOf: URL(fileURLWithPath: BenchmarkRun.limits))
        let limits = try #require(JSONSerialization.jsonObject(with: text) as? [String: Any])
        let list = try BenchmarkRun("--list").output
        let workloads = list.split(separator: "\n").compactMap { line in
            line.hasPrefix("W") ? line.split(separator: " ").first.map(String.init) : nil
        }
        #expect(workloads.count > 20)
        for build in ["debug", "release"] {
            let stores = try #require((limits[build] as? [String: Any])?["stores"] as? [String: [String: Any]])
            #expect(stores.keys.sorted() == ["json", "lmdb", "memory", "sqlite"])
            let sqlite = try #require(stores["sqlite"])
            for workload in workloads { #expect(sqlite[workload] != nil, "\(build) \(workload)") }
        }
    }
}
