import Coffer
import Foundation
import Testing

@Suite("Page tokens")
struct PageTokenTests {
    static func token(_ context: ModelContext, _ sort: [SortDescriptor<Purchase>]) throws -> PageToken {
        var descriptor = FetchDescriptor<Purchase>(sortBy: sort)
        descriptor.fetchLimit = 5
        return try #require(try context.fetchPage(descriptor).next)
    }

    @Test("survive as text and as JSON, and hold in the store when it is opened again", arguments: TestStore.all)
    func coding(_ store: TestStore) throws {
        let (place, _, _) = try PurchaseWorld.make(store)
        for (name, sort) in FetchPageTests.orders {
            let token = try Self.token(place.context(), sort)
            let coded = try JSONDecoder().decode(PageToken.self, from: JSONEncoder().encode(token))
            #expect(coded == token, "\(name)")
            let text = token.description
            #expect(text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-" || $0 == "_") })
            var descriptor = FetchDescriptor<Purchase>(sortBy: sort)
            descriptor.fetchOffset = 5
            let expected = try place.context().fetch(descriptor).map(\.serial)
            let context = try place.reopen()
            #expect(
                try context.fetchPage(descriptor, after: PageToken(text)).models.map(\.serial) == expected, "\(name)")
        }
    }

    @Test("that are damaged throw", arguments: TestStore.all)
    func damaged(_ store: TestStore) throws {
        let (place, _, _) = try PurchaseWorld.make(store)
        let text = try Self.token(place.context(), [SortDescriptor(\.title)]).description
        for index in text.indices {
            var broken = text
            broken.replaceSubrange(index...index, with: text[index] == "A" ? "B" : "A")
            // The last letter has bits that say nothing.
            guard text.index(after: index) != text.endIndex else { continue }
            #expect(throws: SwiftDataError.invalidPageToken) { try PageToken(broken) }
        }
        for length in 0..<text.count {
            #expect(throws: SwiftDataError.invalidPageToken) { try PageToken(String(text.prefix(length))) }
        }
        for other in ["", "?", "AAAA", "é", text + text] {
            #expect(throws: SwiftDataError.invalidPageToken) { try PageToken(other) }
        }
        #expect(throws: SwiftDataError.invalidPageToken) {
            try JSONDecoder().decode(PageToken.self, from: Data("\"nonsense\"".utf8))
        }
    }

    @Test("of another order, model or store throw", arguments: TestStore.all)
    func foreign(_ store: TestStore) throws {
        let (place, _, _) = try PurchaseWorld.make(store)
        let context = place.context()
        let token = try Self.token(context, [SortDescriptor(\.title)])
        let others: [[SortDescriptor<Purchase>]] = [
            [], [SortDescriptor(\.title, order: .reverse)], [SortDescriptor(\.note)],
            [SortDescriptor(\.title), SortDescriptor(\.serial)],
            [SortDescriptor(\.title, comparator: .localizedStandard)],
        ]
        for sort in others {
            #expect(throws: SwiftDataError.invalidPageToken) {
                try context.fetchPage(FetchDescriptor(sortBy: sort), after: token)
            }
        }
        #expect(throws: SwiftDataError.invalidPageToken) {
            try context.fetchPage(FetchDescriptor<Shopper>(sortBy: [SortDescriptor(\.name)]), after: token)
        }
        let (elsewhere, _, _) = try PurchaseWorld.make(store)
        #expect(throws: SwiftDataError.invalidPageToken) {
            try elsewhere.context().fetchPage(
                FetchDescriptor<Purchase>(sortBy: [SortDescriptor(\.title)]), after: token)
        }
        // Another predicate is another matter.
        let paid = FetchDescriptor<Purchase>(predicate: #Predicate { $0.isPaid }, sortBy: [SortDescriptor(\.title)])
        let more = try context.fetchPage(paid, after: token)
        #expect(more.models.allSatisfy { $0.isPaid })
    }

    @Test("need an order of stored values", arguments: TestStore.all)
    func computed(_ store: TestStore) throws {
        let (place, _, _) = try PurchaseWorld.make(store, count: 3)
        #expect(throws: SwiftDataError.unsupportedSortDescriptor) {
            try place.context().fetchPage(FetchDescriptor<Purchase>(sortBy: [SortDescriptor(\.twice)]))
        }
    }
}
