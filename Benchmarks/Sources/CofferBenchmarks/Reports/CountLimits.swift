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

    /// Takes the counts of a report as the limits of this build, where they are not smaller than what stands there: some
    /// workloads have two counts, for some tables are walked in the order of addresses. Without the file all begin anew.
    mutating func take(_ report: Report) {
        let rows = report.mainSize
        var build = own.flatMap { $0.rows == rows ? $0 : nil } ?? Build(rows: rows)
        for result in report.results where result.rows == rows && !Peer.names.contains(result.store) {
            var counts = result.workloadCounts
            counts.round()
            if counts.isEmpty { continue }
            if let known = build.stores[result.store]?[result.workload] { counts.raise(to: known) }
            build.stores[result.store, default: [:]][result.workload] = counts
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
                    count > limit * (1 + WorkloadCounts.tolerance(of: name)) + result.slack(of: name)
                else { return nil }
                return
                    "\(result.workload) on \(result.store): \(count.text(3)) \(name) for one operation, at most \(limit.text(3))"
            }
        }
    }
}

extension WorkloadResult {
    /// By how much a count may exceed a limit, besides its tolerance: what is made once in a process may be made in any
    /// run of a workload.
    fileprivate func slack(of name: String) -> Double {
        name == "allocations" ? 600 / Double(operations * iterations) : 0.001
    }
}

extension WorkloadCounts {
    /// Takes what is greater of another's counts.
    fileprivate mutating func raise(to other: WorkloadCounts) {
        func greater(_ one: Double?, _ other: Double?) -> Double? { one.map { max($0, other ?? 0) } ?? other }
        allocations = greater(allocations, other.allocations)
        statements = greater(statements, other.statements)
        requests = greater(requests, other.requests)
        heldBytes = greater(heldBytes, other.heldBytes)
        fileBytes = greater(fileBytes, other.fileBytes)
    }

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
