import Coffer
import Foundation
import Testing

@Model final class PendingOwner {
    var name: String
    var city: String?
    @Relationship(inverse: \PendingItem.owner) var items: [PendingItem] = []

    init(name: String) { self.name = name }
}

@Model final class PendingItem {
    var number: Int
    var small: Int8 = 0
    var note: String?
    var price: Double = 0
    var owner: PendingOwner?

    init(number: Int) { self.number = number }
}

/// Unsaved changes are judged like stored rows, and nothing that a predicate does stops the program.
@Suite struct PendingQueryTests {
    /// Three saved items, two new ones, one changed; the owners are changed too.
    private func makeContext(_ store: TestStore) throws -> ModelContext {
        let context = try TestPlace(store, PendingOwner.self).context()
        let owners = ["Ada", "Bo"].map { PendingOwner(name: $0) }
        let items = (0..<3).map { PendingItem(number: $0) }
        items[0].owner = owners[0]
        items[1].owner = owners[1]
        items[1].small = 127
        items[2].price = .nan
        for item in items { context.insert(item) }
        for owner in owners { context.insert(owner) }
        try context.save()
        let new = (3..<5).map { PendingItem(number: $0) }
        for item in new { context.insert(item) }
        new[0].owner = owners[0]
        new[0].small = 127
        new[1].note = "n"
        new[1].price = .nan
        items[2].owner = owners[1]
        owners[1].city = "Rome"
        return context
    }

    private func numbers(_ predicate: Predicate<PendingItem>, _ context: ModelContext) throws -> [Int] {
        let descriptor = FetchDescriptor(predicate: predicate, sortBy: [SortDescriptor(\.number)])
        let found = try context.fetch(descriptor).map(\.number)
        #expect(try context.fetchCount(descriptor) == found.count)
        return found
    }

    @Test(arguments: TestStore.all, [false, true]) func pendingAndStoredAgree(_ store: TestStore, isSaved: Bool) throws
    {
        let context = try makeContext(store)
        if isSaved { try context.save() }
        #expect(try numbers(#Predicate { $0.small + 1 > 0 }, context) == [0, 2, 4])
        #expect(try numbers(#Predicate { !($0.small + 1 > 0) }, context) == [])
        #expect(try numbers(#Predicate { 8 / $0.number > 2 }, context) == [1, 2])
        #expect(try numbers(#Predicate { $0.note!.isEmpty }, context) == [])
        #expect(try numbers(#Predicate { $0.note! == "n" }, context) == [4])
        #expect(try numbers(#Predicate { $0.owner!.name == "Bo" }, context) == [1, 2])
        #expect(try numbers(#Predicate { $0.owner?.city == "Rome" }, context) == [1, 2])
        #expect(try numbers(#Predicate { $0.owner?.city == nil }, context) == [0, 3, 4])
        #expect(try numbers(#Predicate { $0.owner == nil }, context) == [4])
        #expect(try numbers(#Predicate { ($0.owner?.items.count ?? 0) > 1 }, context) == [0, 1, 2, 3])
        #expect(
            try numbers(#Predicate { item in item.owner?.items.contains { $0.number > item.number } == true }, context)
                == [0, 1])
        #expect(try numbers(#Predicate { $0.price == $0.price }, context) == [0, 1, 3])
        #expect(try numbers(#Predicate { $0.price != 0 }, context) == [2, 4])
    }

    @Test(arguments: TestStore.all) func identitiesOfNewModels(_ store: TestStore) throws {
        let context = try makeContext(store)
        let owner = try #require(try context.fetch(FetchDescriptor<PendingOwner>()).first { $0.name == "Ada" })
        let key = owner.persistentModelID
        #expect(try numbers(#Predicate { $0.owner?.persistentModelID == key }, context) == [0, 3])
        let item = try #require(try context.fetch(FetchDescriptor<PendingItem>()).first { $0.number == 4 })
        let new = item.persistentModelID
        #expect(try numbers(#Predicate { $0.persistentModelID == new }, context) == [4])
        let several = [new, key]
        #expect(try numbers(#Predicate { several.contains($0.persistentModelID) }, context) == [4])
    }
}
