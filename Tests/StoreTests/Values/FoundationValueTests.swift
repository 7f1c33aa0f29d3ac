import Coffer
import Foundation
import Testing

@Model final class Things {
    var key: Int
    var date = Date(timeIntervalSinceReferenceDate: 0)
    var data = Data()
    var uuid = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
    var url = URL(fileURLWithPath: "/")
    var decimal = Decimal(0)
    var maybeDate: Date?
    var maybeData: Data?
    var maybeUUID: UUID?
    var maybeURL: URL?
    var maybeDecimal: Decimal?
    init(_ key: Int) { self.key = key }
}

@Suite("Values of Foundation")
struct FoundationValueTests {
    /// Saves a model for each value, in a property and in its optional twin, and one without; answers what is read.
    private func roundTrip<V>(
        _ store: TestStore, _ keyPath: ReferenceWritableKeyPath<Things, V>,
        _ optional: ReferenceWritableKeyPath<Things, V?>, _ values: [V]
    ) throws -> (place: TestPlace, read: [[Things]]) {
        let place = try TestPlace(store, Things.self)
        let context = place.context()
        for (key, value) in values.enumerated() {
            let things = Things(key)
            things[keyPath: keyPath] = value
            things[keyPath: optional] = value
            context.insert(things)
        }
        context.insert(Things(values.count))
        try context.save()
        let contexts = try place.newContexts()
        return (place, try contexts.map { try $0.all(Things.self, by: SortDescriptor(\.key)) })
    }

    static let dates =
        [
            793109282.061, 573385274.217203, 707796892.7651631, 0.1, -0.1, 1e-9, 4e11, 0, -978307200,
            .leastNonzeroMagnitude,
        ].map(Date.init(timeIntervalSinceReferenceDate:)) + [.distantPast, .distantFuture]

    @Test("dates keep every bit, are found and sorted", arguments: TestStore.all)
    func dates(_ store: TestStore) throws {
        let (place, read) = try roundTrip(store, \.date, \.maybeDate, Self.dates)
        func bits(_ date: Date?) -> UInt64? { date?.timeIntervalSinceReferenceDate.bitPattern }
        for models in read {
            #expect(models.dropLast().map { bits($0.date) } == Self.dates.map(bits))
            #expect(models.map { bits($0.maybeDate) } == Self.dates.map(bits) + [nil])
        }
        for context in try place.newContexts() {
            for date in Self.dates where date.timeIntervalSinceReferenceDate != 0 {
                #expect(try context.count(Things.self, where: #Predicate { $0.date == date }) == 1, "\(date)")
                #expect(try context.count(Things.self, where: #Predicate { $0.maybeDate == date }) == 1, "\(date)")
            }
            let sorted = try context.all(Things.self, by: SortDescriptor(\.date)).map(\.date)
            #expect(sorted == (Self.dates + [Things(0).date]).sorted())
        }
    }

    @Test("data keeps every byte, empty and large", arguments: TestStore.all)
    func data(_ store: TestStore) throws {
        var large = Data(count: 5 << 20)
        for index in stride(from: 0, to: large.count, by: 4099) { large[index] = UInt8(truncatingIfNeeded: index) }
        let values = [Data(), Data([0]), Data((0...255).map { UInt8($0) }), large, large[1000..<2000]]
        let (place, read) = try roundTrip(store, \.data, \.maybeData, values)
        for models in read {
            #expect(models.dropLast().map(\.data) == values)
            #expect(models.map(\.maybeData) == values + [nil])
        }
        let empty = Data()
        for context in try place.newContexts() {
            #expect(try context.count(Things.self, where: #Predicate { $0.maybeData == empty }) == 1)
            #expect(try context.count(Things.self, where: #Predicate { $0.maybeData == nil }) == 1)
        }
    }

