import ArchiveStore
import CofferConformance
import CofferCore
import Testing

/// What the conformance kit has to know of the store.
struct SmallStoreSubject: ConformanceSubject {
    let name = "SmallStore"

    func configuration(at place: ConformancePlace) -> any DataStoreConfiguration {
        SmallStoreConfiguration(url: place.folder.appendingPathComponent("models.json"))
    }

    /// What the kit cannot see by itself. Here: what was saved is there when the file is opened again.
    func facilities(_ capabilities: StoreCapabilities) -> Set<ConformanceNeed> { [.reopening] }
}

@Suite(.serialized) struct SmallStoreConformance {
    static let run = ConformanceRun(SmallStoreSubject())

    @Test(arguments: run.cases) func conforms(_ item: ConformanceCase) throws { try Self.run.run(item) }
    @Test func ledger() throws { try Self.run.finish() }
}
