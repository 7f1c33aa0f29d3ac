import Foundation

/// Somebody who does the workloads: a store, or a baseline.
public protocol Participant: Sendable {
    var name: String { get }
    /// Whether the data lies in files and is there when they are opened again.
    var keepsFiles: Bool { get }
    /// Whether the work is done in another process, whose allocations cannot be counted. False unless said otherwise.
    var runsElsewhere: Bool { get }

    /// Opens what a folder holds, or makes it; may wait with that until the first call.
    func open(_ folder: URL, for workload: Workload, _ data: BenchmarkData) throws -> any ParticipantSession
}

/// An open store of a participant.
public protocol ParticipantSession: AnyObject {
    /// Stores a data set in a store without rows.
    func fill(_ dataset: Workload.Dataset) throws

    /// Gets ready for a workload: what it answers is timed.
    ///
    /// - Throws: ``Unsupported`` for work that cannot be done.
    func prepare(_ task: Workload.Task) throws -> () throws -> Tally

    /// Reads what is stored.
    func totals() throws -> StoredTotals

    /// The processor time that counts for the session, in seconds: this process's unless said otherwise.
    func processorTime() -> Double
}

extension Participant {
    public var runsElsewhere: Bool { false }
}

extension ParticipantSession {
    public func processorTime() -> Double { Meter.processorTime() }
}

/// That a participant cannot do a workload.
public struct Unsupported: Error, CustomStringConvertible {
    public var description: String

    public init(_ description: String) { self.description = description }
}
