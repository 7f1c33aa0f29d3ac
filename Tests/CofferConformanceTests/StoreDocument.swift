import CofferConformance
import Foundation
import Testing

/// The README of one of Coffer's own stores, which holds the summary of its ledger between two marks.
///
/// `make ledgers` runs these tests with `COFFER_LEDGERS=write`; then they write the summary instead of comparing it.
struct StoreDocument {
    private static let start = "<!-- ledger: written by `make ledgers` -->"
    private static let end = "<!-- end of the ledger -->"
    private let file: URL

    init(_ folder: String, testFile: String = #filePath) {
        let root = URL(fileURLWithPath: testFile).deletingLastPathComponent().appendingPathComponent("../..")
        file = root.appendingPathComponent("Stores/\(folder)/README.md").standardizedFileURL
    }

    /// Expects the summary of a whole run.
    func check(_ ledger: ConformanceLedger, of run: ConformanceRun) throws {
        // Where somebody runs a few cases only there is nothing to be compared.
        guard ledger.entries.count == run.cases.count else { return }
        let text = try String(contentsOf: file, encoding: .utf8)
        let start = try #require(text.range(of: Self.start), "\(file.path) has no place for the ledger")
        let end = try #require(text.range(of: Self.end, range: start.upperBound..<text.endIndex))
        let summary = "\n\n\(ledger.summary)\n\n"
        let place = start.upperBound..<end.lowerBound
        if ProcessInfo.processInfo.environment["COFFER_LEDGERS"] == "write" {
            try text.replacingCharacters(in: place, with: summary).write(to: file, atomically: true, encoding: .utf8)
        } else {
            #expect(text[place] == summary, "run `make ledgers`: what \(file.path) says of the store is not current")
        }
    }
}
