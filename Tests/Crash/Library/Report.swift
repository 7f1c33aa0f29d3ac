import Foundation

/// What sweeps have tried and found.
public struct Report: Sendable {
    /// Something that ought not to be, and how to see it again.
    public struct Finding: Sendable, CustomStringConvertible {
        public let store: String
        public let scenario: String
        /// The options of `coffer-crash` that try it alone.
        public let options: String
        public let text: String

        public var description: String { "\(store), \(scenario): \(text)\n    coffer-crash \(options)" }
    }

    /// Processes that were killed.
    public internal(set) var kills = 0
    /// States that a power failure may leave, looked at.
    public internal(set) var powerFailures = 0
    /// Calls that were made to fail.
    public internal(set) var faults = 0
    /// Those of them that the program got to know as an error.
    public internal(set) var thrown = 0
    public internal(set) var scenarios: Set<String> = []
    public internal(set) var findings: [Finding] = []

    public init() {}

    mutating func add(_ reference: Bench.Reference, _ options: String, _ texts: [String]) {
        let name = reference.scenario.isRanked ? "" : " --scenario '\(reference.scenario.name)'"
        for text in texts {
            findings.append(
                Finding(
                    store: reference.store.rawValue, scenario: reference.scenario.name,
                    options: "\(options) --store \(reference.store.rawValue)\(name)",
                    text: text))
        }
    }

    mutating func add(_ other: Report) {
        kills += other.kills
        powerFailures += other.powerFailures
        faults += other.faults
        thrown += other.thrown
        scenarios.formUnion(other.scenarios)
        findings += other.findings
    }

    /// One line of figures.
    public var summary: String {
        var parts = ["\(scenarios.count) scenarios"]
        if kills > 0 { parts.append("\(kills) kills") }
        if powerFailures > 0 { parts.append("\(powerFailures) power failures") }
        if faults > 0 { parts.append("\(faults) faults, of which \(thrown) were thrown") }
        return (parts + ["\(findings.count) findings"]).joined(separator: ", ")
    }
}
