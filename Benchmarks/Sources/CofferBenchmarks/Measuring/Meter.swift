import CBenchmarkMeter
import CRawSQLite

/// Processor time and allocations of the process.
enum Meter {
    /// What was allocated while something ran.
    struct Counts: Codable, Sendable {
        /// Calls that allocated.
        var allocations = 0
        /// The most bytes that were allocated at one moment, beyond those before.
        var peakBytes = 0
        /// The bytes that were still allocated at ``Meter/mark()``, SQLite's own left out: its cache holds as much as it
        /// is allowed to, however many rows there are.
        var liveBytes = 0
    }

    static var countsAllocations: Bool { meter_counts_allocations() != 0 }

    /// Processor time so far, in seconds; waiting for disks is not in it.
    static func processorTime() -> Double { Double(meter_cpu_nanoseconds()) / 1e9 }

    /// Notes how many bytes are allocated at this moment of a counted run; workloads call it while they hold what they
    /// fetched.
    @inline(never)
    static func mark() { meter_mark(raw_engine_bytes()) }

    /// Runs something and counts its allocations. It is slower then.
    static func counting(_ body: () throws -> Void) rethrows -> Counts {
        meter_start(raw_engine_bytes())
        defer { meter_stop() }
        try body()
        let counts = meter_read()
        return Counts(
            allocations: Int(counts.allocations), peakBytes: Int(counts.peak_bytes),
            liveBytes: Int(counts.marked_bytes))
    }
}
