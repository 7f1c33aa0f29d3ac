import Coffer
import CofferLMDB
import Foundation

/// Coffer's LMDB store beside its SQLite store.
public struct LMDBBenchmark: BenchmarkStore {
    public let name = "lmdb"

    public init() {}

    public func makeConfiguration(in folder: URL, isFullyDurable: Bool) -> any DataStoreConfiguration {
        LMDBStoreConfiguration(url: folder.appendingPathComponent("trips.lmdb"))
    }

    public func target(of workload: Workload) -> BenchmarkTarget? {
        switch workload.id {
        case "W1", "W2", "W3", "W6", "W7", "W8", "W9", "W10": BenchmarkTarget(ratio: 0.7, of: "sqlite")
        case "W4i", "W5i": BenchmarkTarget(ratio: 1, of: "sqlite")
        case "W15": BenchmarkTarget(ratio: 1, of: "sqlite")
        default: nil
        }
    }

    /// Reads cost what they find: what is left are a few more levels of the trees, and memory that is far away.
    public func growthLimit(of workload: Workload) -> Double? {
        switch workload.task {
        case .fetchByIdentifier: 3
        case .fetchRange: 2
        default: nil
        }
    }
}
