import Coffer
import CofferJSON
import Foundation

/// Coffer's JSON archive; a whole document beside jansson's own functions.
public struct JSONBenchmark: BenchmarkStore {
    public let name = "json"

    public init() {}

    public func makeConfiguration(in folder: URL, isFullyDurable: Bool) -> any DataStoreConfiguration {
        JSONArchiveConfiguration(url: folder.appendingPathComponent("trips.json"))
    }

    public var baseline: (any Participant)? { RawJansson() }

    public func target(of workload: Workload) -> BenchmarkTarget? {
        switch workload.task {
        case .open, .close: BenchmarkTarget(ratio: 2)
        default: nil
        }
    }

    /// A save costs what it changes, however large the archive is.
    public func growthLimit(of workload: Workload) -> Double? { workload.task == .smallSaves ? 3 : nil }
}
