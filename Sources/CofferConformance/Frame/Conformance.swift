import CofferCore

/// The cases of the kit.
///
/// A store's tests never list them: what is added here reaches every store.
public enum Conformance {
    /// All cases, area by area.
    public static let cases: [ConformanceCase] = areas.flatMap { area in
        var list = CaseList(area.name)
        area.add(&list)
        return list.cases
    }

    /// Runs all cases on a store, one after the other, and prints the ledger.
    ///
    /// - Returns: the ledger.
    /// - Throws: ``ConformanceFailures`` with all cases that failed.
    @discardableResult
    public static func check(_ subject: some ConformanceSubject) throws -> ConformanceLedger {
        let run = ConformanceRun(subject)
        for item in run.cases { _ = try? run.run(item) }
        return try run.finish()
    }

    /// Runs cases on a store, one after the other, hands out each failure as it comes, and prints the ledger at the end.
    ///
    /// For test frameworks that have no parameterised tests, or stop a test at its first error. This is the whole test
    /// file of a store with XCTest:
    ///
    /// ```swift
    /// final class LogStoreTests: XCTestCase {
    ///     func testConformance() throws {
    ///         try Conformance.check(LogStoreSubject()) { XCTFail("\($0)") }
    ///     }
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - subject: the store.
    ///   - cases: what to try; by default all cases of the kit.
    ///   - output: takes the table; by default it is printed.
    ///   - report: takes the failure of a case, and of each of the subject's declarations that is outdated.
    /// - Returns: the ledger; what did not run is in it, with its reason.
    /// - Throws: what writing the ledger as JSON throws; see ``ConformanceRun/finish(_:)``.
    @discardableResult
    public static func check(
        _ subject: some ConformanceSubject, cases: [ConformanceCase] = Conformance.cases,
        output: (String) -> Void = { print($0) }, report: (ConformanceFailure) -> Void
    ) throws -> ConformanceLedger {
        let run = ConformanceRun(subject, cases: cases)
        for item in run.cases {
            do throws(ConformanceFailure) { try run.run(item) } catch { report(error) }
        }
        run.staleDeclarations().forEach(report)
        return try run.publish(output)
    }

    private static var areas: [(name: String, add: (inout CaseList) -> Void)] {
        [
            ("identity", IdentityCases.add),
            ("entities", EntityCases.add),
            ("links", LinkCases.add),
            ("order", OrderCases.add),
            ("delete", DeleteCases.add),
            ("batch", BatchCases.add),
            ("history", HistoryCases.add),
            ("history", HistoryProvidingCases.add),
            ("save", SaveCases.add),
            ("filter", FilterCases.add),
            ("fetch", FetchCases.add),
            ("aggregate", AggregateCases.add),
            ("pending", PendingCases.add),
            ("values", ValueCases.add),
            ("unique", UniqueCases.add),
            ("contexts", ContextCases.add),
            ("reopen", ReopeningCases.add),
            ("erase", EraseCases.add),
            ("errors", ErrorCases.add),
            ("requests", RequestCases.add),
            ("plan", PlanCases.add),
            ("commit", CommitCases.add),
            ("concurrency", ConcurrencyCases.add),
            ("damage", DamageCases.add),
            ("interrupted", InterruptionCases.add),
            ("migration", MigrationCases.add),
            ("declared", DeclarationCases.add),
            ("programs", ProgramCases.add),
        ]
    }
}
