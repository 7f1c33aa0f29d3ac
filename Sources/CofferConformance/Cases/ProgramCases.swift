import CofferCore

/// Random programs, held to a model in plain Swift.
enum ProgramCases {
    static func add(_ cases: inout CaseList) {
        for seed in 1...4 as ClosedRange<UInt64> {
            cases.add("contexts-\(seed)", "A random program through contexts leaves what it should (seed \(seed))") {
                try check($0, .contexts, seed, steps: 40)
            }
            cases.add(
                "rows-\(seed)", "A random program of commits and plans leaves what it should (seed \(seed))",
                needs: [.rows, .filtering, .sorting]
            ) {
                try check($0, .rows, seed, steps: 80)
            }
        }
    }

    static func driver(
        _ door: Conformance.ProgramDoor
    ) -> @Sendable (ConformanceTrial) throws -> any ProgramDriver {
        switch door {
        case .contexts: { ContextDriver($0) }
        case .rows: { try RowDriver($0) }
        }
    }

    private static func check(
        _ trial: ConformanceTrial, _ door: Conformance.ProgramDoor, _ seed: UInt64, steps: Int
    ) throws {
        let (subject, facilities) = (trial.subject, trial.facilities)
        let runner = ProgramRunner(
            trial: { try ConformanceTrial(subject, facilities: facilities) }, driver: driver(door))
        try runner.check(seed: seed, steps: steps)
    }
}
