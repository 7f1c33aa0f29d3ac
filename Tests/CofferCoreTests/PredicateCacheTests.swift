import Foundation
import Testing

@testable import CofferCore

@Suite("Predicates of one shape")
struct PredicateCacheTests {
    /// The filters of some predicates, and how many were lowered for them.
    private func filters(_ predicates: [Predicate<QueryTrip>]) throws -> (texts: [String], translations: Int) {
        let cache = PredicateCache()
        let texts = try predicates.map { predicate in
            let filter = try cache.parts(predicate).parts.filter
            // By their text: a filter with not-a-number is equal to none.
            #expect(try filter?.description == PredicateLowering.filter(predicate).description)
            return filter?.description ?? "-"
        }
        return (texts, cache.translations)
    }

    @Test func areLoweredOnce() throws {
        func predicate(_ name: String, _ days: Int, _ names: [String]) -> Predicate<QueryTrip> {
            #Predicate { trip in
                trip.name == name && trip.days > days && names.contains(trip.name)
                    && trip.stops.contains { $0.nights > trip.days && $0.city != name }
            }
        }
        let (texts, translations) = try filters([
            predicate("a", 5, ["x", "y"]), predicate("b", 60, ["z"]), predicate("b", 70, ["b", "c", "d"]),
        ])
        #expect(translations == 1)
        #expect(texts[1].contains("\"b\"") && texts[1].contains("60") && texts[1].contains("\"z\""))
        #expect(Set(texts).count == 3)
    }

    @Test func areLoweredOnceByFoundationsMacroToo() throws {
        let (_, translations) = try filters(
            [
                foundationPredicates("x", ["a", "b"], .wild), foundationPredicates("y", ["c", "d", "e"], .calm),
            ].flatMap { all in all.keys.sorted().compactMap { all[$0] } })
        #expect(translations == foundationPredicates("x", [], .wild).count)
    }

    @Test func differInWhatTheTypeDoesNotSay() throws {
        func variables(_ isFirst: Bool) -> Predicate<QueryTrip> {
            isFirst
                ? #Predicate { trip in trip.stops.contains { a in trip.stops.contains { b in a.nights < b.nights } } }
                : #Predicate { trip in trip.stops.contains { a in trip.stops.contains { b in b.nights < a.nights } } }
        }
        func operators(_ isFirst: Bool) -> Predicate<QueryTrip> {
            isFirst ? #Predicate { $0.days < 5 } : #Predicate { $0.days >= 5 }
        }
        func signs(_ isFirst: Bool) -> Predicate<QueryTrip> {
            isFirst ? #Predicate { $0.days + 5 > 7 } : #Predicate { $0.days - 5 > 7 }
        }
        func keyPaths(_ isFirst: Bool) -> Predicate<QueryTrip> {
            isFirst ? #Predicate { $0.note == "a" } : #Predicate { $0.owner?.city == "a" }
        }
        func own(_ isFirst: Bool) -> Predicate<QueryStop> {
            isFirst ? #Predicate { $0.city == "a" } : #Predicate { $0.city.lowercased() == "a" }
        }
        for make in [variables, operators, signs, keyPaths] {
            let (texts, translations) = try filters([make(true), make(false), make(true), make(false)])
            #expect(texts[0] != texts[1] && texts[0] == texts[2] && texts[1] == texts[3])
            #expect(translations == 2)
        }
        #expect(try PredicateLowering.filter(own(true)) != PredicateLowering.filter(own(false)))
    }

    @Test func differInCapturedValuesThatMeanMore() throws {
        func equals(_ note: String?) -> Predicate<QueryTrip> { #Predicate { $0.note == note } }
        func isOpen(_ flag: Bool) -> Predicate<QueryTrip> { #Predicate { $0.isOpen == flag } }
        func multiple(_ number: Int) -> Predicate<QueryTrip> { #Predicate { $0.days.isMultiple(of: number) } }
        func two(_ a: Int, _ b: Int) -> Predicate<QueryTrip> { #Predicate { $0.days > a || $0.days < b } }
        func price(_ a: Double, _ b: Double) -> Predicate<QueryTrip> { #Predicate { 1 / a < $0.price && b < $0.price } }
        func list(_ names: [String]) -> Predicate<QueryTrip> { #Predicate { names.contains($0.name) } }
        func lists(_ a: [String], _ b: [String]) -> Predicate<QueryTrip> {
            #Predicate { a.contains($0.name) && !b.contains($0.name) }
        }
        _ = try filters([equals("a"), equals(nil), equals(""), equals("b")])
        _ = try filters([isOpen(true), isOpen(false)])
        _ = try filters([multiple(2), multiple(0), multiple(-1), multiple(1), multiple(7)])
        _ = try filters([two(5, 5), two(5, 6), two(7, 7), two(1, 9), two(9, 1), two(1, 1), two(8, 2)])
        _ = try filters([price(0.0, -0.0), price(-0.0, 0.0), price(2, 3), price(.nan, 4), price(3, 3)])
        _ = try filters([list([]), list(["a"]), list(["b", "c"])])
        _ = try filters([lists(["a"], ["a"]), lists(["a"], ["b"]), lists(["b"], ["a"]), lists([], ["c"])])
    }

    @Test func mayHoldWhatIsNoConstant() throws {
        func dictionary(_ values: [String: Int]) -> Predicate<QueryTrip> { #Predicate { values[$0.name] == 3 } }
        func whole(_ tags: [String]) -> Predicate<QueryTrip> { #Predicate { $0.tags == tags } }
        func inner(_ days: Int) -> Predicate<QueryTrip> {
            let inner = #Predicate<QueryTrip> { $0.days > days }
            return Predicate(all: [#Predicate { inner.evaluate($0) && $0.isOpen }, #Predicate { $0.days < days + 9 }])
        }
        #expect(try filters([whole(["a"]), whole(["b"]), whole([])]).translations == 3)
        #expect(try filters([inner(4), inner(5), inner(6)]).translations == 1)
        let batch = RowBatch(entityName: "QueryTrip", width: QueryTrip._$descriptor.slotCount, storeIdentifier: nil)
        batch.appendRow(key: 1)
        batch.set(.text("a"), row: 0, slot: 0)
        let cache = PredicateCache()
        for number in [3, 4, 3] {
            let filter = try #require(try cache.parts(dictionary(["a": number])).parts.filter)
            #expect(try RowFilter(filter).matches(batch, row: 0, in: NoRows()) == (number == 3))
        }
    }

    @Test func ofManyLevelsAreRefusedBeforeTheStackEnds() throws {
        var predicate = #Predicate<QueryTrip> { $0.days > 3 }
        for _ in 0..<100 { predicate = Predicate(any: [Predicate(not: predicate), #Predicate { $0.isOpen }]) }
        _ = try PredicateLowering.filter(predicate)
        for _ in 0..<2000 { predicate = Predicate(not: predicate) }
        #expect(throws: SwiftDataError.unsupportedPredicate) {
            try FetchDescriptor(predicate: predicate)._plan()
        }
    }
}
