import Foundation

/// What one participant needed for one workload.
struct Measurement: Codable, Sendable {
    /// The store or the baseline.
    var participant: String
    /// Times of one iteration.
    var samples = Samples()
    var counts: Meter.Counts?
    /// Bytes of all files after the run, when they were closed; nil for what keeps none.
    var fileBytes: Int?
    /// Requests that reached the store in one iteration, by kind; nil for a baseline, and where they cannot be counted.
    var requests: [String: Int]?
    /// Statements that SQLite ran in one iteration; nil where it was not used.
    var statements: Int?
    /// Why there are no times.
    var absence: String?
    /// Whether the work went wrong, other than not being supported.
    var isFailure = false
}

/// One workload on one store, beside its baseline.
struct WorkloadResult: Codable, Sendable {
    var workload: String
    var title: String
    var store: String
    var rows: Int
    /// What one iteration is divided by for costs of one operation.
    var operations: Int
    /// How many iterations each sample is the mean of.
    var iterations: Int
    var ours: Measurement
    var baseline: Measurement?
    var target: BenchmarkTarget?
    /// How many times its cost in the smallest store an operation may have in the largest.
    var growthLimit: Double?
    /// Bytes of the values of all rows, for comparison.
    var valueBytes: Int
    /// The times of the target's store in the same run, where the target is not the baseline's.
    var reference: Samples?

    /// Ours by the baseline's, each repetition with its neighbour.
    var ratios: [Double] { Self.ratios(ours.samples, baseline?.samples) }

    /// Ours by the baseline's: of the medians.
    var ratio: Double? { Self.ratio(ours.samples, baseline?.samples) }

    /// The ratio that the target speaks of.
    var targetRatio: Double? {
        target?.store == nil ? ratio : Self.ratio(ours.samples, reference)
    }

    /// Whether the target is met; nil without target or times.
    var meetsTarget: Bool? {
        guard let target, let targetRatio else { return nil }
        return targetRatio <= target.ratio
    }

    var allocationsPerOperation: Double? {
        ours.counts.map { Double($0.allocations) / Double(operations * iterations) }
    }

    /// The most bytes that an object may take after a full fetch: twice its values, and 160 for itself.
    var memoryLimit: Double? {
        workload == "W2" && liveBytesPerOperation != nil ? 2 * Double(valueBytes) / Double(rows) + 160 : nil
    }

    /// The size of the files after everything was inserted, by the baseline's.
    var fileRatio: Double? {
        guard workload == "W1", let bytes = ours.fileBytes, let other = baseline?.fileBytes, other > 0 else {
            return nil
        }
        return Double(bytes) / Double(other)
    }

    static let fileRatioLimit = 1.1

    var requestsPerOperation: Double? {
        ours.requests.map { Double($0.values.reduce(0, +)) / Double(operations) }
    }

    var statementsPerOperation: Double? { ours.statements.map { Double($0) / Double(operations) } }

    /// Bytes of one object that is held, and what the context needs for it.
    var liveBytesPerOperation: Double? {
        ours.counts.flatMap { $0.liveBytes > 0 ? Double($0.liveBytes) / Double(operations) : nil }
    }

    /// Rows, or whatever the operations of the workload are, in a second of processor time.
    var operationsPerSecond: Int? {
        guard !ours.samples.isEmpty, ours.samples.median > 0 else { return nil }
        return Int(Double(operations) / ours.samples.median)
    }

    /// Bytes of the files for each row that was stored.
    var fileBytesPerRow: Double? { ours.fileBytes.map { Double($0) / Double(rows) } }

    private static func ratio(_ ours: Samples, _ other: Samples?) -> Double? {
        guard let other, !ours.isEmpty, !other.isEmpty, other.median > 0 else { return nil }
        return ours.median / other.median
    }

    private static func ratios(_ ours: Samples, _ other: Samples?) -> [Double] {
        guard let other else { return [] }
        return zip(ours.seconds, other.seconds).compactMap { $1 > 0 ? $0 / $1 : nil }
    }
}
