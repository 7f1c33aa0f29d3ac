import CofferCore
import CofferInMemory
import Foundation
import Testing

@testable import CofferConformance

/// The store in memory, with what a test wants to say of it.
struct DeclaringSubject: ConformanceSubject {
    var name = "declaring"
    var optOuts: [ConformanceExemption] = []
    var expectedFailures: [ConformanceExemption] = []

    func configuration(at place: ConformancePlace) -> any DataStoreConfiguration {
        InMemoryStoreConfiguration("declaring")
    }
}

@Suite("The ledger of the conformance kit")
struct LedgerTests {
    static let good = ConformanceCase("own.good", "Something that holds") { trial in
        try trial.write { _ in }
    }
    static let bad = ConformanceCase("own.bad", "Something that does not hold") { trial in
        try trial.equal(1, 2, "the number")
    }
    static let needy = ConformanceCase("own.needy", "Something for stores with files", needs: [.damage]) { _ in }
    static let lacking = ConformanceCase("own.lacking", "Something is refused", refuses: .damage) { _ in }
    static let having = ConformanceCase("own.having", "Something is refused", refuses: .erasing) { _ in }

    func run(_ subject: DeclaringSubject, _ cases: ConformanceCase...) -> ConformanceRun {
        let run = ConformanceRun(subject, cases: cases)
        for item in cases { _ = try? run.run(item) }
        return run
    }

