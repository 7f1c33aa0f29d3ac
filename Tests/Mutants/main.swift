// Seeds one fault at a time into a copy of the store in memory, of the JSON archive or of the examples' archive, and looks
// whether the kit finds it, by a case that fits.
//
//     make mutants                 # all of them
//     coffer-mutants limit         # those with "limit" in their name

import CofferConformance
import Foundation

/// What became of a mutant.
struct Verdict {
    let mutant: Mutant
    /// The case that found it, and what it said; nil where none did.
    var finder: ConformanceFailure?
    var fits = false
}

func cases(_ beginnings: [String]) -> [ConformanceCase] {
    // In the order of the beginnings: what fits best first.
    beginnings.flatMap { beginning in Conformance.cases.filter { $0.id.hasPrefix(beginning) } }
}

func firstFailure(_ subject: any ConformanceSubject, _ cases: [ConformanceCase]) -> ConformanceFailure? {
    let run = ConformanceRun(subject)
    for item in cases {
        do throws(ConformanceFailure) { try run.run(item) } catch { return error }
    }
    return nil
}

func judge(_ mutant: Mutant) -> Verdict {
    let subject = mutant.subject
    var verdict = Verdict(mutant: mutant)
    if let failure = firstFailure(subject, cases(mutant.fits)) {
        (verdict.finder, verdict.fits) = (failure, true)
        return verdict
    }
    verdict.finder = firstFailure(subject, Conformance.cases)
    return verdict
}

let originals: [any ConformanceSubject] = [
    MutantSubject(name: "original", mutation: Mutation()),
    FileMutantSubject(name: "original", mutation: FileMutation()),
    HistoryMutantSubject(name: "original", mutation: HistoryMutation()),
]
for subject in originals {
    let run = ConformanceRun(subject)
    for item in run.cases { _ = try? run.run(item) }
    if run.ledger.failures.isEmpty { continue }
    print("The store without a fault does not pass:")
    for failure in run.ledger.failures { print(failure) }
    exit(1)
}

let wanted = CommandLine.arguments.dropFirst()
let mutants = Mutant.all.filter { mutant in wanted.isEmpty || wanted.contains { mutant.name.contains($0) } }
let width = mutants.map(\.name.count).max() ?? 0
var verdicts: [Verdict] = []
for mutant in mutants {
    let verdict = judge(mutant)
    verdicts.append(verdict)
    let result =
        switch (verdict.finder, verdict.fits) {
        case (let failure?, true): "found by \(failure.caseID)"
        case (let failure?, false): "NOT FITTING: found by \(failure.caseID)"
        case (nil, _): "SURVIVED"
        }
    print(mutant.name.padding(toLength: width + 2, withPad: " ", startingAt: 0) + result)
    fflush(nil)
}
let found = verdicts.count { $0.fits }
print("\(found) of \(verdicts.count) faults found by a case that fits")
exit(found == verdicts.count ? 0 : 1)
