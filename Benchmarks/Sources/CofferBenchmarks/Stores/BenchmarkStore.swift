import Coffer
import Foundation

/// A store to be measured.
///
/// ```swift
/// struct LogBenchmark: BenchmarkStore {
///     let name = "log"
///     func makeConfiguration(in folder: URL, isFullyDurable: Bool) -> any DataStoreConfiguration {
///         LogStoreConfiguration(url: folder.appending(path: "trips.log"))
///     }
/// }
///
/// CofferBenchmarks.main(stores: [SQLiteBenchmark(), LogBenchmark()])
/// ```
public protocol BenchmarkStore: Sendable {
    /// The name on the command line and in reports.
    var name: String { get }

    /// Names the store in a folder that is its own; all of its files must lie there.
    ///
    /// - Parameter isFullyDurable: whether a save that returned has to outlive the machine's power, where the store
    ///   leaves that to choose.
    func makeConfiguration(in folder: URL, isFullyDurable: Bool) -> any DataStoreConfiguration

    /// Whether the data lies in files, so that it is there when the store is opened again. True unless said otherwise.
    var keepsFiles: Bool { get }

    /// The same work without Coffer, in the best way the engine has; nil where there is none to compare with.
    var baseline: (any Participant)? { get }

    /// What a workload may cost: as a ratio to the baseline, or to another store. None unless said otherwise.
    func target(of workload: Workload) -> BenchmarkTarget?

    /// How many times its cost in the smallest store an operation may have in the largest; nil, the default, where
    /// nothing is said.
    func growthLimit(of workload: Workload) -> Double?
}

extension BenchmarkStore {
    public var keepsFiles: Bool { true }
    public var baseline: (any Participant)? { nil }
    public func target(of workload: Workload) -> BenchmarkTarget? { nil }
    public func growthLimit(of workload: Workload) -> Double? { nil }
}

/// What a workload may cost.
public struct BenchmarkTarget: Codable, Sendable {
    /// The store whose time the ratio is to; nil for the baseline.
    public var store: String?
    /// The most the ratio may be.
    public var ratio: Double
    /// What the ratio should be.
    public var aim: Double?

    public init(ratio: Double, aim: Double? = nil, of store: String? = nil) {
        self.store = store
        self.ratio = ratio
        self.aim = aim
    }
}
