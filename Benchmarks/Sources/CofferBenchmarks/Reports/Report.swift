import Foundation

/// Everything that one run of the command has found out; the form of the JSON file.
struct Report: Codable, Sendable {
    /// The version of this form.
    var version = 1
    var date = Date()
    var machine = Machine()
    var repetitions: Int
    var results: [WorkloadResult] = []
    /// What was left out, and why.
    var remarks: [String]?

    /// Where it ran.
    struct Machine: Codable, Sendable {
        var system = ProcessInfo.processInfo.operatingSystemVersionString
        var processors = ProcessInfo.processInfo.activeProcessorCount
        var memory = ProcessInfo.processInfo.physicalMemory
        var isOptimised = Machine.isOptimised

        /// Whether the benchmarks were built with optimisation: without it the numbers mean nothing.
        static var isOptimised: Bool {
            #if DEBUG
            false
            #else
            true
            #endif
        }
    }

    init(repetitions: Int) { self.repetitions = repetitions }

    /// The numbers of rows, from small to large.
    var sizes: [Int] { Set(results.map(\.rows)).sorted() }
    /// The size that tables show in full: 100,000 rows, or what comes nearest.
    var mainSize: Int { sizes.min { abs($0 - 100_000) < abs($1 - 100_000) } ?? 0 }
    /// The stores, in the order in which they were measured.
    var stores: [String] {
        var stores: [String] = []
        for result in results where !stores.contains(result.store) { stores.append(result.store) }
        return stores
    }

    func results(store: String, rows: Int) -> [WorkloadResult] {
        results.filter { $0.store == store && $0.rows == rows }
    }

    // MARK: Files

    func write(to url: URL) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        encoder.dateEncodingStrategy = .iso8601
        try encoder.encode(self).write(to: url)
    }

    init(contentsOf url: URL) throws {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        self = try decoder.decode(Report.self, from: Data(contentsOf: url))
    }
}
