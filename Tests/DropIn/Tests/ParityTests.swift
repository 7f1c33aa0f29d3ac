import DropInLedger
import DropInMainActor
import DropInSwift5
import DropInSwift6
import Foundation
import Testing

/// A language mode that the exercises were compiled in.
enum LanguageMode: String, CaseIterable {
    case swift5 = "Swift 5"
    case swift6 = "Swift 6"
    case mainActor = "Swift 6 with the main actor as default isolation"

    @MainActor func run(_ ledger: ParityLedger) async {
        switch self {
        case .swift5: await DropInSwift5.runExercises(ledger)
        case .swift6: await DropInSwift6.runExercises(ledger)
        case .mainActor: await DropInMainActor.runExercises(ledger)
        }
    }
}

/// What SwiftData has, and what of it is here: `Docs/Parity.md` is made of what the exercises have shown in each
/// language mode, in memory and in a file. `make ledgers` writes it there.
@Suite("Parity with SwiftData", .serialized)
@MainActor
struct ParityTests {
    /// What the exercises showed, in every mode and place.
    private func ledgers() async throws -> [(name: String, ledger: ParityLedger)] {
        var found: [(String, ParityLedger)] = []
        for mode in LanguageMode.allCases {
            for place in ParityLedger.Place.allCases {
                let folder = FileManager.default.temporaryDirectory
                    .appendingPathComponent("coffer-parity-\(UUID().uuidString)")
                try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
                defer { try? FileManager.default.removeItem(at: folder) }
                let ledger = ParityLedger(place, folder: folder)
                await mode.run(ledger)
                found.append(("\(mode.rawValue), \(place.rawValue)", ledger))
            }
        }
        return found
    }

    @Test("every member works, differs for a reason or cannot be here, and the document says so")
    func parity() async throws {
        let list = try MemberList.read()
        let ledgers = try await ledgers()
        for (name, ledger) in ledgers {
            for exercise in ledger.exercises {
                for failure in exercise.failures { Issue.record("\(name): \(exercise.title): \(failure)") }
            }
            #expect(ledger.exercises.map(\.title) == ledgers[0].ledger.exercises.map(\.title), "\(name)")
        }
        let exercises = ledgers[0].ledger.exercises
        let document = ParityDocument(list, exercises)
        for problem in document.problems { Issue.record("\(problem)") }
        if ProcessInfo.processInfo.environment["COFFER_LEDGERS"] == "write" {
            try document.text.write(to: ParityDocument.place, atomically: true, encoding: .utf8)
            return
        }
        let written = try String(contentsOf: ParityDocument.place, encoding: .utf8)
        #expect(written == document.text, "run `make ledgers`")
    }

    @Test("an exercise that fails, throws or states nothing is no success")
    func honesty() async {
        let ledger = ParityLedger(.memory, folder: FileManager.default.temporaryDirectory)
        await ledger.works("silent", ["a"]) { _ in }
        await ledger.works("throwing", ["b"]) { check in
            check.expect(true)
            throw CancellationError()
        }
        await ledger.works("false", ["c"]) { $0.equal(1, 2) }
        await ledger.works("true", ["d"]) { $0.equal(1, 1) }
        #expect(ledger.exercises.map(\.failures.isEmpty) == [false, false, false, true])
        let list = MemberList(
            sections: [.init(title: "All", members: ["a", "b", "c", "d", "e"].map { .init(name: $0, absence: nil) })])
        let document = ParityDocument(list, ledger.exercises)
        #expect(document.row("d")?.verdict == "works")
        for name in ["a", "b", "c", "e"] { #expect(document.row(name)?.verdict == nil) }
        #expect(document.problems.count >= 4)
    }
}
