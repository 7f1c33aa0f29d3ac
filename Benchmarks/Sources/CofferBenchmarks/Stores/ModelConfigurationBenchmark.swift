import Coffer
import Foundation

/// The store that an application gets from SwiftData's own configuration, beside SQLite's functions called from C.
public struct ModelConfigurationBenchmark: BenchmarkStore {
    public let name = "default"

    public init() {}

    public func makeConfiguration(in folder: URL, isFullyDurable: Bool) -> any DataStoreConfiguration {
        ModelConfiguration(url: folder.appendingPathComponent("trips.store"))
    }

    public var baseline: (any Participant)? { RawSQLite() }

    public func target(of workload: Workload) -> BenchmarkTarget? {
        guard workload.isFullyDurable else { return nil }
        return workload.target.map { BenchmarkTarget(ratio: $0, aim: workload.aim) }
    }
}
