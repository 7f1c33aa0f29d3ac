import CofferCore
import Foundation
import Synchronization

/// A store's way through the kit, and the ledger of it.
///
/// With Swift Testing the whole test file of a store is:
///
/// ```swift
/// @Suite(.serialized) struct LogStoreConformance {
///     static let run = ConformanceRun(LogStoreSubject())
///     @Test(arguments: run.cases) func conforms(_ item: ConformanceCase) throws { try Self.run.run(item) }
///     @Test func ledger() throws { try Self.run.finish() }
/// }
/// ```
///
/// In a serialized suite the last function runs last; it prints the ledger and throws what is wrong with the subject's
/// own declarations. For XCTest see ``Conformance/check(_:cases:output:report:)``.
///
/// Isolation: may be used from several threads, so that cases can run side by side.
public final class ConformanceRun: Sendable {
    /// The store, as its author describes it.
    public let subject: any ConformanceSubject
    /// The cases, those of the kit unless said otherwise.
    public let cases: [ConformanceCase]

    private let entries = Mutex<[String: ConformanceLedger.Entry]>([:])
    private let available = Mutex<Result<Findings, any Error>?>(nil)

    /// What the first look at the store has shown.
    private struct Findings {
        let capabilities: StoreCapabilities
        let facilities: Set<ConformanceNeed>
    }

    /// Prepares a run.
    ///
    /// - Parameters:
    ///   - subject: the store.
    ///   - cases: what to try; by default all cases of the kit.
    public init(_ subject: some ConformanceSubject, cases: [ConformanceCase] = Conformance.cases) {
        self.subject = subject
        self.cases = cases
    }

    /// The ledger of the cases that ran until now, in the order of ``cases``.
    public var ledger: ConformanceLedger {
        var ledger = ConformanceLedger(subject: subject.name)
        ledger.capabilities = available.withLock { try? $0?.get().capabilities }
        ledger.entries = entries.withLock { entries in cases.compactMap { entries[$0.id] } }
        return ledger
    }

    /// What the store has of all that cases can need.
    ///
    /// - Throws: what the store throws when it is opened for the first time.
    public func facilities() throws -> Set<ConformanceNeed> { try findings().facilities }

    private func findings() throws -> Findings {
        try available.withLock { known in
            if let known { return try known.get() }
            let found = Result { try Self.probe(subject) }
            known = found
            return try found.get()
        }
    }

    /// Runs a case and notes what came of it.
    ///
    /// - Returns: the outcome; a case that could not run is no error.
    /// - Throws: ``ConformanceFailure`` where the claim does not hold, or where it holds although the subject expects it
    ///   to fail.
    @discardableResult
    public func run(_ item: ConformanceCase) throws(ConformanceFailure) -> ConformanceLedger.Outcome {
        let start = ContinuousClock.now
        var entry = attempt(item)
        let (seconds, attoseconds) = start.duration(to: .now).components
        entry.seconds = Double(seconds) + Double(attoseconds) / 1e18
        let noted = entry
        entries.withLock { $0[item.id] = noted }
        if entry.outcome == .failed, let failure = entry.failure { throw failure }
        return entry.outcome
    }

    /// Ends the run: prints the ledger, and checks the subject's declarations.
    ///
    /// With `COFFER_CONFORMANCE_JSON` in the environment the ledger is also written as JSON: into the folder it names, to a
    /// file with the store's name, or, where it is `-`, behind the table.
    ///
    /// - Parameter output: takes the table; by default it is printed.
    /// - Returns: the ledger.
    /// - Throws: ``ConformanceFailures`` with the cases that failed, and with an entry for each declaration that names no
    ///   case.
    @discardableResult
    public func finish(_ output: (String) -> Void = { print($0) }) throws -> ConformanceLedger {
        let ledger = try publish(output)
        let failures = ledger.failures + staleDeclarations()
        if !failures.isEmpty { throw ConformanceFailures(failures: failures) }
        return ledger
    }

    /// Prints the ledger, and writes it where the environment says.
    func publish(
        _ output: (String) -> Void, json: String? = ProcessInfo.processInfo.environment["COFFER_CONFORMANCE_JSON"]
    ) throws -> ConformanceLedger {
        let ledger = ledger
        output(ledger.table)
        switch json {
        case nil, "": break
        case "-": output(try ledger.json())
        case let path?:
            let folder = URL(fileURLWithPath: path, isDirectory: true)
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            let name = subject.name.replacing("/", with: "-") + ".json"
            try Data(ledger.json().utf8).write(to: folder.appendingPathComponent(name))
        }
        return ledger
    }

