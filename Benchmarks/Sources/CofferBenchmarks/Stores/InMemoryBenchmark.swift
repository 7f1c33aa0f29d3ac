import Coffer
import Foundation

/// Coffer's in-memory store beside plain Swift collections.
public struct InMemoryBenchmark: BenchmarkStore {
    public let name = "memory"
    public let keepsFiles = false

    public init() {}

    public func makeConfiguration(in folder: URL, isFullyDurable: Bool) -> any DataStoreConfiguration {
        InMemoryStoreConfiguration()
    }

    public var baseline: (any Participant)? { PlainCollections() }

    public func target(of workload: Workload) -> BenchmarkTarget? { BenchmarkTarget(ratio: 0.5, of: "sqlite") }
}