    @Test("UUIDs keep their bytes and are found", arguments: TestStore.all)
    func uuids(_ store: TestStore) throws {
        let values = [
            UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1)), UUID(),
            UUID(uuid: (255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255)), UUID(),
        ]
        let (place, read) = try roundTrip(store, \.uuid, \.maybeUUID, values)
        for models in read {
            #expect(models.dropLast().map(\.uuid) == values)
            #expect(models.map(\.maybeUUID) == values + [nil])
        }
        for context in try place.newContexts() {
            for uuid in values { #expect(try context.count(Things.self, where: #Predicate { $0.uuid == uuid }) == 1) }
        }
    }

    @Test("URLs keep their base and their spelling", arguments: TestStore.all)
    func urls(_ store: TestStore) throws {
        let base = try #require(URL(string: "https://example.com/a/b/?q=1"))
        let values =
            try [
                URL(string: "https://example.com"), URL(string: "https://example.com/"),
                URL(string: "c/d", relativeTo: base),
                URL(string: "../up?x=%20y#frag", relativeTo: base),
                URL(string: "?only=query", relativeTo: base), URL(string: "relative/path"),
                URL(string: "https://user:pass@[::1]:8080/p;a=b?c=d&e=%F0%9F%98%80#f"),
                URL(string: "mailto:a@b.example"),
                URL(string: "data:text/plain,hello%20world"), URL(string: "https://xn--bcher-kva.example/%C3%BC"),
                URL(string: "file:///tmp/with%20space"),
            ].map { try #require($0) } + [
                URL(fileURLWithPath: "/tmp/ü ä/%/file"), URL(fileURLWithPath: "/tmp/dir/", isDirectory: true),
            ]
        let (_, read) = try roundTrip(store, \.url, \.maybeURL, values)
        for models in read {
            for (model, url) in zip(models, values) {
                #expect(model.url == url, "\(url)")
                #expect(model.url.absoluteString == url.absoluteString, "\(url)")
                #expect(model.url.relativeString == url.relativeString, "\(url)")
                #expect(model.url.baseURL == url.baseURL, "\(url)")
                #expect(model.maybeURL == url, "\(url)")
            }
            #expect(models.last?.maybeURL == nil)
        }
    }

    static let decimals: [Decimal] = [
        "4.99", "0.1", "123456789012345678901234567890.12345678", "-0.00000000000000000000000000000000000001",
        "9999999999999999.99", "10", "9",
    ].map { Decimal(string: $0)! }

    @Test("decimals keep every digit, are found, sorted and compared as numbers", arguments: TestStore.all)
    func decimals(_ store: TestStore) throws {
        let (place, read) = try roundTrip(store, \.decimal, \.maybeDecimal, Self.decimals)
        for models in read {
            #expect(models.dropLast().map(\.decimal) == Self.decimals)
            #expect(models.map(\.maybeDecimal) == Self.decimals + [nil])
        }
        let limit = Decimal(string: "9.5")!
        for context in try place.newContexts() {
            for decimal in Self.decimals {
                #expect(try context.count(Things.self, where: #Predicate { $0.decimal == decimal }) == 1, "\(decimal)")
                #expect(
                    try context.count(Things.self, where: #Predicate { $0.maybeDecimal == decimal }) == 1, "\(decimal)")
            }
            let sorted = try context.all(Things.self, by: SortDescriptor(\.decimal)).map(\.decimal)
            #expect(sorted == (Self.decimals + [0]).sorted())
            let above = try context.all(
                Things.self, by: SortDescriptor(\.decimal), where: #Predicate { $0.decimal > limit })
            #expect(above.map(\.decimal) == Self.decimals.filter { $0 > limit }.sorted())
        }
    }

    @Test("decimals at the limits of the type are kept", arguments: TestStore.all)
    func extremeDecimals(_ store: TestStore) throws {
        var values: [Decimal] = [
            .greatestFiniteMagnitude, -.greatestFiniteMagnitude, .leastNonzeroMagnitude, -.leastNonzeroMagnitude, .nan,
            Decimal(string: "12345678901234567890123456789012345678")!,
            Decimal(string: "-12345678901234567890123456789012345678")!,
            Decimal(string: "0.99999999999999999999999999999999999999")!,
        ]
        for exponent in [-120, -38, -1, 0, 1, 38, 120] {
            values += [
                Decimal(sign: .plus, exponent: exponent, significand: 7),
                Decimal(sign: .minus, exponent: exponent, significand: 70),
            ]
        }
        let (place, read) = try roundTrip(store, \.decimal, \.maybeDecimal, values)
        for models in read {
            for (model, value) in zip(models, values) {
                #expect(model.decimal.isNaN == value.isNaN, "\(value)")
                if !value.isNaN { #expect(model.decimal == value, "\(value)") }
            }
        }
        let context = place.context()
        let sorted = try context.all(Things.self, by: SortDescriptor(\.decimal)).map(\.decimal).filter { !$0.isNaN }
        #expect(sorted == (values.filter { !$0.isNaN } + [0]).sorted())
    }
}
