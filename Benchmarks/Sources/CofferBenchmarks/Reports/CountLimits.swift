import Foundation

/// What the workloads may need at most: a file that is checked in, and that a run is held to.
struct CountLimits: Codable {
    /// The counts of one kind of build.
    struct Build: Codable {
        /// The size that was counted.
        var rows: Int
        /// By store and workload.
        var stores: [String: [String: WorkloadCounts]] = [:]
    }

    /// Builds without and with optimisation: they allocate differently.
    var debug: Build?
    var release: Build?

    /// The limits of the build that is running.
    var own: Build? {
        get { Report.Machine.isOptimised ? release : debug }
        set { if Report.Machine.isOptimised { release = newValue } else { debug = newValue } }
    }

    init() {}

    init(contentsOf url: URL) throws {
        self = try JSONDecoder().decode(CountLimits.self, from: Data(contentsOf: url))
    }

    func write(to url: URL) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        try (encoder.encode(self) + Data("\n".utf8)).write(to: url)
    }

    /// Takes the counts of a report as the limits of this build; workloads that were not run keep theirs.
    mutating func take(_ report: Report) {
        let rows = report.mainSize
        var build = own.flatMap { $0.rows == rows ? $0 : nil } ?? Build(rows: rows)
        for result in report.results where result.rows == rows && !Peer.names.contains(result.store) {
            var counts = result.workloadCounts
            counts.round()
            if !counts.isEmpty { build.stores[result.store, default: [:]][result.workload] = counts }
        }
        own = build
    }

    /// What a report exceeds, in sentences.
    func violations(_ report: Report) -> [String] {
        guard let own else { return [] }
        return report.results.filter { $0.rows == own.rows }.flatMap { result -> [String] in
            guard let limits = own.stores[result.store]?[result.workload] else { return [] }
            let counts = result.workloadCounts
            return WorkloadCounts.names.compactMap { name in
                guard let limit = limits[name], let count = counts[name],
                    count > limit * (1 + WorkloadCounts.tolerance(of: name)) + 0.001
                else { return nil }
                return
                    "\(result.workload) on \(result.store): \(count.text(3)) \(name) for one operation, at most \(limit.text(3))"
            }
        }
    }
}

extension WorkloadCounts {
    /// Leaves three digits behind the point.
    fileprivate mutating func round() {
        func rounded(_ value: Double?) -> Double? { value.map { ($0 * 1000).rounded(.up) / 1000 } }
        allocations = rounded(allocations)
        statements = rounded(statements)
        requests = rounded(requests)
        heldBytes = rounded(heldBytes)
        fileBytes = rounded(fileBytes)
    }
}
