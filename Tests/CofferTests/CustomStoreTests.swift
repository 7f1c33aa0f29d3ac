import Coffer
import Foundation
import Testing

@Model final class Pack {
    var name: String
    @Relationship(inverse: \Item.pack) var items: [Item] = []
    init(name: String) { self.name = name }
}

@Model final class Item {
    var n: Int
    var pack: Pack?
    init(n: Int) { self.n = n }
}

/// The smallest store that Apple's protocol family allows: a dictionary, and nothing that Coffer adds.
struct BagConfiguration: DataStoreConfiguration {
    typealias Store = BagStore
    let name: String
    var schema: Schema?
    let bag: Bag

    init(_ bag: Bag) {
        self.name = "bag"
        self.bag = bag
    }

    static func == (left: BagConfiguration, right: BagConfiguration) -> Bool { left.bag === right.bag }
    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(bag)) }
}

final class Bag: @unchecked Sendable {
    var snapshots: [PersistentIdentifier: DefaultSnapshot] = [:]
    var last = 0
    var fetches = 0
}

final class BagStore: DataStore {
    typealias Configuration = BagConfiguration
    typealias Snapshot = DefaultSnapshot
    let configuration: BagConfiguration
    let identifier = "bag"
    let schema: Schema

    init(_ configuration: BagConfiguration, migrationPlan: (any SchemaMigrationPlan.Type)?) throws {
        self.configuration = configuration
        schema = configuration.schema ?? Schema()
    }

    func fetch<M: PersistentModel>(
        _ request: DataStoreFetchRequest<M>
    ) throws -> DataStoreFetchResult<M, DefaultSnapshot> {
        configuration.bag.fetches += 1
        if request.descriptor.predicate != nil { throw DataStoreError.preferInMemoryFilter }
        if !request.descriptor.sortBy.isEmpty { throw DataStoreError.preferInMemorySort }
        let name = Schema.entityName(for: M.self)
        let found = configuration.bag.snapshots.values.filter { $0.persistentIdentifier.entityName == name }
        return DataStoreFetchResult(descriptor: request.descriptor, fetchedSnapshots: found)
    }

    func save(
        _ request: DataStoreSaveChangesRequest<DefaultSnapshot>
    ) throws -> DataStoreSaveChangesResult<DefaultSnapshot> {
        var remapped: [PersistentIdentifier: PersistentIdentifier] = [:]
        for snapshot in request.inserted {
            configuration.bag.last += 1
            remapped[snapshot.persistentIdentifier] = try PersistentIdentifier.identifier(
                for: identifier, entityName: snapshot.persistentIdentifier.entityName,
                primaryKey: configuration.bag.last)
        }
        for snapshot in request.deleted { configuration.bag.snapshots[snapshot.persistentIdentifier] = nil }
        for snapshot in request.inserted + request.updated {
            let permanent = remapped[snapshot.persistentIdentifier] ?? snapshot.persistentIdentifier
            configuration.bag.snapshots[permanent] = snapshot.copy(
                persistentIdentifier: permanent, remappedIdentifiers: remapped)
        }
        return DataStoreSaveChangesResult(for: identifier, remappedIdentifiers: remapped)
    }
}

@Suite("A store that knows only SwiftData's protocols")
struct CustomStoreTests {
    let bag = Bag()
    let container: ModelContainer
    let context: ModelContext
    let pack = Pack(name: "p")

    init() throws {
        container = try ModelContainer(for: Pack.self, Item.self, configurations: BagConfiguration(bag))
        context = ModelContext(container)
        context.insert(pack)
        for n in 0..<6 { pack.items.append(Item(n: n)) }
        try context.save()
    }

    @Test("one save gives every object a permanent identifier, and every reference")
    func identifiers() throws {
        #expect(pack.persistentModelID.storeIdentifier == "bag")
        #expect(pack.items.allSatisfy { $0.persistentModelID.storeIdentifier == "bag" })
        let items = bag.snapshots.values.filter { $0.persistentIdentifier.entityName == "Item" }
        #expect(items.count == 6)
        for item in items {
            let decoded = try JSONSerialization.jsonObject(with: JSONEncoder().encode(item)) as? [String: Any]
            let reference = try JSONSerialization.data(withJSONObject: #require(decoded?["pack"]))
            #expect(try JSONDecoder().decode(PersistentIdentifier.self, from: reference) == pack.persistentModelID)
        }
    }

    @Test("the core filters, sorts and pages what the store hands back")
    func fallback() throws {
        #expect(try context.fetch(FetchDescriptor<Item>()).count == 6)
        var page = FetchDescriptor<Item>(
            predicate: #Predicate { $0.n > 0 }, sortBy: [SortDescriptor(\.n, order: .reverse)])
        page.fetchOffset = 1
        page.fetchLimit = 2
        #expect(try ModelContext(container).fetch(page).map(\.n) == [4, 3])
        #expect(try context.fetchCount(FetchDescriptor<Item>(predicate: #Predicate { $0.n > 0 })) == 5)
        #expect(try context.fetchIdentifiers(FetchDescriptor<Item>(predicate: #Predicate { $0.n > 3 })).count == 2)
    }

    @Test("a deletion nullifies the links of stored rows")
    func nullify() throws {
        let fresh = ModelContext(container)
        let stored = try #require(try fresh.fetch(FetchDescriptor<Pack>()).first)
        #expect(Set(stored.items.map(\.n)) == [0, 1, 2, 3, 4, 5])
        fresh.delete(stored)
        try fresh.save()
        #expect(bag.snapshots.count == 6)
        let orphans = try ModelContext(container).fetch(FetchDescriptor<Item>())
        #expect(orphans.count == 6)
        #expect(orphans.allSatisfy { $0.pack == nil })
    }
}
