import Foundation

/// A document of a store, such as its README, that says what the kit has found.
///
/// The summary of the ledger stands between two marks:
///
/// ```markdown
/// <!-- ledger -->
/// <!-- end of the ledger -->
/// ```
///
/// A test compares it with the run, so that it cannot fall behind. With `COFFER_LEDGERS=write` in the environment the same
/// test writes it:
///
/// ```swift
/// @Test func ledger() throws { try ConformanceDocument(readme).check(Self.run.finish(), of: Self.run) }
/// ```
public struct ConformanceDocument: Sendable {
    private static let start = "<!-- ledger"
    private static let end = "<!-- end of the ledger -->"
    private let file: URL

    /// Names a document.
    public init(_ file: URL) { self.file = file }

    /// Compares the document with the ledger of a whole run; a part of one is no matter.
    ///
    /// - Throws: ``ConformanceFailure`` where the document says something else, or has no marks; what the file system
    ///   throws.
    public func check(_ ledger: ConformanceLedger, of run: ConformanceRun) throws {
        try check(ledger, of: run, writes: ProcessInfo.processInfo.environment["COFFER_LEDGERS"] == "write")
    }

    func check(_ ledger: ConformanceLedger, of run: ConformanceRun, writes: Bool) throws {
        guard ledger.entries.count == run.cases.count else { return }
        let text = try String(contentsOf: file, encoding: .utf8)
        guard let start = text.range(of: Self.start),
            let mark = text.range(of: "-->", range: start.upperBound..<text.endIndex),
            let end = text.range(of: Self.end, range: mark.upperBound..<text.endIndex)
        else { throw failure(expected: "two marks, with a place for the ledger between them", came: "none") }
        let place = mark.upperBound..<end.lowerBound
        let summary = "\n\n\(ledger.summary)\n\n"
        if writes {
            try text.replacingCharacters(in: place, with: summary).write(to: file, atomically: true, encoding: .utf8)
        } else if text[place] != summary {
            throw failure(
                expected: "what this run has found", came: "something else: run the tests with COFFER_LEDGERS=write")
        }
    }

    private func failure(expected: String, came: String) -> ConformanceFailure {
        ConformanceFailure(
            caseID: "ledger", claim: "A document says of the store what the kit has found", subject: file.path,
            expected: expected, came: came, place: "\(#fileID):\(#line)")
    }
}
