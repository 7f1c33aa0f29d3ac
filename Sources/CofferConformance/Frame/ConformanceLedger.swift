import CofferCore
import Foundation

/// What came of every case of a run.
public struct ConformanceLedger: Codable, Sendable {
    /// What can come of a case.
    public enum Outcome: String, Codable, CaseIterable, Sendable {
        /// The claim holds.
        case passed
        /// The claim does not hold.
        case failed
        /// The store lacks the feature, says so, and refuses calls as it should.
        case refused = "refused as declared"
        /// The store lacks what the case needs; the reason says what.
        case skipped
        /// The subject does not want the case to run; the reason is the subject's.
        case optedOut = "opted out"
        /// The case fails, as the subject says it would.
        case expectedFailure = "fails as expected"
    }

    /// What came of one case.
    public struct Entry: Codable, Sendable {
        /// The identifier of the case, such as `fetch.limit-after-sort`.
        public let caseID: String
        /// What the case holds the store to.
        public let claim: String
        /// What came of it.
        public let outcome: Outcome
        /// Why the case did not run, or is known to fail.
        public var reason: String?
        /// What was expected and what came, where the case failed.
        public var failure: ConformanceFailure?
        /// How long the case took.
        public var seconds: Double = 0
    }

    /// The store's name.
    public let subject: String
    /// What the store declares; nil where it could not be opened.
    public internal(set) var capabilities: StoreCapabilities?
    /// What came of the cases that ran, in the kit's order.
    public internal(set) var entries: [Entry] = []

    /// The cases that failed.
    public var failures: [ConformanceFailure] {
        entries.compactMap { $0.outcome == .failed ? $0.failure : nil }
    }

    /// How many cases had an outcome.
    public func count(_ outcome: Outcome) -> Int { entries.count { $0.outcome == outcome } }

    /// The ledger as JSON, with sorted keys.
    ///
    /// - Throws: what the encoder throws.
    public func json() throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(self), as: UTF8.self)
    }

    /// The ledger as text: a line for each area, one for each case that failed, and one for each reason why cases
    /// did not run.
    public var table: String {
        let outcomes = Outcome.allCases.filter { count($0) > 0 }
        let total = entries.reduce(0) { $0 + $1.seconds }
        var lines = ["Conformance of the store “\(subject)”: \(entries.count) cases, \(Self.text(seconds: total))"]
        let areas = entries.reduce(into: [String]()) { areas, entry in
            let area = Self.area(of: entry)
            if areas.last != area { areas.append(area) }
        }
        let width = areas.map(\.count).max() ?? 0
        for area in areas {
            let own = entries.filter { Self.area(of: $0) == area }
            let counts = outcomes.compactMap { outcome in
                let count = own.count { $0.outcome == outcome }
                return count == 0 ? nil : "\(count) \(outcome.rawValue)"
            }
            lines.append(
                "  " + area.padding(toLength: width + 2, withPad: " ", startingAt: 0) + counts.joined(separator: ", "))
        }
        for outcome in outcomes where outcome != .passed {
            lines.append("\(outcome.rawValue):")
            if outcome == .failed || outcome == .refused {
                for entry in entries where entry.outcome == outcome {
                    lines.append("  \(entry.caseID): \(entry.reason ?? entry.claim)")
                }
            } else {
                for (reason, cases) in reasons(of: outcome) {
                    lines.append("  \(reason): \(cases.joined(separator: ", "))")
                }
            }
        }
        let sums = outcomes.map { "\(count($0)) \($0.rawValue)" }
        lines.append("in all: " + sums.joined(separator: ", "))
        return lines.joined(separator: "\n")
    }

    private static func area(of entry: Entry) -> String { String(entry.caseID.prefix { $0 != "." }) }

    private static func text(seconds: Double) -> String { "\((seconds * 10).rounded() / 10) s" }
}
