import CofferCore
import CofferInMemory
import Foundation
import Testing

@testable import CofferConformance

@Suite("Snapshots of two versions of one model")
struct SnapshotSchemaTests {
    @Test func areDecodedForTheSchemaOfTheDecoder() throws {
        let (old, new) = (Schema(versionedSchema: FirstFleet.self), Schema(versionedSchema: RenamedFleet.self))
        var related: [PersistentIdentifier: any BackingData] = [:]
        let barge = FirstFleet.Barge("Anna", load: 10, owner: "Mr Smith")
        let snapshot = DefaultSnapshot(from: barge.persistentBackingData, relatedBackingDatas: &related)
        let (encoder, decoder) = (JSONEncoder(), JSONDecoder())
        encoder.outputFormatting = .sortedKeys
        let json = try encoder.encode(snapshot)
        // Whatever was opened last, here and in other tests.
        for schema in [new, old, new] {
            _ = try ModelContainer(for: schema, configurations: [InMemoryStoreConfiguration()])
            decoder.userInfo[DefaultSnapshot.schemaKey] = old
            #expect(try encoder.encode(decoder.decode(DefaultSnapshot.self, from: json)) == json)
            decoder.userInfo[DefaultSnapshot.schemaKey] = new
            let text = String(
                decoding: try encoder.encode(decoder.decode(DefaultSnapshot.self, from: json)), as: UTF8.self)
            #expect(text.contains("Anna") && !text.contains("Mr Smith"))
        }
    }
}
