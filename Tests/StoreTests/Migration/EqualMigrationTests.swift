import Coffer
import CofferInMemory
import Foundation
import Testing

@Suite("One migration on every store")
struct EqualMigrationTests {
    private typealias Make = (TestStore) throws -> MigrationSite

    /// Runs a plan on a store of each kind, and answers the figures and what the stores hold in the end.
    private func run(
        _ plan: any SchemaMigrationPlan.Type, to version: any VersionedSchema.Type, _ make: Make
    ) throws -> (steps: [[MigrationReport.Step]], digests: Set<StoreDigest>) {
        var steps: [[MigrationReport.Step]] = []
        var digests: Set<StoreDigest> = []
        for store in TestStore.migrating {
            let site = try make(store)
            let schema = Schema(versionedSchema: version)
            let preview = try site.preview(schema, plan: plan)
            let report = try #require(try site.reports(schema, plan: plan).first)
            #expect(report.steps == preview.steps, "\(store.name)")
            steps.append(report.steps)
            let migrated = try StoreOpening.open(site.configuration)
            digests.insert(try StoreDigest(of: migrated))
            // What lives in memory has no older program; it holds what was migrated elsewhere.
            let memory = try InMemoryStore(
                InMemoryStoreConfiguration(schema: migrated.schema), identifier: migrated.identifier)
            digests.insert(try StoreConversion.copy(migrated, into: memory))
        }
        return (steps, digests)
    }

    @Test("in light steps ends in equal contents, and the dry run's figures are those of the real one")
    func light() throws {
        let found = try run(LongTripsPlan.self, to: TripsV3.self) { try MigrationSite.trips($0) }
        #expect(Set(found.steps).count == 1 && found.digests.count == 1)
        #expect(found.digests.first?.entities.first { $0.name == "Trip" }?.rows == 3)
    }

    @Test("by code of the program ends in equal contents, and the dry run's figures are those of the real one")
    func custom() throws {
        let found = try run(PetsPlan.self, to: PetsV2.self, StagedMigrationTests.make)
        #expect(Set(found.steps).count == 1 && found.digests.count == 1)
        #expect(found.digests.first?.entities.map(\.rows) == [2, 3])
    }
}
