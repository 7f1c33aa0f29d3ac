import Coffer
import Foundation
import Testing

@Suite("A search by relevance")
struct SearchTests {
    func make(_ store: TestStore) throws -> ModelContext {
        let place = try TestPlace(store, Essayist.self)
        let maker = place.context()
        maker.insert(Essay(0, "Rain", "It is about something else, at length, and mentions snow once", year: 1))
        maker.insert(Essay(1, "Snow", "Snow and more snow", note: "snow", year: 1))
        maker.insert(Essay(2, "Snow", "Nothing", year: 2))
        maker.insert(Essay(3, "Snow", "Nothing", year: 1))
        maker.insert(Essay(4, "Sun", nil, note: "snow", year: 1))
        try maker.save()
        return try place.reopen()
    }

    @Test("gives the best first", arguments: TestStore.all)
    func order(_ store: TestStore) throws {
        let context = try make(store)
        let byYear = FetchDescriptor<Essay>(sortBy: [SortDescriptor(\.year)])
        let hits = try context.search(byYear, for: "snow")
        #expect(hits.map(\.model.code) == [1, 3, 2, 0])
        #expect(hits[1].score == hits[2].score && hits[0].score > hits[1].score && hits[3].score > 0)
        let query = FullTextQuery("snow")
        #expect(hits.allSatisfy { $0.score == query.score(of: $0.model.title, $0.model.body ?? "") })
    }

    @Test("is limited after it is ordered", arguments: TestStore.all)
    func pages(_ store: TestStore) throws {
        let context = try make(store)
        var descriptor = FetchDescriptor<Essay>(predicate: #Predicate { $0.year == 1 })
        descriptor.fetchLimit = 2
        #expect(try context.search(descriptor, for: "snow").map(\.model.code) == [1, 3])
        descriptor.fetchOffset = 1
        #expect(try context.search(descriptor, for: "snow OR rain").map(\.model.code) == [0, 3])
        descriptor.fetchLimit = -1
        #expect(try context.search(descriptor, for: "snow").isEmpty)
    }

    @Test("sees unsaved changes", arguments: TestStore.all)
    func pending(_ store: TestStore) throws {
        let context = try make(store)
        context.insert(Essay(9, "snow", "snow"))
        for essay in try context.all(Essay.self, where: #Predicate { $0.code < 3 }) { context.delete(essay) }
        #expect(try context.search(FetchDescriptor<Essay>(), for: "sno*").map(\.model.code) == [9, 3])
    }

    @Test("looks into the properties it is given", arguments: TestStore.all)
    func properties(_ store: TestStore) throws {
        let context = try make(store)
        let found = try context.search(FetchDescriptor<Essay>(), for: "snow", in: [\.note])
        #expect(Set(found.map(\.model.code)) == [1, 4])
        let titles = try context.search(FetchDescriptor<Essay>(), for: "rain OR sun", in: [\.title, \.note])
        #expect(Set(titles.map(\.model.code)) == [0, 4])
        let error = #expect(throws: SwiftDataError.self) {
            try context.search(FetchDescriptor<Essay>(), for: "snow", in: [\.year])
        }
        #expect(error?.code == .unsupportedKeyPath && error?.property == "year")
    }

    @Test("without words finds everything", arguments: TestStore.all)
    func noWords(_ store: TestStore) throws {
        let hits = try make(store).search(FetchDescriptor<Essay>(sortBy: [SortDescriptor(\.code)]), for: "?")
        #expect(hits.map(\.model.code) == [0, 1, 2, 3, 4] && hits.allSatisfy { $0.score == 0 })
    }
}
