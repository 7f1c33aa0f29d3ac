import Coffer
import CofferInMemory
import CofferJSON
import CofferLMDB
import Foundation
import Testing

@Suite("The conversion of stores")
struct ConversionTests {
    private static func configuration(_ store: TestStore, _ folder: URL) -> any DataStoreConfiguration {
        switch store.name {
        case "sqlite": SQLiteStoreConfiguration(url: folder.appendingPathComponent("copy.sqlite"))
        case "lmdb": LMDBStoreConfiguration(url: folder.appendingPathComponent("copy.lmdb"))
        default: JSONArchiveConfiguration(url: folder.appendingPathComponent("copy.json"))
        }
    }

    @Test(
        "keeps rows, links, order, large values and identifiers, and leaves the original",
        arguments: TestStore.migrating)
    func everywhere(_ store: TestStore) throws {
        for site in [try LinkMappingTests.make(store), try ValueMappingTests.make(store)] {
            let before = try site.files()
            var digests: [StoreDigest] = []
            for target in TestStore.migrating {
                let other = try MigrationSite(target)
                var lines: [StoreConversion.Progress] = []
                digests.append(
                    try StoreConversion.convert(
                        from: site.configuration, to: Self.configuration(target, other.folder)
                    ) { lines.append($0) })
                #expect(!lines.isEmpty && lines.allSatisfy { $0.rows <= $0.total })
                let error = try #require(
                    #expect(throws: SwiftDataError.self) {
                        try StoreConversion.convert(
                            from: site.configuration, to: Self.configuration(target, other.folder))
                    })
                #expect(error.code == .storeExists)
                let rest = try FileManager.default.contentsOfDirectory(atPath: other.folder.path)
                #expect(!rest.contains { $0.contains("migrating") })
            }
            #expect(Set(digests).count == 1)
            #expect(try site.files() == before)
        }
    }

    @Test("gives a store that the program can go on with", arguments: TestStore.migrating)
    func usable(_ store: TestStore) throws {
        let site = try StagedMigrationTests.make(store)
        var identifiers: Set<PersistentIdentifier> = []
        var gone: PersistentIdentifier?
        try site.open(PetsV1.Person.self, PetsV1.Pet.self) { context in
            let last = try context.only(PetsV1.Person.self, where: #Predicate { $0.name == "p3" })
            gone = last.persistentModelID
            context.delete(last)
            try context.save()
            identifiers = Set(try context.all(PetsV1.Person.self).map(\.persistentModelID))
        }
        for target in TestStore.migrating {
            let other = try MigrationSite(target)
            let configuration = Self.configuration(target, other.folder)
            try StoreConversion.convert(from: site.configuration, to: configuration)
            let context = ModelContext(
                try ModelContainer(
                    for: Schema([PetsV1.Person.self, PetsV1.Pet.self]), configurations: [configuration]))
            #expect(try Set(context.all(PetsV1.Person.self).map(\.persistentModelID)) == identifiers)
            let person = PetsV1.Person("c@x", "p4", ["k4"])
            context.insert(person)
            try context.save()
            // No key is given out twice, that of the deleted row neither.
            #expect(!identifiers.contains(person.persistentModelID) && person.persistentModelID != gone)
            #expect(try context.count(PetsV1.Person.self) == 3)
        }
    }

    @Test("in a ring over all stores ends where it began")
    func ring() throws {
        let site = try LinkMappingTests.make(.sqlite)
        let folder = try MigrationSite(.sqlite)
        let lmdb = LMDBStoreConfiguration(url: folder.folder.appendingPathComponent("ring.lmdb"))
        let json = JSONArchiveConfiguration(url: folder.folder.appendingPathComponent("ring.json"))
        let back = SQLiteStoreConfiguration(url: folder.folder.appendingPathComponent("ring.sqlite"))
        let first = try StoreConversion.convert(from: site.configuration, to: lmdb)
        #expect(try StoreConversion.convert(from: lmdb, to: json) == first)
        let place = try JSONArchiveStore.hold(json)
        let memory = try InMemoryStore(
            InMemoryStoreConfiguration(schema: place.source.schema), identifier: place.source.identifier)
        #expect(try StoreConversion.copy(place.source, into: memory) == first)
        place.end()
        let target = try SQLiteStore.makeCopy(
            {
                var back = back
                back.schema = memory.schema
                return back
            }(), identifier: memory.identifier)
        #expect(try StoreConversion.copy(memory, into: target.store) == first)
        try target.finish()
        #expect(try StoreDigest(of: SQLiteStore.hold(back).source) == first)
    }
}
