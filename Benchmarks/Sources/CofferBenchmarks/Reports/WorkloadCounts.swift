import Foundation

/// What a workload needs that does not depend on the machine, for one operation, by name.
struct WorkloadCounts: Codable, Sendable, Equatable {
    var allocations: Double?
    var statements: Double?
    var requests: Double?
    /// Bytes in memory of an object that was fetched.
    var heldBytes: Double?
    /// Bytes in files for each row.
    var fileBytes: Double?

    static let names = ["allocations", "statements", "requests", "heldBytes", "fileBytes"]

    subscript(_ name: String) -> Double? {
        switch name {
        case "allocations": allocations
        case "statements": statements
        case "requests": requests
        case "heldBytes": heldBytes
        case "fileBytes": fileBytes
        default: nil
        }
    }

    /// By which part a count may differ from run to run: what is read and written is always the same, memory depends a
    /// little on what the process did before.
    static func tolerance(of name: String) -> Double {
        switch name {
        case "allocations": 0.1
        case "heldBytes", "fileBytes": 0.05
        default: 1e-6
        }
    }

    /// Whether there is nothing to count.
    var isEmpty: Bool { Self.names.allSatisfy { self[$0] == nil } }
}

extension WorkloadResult {
    /// The counts of the store, for one operation; none where the work was not done.
    var workloadCounts: WorkloadCounts {
        guard ours.absence == nil else { return WorkloadCounts() }
        // Threads beside each other get in each other's way differently each time.
        let isRepeatable = workload != "W19"
        return WorkloadCounts(
            allocations: isRepeatable ? allocationsPerOperation : nil,
            statements: isRepeatable ? statementsPerOperation : nil,
            requests: requestsPerOperation, heldBytes: workload == "W2" ? liveBytesPerOperation : nil,
            fileBytes: workload.hasPrefix("W1") && workload.dropFirst(2).allSatisfy(\.isLetter) ? fileBytesPerRow : nil)
    }
}
