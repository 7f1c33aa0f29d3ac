import Coffer
import CofferFuzz
import Testing

@Suite("A random program of graph operations")
struct RandomProgramTests {
    @Test(
        "does to models what it does to a model of the graph in plain Swift", arguments: TestStore.all,
        [1, 2] as [UInt64])
    func agrees(_ store: TestStore, _ seed: UInt64) throws {
        let store = FuzzStore(
            name: store.name, enforcesUniqueness: store.lacks[.uniqueness] == nil,
            keepsData: store.withoutPlace == nil
        ) { store.configuration($0, Record()) }
        let run = FuzzRun(store: store, seed: seed, operations: 2000)
        if let failure = try run.failure() { Issue.record("\(failure)") }
    }

    @Test("can be replayed from what is printed of it")
    func replayed() throws {
        let run = FuzzRun(store: .memory, seed: 1, operations: 100)
        #expect(
            try run.failure(replaying: [
                "# two models and a link", "insert 0 1 Hub 3", "", "addNew 0 2 Item.hub 5 1", "save 0 0 - 0",
                "check 0 1 - 0", "checkFresh 0 0 - 0",
            ]) == nil)
        #expect(throws: FuzzRun.UnknownStep.self) { try run.failure(replaying: ["frobnicate 0 1 - 0"]) }
        // Without the rule that a saved model is there a program is sure to fail; it is cut down to the two steps.
        let failure = try run.failure(
            replaying: ["insert 0 1 Hub 3", "insert 0 2 Item 3", "mistake 0 1 title 0", "save 0 0 - 0"], shrinks: true)
        #expect(failure?.program == ["insert 0 1 Hub 3", "mistake 0 1 title 0"])
        #expect(failure?.what == "title of 1 in context 0")
    }
}
