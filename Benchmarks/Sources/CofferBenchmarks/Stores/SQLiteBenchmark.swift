import Coffer
import Foundation

/// Coffer's SQLite store beside SQLite's own functions, called from C.
public struct SQLiteBenchmark: BenchmarkStore {
    public let name = "sqlite"

    public init() {}

    public func makeConfiguration(in folder: URL, isFullyDurable: Bool) -> any DataStoreConfiguration {
        SQLiteStoreConfiguration(
            url: folder.appendingPathComponent("trips.sqlite"), durability: isFullyDurable ? .full : .normal)
    }

    public var baseline: (any Participant)? { RawSQLite() }

    public func target(of workload: Workload) -> BenchmarkTarget? {
        workload.target.map { BenchmarkTarget(ratio: $0, aim: workload.aim) }
    }
}
