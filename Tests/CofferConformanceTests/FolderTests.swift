import CofferConformance
import Testing

/// Damage is found wherever it is, and a store with a file for each entity can show it only where it reads that entity.
@Suite("A store with a file for each entity")
struct FolderTests {
    static let run = ConformanceRun(FolderSubject())
    static let cases = run.cases.filter {
        $0.area == "damage" || ["interrupted.torn", "reopen.everything", "batch.rows"].contains($0.id)
    }

    @Test(arguments: cases) func passes(_ item: ConformanceCase) throws {
        #expect(try Self.run.run(item) == .passed)
    }
}
