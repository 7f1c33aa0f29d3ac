import Coffer
import Foundation
import Testing

@Suite("Pages with tokens")
struct FetchPageTests {
    /// Orders with everything that makes a place hard to tell: nil, not-a-number, ties, links, comparisons of text.
    static let orders: [(name: String, sort: [SortDescriptor<Purchase>])] = [
        ("none", []),
        ("serial", [SortDescriptor(\.serial)]),
        ("indexed", [SortDescriptor(\.amount)]),
        ("indexed, reverse", [SortDescriptor(\.amount, order: .reverse)]),
        ("nil and not-a-number", [SortDescriptor(\.weight)]),
        ("nil and not-a-number, reverse", [SortDescriptor(\.weight, order: .reverse)]),
        ("text", [SortDescriptor(\.title), SortDescriptor(\.weight, order: .reverse)]),
        ("optional text", [SortDescriptor(\.note, order: .reverse), SortDescriptor(\.title)]),
        ("days", [SortDescriptor(\.day), SortDescriptor(\.note, order: .reverse), SortDescriptor(\.weight)]),
        ("days, reverse", [SortDescriptor(\.day, order: .reverse), SortDescriptor(\.note)]),
        ("unsigned", [SortDescriptor(\.big, order: .reverse), SortDescriptor(\.cost)]),
        ("link", [SortDescriptor(\.shopper?.name), SortDescriptor(\.amount)]),
        ("link, reverse", [SortDescriptor(\.shopper?.age, order: .reverse), SortDescriptor(\.weight)]),
        ("as people do", [SortDescriptor(\.title, comparator: .localizedStandard)]),
        (
            "as people do, with nil",
            [SortDescriptor(\.note, comparator: .localizedStandard, order: .reverse), SortDescriptor(\.amount)]
        ),
        ("as the locale does", [SortDescriptor(\.note, comparator: .localized)]),
    ]

    /// All pages of a descriptor, each token through its text.
    static func pages(
        _ context: ModelContext, _ descriptor: FetchDescriptor<Purchase>, _ size: Int,
        _ between: (Int) throws -> Void = { _ in }
    ) throws -> [[Int]] {
        var descriptor = descriptor
        descriptor.fetchLimit = size
        var pages: [[Int]] = []
        var token: PageToken?
        repeat {
            let page = try context.fetchPage(descriptor, after: token)
            pages.append(page.models.map(\.serial))
            token = try page.next.map { try PageToken($0.description) }
            #expect(token == page.next)
            try between(pages.count)
        } while token != nil && pages.count < 1000
        return pages
    }

    @Test("join to the whole in every order", arguments: TestStore.all)
    func whole(_ store: TestStore) throws {
        let (place, _, _) = try PurchaseWorld.make(store, count: 60)
        let context = place.context()
        for (name, sort) in Self.orders {
            for predicate in [nil, #Predicate<Purchase> { $0.isPaid }] {
                let descriptor = FetchDescriptor(predicate: predicate, sortBy: sort)
                let all = try context.fetch(descriptor).map(\.serial)
                for size in [1, 7, 60] {
                    let pages = try Self.pages(context, descriptor, size)
                    #expect(pages.flatMap { $0 } == all, "\(name), \(size)")
                    #expect(pages.dropLast().allSatisfy { $0.count == size }, "\(name), \(size)")
                    #expect(pages.count == (all.count + size - 1) / size, "\(name), \(size)")
                }
            }
        }
    }

    @Test("include unsaved changes", arguments: TestStore.all)
    func pending(_ store: TestStore) throws {
        let (_, context, _) = try PendingAggregateTests.make(store)
        for (name, sort) in Self.orders {
            let descriptor = FetchDescriptor<Purchase>(sortBy: sort)
            let all = try context.fetch(descriptor).map(\.serial)
            #expect(try Self.pages(context, descriptor, 8).flatMap { $0 } == all, "\(name)")
            var stored = descriptor
            stored.includePendingChanges = false
            let old = try context.fetch(stored).map(\.serial)
            #expect(try Self.pages(context, stored, 8).flatMap { $0 } == old, "\(name), stored")
        }
    }

