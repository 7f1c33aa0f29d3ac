import Coffer
import Foundation
import Testing

@Suite("A context that allows no fallback to memory")
struct StrictContextTests {
    static func strict(_ place: TestPlace) -> ModelContext {
        let context = place.context()
        context.allowsInMemoryFallback = false
        return context
    }

    /// The error of a fetch that falls back.
    private func refusal(_ body: () throws -> Void) throws -> SwiftDataError {
        let error = #expect(throws: SwiftDataError.self) { try body() }
        let found = try #require(error)
        #expect(found.code == .inMemoryFallback)
        return found
    }

    @Test("fetches what the store can do", arguments: TestStore.all)
    func inStore(_ store: TestStore) throws {
        let place = try ExplainTests.make(store)
        let context = Self.strict(place)
        if store.lacks[.requestsOfItsOwn] == nil {
            #expect(try context.fetch(ExplainTests.atPort).map(\.no) == [7, 57, 107, 157])
            #expect(try context.fetchCount(ExplainTests.atPort) == 4)
        } else {
            let error = try refusal { _ = try context.fetch(ExplainTests.atPort) }
            #expect(error.detail?.contains("port") == true)
            #expect(error.detail?.contains("port 7") == false, "values stay out")
            _ = try refusal { _ = try context.fetchCount(ExplainTests.atPort) }
        }
        #expect(try context.fetch(FetchDescriptor<Crossing>()).count == 200)
    }

    @Test("refuses the part of a filter that SQLite hands back, and says which")
    func divided() throws {
        let context = Self.strict(try ExplainTests.make(.sqlite))
        let error = try refusal { _ = try context.fetch(ExplainTests.divided) }
        #expect(error.detail?.contains("crew") == true)
        #expect(error.detail?.contains("Ada") == false)
        _ = try refusal { _ = try context.fetchCount(ExplainTests.divided) }
        #expect(try Self.strict(ExplainTests.make(.lmdb)).fetchCount(ExplainTests.divided) == 3)
    }

    @Test("refuses an order that no store has, by name", arguments: TestStore.all)
    func order(_ store: TestStore) throws {
        let place = try ExplainTests.make(store)
        let descriptor = FetchDescriptor<Crossing>(sortBy: [SortDescriptor(\.port.count)])
        let error = try refusal { _ = try Self.strict(place).fetch(descriptor) }
        #expect(error.entity == "Crossing")
        #expect(error.detail?.contains("order") == true)
        #expect(error.detail?.contains("0x") == false, "no addresses")
        _ = try refusal { _ = try Self.strict(place).fetchIdentifiers(descriptor) }
        #expect(try Self.strict(place).fetchCount(descriptor) == 200, "a count needs no order")
        #expect(try place.context().fetch(descriptor).count == 200)
    }

    @Test("refuses values of many models that the store cannot work out", arguments: TestStore.all)
    func aggregates(_ store: TestStore) throws {
        let place = try ExplainTests.make(store)
        let descriptor = FetchDescriptor<Crossing>()
        _ = try refusal { _ = try Self.strict(place).aggregate(descriptor, .max(\.port.count)) }
        #expect(try place.context().aggregate(descriptor, .max(\.port.count)) != nil)
        try store.needs(.requestsOfItsOwn)
        #expect(try Self.strict(place).aggregate(descriptor, .max(\.no)) != nil)
    }

    @Test("merges unsaved changes", arguments: TestStore.all)
    func pendingChanges(_ store: TestStore) throws {
        try store.needs(.requestsOfItsOwn)
        let context = Self.strict(try ExplainTests.make(store))
        context.insert(Crossing(1000, port: "port 7", miles: 1))
        #expect(try context.fetch(ExplainTests.atPort).map(\.no) == [7, 57, 107, 157, 1000])
        try context.only(Pilot.self).name = "Bo"
        #expect(try context.count(Crossing.self, where: #Predicate { $0.pilot?.name == "Bo" }) == 67)
        var saved = ExplainTests.atPort
        saved.includePendingChanges = false
        #expect(try context.fetch(saved).count == 4)
    }
}