    // MARK: One case

    private func attempt(_ item: ConformanceCase) -> ConformanceLedger.Entry {
        func entry(
            _ outcome: ConformanceLedger.Outcome, _ reason: String? = nil, _ failure: ConformanceFailure? = nil
        ) -> ConformanceLedger.Entry {
            ConformanceLedger.Entry(
                caseID: item.id, claim: item.claim, outcome: outcome, reason: reason, failure: failure)
        }
        if let exemption = subject.optOuts.first(where: { $0.caseID == item.id }) {
            return entry(.optedOut, exemption.reason)
        }
        let expected = subject.expectedFailures.first { $0.caseID == item.id }
        do {
            let available = try facilities()
            if let missing = item.needs.first(where: { !available.contains($0) }) {
                return entry(.skipped, missing.absence)
            }
            if let refused = item.refuses, available.contains(refused) {
                return entry(.skipped, "the store declares \(refused.name)")
            }
            try ConformanceTrial.run(item, on: subject, facilities: available)
        } catch {
            let failure = Self.failure(error, of: item)
            if let expected { return entry(.expectedFailure, expected.reason, failure) }
            return entry(.failed, failure.came, failure)
        }
        if let expected {
            let failure = ConformanceFailure(
                caseID: item.id, claim: item.claim, subject: "the subject's expected failures",
                expected: "a failure: \(expected.reason)", came: "the case passes now: remove the declaration",
                place: item.place)
            return entry(.failed, failure.came, failure)
        }
        return entry(item.refuses == nil ? .passed : .refused)
    }

    private static func failure(_ error: any Error, of item: ConformanceCase) -> ConformanceFailure {
        var failure =
            error as? ConformanceFailure
            ?? ConformanceFailure(
                subject: "the calls of the case", expected: "no error", came: "\(type(of: error)): \(error)",
                place: item.place)
        if failure.place.isEmpty { failure.place = item.place }
        failure.caseID = item.id
        failure.claim = item.claim
        return failure
    }

    // MARK: Declarations

    func staleDeclarations() -> [ConformanceFailure] {
        let known = Set(cases.map(\.id)).union(Conformance.cases.map(\.id))
        let type = String(reflecting: Swift.type(of: subject))
        func stale(_ exemptions: [ConformanceExemption], _ list: String, _ member: String) -> [ConformanceFailure] {
            exemptions.compactMap { exemption in
                if known.contains(exemption.caseID), !exemption.reason.isEmpty { return nil }
                return ConformanceFailure(
                    caseID: exemption.caseID, claim: "Every declaration names a case and a reason", subject: list,
                    expected: "a case of the kit, and a reason",
                    came: exemption.reason.isEmpty ? "no reason" : "there is no such case",
                    place: "\(type).\(member)")
            }
        }
        return stale(subject.optOuts, "the subject's opt-outs", "optOuts")
            + stale(subject.expectedFailures, "the subject's expected failures", "expectedFailures")
    }

    /// Opens the store once and looks at what it is.
    private static func probe(_ subject: any ConformanceSubject) throws -> Findings {
        let place = try ConformancePlace()
        defer { try? subject.remove(place) }
        var found: Set<ConformanceNeed> = []
        let store = try StoreOpening.open(subject.configuration(at: place), schema: Schema(Story.models))
        let capabilities = store.capabilities
        for need in ConformanceNeed.declared where need.feature.map(capabilities.features.contains) == true {
            found.insert(need)
        }
        if store is any RowStore { found.insert(.rows) }
        if store is any DataStoreBatching { found.insert(.batching) }
        if capabilities.features.contains(.history), SeamHistory(store) != nil { found.insert(.historyProviding) }
        if store is any MigratingStore { found.formUnion([.additions, .renames, .conversions, .stages]) }
        if StoreOpening.hasDefaultSnapshots(store) { found.insert(.defaultSnapshots) }
        do {
            try store.erase()
            found.insert(.erasing)
        } catch DataStoreError.unsupportedFeature {
            // The store says by this that it cannot be erased.
        }
        found.formUnion(subject.facilities(capabilities))
        if try subject.readOnlyConfiguration(at: place) != nil { found.insert(.readOnly) }
        if try !subject.files(at: place).isEmpty { found.insert(.damage) }
        return Findings(capabilities: capabilities, facilities: found)
    }
}
