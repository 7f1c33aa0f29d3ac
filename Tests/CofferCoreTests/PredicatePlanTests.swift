import Foundation
import Testing

@testable import CofferCore

/// What our macro and Foundation's make of the same closure.
@Suite("Predicates of both macros")
struct PredicatePlanTests {
    private func own(_ name: String, _ names: [String], _ mood: QueryMood) -> [String: Predicate<QueryTrip>] {
        var all: [String: Predicate<QueryTrip>] = [:]
        all["comparison"] = #Predicate { (trip: QueryTrip) in trip.days > 3 && trip.name != name && trip.isOpen }
        all["equality of an optional"] = #Predicate { (trip: QueryTrip) in trip.note == "a" }
        all["nil"] = #Predicate { (trip: QueryTrip) in trip.note == nil || trip.owner != nil }
        all["arithmetic"] = #Predicate { (trip: QueryTrip) in trip.days * 2 - 1 == 5 % trip.days }
        all["a literal of another type"] = #Predicate { (trip: QueryTrip) in trip.price == 5 }
        all["enumeration"] = #Predicate { (trip: QueryTrip) in trip.mood == mood }
        all["coalescing"] = #Predicate { (trip: QueryTrip) in (trip.note ?? "-") == "-" }
        all["chain"] = #Predicate { (trip: QueryTrip) in trip.owner?.name == "Ada" }
        all["chain of two"] = #Predicate { (trip: QueryTrip) in trip.owner?.city?.count == 3 }
        all["chain to a collection"] = #Predicate { (trip: QueryTrip) in trip.owner?.trips.isEmpty == true }
        all["unwrapping"] = #Predicate { (trip: QueryTrip) in trip.owner!.name == "Ada" }
        all["conditional"] = #Predicate { (trip: QueryTrip) in trip.note == nil ? trip.isOpen : trip.days > 1 }
        all["if let"] = #Predicate { (trip: QueryTrip) in if let note = trip.note { note == "a" } else { false } }
        all["flatMap"] = #Predicate { (trip: QueryTrip) in trip.owner.flatMap { $0.name == "a" } ?? true }
        all["quantifiers"] = #Predicate { (trip: QueryTrip) in
            trip.stops.contains { $0.nights > trip.days } && trip.stops.allSatisfy { $0.nights > 1 }
        }
        all["count of some"] = #Predicate { (trip: QueryTrip) in trip.stops.filter { $0.nights > 1 }.count == 1 }
        all["values"] = #Predicate { (trip: QueryTrip) in
            trip.tags.contains("a") && trip.tags.contains { $0.isEmpty }
        }
        all["captured list"] = #Predicate { (trip: QueryTrip) in names.contains(trip.name) }
        all["range"] = #Predicate { (trip: QueryTrip) in (1..<3).contains(trip.days) && (1...3).contains(trip.days) }
        all["text"] = #Predicate { (trip: QueryTrip) in trip.name.contains("%") && trip.name.starts(with: "R") }
        all["length"] = #Predicate { (trip: QueryTrip) in trip.name.count > 3 && !trip.name.isEmpty }
        all["member"] = #Predicate { (trip: QueryTrip) in trip.place?.x == 1 }
        all["truth"] = #Predicate { (trip: QueryTrip) in trip.isOpen == false }
        return all
    }

    @Test func haveTheSameFilter() throws {
        let own = own("x", ["a", "b"], .wild)
        let foundation = foundationPredicates("x", ["a", "b"], .wild)
        #expect(Set(own.keys) == Set(foundation.keys))
        for (name, predicate) in own {
            let theirs = try PredicateLowering.filter(#require(foundation[name]))
            #expect(try PredicateLowering.filter(predicate) == theirs, "\(name)")
        }
    }

    /// So the comparison compares something.
    @Test func areNotTheSameMacro() {
        let plain = #Predicate<QueryTrip> { $0.name.hasSuffix("a") }
        // The compiler weighs the two anew where operands are optional.
        let chained = #Predicate<QueryTrip> { $0.owner?.name.hasSuffix("a") == true }
        #expect(plain.description.contains("StringHasSuffix"))
        #expect(chained.description.contains("StringHasSuffix"))
    }

    @Test func whatOnlyOursTakesBecomesAFilterToo() throws {
        func text(_ predicate: Predicate<QueryTrip>) throws -> String {
            try PredicateLowering.filter(predicate).description
        }
        let limit: Int? = 4
        let owner = QueryOwner(name: "Ada")
        let inner = #Predicate<QueryTrip> { $0.days > 1 }
        #expect(try text(#Predicate { $0.name.hasPrefix("R") }) == "$0.name.startsWith(\"R\")")
        #expect(try text(#Predicate { $0.name.hasSuffix("R") }) == "$0.name.endsWith(\"R\")")
        #expect(try text(#Predicate { $0.name.lowercased() == "r" }) == "$0.name.lowercased == \"r\"")
        #expect(try text(#Predicate { $0.mood == .wild }) == "$0.mood == \"wild\"")
        #expect(try text(#Predicate { $0.days == limit }) == "$0.days == 4")
        #expect(try text(#Predicate { $0.note == $0.name }) == "$0.note == $0.name")
        #expect(try text(#Predicate { (3...).contains($0.days) }) == "$0.days >= 3")
        #expect(try text(#Predicate { ($0.days...).contains(3) }) == "3 >= $0.days")
        #expect(try text(#Predicate { $0.days.isMultiple(of: 3) }) == "($0.days % 3) == 0")
        #expect(try text(#Predicate { Double($0.days) > 2 }) == "$0.days.Double > 2.0")
        #expect(try text(#Predicate { abs($0.days) > 2 }).contains("$0.days.abs"))
        #expect(try text(#Predicate { inner.evaluate($0) && $0.isOpen }) == "$0.days > 1 && $0.isOpen")
        #expect(try text(#Predicate { ($0.note ?? $0.owner?.city) == "x" }) == "($0.note ?? $0.owner.city) == \"x\"")
        #expect(
            try text(
                #Predicate {
                    guard let note = $0.note else { return $0.isOpen }; return note == "a"
                })
                == "ifPresent($0.note, $0.note == \"a\") ?? $0.isOpen")
        #expect(
            try text(#Predicate { $0.stops.map(\.nights).contains(3) }) == "exists($0.stops{$1.nights == 3})")
        #expect(try text(#Predicate { $0.owner == owner }).hasPrefix("$0.owner == QueryOwner("))
    }

    @Test func capturedConditionsAreDecidedBeforehand() throws {
        func text(_ flag: Bool, _ names: [String], _ name: String?) throws -> [String] {
            [
                try PredicateLowering.filter(#Predicate<QueryTrip> { flag && $0.isOpen }).description,
                try PredicateLowering.filter(#Predicate<QueryTrip> { flag || $0.isOpen }).description,
                try PredicateLowering.filter(#Predicate<QueryTrip> { flag ? $0.isOpen : $0.days == 1 }).description,
                // What a captured condition guards is not evaluated, as in Swift.
                try PredicateLowering.filter(
                    #Predicate<QueryTrip> { names.isEmpty || $0.name == names[0] }
                ).description,
                try PredicateLowering.filter(
                    #Predicate<QueryTrip> { if let name { $0.name == name } else { $0.isOpen } }
                ).description,
            ]
        }
        #expect(
            try text(true, [], nil) == ["$0.isOpen", "true", "$0.isOpen", "true", "$0.isOpen"])
        #expect(
            try text(false, ["a"], "b") == [
                "false", "$0.isOpen", "$0.days == 1", "$0.name == \"a\"", "$0.name == \"b\"",
            ])
    }

    @Test func aCapturedForceUnwrapCountsWhenItIsEvaluated() throws {
        let owner: QueryOwner? = nil
        let predicate = #Predicate<QueryTrip> { $0.name == owner!.name }
        #expect(throws: PredicateError.forceUnwrapFailure) { try predicate.evaluate(QueryTrip(name: "a", days: 1)) }
    }
}
