import CofferCore
import CofferInMemory
import Foundation
import Testing

@testable import CofferConformance

/// A store in memory that loses the last row of every save of three rows and more.
final class LossyStore: RowStore {
    typealias Snapshot = DefaultSnapshot
    let configuration: LossyConfiguration
    private let base: InMemoryStore

    init(_ configuration: LossyConfiguration, migrationPlan: (any SchemaMigrationPlan.Type)?) throws {
        self.configuration = configuration
        base = try InMemoryStore(InMemoryStoreConfiguration("lossy", schema: configuration.schema))
    }

    var identifier: String { base.identifier }
    var schema: Schema { base.schema }
    var capabilities: StoreCapabilities { base.capabilities }
    func fetchRows(_ plan: FetchPlan, into batch: RowBatch) throws { try base.fetchRows(plan, into: batch) }
    func countRows(_ plan: FetchPlan) throws -> Int { try base.countRows(plan) }
    func fetchKeys(_ plan: FetchPlan) throws -> [Int64] { try base.fetchKeys(plan) }

    func commit(_ changes: RowChanges) throws -> RowChangesResult {
        let result = try base.commit(changes)
        let ships = zip(changes.inserted, result.keys).filter { $0.0.entityName == "Ship" }.flatMap(\.1)
        if ships.count >= 3, let last = ships.last {
            var loss = RowChanges(editingState: changes.editingState)
            loss.deleted = [("Ship", [last])]
            _ = try base.commit(loss)
        }
        return result
    }
}

struct LossyConfiguration: DataStoreConfiguration {
    typealias Store = LossyStore
    let name = "lossy"
    var schema: Schema?
}

struct LossySubject: ConformanceSubject {
    let name = "lossy"
    func configuration(at place: ConformancePlace) -> any DataStoreConfiguration { LossyConfiguration() }
    func facilities(_ capabilities: StoreCapabilities) -> Set<ConformanceNeed> { [.checking] }
}

@Suite("Random programs of the conformance kit")
struct ProgramTests {
    @Test func aSeedGivesOneProgram() {
        for seed in 1...20 as ClosedRange<UInt64> {
            var (first, second) = (ProgramGenerator(seed: seed), ProgramGenerator(seed: seed))
            #expect(first.program(steps: 30) == second.program(steps: 30))
        }
        var (first, second) = (ProgramGenerator(seed: 1), ProgramGenerator(seed: 2))
        #expect(first.program(steps: 30) != second.program(steps: 30))
    }

    @Test func aProgramIsReadBackFromItsText() throws {
        for seed in 1...20 as ClosedRange<UInt64> {
            var generator = ProgramGenerator(seed: seed)
            let program = generator.program(steps: 40)
            #expect(Program(lines: program.lines) == program)
        }
        for line in ["sav: new ship 1 1 1", "save: new boat 1 1 1", "save: new ship 1", "query: above 1"] {
            #expect(Program(lines: [line]) == nil, "\(line)")
        }
    }

    @Test(arguments: Conformance.ProgramDoor.allCases)
    func aFailureIsMadeAsShortAsItCanBe(_ door: Conformance.ProgramDoor) throws {
        let run = ConformanceRun(LossySubject())
        let facilities = try run.facilities()
        let runner = ProgramRunner(
            trial: { try ConformanceTrial(LossySubject(), facilities: facilities) }, driver: ProgramCases.driver(door))
        var found: ConformanceFailure?
        for seed in 1...40 as ClosedRange<UInt64> where found == nil {
            do { try runner.check(seed: seed, steps: 60) } catch let failure as ConformanceFailure { found = failure }
        }
        let failure = try #require(found)
        // One save of three ships is all it takes, and what they are called or carry is of no matter.
        let program = try #require(failure.program)
        #expect(program.count == 1)
        #expect(program.first?.components(separatedBy: "new ship").count == 4)
        #expect(program.first?.contains("sailor") == false)
        #expect(program.first?.components(separatedBy: " 0 0").count == 4)
        #expect(failure.seed != nil)
        #expect(failure.description.contains("seed:"))
        let again = try #require(throws: ConformanceFailure.self) {
            try Conformance.replay(program, through: door, on: run)
        }
        #expect(again.program == program && again.expected == failure.expected)
        #expect(throws: Never.self) {
            try Conformance.replay(program, through: door, on: ConformanceRun(MemorySubject()))
        }
    }

    @Test func aFailureThatDoesNotComeAgainIsOneAllTheSame() throws {
        let run = ConformanceRun(MemorySubject())
        let facilities = try run.facilities()
        nonisolated(unsafe) var calls = 0
        let runner = ProgramRunner(
            trial: {
                calls += 1
                if calls == 1 { throw SwiftDataError(.ioFailure) }
                return try ConformanceTrial(MemorySubject(), facilities: facilities)
            }, driver: ProgramCases.driver(.contexts))
        let failure = try #require(throws: ConformanceFailure.self) { try runner.check(seed: 1, steps: 5) }
        #expect(failure.came.contains("not each time") && failure.seed == 1)
        #expect(failure.program?.count == 5)
    }

    @Test func seedsAreTriedUntilOneFails() throws {
        let run = ConformanceRun(LossySubject())
        let failure = try #require(throws: ConformanceFailure.self) {
            try Conformance.explore(seeds: 1...40, steps: 60, through: .contexts, on: run)
        }
        #expect(failure.caseID == "programs.contexts" && failure.seed != nil && failure.program?.count == 1)
        #expect(failure.description.contains("programs.contexts: A random program leaves what it should"))
        #expect(throws: Never.self) {
            try Conformance.explore(seeds: 1...2, steps: 10, through: .rows, on: ConformanceRun(MemorySubject()))
        }
    }

    @Test func theKitFindsTheLoss() throws {
        let run = ConformanceRun(LossySubject())
        for item in run.cases { _ = try? run.run(item) }
        let found = Set(run.ledger.failures.map(\.caseID))
        #expect(found.isSuperset(of: ["save.large", "identity.distinct", "plan.blocks"]))
    }
}
