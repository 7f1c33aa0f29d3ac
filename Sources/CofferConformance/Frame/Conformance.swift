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
    /// This is the whole test file of a store whose framework has no parameterised tests:
    ///
    /// ```swift
    /// final class LogStoreTests: XCTestCase {
    ///     func testConformance() throws { try Conformance.check(LogStoreSubject()) }
    /// }
    /// ```
    ///
    /// - Returns: the ledger.
    /// - Throws: ``ConformanceFailures`` with all cases that failed.
    @discardableResult
    public static func check(_ subject: some ConformanceSubject) throws -> ConformanceLedger {
        let run = ConformanceRun(subject)
        for item in run.cases { _ = try? run.run(item) }
        return try run.finish()
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
            ("declared", DeclarationCases.add),
            ("programs", ProgramCases.add),
        ]
    }
}