    @Test func everyOutcomeIsNoted() throws {
        let subject = DeclaringSubject(optOuts: [ConformanceExemption("identity.coded", "no codes here")])
        let out = try #require(Conformance.cases.first { $0.id == "identity.coded" })
        let ledger = run(subject, Self.good, Self.bad, Self.needy, Self.lacking, Self.having, out).ledger
        #expect(
            ledger.entries.map(\.outcome) == [.passed, .failed, .skipped, .refused, .skipped, .optedOut])
        #expect(ledger.entries[2].reason == ConformanceNeed.damage.absence)
        #expect(ledger.entries[4].reason == "the store declares erasing")
        #expect(ledger.entries[5].reason == "no codes here")
        #expect(ledger.failures.map(\.caseID) == ["own.bad"])
    }

    @Test func aFailureSaysWhatWasExpectedAndWhatCame() throws {
        let run = ConformanceRun(DeclaringSubject(), cases: [Self.bad])
        let failure = try #require(throws: ConformanceFailure.self) { try run.run(Self.bad) }
        #expect(failure.caseID == "own.bad" && failure.claim == "Something that does not hold")
        #expect(failure.expected == "2" && failure.came == "1" && failure.subject == "the number")
        #expect(failure.place.contains("LedgerTests.swift"))
        #expect(failure.description.contains("own.bad: Something that does not hold"))
    }

    @Test func aForeignErrorIsAFailureToo() throws {
        struct Odd: Error {}
        let item = ConformanceCase("own.throws", "A call succeeds") { _ in throw Odd() }
        let failure = try #require(throws: ConformanceFailure.self) {
            try ConformanceRun(DeclaringSubject(), cases: [item]).run(item)
        }
        #expect(failure.expected == "no error" && failure.came.contains("Odd"))
        #expect(failure.place.contains("LedgerTests.swift:"))
    }

    @Test func aConditionSaysWhatShouldHold() throws {
        let item = ConformanceCase("own.condition", "A condition holds") { try $0.expect(false, "the door is shut") }
        let failure = try #require(throws: ConformanceFailure.self) {
            try ConformanceRun(DeclaringSubject(), cases: [item]).run(item)
        }
        #expect(failure.expected == "the door is shut" && failure.came == "it does not hold")
    }

    @Test func anExpectedFailureThatFailsIsNone() throws {
        let subject = DeclaringSubject(expectedFailures: [ConformanceExemption("own.bad", "two is too many")])
        let run = run(subject, Self.bad)
        #expect(run.ledger.entries.map(\.outcome) == [.expectedFailure])
        #expect(throws: Never.self) { try run.finish { _ in } }
    }

    @Test func anExpectedFailureThatPassesFailsTheRun() throws {
        let subject = DeclaringSubject(expectedFailures: [ConformanceExemption("own.good", "it used to fail")])
        let run = ConformanceRun(subject, cases: [Self.good])
        let failure = try #require(throws: ConformanceFailure.self) { try run.run(Self.good) }
        #expect(failure.expected.contains("it used to fail"))
        #expect(throws: ConformanceFailures.self) { try run.finish { _ in } }
    }

    @Test func declarationsNameCasesAndReasons() throws {
        for subject in [
            DeclaringSubject(optOuts: [ConformanceExemption("fetch.gone-with-version-2", "it was slow")]),
            DeclaringSubject(expectedFailures: [ConformanceExemption("fetch.gone-with-version-2", "it was slow")]),
            DeclaringSubject(optOuts: [ConformanceExemption("own.good", "")]),
        ] {
            let error = try #require(throws: ConformanceFailures.self) { try run(subject, Self.good).finish { _ in } }
            #expect(error.failures.count == 1)
            let expected = subject.optOuts.first?.reason == "" ? "no reason" : "there is no such case"
            #expect(error.failures.first?.came == expected)
            #expect(error.failures.first?.place.contains("DeclaringSubject.") == true)
        }
    }

    @Test func theTableNamesWhatDidNotSimplyPass() throws {
        var text = ""
        #expect(throws: ConformanceFailures.self) {
            try run(DeclaringSubject(), Self.good, Self.bad, Self.needy).finish { text += $0 }
        }
        #expect(text.contains("Conformance of the store “declaring”: 3 cases"))
        #expect(text.contains("own.bad: 1"))
        #expect(text.contains(ConformanceNeed.damage.absence + ": own.needy"))
        #expect(text.contains("in all: 1 passed, 1 failed, 1 skipped"))
    }

    @Test func theTableSaysAReasonOnce() {
        let other = ConformanceCase("own.needy-too", "Something else for stores with files", needs: [.damage]) { _ in }
        let table = run(DeclaringSubject(), Self.needy, Self.good, other).ledger.table
        #expect(table.contains("skipped:\n  \(ConformanceNeed.damage.absence): own.needy, own.needy-too\n"))
    }

    @Test func theSummaryIsTheSameEachTime() throws {
        let first = run(DeclaringSubject(), Self.good, Self.needy, Self.lacking).ledger.summary
        #expect(first == run(DeclaringSubject(), Self.good, Self.needy, Self.lacking).ledger.summary)
        #expect(first.contains("| uniqueness | yes |") && first.contains("| durable | no |"))
        #expect(first.contains("Of 3 cases of the conformance kit: 1 passed, 1 refused as declared, 1 skipped."))
        #expect(first.contains("- skipped: \(ConformanceNeed.damage.absence) (`own.needy`)"))
    }

    @Test func theLedgerIsJSON() throws {
        let ledger = run(DeclaringSubject(), Self.good, Self.bad).ledger
        let read = try JSONDecoder().decode(ConformanceLedger.self, from: Data(ledger.json().utf8))
        #expect(read.entries.map(\.caseID) == ["own.good", "own.bad"])
        #expect(read.failures == ledger.failures)
    }

    @Test func theLedgerIsWrittenAsJSONWhereItIsAskedFor() throws {
        let run = run(DeclaringSubject(name: "a/b"), Self.good)
        var printed: [String] = []
        let ledger = try run.publish({ printed.append($0) }, json: "-")
        #expect(printed == [ledger.table, try ledger.json()])
        let folder = FileManager.default.temporaryDirectory.appending(path: "coffer-tests-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        _ = try run.publish({ _ in }, json: folder.appending(path: "ledgers").path)
        let file = folder.appending(path: "ledgers/a-b.json")
        #expect(try String(contentsOf: file, encoding: .utf8) == ledger.json())
    }

    @Test func aDocumentIsWrittenAndCompared() throws {
        let run = run(DeclaringSubject(), Self.good, Self.needy)
        let file = FileManager.default.temporaryDirectory.appending(path: "coffer-tests-\(UUID().uuidString).md")
        defer { try? FileManager.default.removeItem(at: file) }
        func write(_ text: String) throws { try text.write(to: file, atomically: true, encoding: .utf8) }
        let document = ConformanceDocument(file)
        try write("# A store\n")
        let noMarks = try #require(throws: ConformanceFailure.self) {
            try document.check(run.ledger, of: run, writes: false)
        }
        #expect(noMarks.came == "none" && noMarks.subject == file.path)
        try write("# A store\n\n<!-- ledger: by hand -->\nnews\n<!-- end of the ledger -->\nThe end.\n")
        let old = try #require(throws: ConformanceFailure.self) {
            try document.check(run.ledger, of: run, writes: false)
        }
        #expect(old.came.contains("COFFER_LEDGERS=write"))
        try document.check(run.ledger, of: run, writes: true)
        #expect(throws: Never.self) { try document.check(run.ledger, of: run, writes: false) }
        let text = try String(contentsOf: file, encoding: .utf8)
        #expect(text.hasPrefix("# A store\n\n<!-- ledger: by hand -->\n\n| Declared |"))
        #expect(text.contains(run.ledger.summary) && text.hasSuffix("\n\n<!-- end of the ledger -->\nThe end.\n"))
        // A few cases say nothing about the whole.
        let part = ConformanceRun(DeclaringSubject(), cases: [Self.good, Self.needy])
        try part.run(Self.good)
        #expect(throws: Never.self) { try document.check(part.ledger, of: part, writes: false) }
    }

    @Test func aReporterIsHandedEachFailureAndNothingElse() throws {
        let subject = DeclaringSubject(optOuts: [ConformanceExemption("fetch.gone-with-version-2", "it was slow")])
        var (reported, printed): ([ConformanceFailure], [String]) = ([], [])
        let ledger = try Conformance.check(
            subject, cases: [Self.good, Self.bad, Self.needy], output: { printed.append($0) }
        ) { reported.append($0) }
        #expect(reported.map(\.caseID) == ["own.bad", "fetch.gone-with-version-2"])
        #expect(ledger.entries.map(\.outcome) == [.passed, .failed, .skipped])
        #expect(printed == [ledger.table])
    }

    @Test func anExpectedFailureThatPassesReachesAReporter() throws {
        let subject = DeclaringSubject(expectedFailures: [ConformanceExemption("own.good", "it used to fail")])
        var reported: [ConformanceFailure] = []
        try Conformance.check(subject, cases: [Self.good], output: { _ in }) { reported.append($0) }
        #expect(reported.map(\.caseID) == ["own.good"])
        #expect(reported.first?.came == "the case passes now: remove the declaration")
        #expect(reported.first?.place.contains("LedgerTests.swift:") == true)
    }

    @Test func identifiersAndClaimsAreSound() {
        let cases = Conformance.cases
        #expect(Set(cases.map(\.id)).count == cases.count)
        #expect(cases.count >= 120)
        for item in cases {
            #expect(item.claim.count > 10, "\(item)")
            #expect(item.id.wholeMatch(of: /[a-z]+\.[a-z0-9-]+/) != nil, "\(item)")
        }
    }

    @Test func aPlaceIsGoneWithItsCase() throws {
        nonisolated(unsafe) var folder: URL?
        let item = ConformanceCase("own.place", "A place is a folder") { trial in
            folder = trial.place.folder
            try trial.expect(FileManager.default.fileExists(atPath: trial.place.folder.path), "the folder is there")
        }
        try ConformanceRun(DeclaringSubject(), cases: [item]).run(item)
        #expect(try !FileManager.default.fileExists(atPath: #require(folder).path))
    }
}
