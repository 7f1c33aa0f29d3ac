/// What a case found wrong.
public struct ConformanceFailure: Error, Sendable, Codable, Hashable {
    /// The case.
    public var caseID = ""
    /// What the case claims.
    public var claim = ""
    /// What was looked at.
    public var subject: String
    /// What should have come.
    public var expected: String
    /// What came.
    public var came: String
    /// The seed of a random program, to try it again.
    public var seed: UInt64?
    /// The shortest program that still fails, a step a line.
    public var program: [String]?
    /// Where in the kit the check stands.
    public var place: String
}

extension ConformanceFailure: CustomStringConvertible {
    /// Everything, a line each.
    public var description: String {
        var lines = [
            "\(caseID): \(claim)", "  looked at: \(subject)", "  expected:  \(expected)", "  came:      \(came)",
        ]
        if let seed { lines.append("  seed:      \(seed)") }
        if let program {
            lines.append("  program:")
            lines += program.map { "    " + $0 }
        }
        lines.append("  check:     \(place)")
        return lines.joined(separator: "\n")
    }
}

/// All that a run found wrong.
public struct ConformanceFailures: Error, CustomStringConvertible {
    /// The cases that failed.
    public let failures: [ConformanceFailure]

    /// The failures, one after the other.
    public var description: String {
        "\(failures.count) conformance cases failed\n" + failures.map(\.description).joined(separator: "\n")
    }
}
