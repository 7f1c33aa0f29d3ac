import Coffer
import Foundation
import Testing

@Model final class Gauge {
    var no: Int
    var level: Double
    var drift: Float?
    init(_ no: Int, _ level: Double, _ drift: Float?) {
        self.no = no
        self.level = level
        self.drift = drift
    }
}

@Suite("Orders by numbers of which some are none")
struct NotANumberOrderTests {
    static func make(_ store: TestStore) throws -> ModelContext {
        let context = try TestPlace(store, Gauge.self).context()
        context.insert(Gauge(0, .nan, 1))
        context.insert(Gauge(1, 2, .nan))
        context.insert(Gauge(2, -.infinity, nil))
        context.insert(Gauge(3, .nan, -1))
        context.insert(Gauge(4, .infinity, .nan))
        try context.save()
        return context
    }

    @Test("have them behind all numbers, with unsaved changes and without", arguments: TestStore.all)
    func last(_ store: TestStore) throws {
        let context = try Self.make(store)
        let level = SortDescriptor(\Gauge.level)
        #expect(try context.all(Gauge.self, by: level).map(\.no) == [2, 1, 4, 0, 3])
        let down = SortDescriptor(\Gauge.level, order: .reverse)
        #expect(try context.all(Gauge.self, by: down).map(\.no) == [0, 3, 4, 1, 2])
        context.insert(Gauge(5, .nan, 0))
        context.insert(Gauge(6, 0, .nan))
        #expect(try context.all(Gauge.self, by: level).map(\.no) == [2, 6, 1, 4, 0, 3, 5])
        #expect(try context.all(Gauge.self, by: down).map(\.no) == [0, 3, 5, 4, 1, 6, 2])
        let drift = SortDescriptor(\Gauge.drift)
        #expect(try context.all(Gauge.self, by: drift).map(\.no) == [2, 3, 5, 0, 1, 4, 6])
    }
}