    @Test("neither skip nor repeat models when others come and go", arguments: TestStore.all)
    func changes(_ store: TestStore) throws {
        let (place, _, _) = try PurchaseWorld.make(store, count: 40)
        let reader = place.context()
        let writer = place.context()
        for (name, sort) in [Self.orders[2], Self.orders[7], Self.orders[11]] {
            let descriptor = FetchDescriptor<Purchase>(sortBy: sort)
            let before = try reader.fetch(descriptor).map(\.serial)
            var gone: Set<Int> = []
            var world = PurchaseWorld(seed: 9)
            let seen = try Self.pages(reader, descriptor, 6) { number in
                // Among them the model that the page ended with.
                let all = try writer.fetch(descriptor)
                let deleted = all[min(all.count - 1, number * 5)]
                gone.insert(deleted.serial)
                writer.delete(deleted)
                for _ in 0..<3 { writer.insert(world.purchase(10_000, [])) }
                try writer.save()
            }.flatMap { $0 }
            let old = seen.filter { $0 < 10_000 }
            #expect(old.count == Set(old).count, "\(name)")
            #expect(old.filter { !gone.contains($0) } == before.filter { !gone.contains($0) }, "\(name)")
        }
    }

    @Test("take an offset for the first page only, and no limit for everything", arguments: TestStore.all)
    func offset(_ store: TestStore) throws {
        let (place, _, _) = try PurchaseWorld.make(store, count: 20)
        let context = place.context()
        var descriptor = FetchDescriptor<Purchase>(sortBy: [SortDescriptor(\.serial)])
        let all = try context.fetchPage(descriptor)
        #expect(all.models.count == 20 && all.next == nil)
        descriptor.fetchOffset = 3
        descriptor.fetchLimit = 4
        let first = try context.fetchPage(descriptor)
        #expect(first.models.map(\.serial) == [3, 4, 5, 6])
        let second = try context.fetchPage(descriptor, after: first.next)
        #expect(second.models.map(\.serial) == [7, 8, 9, 10])
        descriptor.fetchLimit = 0
        let empty = try context.fetchPage(descriptor, after: first.next)
        #expect(empty.models.isEmpty && empty.next == first.next)
        descriptor.fetchLimit = .max
        #expect(try context.fetchPage(descriptor, after: first.next).models.count == 13)
    }

    @Test("go on behind an unsaved model in the same context, before and after it is saved", arguments: TestStore.all)
    func unsaved(_ store: TestStore) throws {
        let (place, _, _) = try PurchaseWorld.make(store, count: 4)
        let context = place.context()
        for serial in 10..<14 { context.insert(Purchase(serial, amount: 100)) }
        var descriptor = FetchDescriptor<Purchase>(sortBy: [SortDescriptor(\.amount)])
        descriptor.fetchLimit = 6
        let page = try context.fetchPage(descriptor)
        #expect(page.models.suffix(2).map(\.serial) == [10, 11])
        #expect(try context.fetchPage(descriptor, after: page.next).models.map(\.serial) == [12, 13])
        #expect(throws: SwiftDataError.invalidPageToken) {
            try place.context().fetchPage(descriptor, after: page.next)
        }
        try context.save()
        #expect(try context.fetchPage(descriptor, after: page.next).models.map(\.serial) == [12, 13])
    }

    @Test("read no more rows than they show, and one", arguments: TestStore.all)
    func cost(_ store: TestStore) throws {
        try store.needs(.requestsOfItsOwn)
        let (place, _, _) = try PurchaseWorld.make(store)
        let context = place.context()
        for (name, sort) in Self.orders {
            var descriptor = FetchDescriptor<Purchase>(sortBy: sort)
            descriptor.fetchLimit = 5
            var token: PageToken?
            for _ in 0..<10 {
                let counts = try place.record.during {
                    token = try context.fetchPage(descriptor, after: token).next
                }
                // By a link, the last model's partner has to be known.
                #expect(name.hasPrefix("link") ? counts.rows <= 8 : counts.rows == 6, "\(name)")
                #expect(counts.requests <= 3, "\(name)")
            }
        }
    }
}
